/* Running an observer by itself; see observed.h. */
#include "observed.h"

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

char *observed_read(const char *name)
{
    struct error error;
    FILE *stream = fopen(name, "r");
    if (!stream)
        return NULL;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    rewind(stream);
    char *text = size < 0 ? NULL : memory_allocate((size_t)size + 1, 1, "a file", &error);
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
