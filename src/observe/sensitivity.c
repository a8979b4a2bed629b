/*
 * Whether the printed answer is determined by the input; see sensitivity.h.
 *
 * Decimal numbers are rounded when they become doubles, and so is every result of arithmetic. So
 * two correct programs may differ in the last bit of anything, and each collision amplifies a
 * difference by about the mean free path divided by the radius. This observer does to the input
 * what rounding might do: it moves x and y of every particle by -1, 0 or 1 units in the last place,
 * at random. Velocities stay: moved coordinates change them from the first collision on. (Touching
 * disks may then overlap by the last bit, which the formulas of physics.h allow.) If the printed
 * lines change, a correct program may print either, and comparing outputs proves nothing.
 *
 * During the run itself this observer finds its near misses: the two collisions of one particle
 * that are closest in time, and the collision of two disks that is closest to a miss. It also takes
 * checksums of what would be printed at a thousand earlier times (answer_digest.h). Each perturbed
 * run goes from 0 to END_TIME once and takes such checksums, too. So the latest time up to which
 * all agree is known without further runs.
 *
 * Runs may agree again after a time at which they do not. If a collision happens exactly at
 * END_TIME, or a printed coordinate is half-way between two decimals, the last bit decides what is
 * printed, and a moment later it does not. Such an END_TIME is a bad one for comparing outputs, but
 * says nothing about later ones. So a tested time at which runs differ counts as an exception if
 * all agree at the next one.
 */
#include "observe/sensitivity.h"

#include "answer_digest.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/text.h"
#include "model/polygons.h"
#include "run/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    SEED = 1,
    EXCEPTIONS_LISTED = 10,
    BYTES_PER_PARTICLE = 300 /* of memory, at most, that a run with cells takes */
};

/* A collision as one of its particles sees it. */
struct encounter {
    double time;
    int32_t other; /* id of the other particle, or the code of a feature */
};

/* The collisions that the least change would have altered; of equal ones the first. */
struct near_misses {
    double gap;       /* least time between two collisions of a particle; INFINITY: none has two */
    int32_t particle; /* the id of that particle, */
    struct encounter first, second; /* and the two collisions */
    /*
     * Of the collision nearest to a miss: |d.w| / (|d| |w|), with d the distance and w the relative
     * velocity (see physics.h): 1 is head-on, 0 a graze. INFINITY: no two disks have met.
     */
    double cosine;
    double time;  /* when that was */
    int32_t a, b; /* the ids of the two particles */
};

struct sensitivity {
    struct observer observer; /* the first member: see observer.h */
    struct sensitivity_request request;
    struct observers own;                /* of the run itself: */
    struct answer_digest *answer_digest; /* this one */
    struct near_misses nearest;          /* of the run itself */
    const struct boundary *boundary;     /* of all runs; not owned */
    struct encounter *last;              /* the last collision of each particle, by its id; owned */
    struct particle *start;              /* the particles as they were at the beginning; owned */
    struct output_file file;             /* if there is one */
    uint32_t same; /* how many perturbed runs print the same lines at END_TIME */
    unsigned char differs[ANSWER_DIGEST_MOST]; /* at each tested time: whether any run differs */
};

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    const size_t count = snapshot->system->count;
    enum status status = observers_begin(&sensitivity->own, snapshot->system, error);
    if (!status && sensitivity->request.file)
        status = output_file_prepare(&sensitivity->file, sensitivity->request.file, error);
    if (status)
        return status;
    observer->next_look = sensitivity->own.next_look;
    sensitivity->boundary = &snapshot->system->boundary;
    sensitivity->start =
        memory_allocate(count, sizeof *sensitivity->start, "the particles at the start", error);
    sensitivity->last =
        memory_allocate(count, sizeof *sensitivity->last, "the last collisions", error);
    if (!sensitivity->start || !sensitivity->last)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        sensitivity->start[k] = snapshot_anchor(snapshot, k);
        sensitivity->last[k].time = -(double)INFINITY;
    }
    return STATUS_DONE;
}

