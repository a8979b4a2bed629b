/* Running an observer by itself; see observed.h. */
#include "observed.h"

#include "check.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status observed_run(struct system *system, enum schedule_kind kind, double end_time,
                         struct observer *observer, struct error *error)
{
    struct schedule *schedule = NULL;
    struct observers observers = {0};
    if (observer)
        observers_add(&observers, observer);
    enum status status = observers_begin(&observers, system, error);
    if (!status)
        status = schedule_create(kind, system, NULL, &schedule, error);
    if (!status)
        status = simulation_run(schedule, end_time, &observers, error);
    schedule_free(schedule);
    if (!status)
        status = observers_finish(&observers, system, end_time, error);
    observers_free(&observers);
    return status;
}

enum status observed_each(struct observer *observer, const struct collision_batch *batch,
                          observed_collision *collide, observed_collision *reinject,
                          struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < batch->count && !status; k++) {
        const struct collision *collision = &batch->list[k];
        observed_collision *const act = collision->is_reinjection ? reinject : collide;
        status = act ? act(observer, collision, error) : STATUS_DONE;
    }
    return status;
}

enum status observed_create_and_run(const struct observer_operations *operations,
                                    const struct run_settings *settings,
                                    const struct output_settings *output, struct system *system,
                                    enum schedule_kind kind, double end_time, struct error *error)
{
    struct observer *observer = NULL;
    const enum status status = observer_create(operations, settings, output, &observer, error);
    return status ? status : observed_run(system, kind, end_time, observer, error);
}

char *observed_text(const struct observer_operations *operations,
                    const struct run_settings *settings, const struct output_settings *output,
                    struct system *system, enum schedule_kind kind, double end_time)
{
    if (!CHECK(!observed_create_and_run(operations, settings, output, system, kind, end_time,
                                        &failure)))
        error_print(&failure);
    char *text = observed_read(output->name);
    CHECK(text != NULL);
    return text;
}

size_t observed_count(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

char *observed_read(const char *name)
{
    FILE *stream = fopen(name, "r");
    if (!stream)
        return NULL;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    rewind(stream);
    char *text = size < 0 ? NULL : memory_allocate((size_t)size + 1, 1, "a file", &failure);
    if (text)
        text[fread(text, 1, (size_t)size, stream)] = '\0';
    fclose(stream);
    unlink(name);
    return text;
}

void observed_remove_run(char *text)
{
    char *line = text;
    while (line && (line = strstr(line, "<tr class=\"run\""))) {
        const char *end = strchr(line, '\n') + 1;
        memmove(line, end, strlen(end) + 1);
    }
}
