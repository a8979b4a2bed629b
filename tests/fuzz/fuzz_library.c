/*
 * Fuzzing the library: its functions in any order, with any arguments, those that make no sense
 * among them. Each call is done, or is refused with a message in the caller's terms and changes
 * nothing; time does not go back; and what is copied is finite and in the box. The progress stops
 * an advance that takes long.
 */
#include "fed_text.h"
#include "fuzz.h"
#include "kept_output.h"

#include <particles.h>

#include <math.h>
#include <string.h>

enum { MAX_PARTICLES = 12, MAX_CALLS = 60, ARRAYS = 7 };

struct user {
    struct particles *p;
    struct fuzz_bytes bytes;
    double width, height; /* of the box; 0: not known */
    double last;          /* collision */
    char *saved;          /* owned; NULL: nothing */
    size_t saved_size;
};

/* A number, most often of the size of a box. */
static double take_number(struct user *user)
{
    static const double odd[] = {0,    -0.0, 1e-300,           1e-40,      1e40,
                                 1e41, -1,   (double)INFINITY, (double)NAN};
    const unsigned byte = fuzz_byte(&user->bytes);
    if (byte >= 240)
        return odd[byte % (sizeof odd / sizeof odd[0])];
    return (byte + fuzz_byte(&user->bytes) / 256.0) / 12;
}

/* An array, or NULL. */
static const double *take_array(struct user *user, double array[MAX_PARTICLES], double scale)
{
    if (fuzz_byte(&user->bytes) % 4 == 0)
        return NULL;
    for (int k = 0; k < MAX_PARTICLES; k++)
        array[k] = scale * take_number(user);
    return array;
}

static int check(struct user *user, int status)
{
    const char *message = particles_error(user->p);
    fuzz_expect(status == PARTICLES_DONE || status == PARTICLES_USAGE ||
                    status == PARTICLES_BAD_DATA || status == PARTICLES_NO_INPUT ||
                    status == PARTICLES_CANNOT_WRITE || status == PARTICLES_STOPPED,
                "a status that cannot be");
    fuzz_expect((*message != '\0') == (status != PARTICLES_DONE), "a message or none");
    fuzz_expect(!strstr(message, "--r") && !strstr(message, "--s"), "a message with dashes");
    return status;
}

static void note(void *argument, const struct particles_collision *list, size_t count)
{
    struct user *user = argument;
    for (size_t k = 0; k < count; k++) {
        fuzz_expect(list[k].time >= user->last, "collisions are not in order");
        user->last = list[k].time;
    }
    fuzz_expect(particles_advance(user->p, 1e9) == PARTICLES_USAGE, "a call from a callback");
}

static int stop(void *argument, double time)
{
    const struct user *user = argument;
    fuzz_expect(time >= 0, "a time before the start");
    return user->p != NULL;
}

static void renew(struct user *user)
{
    particles_free(user->p);
    user->p = particles_create();
    fuzz_expect(user->p != NULL, "no memory for a test");
    user->last = 0;
    particles_on_progress(user->p, stop, user);
}

static void set(struct user *user)
{
    static const char *const options[][2] = {{"rule", "elastic"},
                                             {"rule", "swap"},
                                             {"schedule", "textbook"},
                                             {"schedule", "cells"},
                                             {"schedule", "array"},
                                             {"restitution", "0.5"},
                                             {"restitution", "x"},
                                             {"contact-time", "0.01"},
                                             {"periodic", "xy"},
                                             {"periodic", "x"},
                                             {"stream", "1"},
                                             {"stream-temperature", "2"},
                                             {"wall", "left temperature=2"},
                                             {"wall", "obstacles restitution=0.5"},
                                             {"wall", ""},
                                             {"reverse", NULL},
                                             {"step", "0.1"},
                                             {"substeps", "3"},
                                             {"substeps", "0"},
                                             {"interaction", "gravity g=-1"},
                                             {"constraint", "contact"},
                                             {"lattice", "8"},
                                             {"viscosity", "3"},
                                             {"lattice-start", "particles"},
                                             {"stats", NULL},
                                             {"stats-from", "2"},
                                             {"stats-from", "1e300"},
                                             {"area-fraction", "0.2"},
                                             {"radius", "1,0.5"},
                                             {"radius", "0.5..1"},
                                             {"mass", "1,2"},
                                             {"aspect", "2"},
                                             {"speed", "3"},
                                             {"seed", "7"},
                                             {"threads", "1"},
                                             {"events", "file"},
                                             {"resume", "file"},
                                             {"", NULL},
                                             {"no", "1"},
                                             {"help", NULL},
                                             {"reference-length", "1"},
                                             {"roughness", "0.5"},
                                             {NULL, NULL}};
    const char *const *option =
        options[fuzz_byte(&user->bytes) % (sizeof options / sizeof options[0])];
    check(user, particles_set(user->p, option[0], option[1]));
}