/* Compares the time since the last collision of particle `id`, which collides with `other`. */
static void compare_gap(struct sensitivity *sensitivity, int32_t id, int32_t other, double time)
{
    struct near_misses *nearest = &sensitivity->nearest;
    struct encounter *last = &sensitivity->last[id];
    const struct encounter now = {time, other};
    if (time - last->time < nearest->gap) {
        nearest->gap = time - last->time;
        nearest->particle = id;
        nearest->first = *last;
        nearest->second = now;
    }
    *last = now;
}

/* Compares how near to a miss two disks collide. */
static void compare_cosine(struct near_misses *nearest, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    double dx = collision->dx;
    double dy = collision->dy;
    double wx = b->u_before - a->u_before;
    double wy = b->v_before - a->v_before;
    double length = sqrt(dx * dx + dy * dy) * sqrt(wx * wx + wy * wy);
    double cosine = fabs(dx * wx + dy * wy) / length;
    if (length > 0 && cosine < nearest->cosine) {
        nearest->cosine = cosine;
        nearest->time = collision->time;
        nearest->a = a->number;
        nearest->b = b->number;
    }
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    (void)error;
    if (collision->partner == PARTNER_BOUNDARY) {
        compare_gap(sensitivity, a->number, collision->feature, collision->time);
        return STATUS_DONE;
    }
    compare_gap(sensitivity, a->number, b->number, collision->time);
    compare_gap(sensitivity, b->number, a->number, collision->time);
    if (a->radius + b->radius > 0) /* points have no side to graze */
        compare_cosine(&sensitivity->nearest, collision);
    return STATUS_DONE;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct observers *own = &((struct sensitivity *)observer)->own;
    enum status status = observers_look(own, snapshot->system,
                                        nextafter(observer->next_look, (double)INFINITY), error);
    observer->next_look = own->next_look;
    return status;
}

/* A coordinate moved by -1, 0 or 1 units in the last place. */
static double move(double coordinate, struct random_generator *generator)
{
    switch (random_next(generator) % 3) {
    case 0:
        return nextafter(coordinate, -(double)INFINITY);
    case 1:
        return coordinate;
    default:
        return nextafter(coordinate, (double)INFINITY);
    }
}

/* Makes the particles those of the start, moved by the last bit. */
static void perturb(const struct sensitivity *sensitivity, struct system *system,
                    struct random_generator *generator)
{
    int is_moved = 0; /* if all particles stay, which may happen to a few: again */
    while (!is_moved) {
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *start = &sensitivity->start[k];
            struct particle *particle = &system->particles[k];
            *particle = *start;
            system->counts[k] = (struct counts){0};
            particle->x = move(start->x, generator);
            particle->y = move(start->y, generator);
            is_moved |= particle->x != start->x || particle->y != start->y;
        }
    }
}

/* A perturbed run, of which each thread has one at a time. */
struct repetition {
    const struct sensitivity_request *request;
    struct system system;
    struct observers observers;
    struct answer_digest *digest; /* one of them */
    enum status status;
    struct error error;
};

/* Runs a perturbed system up to END_TIME, with the observers. */
static enum status run(struct repetition *repetition, struct error *error)
{
    const struct sensitivity_request *request = repetition->request;
    struct system *system = &repetition->system;
    struct observers *observers = &repetition->observers;
    struct schedule *schedule = NULL;
    enum status status = observers_begin(observers, system, error);
    if (!status)
        status = schedule_create(request->schedule, system, request->end_time, &schedule, error);
    if (!status)
        status = simulation_run(system, schedule, request->end_time, observers, error);
    if (!status)
        status = observers_finish(observers, system, request->end_time, error);
    schedule_free(schedule);
    return status == STATUS_BAD_DATA ? STATUS_DONE : status; /* it cannot reach END_TIME */
}

/* Task: each thread does the run that is prepared for it, if there is one. */
static void run_one(void *user, unsigned number)
{
    struct repetition *repetition = &((struct repetition *)user)[number];
    if (repetition->digest)
        repetition->status = run(repetition, &repetition->error);
}

