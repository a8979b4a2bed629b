/*
 * Tests whether the input determines the printed answer; see writers.h.
 *
 * Two correct programs may differ in the last bit of anything, and each collision amplifies a
 * difference by about the mean free path divided by the radius. This observer does to the input
 * what rounding might do: it moves x and y of every particle by -1, 0 or 1 units in the last place,
 * at random. (Touching disks may then overlap by the last bit, which pair.h allows.) If the
 * printed lines change, a correct program may print either, and comparing outputs proves nothing.
 *
 * Late times have few digits, and a disk that goes to and fro has each rounded by as much, so
 * errors add up, wherever it starts. So each run has a clock, by which its times are longer by a
 * factor of few bits: they are rounded by other amounts, but times that are exact stay exact.
 *
 * All runs take checksums of what would be printed at a thousand earlier times. So the latest time
 * up to which all agree is known without further runs. Runs may agree again after a time at which
 * they do not: if a collision happens exactly then, or a printed coordinate is half-way between two
 * decimals. So a tested time at which runs differ counts as an exception if all agree at the next.
 */

#include "base/memory.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/polygons.h"
#include "observe/writers.h"
#include "run/dynamics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* An answer of N lines takes as long as about N collisions. */
enum { MIN_STEPS = 10, MAX_LINES = 10000000 }; /* in all answers together */
static const double FINENESS = 1000; /* decimals of answer_digest_time in a step, at least */

double answer_digest_time(const struct answer_digest *digest, size_t k)
{
    if (k == 0 || k >= digest->steps)
        return k == 0 ? 0 : digest->end_time;
    double time = (double)k * digest->end_time / (double)digest->steps;
    return number_round(&digest->decimals, time);
}

/* The checksum of a line, by the particle's number and the very bytes that are printed. Sums of
 * these do not depend on the order of the particles. */
static uint64_t sum_line(const struct snapshot *snapshot, size_t number)
{
    uint64_t sum = random_mix(number);
    uint64_t bytes = 0;
    char line[OUTPUT_LINE_SIZE + sizeof bytes];
    const size_t length = output_line(line, snapshot, number);
    memcpy(line + length, &bytes, sizeof bytes);
    for (size_t k = 0; k < length; k += sizeof bytes) {
        memcpy(&bytes, line + k, sizeof bytes);
        sum = random_mix(sum ^ bytes);
    }
    return sum;
}

static size_t choose_steps(size_t count, double end_time)
{
    const double lines = (double)MAX_LINES / (double)count;
    const double steps = fmin(fmax(lines, MIN_STEPS), ANSWER_DIGEST_MAX_STEPS);
    /* Steps of so short a time might be 0. */
    return end_time > SYSTEM_SMALLEST * SYSTEM_SMALLEST ? (size_t)steps : end_time > 0;
}

static enum status answer_digest_begin(struct observer *observer, const struct snapshot *snapshot,
                                       struct error *error)
{
    struct answer_digest *digest = (struct answer_digest *)observer;
    (void)error;
    digest->steps = choose_steps(snapshot->system->count, digest->end_time);
    if (digest->steps > 1)
        digest->decimals = number_choose_decimals(
            digest->end_time / (double)digest->steps / FINENESS, digest->end_time);
    observer->next_sample = 0;
    return STATUS_DONE;
}

static enum status answer_digest_sample(struct observer *observer, const struct snapshot *snapshot,
                                        struct error *error)
{
    struct answer_digest *digest = (struct answer_digest *)observer;
    uint64_t sum = 0;
    (void)error;
    for (size_t number = 0; number < snapshot->system->count; number++)
        sum += sum_line(snapshot, number);
    digest->sums[digest->taken++] = sum;
    observer->next_sample = digest->taken <= digest->steps
                                ? answer_digest_time(digest, digest->taken) * digest->clock
                                : (double)INFINITY;
    return STATUS_DONE;
}

void answer_digest_init(struct answer_digest *digest, double end_time)
{
    static const struct observer_operations operations = {.begin = answer_digest_begin,
                                                          .sample = answer_digest_sample};
    *digest = (struct answer_digest){
        .observer = {.operations = &operations}, .end_time = end_time, .clock = 1};
}

int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k)
{
    return k < a->taken && k < b->taken && a->sums[k] == b->sums[k];
}

enum { SEED = 1, EXCEPTIONS_LISTED = 10 };
enum { CLOCKS = 128, CLOCK_PART = 1024 }; /* clocks: 1 + k / CLOCK_PART, with k up to CLOCKS */

