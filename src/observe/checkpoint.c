/*
 * Writing checkpoints; see checkpoint.h.
 *
 * Anchors tell everything: a schedule can be made of them at any moment between two collisions, and
 * it predicts the very same collisions, for each predicted time is a function of two anchors. So
 * what is written is the system, particles in the order of their ids, and what each observer
 * remembers. README.md, "The file of a checkpoint", has the format.
 */
#include "observe/checkpoint.h"

#include "base/memory.h"
#include "base/pace.h"
#include "io/output_file.h"
#include "io/record_writer.h"
#include "io/text.h"

#include <math.h>
#include <sys/stat.h>

static const double LONGEST_QUICK = 0.01; /* seconds without a look at the clock, about */

struct checkpoint {
    struct observer observer;
    struct checkpoint_request request;
    const struct observers *observers; /* all, this one included; not owned */
    struct pace pace;
    double written;               /* when, by the clock */
    double time;                  /* of the simulation, then */
    int has_failed;               /* the last one could not be written */
    uint32_t *order;              /* index of the particle with each id */
    struct record_writer *writer; /* owned */
};

static void put_law(struct record_writer *writer, const struct law *law)
{
    record_put_word(writer, "law");
    record_put_word(writer, law->rule == RULE_SWAP ? "swap" : "elastic");
    record_put_number(writer, law->restitution);
    record_put_number(writer, law->contact_time);
    record_end_line(writer);
}

static void put_kinds(struct record_writer *writer, const struct system *system)
{
    record_put_word(writer, "kinds");
    record_put_whole(writer, system->kind_count);
    record_end_line(writer);
    for (size_t k = 0; k < system->kind_count; k++) {
        record_put_number(writer, system->kinds[k].radius);
        record_put_number(writer, system->kinds[k].mass);
        record_put_whole(writer, (uint64_t)system->kinds[k].species);
        record_end_line(writer);
    }
}

static void put_particle(struct record_writer *writer, const struct particle *particle)
{
    record_put_number(writer, particle->x);
    record_put_number(writer, particle->y);
    record_put_number(writer, particle->u);
    record_put_number(writer, particle->v);
    record_put_number(writer, particle->t);
    record_put_whole(writer, particle->wall_collisions);
    record_put_whole(writer, particle->particle_collisions);
    record_put_whole(writer, particle->kind);
    record_end_line(writer);
}

static void put_particles(struct checkpoint *checkpoint, const struct system *system)
{
    struct record_writer *writer = checkpoint->writer;
    for (size_t index = 0; index < system->count; index++)
        checkpoint->order[system->particles[index].id] = (uint32_t)index;
    record_put_word(writer, "particles");
    record_put_whole(writer, system->count);
    record_end_line(writer);
    for (size_t id = 0; id < system->count; id++)
        put_particle(writer, &system->particles[checkpoint->order[id]]);
}

static void put_line(struct record_writer *writer, const char *word, double value)
{
    record_put_word(writer, word);
    record_put_number(writer, value);
    record_end_line(writer);
}

static void put_system(struct checkpoint *checkpoint, const struct system *system)
{
    struct record_writer *writer = checkpoint->writer;
    put_line(writer, "time", checkpoint->time);
    put_line(writer, "end-time", checkpoint->request.end_time);
    put_law(writer, &system->law);
    record_put_word(writer, "box");
    record_put_number(writer, system->width);
    record_put_number(writer, system->height);
    record_end_line(writer);
    put_line(writer, "radius", system->radius);
    put_kinds(writer, system);
    put_particles(checkpoint, system);
}

/* First which observers follow, so that a run without them is told before it begins. */
static enum status put_observers(struct checkpoint *checkpoint, const struct system *system,
                                 struct error *error)
{
    const struct observers *observers = checkpoint->observers;
    struct record_writer *writer = checkpoint->writer;
    enum status status = STATUS_DONE;
    record_put_word(writer, "observers");
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->save)
            record_put_word(writer, observers->list[k]->operations->option);
    record_end_line(writer);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->save)
            status =
                observers->list[k]->operations->save(observers->list[k], system, writer, error);
    return status;
}

/*
 * Writes the file. If that fails, `has_failed` tells whether it is the checkpoint that could not be
 * written; otherwise what an observer has written is not safe.
 */