/* Perturbs the system of a run, and makes its observer. */
static enum status prepare(struct sensitivity *sensitivity, struct repetition *repetition,
                           struct random_generator *generator, struct error *error)
{
    perturb(sensitivity, &repetition->system, generator);
    repetition->observers = (struct observers){.interrupt = sensitivity->request.interrupt};
    enum status status =
        answer_digest_create(sensitivity->request.end_time, &repetition->digest, error);
    if (!status)
        observers_add(&repetition->observers, &repetition->digest->observer);
    return status;
}

/* Compares the answers of a perturbed run with those of the run itself. */
static void compare(struct sensitivity *sensitivity, struct repetition *repetition)
{
    const struct answer_digest *expected = sensitivity->answer_digest;
    for (size_t k = 0; k < expected->taken; k++)
        sensitivity->differs[k] |= !answer_digest_are_alike(expected, repetition->digest, k);
    sensitivity->same +=
        answer_digest_are_alike(expected, repetition->digest, expected->steps) != 0;
}

/* Does `count` runs, the first of which has this number, at the same time. */
static enum status repeat_some(struct sensitivity *sensitivity, struct repetition *repetitions,
                               uint32_t first, uint32_t count, struct thread_pool *pool,
                               struct random_generator *generator, struct error *error)
{
    enum status status = STATUS_DONE;
    for (uint32_t k = 0; k < count && !status; k++)
        status = prepare(sensitivity, &repetitions[k], generator, error);
    if (!status)
        thread_pool_run(pool, run_one, repetitions);
    for (uint32_t k = 0; k < count; k++) {
        if (!status && repetitions[k].status) {
            status = repetitions[k].status;
            *error = repetitions[k].error;
            if (status == STATUS_INTERRUPTED)
                error_set(error, status, "interrupted in perturbed run %" PRIu32 " of %" PRIu32,
                          first + k + 1, sensitivity->request.runs);
        }
        if (!status)
            compare(sensitivity, &repetitions[k]);
        observers_free(&repetitions[k].observers);
        repetitions[k].digest = NULL;
    }
    return status;
}

/* All perturbed runs, as many at the same time as there are threads. */
static enum status repeat_all(struct sensitivity *sensitivity, const struct system *system,
                              struct repetition *repetitions, struct thread_pool *pool,
                              struct error *error)
{
    const uint32_t runs = sensitivity->request.runs;
    const uint32_t most = thread_pool_count(pool);
    enum status status = STATUS_DONE;
    struct random_generator generator;
    for (uint32_t k = 0; k < most && !status; k++) {
        repetitions[k].request = &sensitivity->request;
        repetitions[k].system = *system; /* but with particles of its own */
        repetitions[k].system.particles = NULL;
        repetitions[k].system.counts = NULL;
        status = system_reserve(&repetitions[k].system, 0, system->count, error);
    }
    random_seed(&generator, SEED);
    for (uint32_t k = 0; k < runs && !status; k += most)
        status = repeat_some(sensitivity, repetitions, k, most < runs - k ? most : runs - k, pool,
                             &generator, error);
    return status;
}

/* How many runs there can be at the same time: so many that they fit into half of the memory. */
static unsigned choose_threads(const struct sensitivity_request *request, size_t particles)
{
    const double most = request->threads > 0 ? request->threads : threads_available();
    const double room = memory_physical() / 2 / (BYTES_PER_PARTICLE * (double)particles);
    return (unsigned)fmax(fmin(fmin(most, request->runs), room), 1);
}

static enum status repeat_on(unsigned threads, struct sensitivity *sensitivity,
                             const struct system *system, struct error *error)
{
    struct thread_pool *pool = thread_pool_create(threads, error);
    if (!pool)
        return STATUS_NO_MEMORY;
    const unsigned count = thread_pool_count(pool);
    struct repetition *repetitions =
        memory_allocate(count, sizeof *repetitions, "the perturbed runs", error);
    enum status status = STATUS_NO_MEMORY;
    if (repetitions) {
        memset(repetitions, 0, count * sizeof *repetitions);
        status = repeat_all(sensitivity, system, repetitions, pool, error);
        for (unsigned k = 0; k < count; k++) {
            memory_free(repetitions[k].system.particles);
            memory_free(repetitions[k].system.counts);
        }
    }
    memory_free(repetitions);
    thread_pool_free(pool);
    return status;
}