/* A collision as one of its particles sees it. */
struct sensitivity_collision {
    double time;
    int32_t other; /* id of the other particle, or the code of a feature */
};

struct sensitivity_trace {
    struct particle start;             /* as it was at the beginning */
    struct sensitivity_collision last; /* its last collision */
};

/* The collisions that the least change would have altered; of equal ones the first. */
struct sensitivity_nearest {
    double gap;       /* least time between two collisions of a particle; INFINITY: none has two */
    int32_t particle; /* the id of that particle, */
    struct sensitivity_collision first, second; /* and the two collisions */
    /* Of the collision nearest to a miss: |d.w| / (|d| |w|), with d the distance and w the relative
     * velocity (see pair.h): 1 is head-on, 0 a graze. INFINITY: no two disks have met. */
    double cosine;
    double time;  /* when that was */
    int32_t a, b; /* the ids of the two particles */
};

struct sensitivity {
    struct answer_digest digest; /* of the run itself; the first member: its observer is this one */
    struct sensitivity_settings settings;
    struct sensitivity_nearest nearest; /* of the run itself */
    const struct system *system;        /* that of the run; not owned */
    struct sensitivity_trace *traced;   /* each particle, by its id; owned */
    uint32_t same; /* how many perturbed runs print the same lines at END_TIME */
    unsigned char differs[ANSWER_DIGEST_MAX]; /* at each tested time: whether any run differs */
};

static enum status sensitivity_begin(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    const size_t count = snapshot->system->count;
    sensitivity->nearest.gap = sensitivity->nearest.cosine = (double)INFINITY;
    sensitivity->digest.end_time = observer->run->to;
    sensitivity->digest.clock = 1;
    sensitivity->system = snapshot->system;
    sensitivity->traced =
        memory_allocate(count, sizeof *sensitivity->traced, "the particles at the start", error);
    if (!sensitivity->traced)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++)
        sensitivity->traced[k] =
            (struct sensitivity_trace){snapshot_anchor(snapshot, k), {-(double)INFINITY, 0}};
    return answer_digest_begin(observer, snapshot, error);
}

/* Compares the time since the last collision of particle `id`, which collides with `other`. */
static void compare_gap(struct sensitivity *sensitivity, int32_t id, int32_t other, double time)
{
    struct sensitivity_nearest *nearest = &sensitivity->nearest;
    struct sensitivity_collision *last = &sensitivity->traced[id].last;
    const struct sensitivity_collision now = {time, other};
    if (time - last->time < nearest->gap) {
        nearest->gap = time - last->time;
        nearest->particle = id;
        nearest->first = *last;
        nearest->second = now;
    }
    *last = now;
}

static void compare_cosine(struct sensitivity_nearest *nearest, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    double dx = collision->dx, dy = collision->dy;
    double wx = b->u_before - a->u_before, wy = b->v_before - a->v_before;
    double length = sqrt(dx * dx + dy * dy) * sqrt(wx * wx + wy * wy);
    double cosine = fabs(dx * wx + dy * wy) / length;
    if (length > 0 && cosine < nearest->cosine) {
        nearest->cosine = cosine;
        nearest->time = collision->time;
        nearest->a = a->number;
        nearest->b = b->number;
    }
}

static void sensitivity_collide(struct observer *observer, const struct collision *collision)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    if (collision->is_reinjection)
        return;
    if (collision->partner == PARTNER_BOUNDARY) {
        compare_gap(sensitivity, a->number, collision->feature, collision->time);
        return;
    }
    compare_gap(sensitivity, a->number, b->number, collision->time);
    compare_gap(sensitivity, b->number, a->number, collision->time);
    if (a->radius + b->radius > 0) /* points have no side to graze */
        compare_cosine(&sensitivity->nearest, collision);
}

/* A coordinate moved by -1, 0 or 1 units in the last place. */
static double move(double coordinate, struct random_generator *generator)
{
    const uint64_t choice = random_next(generator) % 3;
    return choice == 1 ? coordinate : nextafter(coordinate, choice < 1 ? -HUGE_VAL : HUGE_VAL);
}

/* A perturbed run; each thread does one at a time. */
struct sensitivity_run {
    const struct run_settings *run; /* of the run itself */
    struct system system;           /* with particles, counts and walls of its own */
    struct observers observers;
    struct answer_digest digest; /* one of them */
    enum status status;
    struct error error;
};

