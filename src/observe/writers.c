/* The beginning and the end of observers and of the files that they write; see writers.h. */
#include "observe/writers.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The settings of the run, and the file; in one block of memory with an observer, after its struct.
 */
struct observer_tail {
    struct run_settings run;
    struct output_settings output;
    struct output_file file;
};

enum status observer_create(const struct observer_operations *operations,
                            const struct run_settings *run, const struct output_settings *settings,
                            struct observer **observer, struct error *error)
{
    const struct observer_kind *kind = &operations->kind;
    struct observer_tail *tail;
    struct observer *made = memory_allocate_zeros(1, kind->size + sizeof *tail, kind->what, error);
    if (!made)
        return STATUS_NO_MEMORY;
    tail = (struct observer_tail *)((char *)made + kind->size);
    *tail = (struct observer_tail){*run, *settings, {.name = settings->name}};
    tail->run.frames = (struct frames){run->interval, run->to};
    *made = (struct observer){.operations = operations,
                              .option = kind->option,
                              .next_sample = (double)INFINITY,
                              .run = &tail->run,
                              .output = &tail->output,
                              .file = settings->name ? &tail->file : NULL};
    if (operations->settings_size > 0)
        memcpy((char *)made + operations->settings, settings, operations->settings_size);
    const enum status status =
        operations->complete ? operations->complete(made, error) : STATUS_DONE;
    if (status)
        observer_free(made);
    else
        *observer = made;
    return status;
}

enum status observer_write_file(struct observer *observer, const char *name,
                                const struct snapshot *snapshot, observer_writer *write,
                                struct error *error)
{
    enum status status = output_file_open(observer->file, name, error);
    observer->file->is_durable = observer->is_resumable;
    if (!status)
        status = write(observer, snapshot, error);
    if (!status)
        status = output_file_complete(observer->file, error);
    output_file_abandon(observer->file);
    return status;
}

/* Files of a pattern are the observer's own; but the first one is tried out. */
enum status observer_begin(struct observer *observer, const struct snapshot *snapshot,
                           struct error *error)
{
    const struct observer_operations *operations = observer->operations;
    struct output_file *file = observer->file;
    enum status status = STATUS_DONE;
    char first[OUTPUT_PATH_SIZE];
    if (file && observer->output->frames.pattern) {
        output_pattern_format(&observer->output->frames, 0, first);
        status = output_file_prepare(file, first, error);
        output_file_abandon(file);
    } else if (file && operations->kind.file == FILE_AT_END)
        status = output_file_prepare(file, file->name, error);
    else if (file && operations->kind.file == FILE_FROM_BEGIN)
        status = output_file_open_resumable(file, file->name, observer->is_resumable,
                                            &observer->is_saved, error);
    if (!status && operations->begin)
        status = operations->begin(observer, snapshot, error);
    return status;
}

enum status observer_finish(struct observer *observer, const struct snapshot *snapshot,
                            struct error *error)
{
    const struct observer_operations *operations = observer->operations;
    struct output_file *file = observer->file;
    const enum observer_file kind =
        file && !observer->output->frames.pattern ? operations->kind.file : FILE_OF_ITS_OWN;
    enum status status = STATUS_DONE;
    if (kind == FILE_AT_END) {
        status = output_file_begin(file, error);
        file->is_durable = observer->is_resumable;
    }
    if (!status && operations->finish)
        status = operations->finish(observer, snapshot, error);
    return !status && kind != FILE_OF_ITS_OWN ? output_file_complete(file, error) : status;
}

void observer_free(struct observer *observer)
{
    if (observer->file)
        output_file_abandon(observer->file);
    if (observer->operations->free)
        observer->operations->free(observer);
    if (observer->operations->kind.size > 0)
        memory_free(observer);
}

const void *observers_record(struct observer *reader, const struct observer_operations *operations,
                             double from, const struct snapshot *snapshot, struct error *error)
{
    struct observers *all = reader->all;
    struct run_settings run = *reader->run;
    struct observer *recorder;
    for (size_t k = 0; k < all->recorders; k++)
        if (all->list[k]->operations == operations && all->list[k]->run->from == from)
            return all->list[k];
    run.from = from;
    if (observer_create(operations, &run, &(struct output_settings){0}, &recorder, error))
        return NULL;
    recorder->notify_from = from;
    recorder->has_begun = 1;
    observers_add(all, recorder);
    for (size_t k = all->count - 1; k > all->recorders; k--)
        all->list[k] = all->list[k - 1];
    all->list[all->recorders++] = recorder;
    return observer_begin(recorder, snapshot, error) ? NULL : recorder;
}

void recorder_state(struct observer *recorder, struct record *record)
{
    if (isfinite(recorder->run->to))
        return;
    record_number(record, &recorder->run->from, 0, SYSTEM_LARGEST);
    recorder->notify_from = recorder->run->from;
}

enum status observers_begin(struct observers *observers, const struct system *system,
                            struct error *error)
{
    enum status status = STATUS_DONE;
    observers_find_times(observers);
    if (observers->count == 0)
        return STATUS_DONE;
    memory_free(observers->order.indices); /* of an earlier run with them */
    observers->order.known = 0;
    observers->order.indices = memory_allocate(system->count, sizeof *observers->order.indices,
                                               "the order of the particles", error);
    if (!observers->order.indices)
        return STATUS_NO_MEMORY;
    const struct snapshot snapshot = snapshot_in_order(system, system_last_time(system));
    for (size_t k = 0; k < observers->count && !status; k++) {
        struct observer *observer = observers->list[k];
        if (!observer->has_begun)
            status = observer_begin(observer, &snapshot, error);
        observer->has_begun = 1;
    }
    observers_find_times(observers);
    return status;
}

enum status observers_end(struct observers *observers, const struct system *system, double end_time,
                          struct error *error)
{
    for (size_t k = 0; k < observers->count; k++) {
        struct observer *observer = observers->list[k];
        observer->run->to = observer->run->frames.end_time = end_time;
        if (isfinite(observer->next_sample) && observer->run->interval > 0)
            observer->next_sample = end_time;
    }
    observers_find_times(observers);
    return observers_sample(observers, system, nextafter(end_time, (double)INFINITY), error);
}

enum status observers_finish(struct observers *observers, const struct system *system,
                             double end_time, struct error *error)
{
    /* The times up to and including the end. */
    enum status status =
        observers_sample(observers, system, nextafter(end_time, (double)INFINITY), error);
    const struct snapshot snapshot = {end_time, system, &observers->order};
    for (size_t k = 0; k < observers->count && !status; k++)
        status = observer_finish(observers->list[k], &snapshot, error);
    return status;
}

void observers_free(struct observers *observers)
{
    for (size_t k = 0; k < observers->count; k++)
        observer_free(observers->list[k]);
    memory_free(observers->order.indices);
    *observers = (struct observers){0};
}