static void place(struct user *user)
{
    double arrays[ARRAYS][MAX_PARTICLES], box[2];
    const double *taken[ARRAYS];
    const size_t count = fuzz_byte(&user->bytes) % (MAX_PARTICLES + 1);
    box[0] = take_number(user);
    box[1] = take_number(user);
    for (int k = 0; k < ARRAYS; k++)
        taken[k] = take_array(user, arrays[k], k == 4 ? 0.05 : 1);
    if (!check(user, particles_place_rough(user->p, count, box, taken[0], taken[1], taken[2],
                                           taken[3], taken[4], taken[5], NULL, taken[6]))) {
        user->width = box[0];
        user->height = box[1];
    }
}

static void generate(struct user *user)
{
    static const char *const counts[] = {"1", "12", "5,6", "0", "x", "", "1,1,1"};
    const char *text = counts[fuzz_byte(&user->bytes) % (sizeof counts / sizeof counts[0])];
    check(user, particles_generate(user->p, text));
}

static void feed(const char *text, size_t size)
{
    fed_text_feed_files(&(struct feed){text, size, 0, 0, 0}, 1);
}

static void read_text(struct user *user)
{
    static const char *const texts[] = {"2\n0.5\n10 5\n2 2.4 1 0\n8 2.6 -1 0\n",
                                        "2\n0.5\n10 5\n2 2.4 1 0 0.3 2\n8 2.6 -1 0\n", "2\n0.5\n",
                                        "1\n1\n2 2\n1 1 0 0\n"};
    const char *text = texts[fuzz_byte(&user->bytes) % (sizeof texts / sizeof texts[0])];
    feed(text, strlen(text));
    const unsigned way = fuzz_byte(&user->bytes) % 8;
    if (way == 1)
        check(user, particles_read_text(user->p, text, strlen(text)));
    else
        check(user, particles_read(user->p, way ? "/dev/null" : "-"));
}

static void load(struct user *user)
{
    feed(user->saved, user->saved_size);
    if (!check(user, particles_load(user->p, "/dev/null")))
        user->last = 0;
}

static void save(struct user *user)
{
    size_t count;
    const double time = particles_time(user->p);
    kept_output_clear();
    if (check(user, particles_save(user->p, "saved")))
        return;
    const struct kept_output *file = kept_output_files(&count);
    fuzz_expect(count == 1 && particles_time(user->p) == time, "a checkpoint that is not one file");
    free(user->saved);
    user->saved = malloc(file->size);
    user->saved_size = file->size;
    memcpy(user->saved, file->bytes, file->size);
}

static void advance(struct user *user)
{
    const double before = particles_time(user->p);
    const double time =
        fuzz_byte(&user->bytes) % 8 ? before + take_number(user) : take_number(user);
    const int status = check(user, particles_advance(user->p, time));
    const double after = particles_time(user->p);
    fuzz_expect(after >= before, "time goes back");
    fuzz_expect(status || after == time, "an advance that is not to its time");
    fuzz_expect(status != PARTICLES_USAGE || after == before, "a refused advance");
}

static void change(struct user *user)
{
    double arrays[ARRAYS][MAX_PARTICLES];
    const double *taken[ARRAYS];
    for (int k = 0; k < ARRAYS; k++)
        taken[k] =
            fuzz_byte(&user->bytes) % 2 ? take_array(user, arrays[k], k == 4 ? 0.05 : 1) : NULL;
    check(user, particles_change_rough(user->p, taken[0], taken[1], taken[2], taken[3], taken[4],
                                       taken[5], taken[6]));
}

static void look(struct user *user)
{
    static const char *const names[] = {"pressure_virial", "collisions", "particles", "seconds",
                                        "temperature",     "no",         "mach",      ""};
    double x[MAX_PARTICLES], y[MAX_PARTICLES], u[MAX_PARTICLES], v[MAX_PARTICLES], value, error;
    const size_t count = particles_count(user->p);
    const unsigned byte = fuzz_byte(&user->bytes);
    fuzz_expect(count <= MAX_PARTICLES, "too many particles");
    check(user, particles_counts(user->p, NULL, NULL));
    check(user, particles_figure(user->p, byte == 255 ? NULL : names[byte % 8], &value, &error));
    if (check(user, particles_state(user->p, x, y, u, v)))
        return;
    for (size_t k = 0; k < count; k++) {
        fuzz_expect(isfinite(x[k]) && isfinite(y[k]) && isfinite(u[k]) && isfinite(v[k]),
                    "a state that is not finite");
        if (user->width > 0)
            fuzz_expect(x[k] >= 0 && x[k] <= user->width && y[k] >= 0 && y[k] <= user->height,
                        "a particle outside of the box");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(struct user *) = {
        set, set, set, place, generate, read_text, load, save, advance, advance, change, look};
    struct user user = {.bytes = {data, size}};
    renew(&user);
    if (fuzz_byte(&user.bytes) % 2)
        check(&user, particles_on_collisions(user.p, note, &user));
    for (int k = 0; k < MAX_CALLS && user.bytes.left > 0; k++) {
        const unsigned byte = fuzz_byte(&user.bytes);
        if (byte < 8) {
            renew(&user);
            user.width = 0;
        } else {
            calls[byte % (sizeof calls / sizeof calls[0])](&user);
        }
    }
    particles_free(user.p);
    free(user.saved);
    kept_output_clear();
    fuzz_expect(kept_output_open_count() == 0, "a file that is open");
    return 0;
}
