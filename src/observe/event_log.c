/*
 * The log of all collisions, and of the velocities that a stream gives; see event_log.h. Each line
 * is made in memory and written at once, which is faster than to print its numbers one by one.
 *
 * To turn numbers into text takes as long as to find the collisions. So where there are several
 * threads, collisions are kept in batches, and while one batch is filled, another thread turns the
 * one before into text.
 */
#include "observe/event_log.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/text.h"
#include "model/polygons.h"

#include <math.h>
#include <string.h>

static const char header[] = "time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v";

/* 9 numbers, 2 ids and 2 of a polygon, the longest kind ("particle"), the longest wall, 14 commas
 * and the line end. */
enum { LONGEST_LINE = 9 * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 8 + 6 + 15 };

enum { BATCH_LINES = 1024 };

/* What some lines are to say, and then the lines. */
struct batch {
    const struct polygons *polygons;
    size_t count;
    struct collision collisions[BATCH_LINES];
    const char *kinds[BATCH_LINES];
    size_t length;
    char text[BATCH_LINES * LONGEST_LINE];
};

struct event_log {
    struct observer observer;
    const char *name; /* not owned */
    struct output_file file;
    const struct polygons *polygons; /* with which particles collide; not owned; NULL: none */
    struct schedule_threads threads; /* as asked for */
    struct thread_pool *pool;        /* of two threads; NULL: each line is written at once */
    struct batch *filled, *turned;   /* the batch that is filled, and that which is turned into
                                        text, if it is not empty; both owned; NULL without pool */
};

/* Prepares for batches, if there are threads and memory for that. */
static void prepare_batches(struct event_log *log, size_t count)
{
    struct error error;
    if (schedule_choose_threads(&log->threads, count) == 1)
        return;
    log->pool = thread_pool_create(2, &error);
    if (thread_pool_count(log->pool) == 1)
        return;
    log->filled = memory_allocate(1, sizeof *log->filled, "lines of the log", &error);
    log->turned = memory_allocate(1, sizeof *log->turned, "lines of the log", &error);
    if (log->filled && log->turned) {
        log->filled->count = log->turned->count = 0;
        return;
    }
    memory_free(log->filled);
    memory_free(log->turned);
    log->filled = log->turned = NULL;
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    enum status status = output_file_open_resumable(&log->file, log->name, observer->is_resumable,
                                                    &observer->is_saved, error);
    log->polygons = snapshot->system->boundary.polygons;
    prepare_batches(log, snapshot->system->count);
    if (!status &&
        fprintf(log->file.stream, "%s%s\n", header, log->polygons ? ",polygon,number" : "") < 0)
        status = text_flush(log->file.stream, log->name, error);
    return status;
}

/* Each of these appends to a line, and returns the end of the line. */
static char *append_text(char *end, const char *text)
{
    size_t length = strlen(text);
    memcpy(end, text, length);
    return end + length;
}

static char *append_number(char *end, size_t number)
{
    return end + number_write_whole(end, number);
}

static char *append_state(char *end, const struct participant *participant)
{
    const double values[4] = {participant->x, participant->y, participant->u, participant->v};
    for (int k = 0; k < 4; k++) {
        *end++ = ',';
        end += number_write_shortest(end, values[k]);
    }
    return end;
}

/* What a particle collides with. */
static const char *kind_of(const struct collision *collision)
{
    if (collision->partner == PARTNER_PARTICLE)
        return "particle";
    if (collision->feature >= FEATURE_TOP)
        return "wall";
    return polygons_is_corner(collision->feature) ? "corner" : "side";
}

/* The columns that there are only in a run with polygons. */
static char *append_polygon(char *end, const struct polygons *polygons,
                            const struct collision *collision)
{
    if (collision->partner == PARTNER_PARTICLE || collision->feature >= FEATURE_TOP)
        return append_text(end, ",,");
    *end++ = ',';
    end = append_number(end, polygons_polygon(polygons, collision->feature));
    *end++ = ',';
    return append_number(end, polygons_number(polygons, collision->feature));
}

