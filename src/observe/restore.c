/*
 * Reading checkpoints; see restore.h. Each number has to be within the bounds that a run can lead
 * to: a file that has been made up may then be nonsense, but does no harm.
 *
 * Whether particles are in the box is not checked. Their anchors may be outside, by the rounding of
 * positions and times; how far depends on how large both have become in the run. But no square of
 * theirs may overflow: the schedules rely on times that are numbers, and on borders of cells that
 * are met one after the other.
 */
#include "observe/restore.h"

#include "base/memory.h"

#include <string.h>

/*
 * Collisions can give all energy to the lightest particle. There are at most 2^31 particles, of
 * masses up to 1e40 and speeds up to 1.5e40 in the input: that is a speed of 1e85 for a mass of
 * 1e-40. It goes no farther in the longest run, whatever walls do.
 */
static const double LARGEST_SPEED = 1e85;
static const double LARGEST_COORDINATE = 1e126;

static void take_line(struct record_reader *reader, const char *word, double most, double *value)
{
    record_expect(reader, word);
    *value = record_take_number(reader, 0, most);
    record_expect_line_end(reader);
}

static void take_law(struct record_reader *reader, struct law *law)
{
    char rule[16];
    record_expect(reader, "law");
    record_take_word(reader, rule, sizeof rule);
    if (strcmp(rule, "swap") != 0 && strcmp(rule, "elastic") != 0)
        record_refuse(reader, "expected 'swap' or 'elastic'");
    law->rule = strcmp(rule, "swap") == 0 ? RULE_SWAP : RULE_ELASTIC;
    law->restitution = record_take_number(reader, 0, 1);
    law->contact_time = record_take_number(reader, 0, SYSTEM_LARGEST);
    record_expect_line_end(reader);
}

/* Passes a fault that a check of the system has found on to the reader. */
static enum status check(struct record_reader *reader, enum status status)
{
    if (status && !reader->status) {
        reader->status = status;
        error_locate(reader->error, reader->name, reader->line);
    }
    return reader->status;
}

static enum status take_box(struct record_reader *reader, struct system *system)
{
    record_expect(reader, "box");
    system->width = record_take_number(reader, 0, SYSTEM_LARGEST);
    system->height = record_take_number(reader, 0, SYSTEM_LARGEST);
    record_expect_line_end(reader);
    if (!reader->status)
        check(reader, system_check_sides(system, reader->error));
    take_line(reader, "radius", SYSTEM_LARGEST, &system->radius);
    if (!reader->status)
        check(reader, system_check_radius(system, reader->error));
    return reader->status;
}

static enum status take_kind(struct record_reader *reader, const struct system *system,
                             struct kind *kind)
{
    kind->radius = record_take_number(reader, 0, SYSTEM_LARGEST);
    kind->mass = record_take_number(reader, SYSTEM_LEAST_MASS, SYSTEM_LARGEST_MASS);
    kind->species = (int32_t)record_take_whole(reader, INT32_MAX);
    record_expect_line_end(reader);
    if (!reader->status)
        check(reader, system_check_kind(kind, reader->error));
    if (2 * kind->radius > system->width || 2 * kind->radius > system->height)
        record_refuse(reader, "a particle of this radius does not fit into the box");
    return reader->status;
}

static enum status take_kinds(struct record_reader *reader, struct system *system)
{
    record_expect(reader, "kinds");
    system->kind_count = record_take_count(reader, SYSTEM_MAX_COUNT, 3);
    record_expect_line_end(reader);
    if (reader->status)
        return reader->status;
    if (system->kind_count == 0)
        return check(reader, system_check_box(system, reader->error));
    system->kinds = memory_allocate(system->kind_count, sizeof *system->kinds,
                                    "the kinds of particles", reader->error);
    if (!system->kinds)
        return reader->status = STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count && !reader->status; k++)
        take_kind(reader, system, &system->kinds[k]);
    return reader->status;
}