/* All perturbed runs; where memory is too short, again from the first, with half as many threads.
 */
static enum status repeat(struct sensitivity *sensitivity, const struct system *system,
                          struct error *error)
{
    unsigned threads = choose_threads(&sensitivity->request, system->count);
    enum status status = STATUS_NO_MEMORY;
    for (; status == STATUS_NO_MEMORY && threads > 0; threads /= 2) {
        sensitivity->same = 0;
        memset(sensitivity->differs, 0, sizeof sensitivity->differs);
        status = repeat_on(threads, sensitivity, system, error);
    }
    return status;
}

/* Writes the beginning of a line of the report. */
static void write_key(const struct sensitivity *sensitivity, const char *key)
{
    fprintf(sensitivity->request.stream, "particles: sensitivity: %s: ", key);
}

/* Writes some text and then a time with all its digits. */
static void write_time(const struct sensitivity *sensitivity, const char *text, double time)
{
    char digits[NUMBER_SHORTEST_SIZE];
    number_write_shortest(digits, time);
    fprintf(sensitivity->request.stream, "%s%s", text, digits);
}

/* Writes what a particle collides with, and when. */
static void write_encounter(const struct sensitivity *sensitivity,
                            const struct encounter *encounter)
{
    FILE *stream = sensitivity->request.stream;
    const int32_t other = encounter->other;
    if (event_partner(other) == PARTNER_PARTICLE)
        fprintf(stream, "with particle %" PRId32, other);
    else if (other >= FEATURE_TOP)
        fprintf(stream, "with the %s wall", boundary_name(other));
    else
        fprintf(stream, "with %s %zu of polygon %zu", polygons_is_corner(other) ? "corner" : "side",
                polygons_number(sensitivity->boundary->polygons, other),
                polygons_polygon(sensitivity->boundary->polygons, other));
    write_time(sensitivity, " at ", encounter->time);
}

/*
 * The number of tested times, from the first on, at which all runs agree but for exceptions. It
 * ends before two tested times in a row at which they do not agree, or before the last one if they
 * do not agree there.
 */
static size_t count_agreement(const struct sensitivity *sensitivity)
{
    const size_t count = sensitivity->answer_digest->taken;
    size_t k = 0;
    while (k < count &&
           !(sensitivity->differs[k] && (k + 1 == count || sensitivity->differs[k + 1])))
        k++;
    return k;
}

static void write_agreement(const struct sensitivity *sensitivity)
{
    FILE *stream = sensitivity->request.stream;
    const struct answer_digest *digest = sensitivity->answer_digest;
    const size_t agreement = count_agreement(sensitivity);
    size_t exceptions = 0;
    write_key(sensitivity, "agreement");
    if (agreement == 0)
        fputs("none, not even at END_TIME 0", stream);
    else
        write_time(sensitivity, "up to END_TIME ", answer_digest_time(digest, agreement - 1));
    if (agreement > 0 && agreement < digest->taken)
        write_time(sensitivity, ", not at ", answer_digest_time(digest, agreement));
    fputc('\n', stream);
    for (size_t k = 0; k < agreement; k++)
        exceptions += sensitivity->differs[k];
    write_key(sensitivity, "exceptions");
    fprintf(stream, "%zu", exceptions);
    for (size_t k = 0, listed = 0; k < agreement && listed < EXCEPTIONS_LISTED; k++)
        if (sensitivity->differs[k])
            write_time(sensitivity, listed++ == 0 ? ", at " : " ", answer_digest_time(digest, k));
    fputs(exceptions > EXCEPTIONS_LISTED ? " ...\n" : "\n", stream);
}

/* Writes a line of the file, with "none" for what is not finite. */
static void write_value(const struct sensitivity *sensitivity, const char *key, double value)
{
    char text[NUMBER_SHORTEST_SIZE] = "none";
    if (isfinite(value))
        number_write_shortest(text, value);
    fprintf(sensitivity->file.stream, "%s = %s\n", key, text);
}

/* The tested time with this number; NAN if there is none. */
static double tested_time(const struct sensitivity *sensitivity, size_t k)
{
    const struct answer_digest *digest = sensitivity->answer_digest;
    return k < digest->taken ? answer_digest_time(digest, k) : (double)NAN;
}

