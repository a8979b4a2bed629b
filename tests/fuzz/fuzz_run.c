/* Fuzzing whole runs: small systems made of the bytes (byte_system.c), simulated by the array, the
 * cells and the textbook schedule, and by tiles on two threads, which must agree on every collision
 * to the last bit, and by the whole command with files of all sorts, which must be the same bytes.
 *
 * On the way the laws that hold for every input are checked: time does not go back, no disk leaves
 * the box or overlaps another beyond rounding, none overlaps a polygon or gets through a side of
 * one, energy is kept or lost as the law says.
 *
 * A run is cut off after MAX_EVENTS collisions, for there is no end to those of wedged disks, or
 * MAX_STEPS events, for particles may pass seams for ever. */
#include "byte_system.h"
#include "fed_text.h"
#include "kept_output.h"
#include "model/physics.h"
#include "model/polygons.h"
#include "observed.h"
#include "random_system.h"
#include "sides.h"

#include <math.h>
#include <string.h>

enum { MAX_EVENTS = 100, MAX_STEPS = 2000 };

/* An observer that records each collision and checks the laws. */
struct inspector {
    struct observer observer;
    const struct system *system; /* the one that is simulated; not owned */
    int is_ahead;                /* with tiles: it may be so, and only events can be checked */
    size_t count;
    struct event events[MAX_EVENTS]; /* with ids in the place of indices */
    size_t steps;                    /* events, passages of seams among them */
    double last;                     /* the time of the last one */
    double end_time;
    double fastest;     /* the largest velocity component so far */
    double energy;      /* at the start, and what a stream has added; in units of the fastest speed
                           squared */
    double most_energy; /* so far, in these units */
    double unit;        /* that speed */
    struct particle before[BYTE_SYSTEM_MAX]; /* by ids: as they were before the last event */
};

static double find_energy(const struct system *system, double unit)
{
    double energy = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double u = p->u / unit;
        double v = p->v / unit;
        energy += system_mass(system, p) * (u * u + v * v);
    }
    return energy;
}

static double find_fastest(const struct system *system)
{
    double fastest = 0;
    for (size_t k = 0; k < system->count; k++)
        fastest = fmax(fastest, fmax(fabs(system->particles[k].u), fabs(system->particles[k].v)));
    return fastest;
}

/* The error that rounding explains, after a time in which nothing has been faster. */
static double find_slack(const struct boundary *boundary, double time, double fastest)
{
    return 64 * DBL_EPSILON * (fmax(boundary->width, boundary->height) + fastest * time);
}

/* No disk is outside or overlaps another, beyond what rounding explains. */
static void check_places(const struct system *system, double time, double fastest)
{
    const struct boundary *boundary = &system->boundary;
    const double slack = find_slack(boundary, time, fastest);
    double x[BYTE_SYSTEM_MAX], y[BYTE_SYSTEM_MAX];
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double R = system_radius(system, p);
        double left = boundary->periodic & PERIODIC_X ? 0 : R;
        double bottom = boundary->periodic & PERIODIC_Y ? 0 : R;
        x[k] = particle_coordinate(p->x, p->u, p->t, time);
        y[k] = particle_coordinate(p->y, p->v, p->t, time);
        fuzz_expect(x[k] > left - slack && x[k] < boundary->width - left + slack,
                    "left or right of the box");
        fuzz_expect(y[k] > bottom - slack && y[k] < boundary->height - bottom + slack,
                    "above or below the box");
        if (boundary->polygons)
            fuzz_expect(sides_distance(boundary, x[k], y[k]) > R - 2 * slack,
                        "an overlap with a side");
        for (size_t j = 0; j < k; j++)
            fuzz_expect(byte_system_distance(boundary, x[k] - x[j], y[k] - y[j]) >
                            system_contact(system, p, &system->particles[j]) - slack,
                        "an overlap");
    }
}

/* The particle with an id. */
static const struct particle *find_particle(const struct system *system, int32_t id)
{
    const struct particle *particle = system->particles;
    while (particle->id != id)
        particle++;
    return particle;
}

static void check_collision(const struct system *system, const struct collision *collision)
{
    const struct particle *a = find_particle(system, collision->a.number);
    fuzz_expect(a->t == collision->time, "an anchor is not at its collision");
    if (collision->partner == PARTNER_BOUNDARY)
        return;
    const struct particle *b = find_particle(system, collision->b.number);
    fuzz_expect(a->id < b->id && b->t == collision->time, "a pair is not at its collision");
    const struct boundary *boundary = &system->boundary;
    const struct pair_shift shift = {
        /* of the image of b that was met */
        round((collision->dx - (b->x - a->x)) / boundary->width) * boundary->width,
        round((collision->dy - (b->y - a->y)) / boundary->height) * boundary->height};
    fuzz_expect(
        pair_approach(&(struct acceleration){0, 0, 0}, a, b, system_contact(system, a, b), &shift)
                .B >= 0,
        "two that have collided approach each other");
}