/* Makes the system that of the start, moved by the last bit and with a clock of its own. */
static void perturb(const struct sensitivity *sensitivity, struct sensitivity_run *repetition,
                    struct random_generator *generator)
{
    struct system *system = &repetition->system;
    const struct boundary *boundary = &sensitivity->system->boundary;
    const double clock = 1 + (double)(1 + random_next(generator) % CLOCKS) / CLOCK_PART;
    int is_moved = 0; /* if no coordinate has moved, as with few particles: again */
    repetition->digest.clock = clock;
    system->law.contact_time = sensitivity->system->law.contact_time * clock;
    system->boundary.gravity.x = boundary->gravity.x / (clock * clock);
    system->boundary.gravity.y = boundary->gravity.y / (clock * clock);
    system->boundary.stream.speed = boundary->stream.speed / clock;
    system->boundary.stream.temperature = boundary->stream.temperature / (clock * clock);
    for (size_t k = 0; boundary->walls && k < boundary->walls->count; k++) {
        struct wall_law *law = &system->boundary.walls->list[k];
        law->speed = boundary->walls->list[k].speed / clock;
        law->temperature = boundary->walls->list[k].temperature / (clock * clock);
        law->period = boundary->walls->list[k].period * clock;
    }
    wall_laws_shake(&system->boundary);
    while (!is_moved) {
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *start = &sensitivity->traced[k].start;
            struct particle *particle = &system->particles[k];
            *particle = *start;
            system->counts[k] = (struct particle_counts){0};
            particle->x = move(start->x, generator);
            particle->y = move(start->y, generator);
            particle->u = start->u / clock;
            particle->v = start->v / clock;
            is_moved |= particle->x != start->x || particle->y != start->y;
        }
    }
}

/* Task: each thread does the run that is prepared for it, if there is one. */
static void run_perturbed(void *user, unsigned number)
{
    struct sensitivity_run *repetition = &((struct sensitivity_run *)user)[number];
    struct system *system = &repetition->system;
    struct observers *observers = &repetition->observers;
    struct error *error = &repetition->error;
    const double end_time = repetition->run->to * repetition->digest.clock;
    struct schedule *schedule = NULL;
    enum status status;
    if (observers->count == 0)
        return;
    if (!(status = observers_begin(observers, system, error)) &&
        !(status = schedule_create(repetition->run->schedule, system, NULL, &schedule, error)))
        status = simulation_run(schedule, end_time, observers, error);
    schedule_free(schedule); /* which completes the particles */
    if (!status)
        status = observers_finish(observers, system, end_time, error);
    if (status)
        repetition->status = status == STATUS_BAD_DATA ? STATUS_DONE : status; /* not END_TIME */
}

/* Does `count` runs, the first of which has this number, at the same time. */
static enum status repeat_some(struct sensitivity *sensitivity, struct sensitivity_run *repetitions,
                               uint32_t first, uint32_t count, struct thread_pool *pool,
                               struct random_generator *generator, struct error *error)
{
    const struct answer_digest *expected = &sensitivity->digest;
    enum status status = STATUS_DONE;
    for (uint32_t k = 0; k < count; k++) {
        struct sensitivity_run *repetition = &repetitions[k];
        repetition->observers =
            (struct observers){.interrupt = sensitivity->digest.observer.all->interrupt};
        answer_digest_init(&repetition->digest, expected->end_time);
        perturb(sensitivity, repetition, generator);
        observers_add(&repetition->observers, &repetition->digest.observer);
    }
    thread_pool_run(pool, run_perturbed, repetitions);
    for (uint32_t k = 0; k < count; k++) {
        if (!status && repetitions[k].status) {
            status = repetitions[k].status;
            *error = repetitions[k].error;
            if (status == STATUS_INTERRUPTED)
                error_set(error, status, "interrupted in perturbed run %" PRIu32 " of %" PRIu32,
                          first + k + 1, sensitivity->settings.runs);
        }
        const struct answer_digest *digest = &repetitions[k].digest;
        for (size_t j = 0; j < expected->taken && !status; j++)
            sensitivity->differs[j] |= !answer_digest_are_alike(expected, digest, j);
        sensitivity->same += !status && answer_digest_are_alike(expected, digest, expected->steps);
        observers_free(&repetitions[k].observers);
    }
    return status;
}

