/*
 * The log of all collisions, and of the velocities that a stream gives; see observe/writers.h.
 *
 * To write numbers as text takes nearly as long as to find the collisions. So where there are
 * several threads, another one writes a batch of them as text while the next one is filled.
 */
#include "observe/writers.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/record.h"
#include "io/text.h"
#include "model/polygons.h"

#include <string.h>

static const char header[] = "time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v";

/* 11 numbers, 2 ids and 2 of a polygon, the longest kind ("particle"), the longest wall, 16 commas
 * and the line end. */
enum { MAX_LINE_SIZE = 11 * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 8 + 6 + 17 };

/* Of a file that is written in blocks of 256 KiB the system's part takes a third less time. */
enum { BATCH_LINES = 1024, TEXT_BLOCK = 1 << 18 };
enum { TEXT_SIZE = TEXT_BLOCK + BATCH_LINES * MAX_LINE_SIZE };

/* Collisions of which another thread makes lines. */
struct event_log_batch {
    size_t count;
    struct collision collisions[BATCH_LINES];
};

/*
 * Where particles switch velocities, each is written again and again. So in a small system texts
 * are kept, each at an index that follows from the size of its number, until another one is written
 * there.
 */
enum { MEMORY_BITS = 14, MAX_REMEMBERING = 4096 /* particles */ };

struct event_log_number {
    uint64_t bits;                   /* of the size */
    size_t length;                   /* of the text; 0: none */
    char text[NUMBER_SHORTEST_SIZE]; /* but for a sign */
};

struct event_log {
    struct observer observer;
    const struct polygons *polygons; /* with which particles collide; not owned; NULL: none */
    int has_radii;                   /* the disks grow */
    struct thread_pool *pool;        /* of two threads; or NULL */
    struct event_log_batch *batches; /* two: the one that is filled, and the one that becomes text,
                              if it is not empty; both are empty without a pool; owned */
    int filled;                      /* the number of the first one */
    char *text;                      /* lines that are not yet written; owned */
    size_t length;                   /* of all of them */
    struct event_log_number *memory; /* of 2^MEMORY_BITS velocities; owned; NULL: none is kept */
};

static enum status event_log_begin(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    log->polygons = snapshot->system->boundary.polygons;
    log->has_radii = snapshot->system->boundary.growth > 0;
    if (observer->run->threads.count != 1 && threads_available() > 1)
        log->pool = thread_pool_create(2);
    log->batches = memory_allocate_zeros(2, sizeof *log->batches, "lines of the log", error);
    log->text = memory_allocate(TEXT_SIZE, 1, "lines of the log", error);
    if (snapshot->system->law.rule == RULE_SWAP && snapshot->system->count <= MAX_REMEMBERING)
        log->memory = memory_allocate_zeros((size_t)1 << MEMORY_BITS, sizeof *log->memory,
                                            "lines of the log", error);
    if (!log->text || !log->batches)
        return STATUS_NO_MEMORY;
    if (!observer->has_begun)
        log->length = (size_t)snprintf(log->text, TEXT_SIZE, "%s%s%s\n", header,
                                       log->polygons ? ",polygon,number" : "",
                                       log->has_radii ? ",a_radius,b_radius" : "");
    return STATUS_DONE;
}

/* Appends a comma and a velocity to a line, and returns the end of the line. */
static inline char *append_velocity(char *end, double velocity, struct event_log_number *memory)
{
    const double size = fabs(velocity);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    struct event_log_number *written =
        &memory[bits * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MEMORY_BITS)];
    if (written->bits != bits || written->length == 0) {
        written->bits = bits;
        written->length = number_write_shortest(written->text, size);
    }
    memcpy(end, ",-", 2);
    end += 1 + (signbit(velocity) != 0);
    memcpy(end, written->text, sizeof written->text);
    return end + written->length;
}

static inline char *append_state(char *end, const struct collision_particle *a,
                                 struct event_log_number *memory)
{
    const double state[] = {a->x, a->y, a->u, a->v};
    end = number_append(end, ',', state, memory ? 2 : 4);
    for (int k = 2; k < 4 && memory; k++)
        end = append_velocity(end, state[k], memory);
    return end;
}

/* The name of a partner that is no particle. A velocity that a stream gives does not follow from
 * the other lines, so it has a line of its own. */
static const char *name_kind(const struct collision *collision)
{
    if (collision->is_reinjection)
        return "stream,";
    if (collision->is_absorbed)
        return "absorbed,";
    if (collision->feature >= FEATURE_TOP)
        return "wall,";
    return polygons_is_corner(collision->feature) ? "corner," : "side,";
}