static size_t format_line(char line[LONGEST_LINE], const struct polygons *polygons,
                          const struct collision *collision, const char *kind)
{
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    char *end = line + number_write_shortest(line, collision->time);
    *end++ = ',';
    end = append_text(end, kind);
    *end++ = ',';
    end = append_number(end, (size_t)collision->a.number);
    *end++ = ',';
    if (is_pair)
        end = append_number(end, (size_t)collision->b.number);
    *end++ = ',';
    if (!is_pair && collision->feature >= FEATURE_TOP)
        end = append_text(end, boundary_name(collision->feature));
    end = append_state(end, &collision->a);
    end = is_pair ? append_state(end, &collision->b) : append_text(end, ",,,,");
    if (polygons)
        end = append_polygon(end, polygons, collision);
    *end++ = '\n';
    return (size_t)(end - line);
}

/* Task: turns a batch into text; the thread that fills the other one has nothing to do with it. */
static void turn_batch(void *user, unsigned number)
{
    struct batch *batch = user;
    if (number == 0)
        return;
    batch->length = 0;
    for (size_t k = 0; k < batch->count; k++)
        batch->length += format_line(batch->text + batch->length, batch->polygons,
                                     &batch->collisions[k], batch->kinds[k]);
}

/* Writes the batch that has been turned into text, if there is one. */
static enum status write_turned(struct event_log *log, struct error *error)
{
    struct batch *batch = log->turned;
    if (!batch || batch->count == 0)
        return STATUS_DONE;
    thread_pool_end(log->pool);
    batch->count = 0;
    if (fwrite(batch->text, 1, batch->length, log->file.stream) != batch->length)
        return text_flush(log->file.stream, log->name, error);
    return STATUS_DONE;
}

/* Lets the batch that is filled be turned into text. */
static enum status turn_filled(struct event_log *log, struct error *error)
{
    enum status status = write_turned(log, error);
    struct batch *batch = log->filled;
    if (!batch || batch->count == 0)
        return status;
    log->filled = log->turned;
    log->turned = batch;
    batch->polygons = log->polygons;
    thread_pool_begin(log->pool, turn_batch, batch);
    return status;
}

/* Writes all lines that are still in batches. */
static enum status write_all(struct event_log *log, struct error *error)
{
    enum status status = turn_filled(log, error);
    return status ? status : write_turned(log, error);
}

static enum status add_to_batch(struct event_log *log, const struct collision *collision,
                                const char *kind, struct error *error)
{
    struct batch *batch = log->filled;
    batch->collisions[batch->count] = *collision;
    batch->kinds[batch->count++] = kind;
    return batch->count == BATCH_LINES ? turn_filled(log, error) : STATUS_DONE;
}

static enum status write_line(struct observer *observer, const struct collision *collision,
                              const char *kind, struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    if (log->filled)
        return add_to_batch(log, collision, kind, error);
    char line[LONGEST_LINE];
    size_t length = format_line(line, log->polygons, collision, kind);
    if (fwrite(line, 1, length, log->file.stream) != length)
        return text_flush(log->file.stream, log->name, error);
    return STATUS_DONE;
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    return write_line(observer, collision, kind_of(collision), error);
}

/* A velocity that is drawn cannot be found from the other lines, so it has a line of its own. */
static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    return write_line(observer, passage, "stream", error);
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    (void)snapshot;
    enum status status = write_all(log, error);
    return status ? status : output_file_save(&log->file, writer, error);
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    log->polygons = snapshot->system->boundary.polygons;
    prepare_batches(log, snapshot->system->count);
    return output_file_load(&log->file, log->name, reader, error);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    (void)snapshot;
    enum status status = write_all(log, error);
    return status ? status : output_file_complete(&log->file, error);
}

static void free_log(struct observer *observer)
{
    struct event_log *log = (struct event_log *)observer;
    if (log->turned && log->turned->count > 0)
        thread_pool_end(log->pool);
    thread_pool_free(log->pool);
    memory_free(log->filled);
    memory_free(log->turned);
    output_file_abandon(&log->file);
    memory_free(log);
}

enum status event_log_create(const char *name, const struct schedule_threads *threads,
                             struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {.begin = begin,
                                                          .collide = collide,
                                                          .renew = renew,
                                                          .finish = finish,
                                                          .option = "--events",
                                                          .save = save,
                                                          .load = load,
                                                          .free = free_log};
    struct event_log *log = memory_allocate(1, sizeof *log, "the log of events", error);
    if (!log)
        return STATUS_NO_MEMORY;
    *log =
        (struct event_log){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                           .name = name,
                           .threads = *threads};
    *observer = &log->observer;
    return STATUS_DONE;
}