static void check_energy(const struct inspector *inspector)
{
    double allowed = 64 * DBL_EPSILON * inspector->most_energy * (double)(inspector->count + 1);
    double change = find_energy(inspector->system, inspector->unit) - inspector->energy;
    fuzz_expect(change <= allowed, "there is more energy");
    fuzz_expect(change >= -allowed || inspector->system->law.restitution < 1,
                "there is less energy");
}

static enum status record(struct observer *observer, const struct collision *collision,
                          struct error *error)
{
    struct inspector *inspector = (struct inspector *)observer;
    const struct system *system = inspector->system;
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    const struct event event = {collision->time, collision->a.number,
                                is_pair ? collision->b.number : collision->feature};
    const struct event *last =
        inspector->count > 0 ? &inspector->events[inspector->count - 1] : NULL;
    fuzz_expect(event.time >= (last ? last->time : 0), "time goes back");
    fuzz_expect(event.time <= inspector->end_time, "a collision after the end");
    inspector->fastest = fmax(inspector->fastest, find_fastest(system));
    if (!inspector->is_ahead) {
        check_collision(system, collision);
        check_places(system, event.time, inspector->fastest);
        check_energy(inspector);
    }
    inspector->events[inspector->count++] = event;
    if (inspector->count == MAX_EVENTS)
        return error_set(error, STATUS_INTERRUPTED, "enough");
    return STATUS_DONE;
}

/* A stream has given a particle another velocity, and energy with it. */
static enum status record_reinjection(struct observer *observer, const struct collision *passage,
                                      struct error *error)
{
    struct inspector *inspector = (struct inspector *)observer;
    const struct system *system = inspector->system;
    const struct collision_particle *a = &passage->a;
    const int is_y = passage->feature < FEATURE_RIGHT;
    const int is_up = passage->feature == FEATURE_RIGHT || passage->feature == FEATURE_TOP;
    const double from = is_y ? a->v_before : a->u_before;
    const double to = is_y ? a->v : a->u;
    const double length = is_y ? system->boundary.height : system->boundary.width;
    const double unit = inspector->unit;
    fuzz_expect((is_up ? from : -from) > 0 && to != 0, "a particle does not come to a seam");
    fuzz_expect((is_y ? a->y : a->x) == (to > 0 ? 0 : length), "a passage elsewhere");
    inspector->energy += a->mass * ((a->u / unit) * (a->u / unit) + (a->v / unit) * (a->v / unit) -
                                    (a->u_before / unit) * (a->u_before / unit) -
                                    (a->v_before / unit) * (a->v_before / unit));
    inspector->most_energy = fmax(inspector->most_energy, find_energy(system, unit));
    return record(observer, passage, error);
}

OBSERVED_TAKE(take, record, record_reinjection)

/* No particle has gone through a side since its last event. */
static void check_ways(struct inspector *inspector)
{
    const struct boundary *boundary = &inspector->system->boundary;
    for (size_t k = 0; k < inspector->system->count && boundary->polygons; k++) {
        const struct particle *now = &inspector->system->particles[k];
        struct particle *then = &inspector->before[now->id];
        const double from[2] = {then->x, then->y};
        const double to[2] = {particle_coordinate(then->x, then->u, then->t, now->t),
                              particle_coordinate(then->y, then->v, then->t, now->t)};
        const double slack = find_slack(boundary, now->t, inspector->fastest);
        fuzz_expect(now->t == then->t || !sides_are_crossed(boundary, from, to, 2 * slack),
                    "a way through a side");
        *then = *now;
    }
}

/* Told before every event. */
static enum status count_step(struct observer *observer, const struct snapshot *snapshot,
                              struct error *error)
{
    struct inspector *inspector = (struct inspector *)observer;
    inspector->last = snapshot->time;
    if (!inspector->is_ahead)
        check_ways(inspector);
    if (++inspector->steps == MAX_STEPS)
        return error_set(error, STATUS_INTERRUPTED, "enough");
    return STATUS_DONE;
}

static int is_cut_off(const struct inspector *inspector)
{
    return inspector->count == MAX_EVENTS || inspector->steps == MAX_STEPS;
}

/* Simulates a copy of `start` with a schedule of this kind, in tiles of that side, if it is not 0.
 */