static size_t format_line(char line[MAX_LINE_SIZE], const struct event_log *log,
                          const struct collision *collision)
{
    const struct polygons *polygons = log->polygons;
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    const int is_polygon = !is_pair && collision->feature < FEATURE_TOP;
    char *end = line + number_write_shortest(line, collision->time);
    *end++ = ',';
    if (is_pair)
        end = (char *)memcpy(end, "particle,", 9) + 9;
    else
        end = stpcpy(end, name_kind(collision));
    end += number_write_whole(end, (uint64_t)collision->a.number);
    *end++ = ',';
    if (is_pair)
        end += number_write_whole(end, (uint64_t)collision->b.number);
    *end++ = ',';
    if (!is_pair && !is_polygon)
        end = stpcpy(end, boundary_name(collision->feature));
    struct collision_particle a = collision->a;
    if (collision->is_absorbed) { /* the velocity with which it leaves */
        a.u = a.u_before;
        a.v = a.v_before;
    }
    end = append_state(end, &a, log->memory);
    end = is_pair ? append_state(end, &collision->b, log->memory) : stpcpy(end, ",,,,");
    if (is_polygon) {
        *end++ = ',';
        end += number_write_whole(end, polygons_polygon(polygons, collision->feature));
        *end++ = ',';
        end += number_write_whole(end, polygons_number(polygons, collision->feature));
    } else if (polygons) {
        end = stpcpy(end, ",,");
    }
    if (log->has_radii) {
        end = number_append(end, ',', &collision->a.radius, 1);
        end = is_pair ? number_append(end, ',', &collision->b.radius, 1) : stpcpy(end, ",");
    }
    *end++ = '\n';
    return (size_t)(end - line);
}

/* Task: writes a batch as text, while the calling thread, 0, fills the other one. */
static void format_batch(void *user, unsigned number)
{
    struct event_log *log = user;
    const struct event_log_batch *batch = &log->batches[!log->filled];
    for (size_t k = 0; k < batch->count && number > 0; k++)
        log->length += format_line(log->text + log->length, log, &batch->collisions[k]);
}

/* Waits until the batch that becomes text, if there is one, has done so. */
static void complete_batch(struct event_log *log)
{
    struct event_log_batch *batch = &log->batches[!log->filled];
    if (batch->count == 0)
        return;
    thread_pool_end(log->pool, format_batch, log);
    batch->count = 0;
}

/* Writes the text, but for what is no multiple of `block`. */
static enum status write_text(struct event_log *log, size_t block, struct error *error)
{
    const struct output_file *file = log->observer.file;
    const size_t length = log->length - log->length % block;
    if (fwrite(log->text, 1, length, file->stream) != length)
        return text_flush(file->stream, file->name, error);
    log->length -= length;
    memmove(log->text, log->text + length, log->length);
    return STATUS_DONE;
}

/* Begins to write the filled batch as text. */
static enum status swap_batches(struct event_log *log, struct error *error)
{
    complete_batch(log);
    enum status status = write_text(log, TEXT_BLOCK, error);
    log->filled = !log->filled;
    thread_pool_begin(log->pool, format_batch, log);
    return status;
}

/* Writes all lines, also of collisions that are still in batches. */
static enum status write_all(struct event_log *log, struct error *error)
{
    enum status status = STATUS_DONE;
    if (log->batches[log->filled].count > 0)
        status = swap_batches(log, error);
    complete_batch(log);
    return status ? status : write_text(log, 1, error);
}

static enum status event_log_take(struct observer *observer, const struct collision_batch *batch,
                                  struct error *error)
{
    struct event_log *log = (struct event_log *)observer;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < batch->count && !status; k++) {
        if (log->pool) {
            struct event_log_batch *lines = &log->batches[log->filled];
            lines->collisions[lines->count++] = batch->list[k];
            status = lines->count == BATCH_LINES ? swap_batches(log, error) : STATUS_DONE;
        } else {
            log->length += format_line(log->text + log->length, log, &batch->list[k]);
            status = log->length < TEXT_BLOCK ? STATUS_DONE : write_text(log, TEXT_BLOCK, error);
        }
    }
    return status;
}

static void event_log_state(struct observer *observer, struct record *record)
{
    struct event_log *log = (struct event_log *)observer;
    if (!record->is_reading)
        record_add_status(record, write_all(log, record->error));
}

static enum status event_log_finish(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    (void)snapshot;
    return write_all((struct event_log *)observer, error);
}

static void free_log(struct observer *observer)
{
    struct event_log *log = (struct event_log *)observer;
    if (log->batches)
        complete_batch(log);
    thread_pool_free(log->pool);
    memory_free(log->batches);
    memory_free(log->text);
    memory_free(log->memory);
}

const struct observer_operations event_log_operations = {
    .kind = {"--events", "the log of events", sizeof(struct event_log), FILE_FROM_BEGIN},
    .watches = WATCH_PAIRS,
    .begin = event_log_begin,
    .take = event_log_take,
    .finish = event_log_finish,
    .state = event_log_state,
    .free = free_log,
};