static void take_particle(struct record_reader *reader, const struct system *system, size_t id,
                          double end_time)
{
    uint64_t most_kind = system->kind_count > 0 ? system->kind_count - 1 : 0;
    struct particle *particle = &system->particles[id];
    particle->x = record_take_number(reader, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    particle->y = record_take_number(reader, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    particle->u = record_take_number(reader, -LARGEST_SPEED, LARGEST_SPEED);
    particle->v = record_take_number(reader, -LARGEST_SPEED, LARGEST_SPEED);
    particle->t = record_take_number(reader, 0, end_time);
    particle->wall_collisions = record_take_whole(reader, UINT64_MAX);
    particle->particle_collisions = record_take_whole(reader, UINT64_MAX);
    particle->kind = (uint32_t)record_take_whole(reader, most_kind);
    particle->id = (int32_t)id;
    record_expect_line_end(reader);
}

static enum status take_particles(struct record_reader *reader, struct system *system,
                                  double end_time)
{
    record_expect(reader, "particles");
    system->count = record_take_count(reader, SYSTEM_MAX_COUNT, 8);
    record_expect_line_end(reader);
    if (system->count == 0)
        record_refuse(reader, "there is no particle");
    if (reader->status)
        return reader->status;
    system->particles =
        memory_allocate(system->count, sizeof *system->particles, "the particles", reader->error);
    if (!system->particles)
        return reader->status = STATUS_NO_MEMORY;
    memset(system->particles, 0, system->count * sizeof *system->particles);
    for (size_t id = 0; id < system->count && !reader->status; id++)
        take_particle(reader, system, id, end_time);
    return reader->status;
}

enum status restore_system(struct record_reader *reader, const char *name, struct system *system,
                           double *end_time, struct error *error)
{
    double time;
    *system = (struct system){0};
    enum status status = record_open(reader, name, error);
    if (status)
        return status;
    take_line(reader, "time", SYSTEM_LARGEST, &time);
    take_line(reader, "end-time", SYSTEM_LARGEST, end_time);
    take_law(reader, &system->law);
    status = take_box(reader, system);
    if (!status)
        status = take_kinds(reader, system);
    if (!status)
        status = take_particles(reader, system, *end_time);
    if (status)
        system_free(system);
    return status;
}

/* The first observer from number `k` on that remembers something; or `count`, if there is none. */
static size_t find_next(const struct observers *observers, size_t k)
{
    while (k < observers->count && !observers->list[k]->operations->load)
        k++;
    return k;
}

/*
 * Compares the observers with the list of those in the checkpoint: both have the order in which
 * this program makes them.
 */
static enum status compare(struct record_reader *reader, const struct observers *observers,
                           struct error *error)
{
    size_t k = find_next(observers, 0);
    record_expect(reader, "observers");
    while (!reader->status && !reader->is_line_end) {
        char option[32];
        record_take_word(reader, option, sizeof option);
        size_t same = k;
        while (same < observers->count &&
               strcmp(observers->list[same]->operations->option, option) != 0)
            same = find_next(observers, same + 1);
        if (reader->status)
            break;
        if (same == observers->count)
            return error_set(error, STATUS_USAGE,
                             "%.4100s is the checkpoint of a run with %s: give that again",
                             reader->name, option);
        if (same != k)
            break;
        k = find_next(observers, k + 1);
    }
    if (!reader->status && k < observers->count)
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run without %s, which cannot begin in its "
                         "middle: leave that out",
                         reader->name, observers->list[k]->operations->option);
    return reader->status;
}

enum status restore_observers(struct record_reader *reader, struct observers *observers,
                              const struct system *system, struct error *error)
{
    enum status status = compare(reader, observers, error);
    for (size_t k = find_next(observers, 0); k < observers->count && !status;
         k = find_next(observers, k + 1)) {
        struct observer *observer = observers->list[k];
        observer->has_begun = 1;
        observer->is_saved = 1;
        status = observer->operations->load(observer, system, reader, error);
    }
    return status ? status : record_expect_end(reader);
}