static struct system inspected_run(const struct system *start, enum schedule_kind kind,
                                   uint32_t tile_side, double end_time, struct inspector *inspector)
{
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = take, .quiescent = count_step};
    struct system system = system_copy(start);
    struct schedule *schedule = NULL;
    struct observers observers = {.pause = 1};
    const struct schedule_threads threads = {tile_side > 0 ? 2 : 1, tile_side};
    double fastest = find_fastest(start);
    *inspector =
        (struct inspector){.observer = {.operations = &operations, .next_sample = (double)INFINITY},
                           .system = &system,
                           .is_ahead = tile_side > 0,
                           .end_time = end_time,
                           .fastest = fastest,
                           .unit = fastest > 0 ? fastest : 1};
    inspector->energy = inspector->most_energy = find_energy(start, inspector->unit);
    for (size_t k = 0; k < start->count; k++)
        inspector->before[start->particles[k].id] = start->particles[k];
    observers_add(&observers, &inspector->observer);
    fuzz_expect(!schedule_create(kind, &system, &threads, &schedule, &failure), failure.message);
    enum status status = simulation_run(schedule, end_time, &observers, &failure);
    fuzz_expect(status == (is_cut_off(inspector) ? STATUS_INTERRUPTED : STATUS_DONE),
                failure.message);
    schedule_free(schedule);
    return system;
}

static int is_same_run(const struct inspector *a, const struct system *a_end,
                       const struct inspector *b, const struct system *b_end)
{
    return a->count == b->count && a->steps == b->steps && a->last == b->last &&
           memcmp(a->events, b->events, a->count * sizeof *a->events) == 0 &&
           memcmp(a_end->particles, b_end->particles, a_end->count * sizeof *a_end->particles) == 0;
}

static void check_end(const struct system *system, double end_time)
{
    for (size_t k = 0; k < system->count; k++) {
        const struct boundary *boundary = &system->boundary;
        const double R = system_radius(system, &system->particles[k]);
        const double left = boundary->periodic & PERIODIC_X ? 0 : R;
        const double bottom = boundary->periodic & PERIODIC_Y ? 0 : R;
        double x, y;
        physics_position(system, k, end_time, &x, &y);
        fuzz_expect(x >= left && x <= fmax(boundary->width - left, left),
                    "printed outside of the box");
        fuzz_expect(y >= bottom && y <= fmax(boundary->height - bottom, bottom),
                    "printed above or below the box");
        fuzz_expect(!(boundary->periodic & PERIODIC_X && x == boundary->width) &&
                        !(boundary->periodic & PERIODIC_Y && y == boundary->height),
                    "printed at the other side of a seam");
    }
}

/* Tiles, too; except that observers can also rest between windows, which counts as a step. */
static void compare_tiles(const struct system *start, uint32_t side, double end_time,
                          const struct inspector *known, const struct system *known_end)
{
    static struct inspector tiled;
    if (known->steps > MAX_STEPS / 4)
        return;
    OWNED(system, end) = inspected_run(start, SCHEDULE_CELLS, side, end_time, &tiled);
    if (tiled.steps < MAX_STEPS) {
        tiled.steps = known->steps;
        tiled.last = known->last;
        const struct system *tiled_end = is_cut_off(known) ? known_end : &end;
        fuzz_expect(is_same_run(known, known_end, &tiled, tiled_end),
                    "the array and tiles disagree");
    }
}

/* All schedules, collision by collision. Returns until when it is not too many. */
static double compare_schedules(const struct system *start, uint32_t side, double end_time)
{
    static struct inspector array;
    static struct inspector other;
    struct system array_end = inspected_run(start, SCHEDULE_ARRAY, 0, end_time, &array);
    struct system other_end = inspected_run(start, SCHEDULE_TEXTBOOK, 0, end_time, &other);
    fuzz_expect(is_same_run(&array, &array_end, &other, &other_end),
                "the array and the textbook disagree");
    system_free(&other_end);
    other_end = inspected_run(start, SCHEDULE_CELLS, 0, end_time, &other);
    fuzz_expect(is_same_run(&array, &array_end, &other, &other_end),
                "the array and the cells disagree");
    system_free(&other_end);
    compare_tiles(start, side, end_time, &array, &array_end);
    if (!is_cut_off(&array))
        check_end(&array_end, end_time);
    system_free(&array_end);
    if (!is_cut_off(&array))
        return end_time;
    if (array.steps == MAX_STEPS)
        return array.last / 2;
    double halfway = array.events[MAX_EVENTS / 2].time;
    return halfway < array.events[MAX_EVENTS - 1].time ? halfway : -1;
}