static enum status write_file(struct checkpoint *checkpoint, const struct system *system,
                              struct error *error)
{
    struct output_file file;
    checkpoint->has_failed = 1;
    enum status status = output_file_open(&file, checkpoint->request.name, error);
    if (status)
        return status;
    file.is_durable = 1;
    record_begin(checkpoint->writer, file.stream);
    put_system(checkpoint, system);
    status = put_observers(checkpoint, system, error);
    if (status) {
        checkpoint->has_failed = 0;
        output_file_abandon(&file);
        return status;
    }
    record_finish(checkpoint->writer);
    status = output_file_complete(&file, error);
    if (!status)
        checkpoint->has_failed = 0;
    return status;
}

/* Writes a checkpoint; from then on what the observers have written is kept. */
static enum status write_checkpoint(struct checkpoint *checkpoint, const struct system *system,
                                    struct error *error)
{
    const struct observers *observers = checkpoint->observers;
    double before = checkpoint->time;
    checkpoint->time = system_last_time(system);
    enum status status = write_file(checkpoint, system, error);
    checkpoint->written = checkpoint->request.clock();
    if (status)
        checkpoint->time = before;
    for (size_t k = 0; k < observers->count && !status; k++)
        observers->list[k]->is_saved = 1;
    return status;
}

/* Refuses a name that leads to somebody's checkpoint, or to what is no file. */
static enum status check_name(const struct checkpoint_request *request, struct error *error)
{
    struct stat state;
    if (stat(request->name, &state) != 0)
        return STATUS_DONE;
    if (!S_ISREG(state.st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: a checkpoint cannot be written there: it is not a file",
                         request->name);
    if (!request->may_replace)
        return error_set(error, STATUS_USAGE,
                         "%.2000s is there already: if it is the checkpoint of a run that was "
                         "interrupted, go on with that by --resume=%.2000s; otherwise remove it",
                         request->name, request->name);
    return STATUS_DONE;
}

static enum status begin(struct observer *observer, const struct system *system,
                         struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    enum status status = check_name(&checkpoint->request, error);
    if (status)
        return status;
    checkpoint->order = memory_allocate(system->count, sizeof *checkpoint->order,
                                        "the particles of the checkpoint", error);
    checkpoint->writer = memory_allocate(1, sizeof *checkpoint->writer, "the checkpoint", error);
    if (!checkpoint->order || !checkpoint->writer)
        return STATUS_NO_MEMORY;
    pace_begin(&checkpoint->pace, checkpoint->request.clock,
               fmin(LONGEST_QUICK, checkpoint->request.every / 10));
    return write_checkpoint(checkpoint, system, error);
}

static enum status rest(struct observer *observer, const struct system *system, struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const int had_failed = checkpoint->has_failed;
    double now;
    if (!pace_count(&checkpoint->pace, &now) ||
        now - checkpoint->written < checkpoint->request.every)
        return STATUS_DONE;
    enum status status = write_checkpoint(checkpoint, system, error);
    if (status != STATUS_CANNOT_WRITE || !checkpoint->has_failed)
        return status;
    if (!had_failed) {
        struct error warning;
        error_set(&warning, status, "%.5000s: the run goes on, and the checkpoint of time %g stays",
                  error->message, checkpoint->time);
        error_print(&warning);
    }
    return STATUS_DONE;
}

static enum status interrupt(struct observer *observer, const struct system *system,
                             struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const struct error message = *error;
    enum status status = write_checkpoint(checkpoint, system, error);
    if (status)
        return status;
    return error_set(error, STATUS_INTERRUPTED,
                     "%.500s: to go on, give --resume=%.4100s and the same files to write",
                     message.message, checkpoint->request.name);
}

static void free_checkpoint(struct observer *observer)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    memory_free(checkpoint->order);
    memory_free(checkpoint->writer);
    memory_free(checkpoint);
}

enum status checkpoint_create(const struct checkpoint_request *request,
                              const struct observers *observers, struct observer **observer,
                              struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin, .rest = rest, .interrupt = interrupt, .free = free_checkpoint};
    struct checkpoint *checkpoint = memory_allocate(1, sizeof *checkpoint, "checkpoints", error);
    if (!checkpoint)
        return STATUS_NO_MEMORY;
    *checkpoint =
        (struct checkpoint){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                            .request = *request,
                            .observers = observers};
    *observer = &checkpoint->observer;
    return STATUS_DONE;
}