/* Does all perturbed runs, as many at the same time as there are threads. */
static enum status repeat_on(unsigned threads, struct sensitivity *sensitivity, struct error *error)
{
    const uint32_t runs = sensitivity->settings.runs;
    const struct system *system = sensitivity->system;
    const struct wall_laws *walls = system->boundary.walls;
    const size_t size = walls ? sizeof *walls + walls->count * sizeof *walls->list : 0;
    struct thread_pool *pool = thread_pool_create(threads);
    const unsigned most = thread_pool_count(pool);
    struct sensitivity_run *repetitions =
        memory_allocate(most, sizeof *repetitions, "the perturbed runs", error);
    enum status status = repetitions ? STATUS_DONE : STATUS_NO_MEMORY;
    struct random_generator generator;
    for (uint32_t k = 0; k < most && repetitions; k++) {
        struct system *own = &repetitions[k].system;
        repetitions[k] =
            (struct sensitivity_run){.run = sensitivity->digest.observer.run, .system = *system};
        own->particles = NULL;
        own->counts = NULL;
        own->boundary.walls = NULL;
        if (!status)
            status = system_reserve(own, system->count, error);
        if (!status && walls && !(own->boundary.walls = memory_allocate(1, size, "walls", error)))
            status = STATUS_NO_MEMORY;
        else if (walls && !status)
            memcpy(own->boundary.walls, walls, size);
    }
    random_seed(&generator, SEED);
    for (uint32_t k = 0; k < runs && !status; k += most)
        status = repeat_some(sensitivity, repetitions, k, most < runs - k ? most : runs - k, pool,
                             &generator, error);
    for (unsigned k = 0; k < most && repetitions; k++) {
        memory_free(repetitions[k].system.particles);
        memory_free(repetitions[k].system.counts);
        memory_free(repetitions[k].system.boundary.walls);
    }
    memory_free(repetitions);
    thread_pool_free(pool);
    return status;
}

/* Does all perturbed runs, as many at the same time as fit into half of the memory. If memory is
 * short all the same, again from the first, with half as many threads. */
static enum status repeat(struct sensitivity *sensitivity, struct error *error)
{
    const unsigned wanted = sensitivity->digest.observer.run->threads.count;
    const double most = wanted > 0 ? wanted : threads_available();
    const double room =
        memory_physical() / 4 / (SCHEDULE_CELLS_BYTES * (double)sensitivity->system->count);
    unsigned threads = (unsigned)fmax(fmin(fmin(most, sensitivity->settings.runs), room), 1);
    enum status status = STATUS_NO_MEMORY;
    for (; status == STATUS_NO_MEMORY && threads > 0; threads /= 2) {
        sensitivity->same = 0;
        memset(sensitivity->differs, 0, sizeof sensitivity->differs);
        status = repeat_on(threads, sensitivity, error);
    }
    return status;
}

static void write_time(FILE *stream, const char *text, double time)
{
    fputs(text, stream);
    csv_put_number(stream, time, "");
}

static void write_collision(const struct polygons *polygons,
                            const struct sensitivity_collision *collision, FILE *stream)
{
    const int32_t other = collision->other;
    if (event_partner(other) == PARTNER_PARTICLE)
        fprintf(stream, "with particle %" PRId32, other);
    else if (other >= FEATURE_TOP)
        fprintf(stream, "with the %s wall", boundary_name(other));
    else
        fprintf(stream, "with %s %zu of polygon %zu", polygons_is_corner(other) ? "corner" : "side",
                polygons_number(polygons, other), polygons_polygon(polygons, other));
    write_time(stream, " at ", collision->time);
}

/* Tested times up to which all runs agree, but for single exceptions before the last one. */
static size_t count_agreement(const struct sensitivity *sensitivity, size_t *exceptions)
{
    const unsigned char *differs = sensitivity->differs;
    const size_t count = sensitivity->digest.taken;
    size_t k = 0;
    *exceptions = 0;
    for (; k < count && !(differs[k] && (k + 1 == count || differs[k + 1])); k++)
        *exceptions += differs[k];
    return k;
}

static void write_agreement(const struct sensitivity *sensitivity, FILE *stream)
{
    const struct answer_digest *digest = &sensitivity->digest;
    size_t exceptions;
    const size_t agreement = count_agreement(sensitivity, &exceptions);
    fputs("particles: sensitivity: agreement: ", stream);
    if (agreement == 0)
        fputs("none, not even at END_TIME 0", stream);
    else
        write_time(stream, "up to END_TIME ", answer_digest_time(digest, agreement - 1));
    if (agreement > 0 && agreement < digest->taken)
        write_time(stream, ", not at ", answer_digest_time(digest, agreement));
    fprintf(stream, "\nparticles: sensitivity: exceptions: %zu", exceptions);
    for (size_t k = 0, listed = 0; k < agreement && listed < EXCEPTIONS_LISTED; k++)
        if (sensitivity->differs[k])
            write_time(stream, listed++ == 0 ? ", at " : " ", answer_digest_time(digest, k));
    fputs(exceptions > EXCEPTIONS_LISTED ? " ...\n" : "\n", stream);
}