/* The report as a file. */
static enum status write_file(struct sensitivity *sensitivity, struct error *error)
{
    const struct near_misses *nearest = &sensitivity->nearest;
    const size_t agreement = count_agreement(sensitivity);
    size_t exceptions = 0;
    for (size_t k = 0; k < agreement; k++)
        exceptions += sensitivity->differs[k];
    const int has_gap = !isinf(nearest->gap);
    const int has_cosine = !isinf(nearest->cosine);
    const struct {
        const char *key;
        double value;
    } lines[] = {
        {"stable", sensitivity->same == sensitivity->request.runs},
        {"runs", sensitivity->request.runs},
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
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++)
        write_value(sensitivity, lines[k].key, lines[k].value);
    return output_file_complete(&sensitivity->file, error);
}

static void write_near_misses(const struct sensitivity *sensitivity)
{
    FILE *stream = sensitivity->request.stream;
    const struct near_misses *nearest = &sensitivity->nearest;
    write_key(sensitivity, "closest call");
    if (isinf(nearest->gap)) {
        fputs("none, no particle collides twice", stream);
    } else {
        fprintf(stream, "%.6g between collisions of particle %" PRId32 " ", nearest->gap,
                nearest->particle);
        write_encounter(sensitivity, &nearest->first);
        fputs(" and ", stream);
        write_encounter(sensitivity, &nearest->second);
    }
    fputc('\n', stream);
    write_key(sensitivity, "nearest to a miss");
    if (isinf(nearest->cosine)) {
        fputs("none, no two disks collide", stream);
    } else {
        fprintf(stream, "cosine %.6g, particles %" PRId32 " and %" PRId32, nearest->cosine,
                nearest->a, nearest->b);
        write_time(sensitivity, " at ", nearest->time);
    }
    fputc('\n', stream);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    const struct sensitivity_request *request = &sensitivity->request;
    enum status status =
        observers_finish(&sensitivity->own, snapshot->system, snapshot->time, error);
    if (!status)
        status = repeat(sensitivity, snapshot->system, error);
    if (status)
        return status;
    const int is_stable = sensitivity->same == request->runs;
    if (request->has_verdict && !is_stable)
        observer->verdict = STATUS_UNSTABLE;
    if (request->file) {
        status = output_file_begin(&sensitivity->file, error);
        return status ? status : write_file(sensitivity, error);
    }
    write_key(sensitivity, is_stable ? "stable" : "unstable");
    fprintf(request->stream, "%" PRIu32 " of %" PRIu32 " perturbed runs print the same lines\n",
            sensitivity->same, request->runs);
    write_agreement(sensitivity);
    write_near_misses(sensitivity);
    return text_flush(request->stream, request->name, error);
}

static void free_sensitivity(struct observer *observer)
{
    struct sensitivity *sensitivity = (struct sensitivity *)observer;
    observers_free(&sensitivity->own);
    output_file_abandon(&sensitivity->file);
    memory_free(sensitivity->last);
    memory_free(sensitivity->start);
    memory_free(sensitivity);
}

enum status sensitivity_create(const struct sensitivity_request *request,
                               struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {.begin = begin,
                                                          .collide = collide,
                                                          .look = look,
                                                          .finish = finish,
                                                          .free = free_sensitivity};
    struct sensitivity *sensitivity =
        memory_allocate(1, sizeof *sensitivity, "the perturbed runs", error);
    if (!sensitivity)
        return STATUS_NO_MEMORY;
    *sensitivity = (struct sensitivity){
        .observer = {.operations = &operations, .next_look = (double)INFINITY},
        .request = *request,
        .nearest = {.gap = (double)INFINITY, .cosine = (double)INFINITY},
    };
    enum status status =
        answer_digest_create(request->end_time, &sensitivity->answer_digest, error);
    if (status) {
        free_sensitivity(&sensitivity->observer);
        return status;
    }
    observers_add(&sensitivity->own, &sensitivity->answer_digest->observer);
    *observer = &sensitivity->observer;
    return STATUS_DONE;
}