/* The files and output of the whole command. */
struct outcome {
    int status;
    char message[ERROR_MESSAGE_SIZE];
    char *answer; /* standard output; freed by the caller */
    size_t answer_size;
};

static FILE *answer_stream;      /* in the place of standard output */
static const char *answer_error; /* and what is said in that of standard error */
static char last_message[ERROR_MESSAGE_SIZE];

static void keep_error(const struct error *error)
{
    snprintf(last_message, sizeof last_message, "%s", error->message);
    answer_error = last_message;
}

/* The command itself, as a function. */
#include "base/error.h"
#undef stdout
#define stdout      answer_stream
#define error_print keep_error
#define main        particles_main
int particles_main(int argc, char **argv);
#include "main.c"
#undef main

enum { TEXT_SIZE = 100 + 200 * BYTE_SYSTEM_MAX, ARGUMENTS = 20 };

/* The system as an input file. */
static size_t write_input(const struct system *system, char text[TEXT_SIZE])
{
    int used = snprintf(text, TEXT_SIZE, "%zu\n%.17g\n%.17g %.17g\n", system->count, system->radius,
                        system->boundary.width, system->boundary.height);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        size_t length = (size_t)used;
        used +=
            snprintf(text + length, TEXT_SIZE - length, "%.17g %.17g %.17g %.17g %.17g %.17g %d\n",
                     p->x, p->y, p->u, p->v, system_radius(system, p), system_mass(system, p),
                     (int)system_species(system, p));
    }
    return (size_t)used;
}

/* All that the command reads: INPUT, and the files of polygons. */
struct texts {
    char input[TEXT_SIZE];
    size_t size;
    struct feed files[FED_TEXT_FILES]; /* what they say is freed by the caller */
    size_t file_count;
};

/* Adds a file with the polygons of one sort, if there are any; returns whether there are. */
static int write_polygons(const struct polygons *polygons, int is_domain, struct texts *texts)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fuzz_expect(stream != NULL, "no memory for a test");
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        const struct polygon *polygon = &polygons->list[side->polygon];
        if (polygon->is_domain != is_domain)
            continue;
        fprintf(stream, "%s%.17g %.17g\n", k == polygon->first_side ? "\n" : "", side->corner_x,
                side->corner_y);
    }
    fclose(stream);
    if (size > 0)
        texts->files[texts->file_count++] = (struct feed){.bytes = text, .size = size};
    else
        free(text);
    return size > 0;
}

static struct outcome run_command(int count, char **arguments, const struct texts *texts)
{
    struct outcome outcome = {0};
    fed_text_feed(&(struct feed){.bytes = texts->input, .size = texts->size});
    fed_text_feed_files(texts->files, texts->file_count);
    answer_stream = open_memstream(&outcome.answer, &outcome.answer_size);
    fuzz_expect(answer_stream != NULL, "no memory for a test");
    FILE *stream = answer_stream;
    answer_error = NULL;
    outcome.status = particles_main(count, arguments);
    if (outcome.status)
        fclose(stream); /* otherwise the command has done it */
    fuzz_expect((outcome.status != 0) == (answer_error != NULL), "a failure without a message");
    fuzz_expect(outcome.status == 0 || outcome.answer_size == 0, "an answer in spite of a failure");
    fuzz_expect(kept_output_open_count() == 0, "a file is left open");
    if (answer_error)
        snprintf(outcome.message, sizeof outcome.message, "%s", answer_error);
    return outcome;
}

static void check_same_outcome(const struct outcome *a, const struct outcome *b)
{
    fuzz_expect(a->status == b->status && strcmp(a->message, b->message) == 0,
                "another status or message");
    fuzz_expect(a->answer_size == b->answer_size &&
                    memcmp(a->answer, b->answer, a->answer_size) == 0,
                "another answer");
}

/* Copies a file, without the two lines of figures that are by the clock. */
static struct kept_output copy_without_clock(const struct kept_output *file)
{
    struct kept_output copy = *file;
    copy.bytes = memcpy(malloc(file->size + 1), file->bytes, file->size + 1);
    char *clock = strcmp(file->name, "stats") == 0 ? strstr(copy.bytes, "\nseconds") : NULL;
    char *rest = clock ? strstr(clock, "\nstats_from") : NULL;
    if (rest) {
        copy.size -= (size_t)(rest - clock);
        memmove(clock, rest, strlen(rest) + 1);
    }
    return copy;
}