/* The tested time with this number; NAN if there is none. */
static double tested_time(const struct sensitivity *sensitivity, size_t k)
{
    const struct answer_digest *digest = &sensitivity->digest;
    return k < digest->taken ? answer_digest_time(digest, k) : (double)NAN;
}

static void sensitivity_write_file(const struct sensitivity *sensitivity, FILE *stream)
{
    const struct sensitivity_nearest *nearest = &sensitivity->nearest;
    size_t exceptions;
    const size_t agreement = count_agreement(sensitivity, &exceptions);
    const int has_gap = !isinf(nearest->gap);
    const int has_cosine = !isinf(nearest->cosine);
    const struct {
        const char *key;
        double value;
    } lines[] = {
        {"stable", sensitivity->same == sensitivity->settings.runs},
        {"runs", sensitivity->settings.runs},
        {"same", sensitivity->same},
        {"agreement_until", tested_time(sensitivity, agreement - 1)},
        {"disagreement_at", tested_time(sensitivity, agreement)},
        {"exceptions", (double)exceptions},
        {"closest_call", nearest->gap},
        {"closest_call_particle", has_gap ? nearest->particle : (double)NAN},
        {"closest_call_from", has_gap ? nearest->first.time : (double)NAN},
        {"closest_call_to", has_gap ? nearest->second.time : (double)NAN},
        {"nearest_miss_cosine", nearest->cosine},
        {"nearest_miss_particle", has_cosine ? nearest->a : (double)NAN},
        {"nearest_miss_other", has_cosine ? nearest->b : (double)NAN},
        {"nearest_miss_at", has_cosine ? nearest->time : (double)NAN},
    };
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        fprintf(stream, "%s = ", lines[k].key);
        csv_put_number(stream, lines[k].value, "none");
        fputc('\n', stream);
    }
}

static void write_near_misses(const struct sensitivity *sensitivity, FILE *stream)
{
    const struct sensitivity_nearest *nearest = &sensitivity->nearest;
    fputs("particles: sensitivity: closest call: ", stream);
    if (isinf(nearest->gap)) {
        fputs("none, no particle collides twice", stream);
    } else {
        fprintf(stream, "%.6g between collisions of particle %" PRId32 " ", nearest->gap,
                nearest->particle);
        write_collision(sensitivity->system->boundary.polygons, &nearest->first, stream);
        fputs(" and ", stream);
        write_collision(sensitivity->system->boundary.polygons, &nearest->second, stream);
    }
    fputs("\nparticles: sensitivity: nearest to a miss: ", stream);
    if (isinf(nearest->cosine)) {
        fputs("none, no two disks collide", stream);
    } else {
        fprintf(stream, "cosine %.6g, particles %" PRId32 " and %" PRId32, nearest->cosine,
                nearest->a, nearest->b);
        write_time(stream, " at ", nearest->time);
    }
    fputc('\n', stream);
}

static enum status sensitivity_finish(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    (void)snapshot;
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    FILE *stream = observer->run->errors;
    enum status status = repeat(sensitivity, error);
    if (status)
        return status;
    const int is_stable = sensitivity->same == sensitivity->settings.runs;
    if (sensitivity->settings.has_verdict && !is_stable)
        observer->verdict = STATUS_UNSTABLE;
    if (observer->file) {
        sensitivity_write_file(sensitivity, observer->file->stream);
        return STATUS_DONE;
    }
    fprintf(stream,
            "particles: sensitivity: %s: %" PRIu32 " of %" PRIu32
            " perturbed runs print the same lines\n",
            is_stable ? "stable" : "unstable", sensitivity->same, sensitivity->settings.runs);
    write_agreement(sensitivity, stream);
    write_near_misses(sensitivity, stream);
    return text_flush(stream, "standard error", error);
}

static void free_sensitivity(struct observer *observer)
{
    memory_free(((struct sensitivity *)observer)->traced);
}

const struct observer_operations sensitivity_operations = {
    .kind = {"--sensitivity-file", "the perturbed runs", sizeof(struct sensitivity), FILE_AT_END},
    OBSERVER_SETTINGS(struct sensitivity),
    .watches = WATCH_PAIRS,
    .begin = sensitivity_begin,
    .collide = sensitivity_collide,
    .sample = answer_digest_sample,
    .finish = sensitivity_finish,
    .free = free_sensitivity,
};