/* Keeps what the files of a run say, or compares with what is kept. */
static void check_same_files(struct kept_output kept[KEPT_OUTPUT_MAX], size_t *kept_count)
{
    size_t count;
    const struct kept_output *files = kept_output_files(&count);
    for (size_t k = 0; k < count && *kept_count == 0; k++)
        kept[k] = copy_without_clock(&files[k]);
    if (*kept_count == 0)
        *kept_count = count;
    fuzz_expect(count == *kept_count, "other files");
    for (size_t k = 0; k < count; k++) {
        struct kept_output file = copy_without_clock(&files[k]);
        fuzz_expect(strcmp(kept[k].name, file.name) == 0 && kept[k].size == file.size &&
                        memcmp(kept[k].bytes, file.bytes, file.size) == 0,
                    kept[k].name);
        free(file.bytes);
    }
}

/* The whole command, bare, and with the files that `choice` names by both schedules and in tiles.
 */
static void compare_commands(const struct system *system, double end_time, unsigned choice)
{
    static const char *const files[] = {"--events=events", "--trajectory=frames", "--stats=stats",
                                        "--picture=picture", "--animate=animation"};
    static const char *const axes[] = {"x", "y", "xy"};
    struct texts texts = {.file_count = 0};
    char words[ARGUMENTS][64];
    char *arguments[ARGUMENTS + 1];
    int count = 0;
    texts.size = write_input(system, texts.input);
    snprintf(words[count++], sizeof words[0], "particles");
    snprintf(words[count++], sizeof words[0], "-");
    snprintf(words[count++], sizeof words[0], "%.17g", end_time);
    if (system->law.rule == RULE_ELASTIC)
        snprintf(words[count++], sizeof words[0], "--rule=elastic");
    if (system->law.restitution < 1) {
        snprintf(words[count++], sizeof words[0], "--restitution=%.17g", system->law.restitution);
        snprintf(words[count++], sizeof words[0], "--contact-time=%.17g", system->law.contact_time);
    }
    if (system->boundary.periodic)
        snprintf(words[count++], sizeof words[0], "--periodic=%s",
                 axes[system->boundary.periodic - 1]);
    const struct stream *stream = &system->boundary.stream;
    if (stream->draw) {
        snprintf(words[count++], sizeof words[0], "--stream=%.17g", stream->speed);
        snprintf(words[count++], sizeof words[0], "--stream-temperature=%.17g",
                 stream->temperature);
        snprintf(words[count++], sizeof words[0], "--seed=%d", (int)stream->seed);
    }
    for (int is_domain = 1; is_domain >= 0; is_domain--)
        if (write_polygons(system->boundary.polygons, is_domain, &texts))
            snprintf(words[count++], sizeof words[0], "--%s=/dev/null",
                     is_domain ? "domain" : "obstacle"); /* opened, but not read */
    for (int k = 0; k < count; k++)
        arguments[k] = words[k];
    arguments[count] = NULL;
    struct outcome bare = run_command(count, arguments, &texts);

    snprintf(words[count++], sizeof words[0], "--quiet");
    for (size_t k = 0; k < LENGTH(files); k++)
        if (choice >> k & 1)
            snprintf(words[count++], sizeof words[0], "%s", files[k]);
    if (choice >> 1 & 1)
        snprintf(words[count++], sizeof words[0], "--every=%.17g", end_time > 0 ? end_time / 7 : 1);
    struct kept_output kept[KEPT_OUTPUT_MAX];
    size_t kept_count = 0;
    for (int k = 0; k < 3; k++) {
        snprintf(words[count], sizeof words[0], "%s",
                 k == 0   ? "--schedule=array"
                 : k == 1 ? "--schedule=cells"
                          : "--tile-side=1");
        for (int j = 0; j <= count; j++)
            arguments[j] = words[j];
        arguments[count + 1] = NULL;
        struct outcome outcome = run_command(count + 1, arguments, &texts);
        check_same_outcome(&bare, &outcome);
        check_same_files(kept, &kept_count);
        kept_output_clear();
        free(outcome.answer);
    }
    for (size_t k = 0; k < kept_count; k++)
        free(kept[k].bytes);
    for (size_t k = 0; k < texts.file_count; k++)
        free((void *)texts.files[k].bytes);
    free(bare.answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct system system;
    double end_time;
    unsigned choice = fuzz_byte(&bytes);
    if (!byte_system(&bytes, &system, &end_time))
        return 0;
    end_time = compare_schedules(&system, 1 + (choice & 3), end_time);
    if (end_time >= 0 && (choice & 0xc0) == 0)
        compare_commands(&system, end_time, choice);
    system_free(&system);
    return 0;
}
