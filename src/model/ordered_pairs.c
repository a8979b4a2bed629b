/* Pairs of particles in their order, on several threads; see ordered_pairs.h. */
#include "model/ordered_pairs.h"

#include "base/memory.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Along an axis, in which particles are counted to make strips. */
enum { COLUMNS = 1024 };

/* The strips are made anew after this number of uses, because particles move. */
enum { MAX_AGE = 100 };

/* How often a thread asks for its turn before it lets others use its core. */
enum { MAX_ASKED = 2000 };

enum status ordered_pairs_create(struct ordered_pairs *pairs, const struct system *system,
                                 size_t size, struct thread_pool *pool, struct error *error)
{
    static const char what[] = "the order of pairs";
    const size_t count = system->count, strips = thread_pool_count(pool);
    *pairs = (struct ordered_pairs){.system = system, .pool = pool, .size = size};
    pairs->strips = memory_allocate(strips, sizeof *pairs->strips, what, error);
    pairs->queues = memory_allocate(strips, strips * sizeof *pairs->queues, what, error);
    pairs->members = memory_allocate(count, 2 * sizeof *pairs->members, what, error);
    pairs->turns = memory_allocate(count, sizeof *pairs->turns, what, error);
    for (size_t k = 0; k < strips && pairs->strips; k++)
        pairs->strips[k] =
            (struct ordered_strip){.pairs = pairs, .queues = pairs->queues + k * strips};
    if (!pairs->strips || !pairs->queues || !pairs->members || !pairs->turns)
        return STATUS_NO_MEMORY;
    pairs->strip_of = pairs->members + count;
    for (size_t k = 0; k < count; k++)
        atomic_init(&pairs->turns[k], 0);
    return STATUS_DONE;
}

/* Cuts the box into strips. */
static void make_strips(struct ordered_pairs *pairs)
{
    const struct system *system = pairs->system;
    const struct boundary *boundary = &system->boundary;
    const unsigned count = thread_pool_count(pairs->pool);
    uint32_t columns[COLUMNS] = {0}; /* the particles in each; then its strip */
    double x_change = 0, y_change = 0;
    size_t sum = 0;
    for (size_t k = 1; k < system->count; k++) {
        x_change += fabs(system->particles[k].x - system->particles[k - 1].x);
        y_change += fabs(system->particles[k].y - system->particles[k - 1].y);
    }
    const int is_x = x_change * boundary->height >= y_change * boundary->width;
    const double width = (is_x ? boundary->width : boundary->height) / COLUMNS;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        pairs->strip_of[k] = boundary_locate(is_x ? p->x : p->y, width, COLUMNS);
        columns[pairs->strip_of[k]]++;
    }
    for (size_t column = 0; column < COLUMNS; column++) {
        const size_t members = columns[column];
        columns[column] = (uint32_t)((2 * sum + members) * count / (2 * system->count + 1));
        sum += members;
    }
    for (size_t k = 0; k < system->count; k++)
        pairs->strip_of[k] = columns[pairs->strip_of[k]];
    for (size_t strip = 0, next = 0; strip < count; strip++) {
        pairs->strips[strip].begin = next;
        for (size_t k = 0; k < system->count; k++)
            if (pairs->strip_of[k] == strip)
                pairs->members[next++] = (uint32_t)k;
        pairs->strips[strip].end = next;
    }
}

/* 0: the first ones; 1: those to be sorted; 2: the last ones. */
static int key_kind(double key)
{
    return (key < (double)INFINITY) + (key <= (double)-INFINITY);
}

void *ordered_pairs_add(struct ordered_strip *strip, size_t i, size_t j, double key)
{
    const struct ordered_pairs *pairs = strip->pairs;
    strip->found = memory_extend(strip->found, strip->count, &strip->room, pairs->size,
                                 "the pairs of particles", &strip->error);
    if (!strip->found) {
        strip->status = STATUS_NO_MEMORY;
        return NULL;
    }
    struct ordered_pair *pair =
        (struct ordered_pair *)(strip->found + strip->count++ * pairs->size);
    strip->kinds[key_kind(key)]++;
    *pair = (struct ordered_pair){.i = (uint32_t)i, .j = (uint32_t)j, .key = key};
    if (pairs->strip_of[i] != pairs->strip_of[j])
        atomic_store_explicit(&pairs->turns[j], 1, memory_order_relaxed);
    return pair;
}

static void search_strip(void *user, unsigned number)
{
    const struct ordered_pairs *pairs = user;
    struct ordered_strip *strip = &pairs->strips[number];
    strip->status = STATUS_DONE;
    strip->count = strip->shared_count = 0;
    memset(strip->kinds, 0, sizeof strip->kinds);
    pairs->search(pairs->user, strip);
    strip->list = memory_reserve(strip->list, &strip->list_room, strip->count,
                                 3 * sizeof *strip->list, "the order of pairs", &strip->error);
    strip->shared = strip->list + strip->list_room;
    strip->across = strip->shared + strip->list_room;
    if (!strip->list)
        strip->status = STATUS_NO_MEMORY;
}

static int is_before(const struct ordered_pair *p, const struct ordered_pair *q)
{
    return p->key != q->key ? p->key > q->key : p->i != q->i ? p->i < q->i : p->j < q->j;
}

static int compare_pairs(const void *a, const void *b)
{
    return is_before(*(struct ordered_pair *const *)b, *(struct ordered_pair *const *)a) ? 1 : -1;
}

/* Queues the pairs of a strip whose turns other strips give, by strips. */
static void queue_pairs(struct ordered_strip *strip, unsigned number)
{
    const struct ordered_pairs *pairs = strip->pairs;
    const unsigned count = thread_pool_count(pairs->pool);
    struct ordered_pair **end = strip->across;
    for (unsigned k = 0; k < count; k++)
        pairs->strips[k].queues[number] = (struct ordered_queue){end, end};
    for (size_t k = 0; k < strip->shared_count; k++)
        pairs->strips[pairs->strip_of[strip->shared[k]->j]].queues[number].end++;
    for (unsigned k = 0; k < count; k++) {
        struct ordered_queue *queue = &pairs->strips[k].queues[number];
        const size_t pending = (size_t)(queue->end - queue->next);
        *queue = (struct ordered_queue){end, end};
        end += pending;
    }
    for (size_t k = 0; k < strip->shared_count; k++) {
        struct ordered_pair *pair = strip->shared[k];
        *pairs->strips[pairs->strip_of[pair->j]].queues[number].end++ = pair;
    }
    strip->queues[number] =
        (struct ordered_queue){strip->shared, strip->shared + strip->shared_count};
}

static void order_strip(void *user, unsigned number)
{
    const struct ordered_pairs *pairs = user;
    struct ordered_strip *strip = &pairs->strips[number];
    const size_t first = strip->kinds[0], last = first + strip->kinds[1];
    size_t next[] = {0, first, last};
    for (size_t k = 0; k < strip->count; k++) {
        struct ordered_pair *pair = (struct ordered_pair *)(strip->found + k * pairs->size);
        strip->list[next[key_kind(pair->key)]++] = pair;
    }
    if (last > first)
        qsort(strip->list + first, last - first, sizeof *strip->list, compare_pairs);
    for (size_t k = 0; k < strip->count && pairs->pool; k++) {
        struct ordered_pair *pair = strip->list[k];
        if (pairs->turns[pair->i] || pairs->turns[pair->j])
            strip->shared[strip->shared_count++] = pair;
    }
    queue_pairs(strip, number);
}

/* Visits the pairs of queues, one for each strip, in their order. */
static void visit_queues(struct ordered_queue *queues, unsigned count, ordered_pairs_work *visit,
                         void *user)
{
    unsigned left = 0;
    for (unsigned k = 0; k < count; k++)
        if (queues[k].next < queues[k].end)
            queues[left++] = queues[k];
    while (left > 0) {
        struct ordered_queue *first = queues;
        for (unsigned k = 1; k < left; k++)
            if (is_before(*queues[k].next, *first->next))
                first = &queues[k];
        visit(user, *first->next++);
        if (first->next == first->end)
            *first = queues[--left];
    }
}

/* Gives a pair its turns at particles of a strip. */
static void take_turn(void *user, struct ordered_pair *pair)
{
    const struct ordered_strip *strip = user;
    const struct ordered_pairs *pairs = strip->pairs;
    const size_t number = (size_t)(strip - pairs->strips);
    if (pairs->strip_of[pair->i] == number)
        pair->i_turn = pairs->turns[pair->i] ? pairs->turns[pair->i]++ : 0;
    if (pairs->strip_of[pair->j] == number)
        pair->j_turn = pairs->turns[pair->j] ? pairs->turns[pair->j]++ : 0;
}

static void take_turns(void *user, unsigned number)
{
    const struct ordered_pairs *pairs = user;
    struct ordered_strip *strip = &pairs->strips[number];
    visit_queues(strip->queues, thread_pool_count(pairs->pool), take_turn, strip);
}

/* Sets the turns of particles to the first ones, or to 0: of some by several threads. */
static void reset_turns(void *user, unsigned number)
{
    const struct ordered_pairs *pairs = user;
    const struct ordered_strip *strip = &pairs->strips[number];
    for (size_t k = 0; k < strip->shared_count; k++) {
        const struct ordered_pair *pair = strip->shared[k];
        atomic_store_explicit(&pairs->turns[pair->i], pair->i_turn ? pairs->first_turn : 0,
                              memory_order_relaxed);
        atomic_store_explicit(&pairs->turns[pair->j], pair->j_turn ? pairs->first_turn : 0,
                              memory_order_relaxed);
    }
}

enum status ordered_pairs_find(struct ordered_pairs *pairs, ordered_pairs_search *search,
                               void *user, struct error *error)
{
    if (pairs->age++ % MAX_AGE == 0)
        make_strips(pairs);
    pairs->first_turn = 0;
    thread_pool_run(pairs->pool, reset_turns, pairs);
    pairs->search = search;
    pairs->user = user;
    thread_pool_run(pairs->pool, search_strip, pairs);
    for (unsigned k = 0; k < thread_pool_count(pairs->pool); k++)
        if (pairs->strips[k].status) {
            *error = pairs->strips[k].error;
            return STATUS_NO_MEMORY;
        }
    thread_pool_run(pairs->pool, order_strip, pairs);
    thread_pool_run(pairs->pool, take_turns, pairs);
    return STATUS_DONE;
}

static void wait_for_turn(atomic_uint *turns, unsigned turn)
{
    for (int asked = 0; atomic_load_explicit(turns, memory_order_acquire) != turn; asked++)
        if (asked >= MAX_ASKED)
            sched_yield();
}

static void work_on_strip(void *user, unsigned number)
{
    const struct ordered_pairs *pairs = user;
    const struct ordered_strip *strip = &pairs->strips[number];
    for (size_t k = 0; k < strip->count; k++) {
        struct ordered_pair *pair = strip->list[k];
        const unsigned i_turn = pair->i_turn, j_turn = pair->j_turn;
        if (i_turn)
            wait_for_turn(&pairs->turns[pair->i], i_turn);
        if (j_turn)
            wait_for_turn(&pairs->turns[pair->j], j_turn);
        pairs->work(pairs->user, pair);
        if (i_turn)
            atomic_store_explicit(&pairs->turns[pair->i], i_turn + 1, memory_order_release);
        if (j_turn)
            atomic_store_explicit(&pairs->turns[pair->j], j_turn + 1, memory_order_release);
    }
}

void ordered_pairs_run(struct ordered_pairs *pairs, ordered_pairs_work *work, void *user)
{
    pairs->work = work;
    pairs->user = user;
    pairs->first_turn = 1;
    thread_pool_run(pairs->pool, reset_turns, pairs);
    thread_pool_run(pairs->pool, work_on_strip, pairs);
}

void ordered_pairs_visit(struct ordered_pairs *pairs, ordered_pairs_work *visit, void *user)
{
    const unsigned count = thread_pool_count(pairs->pool);
    for (unsigned k = 0; k < count; k++)
        pairs->queues[k] = (struct ordered_queue){pairs->strips[k].list,
                                                  pairs->strips[k].list + pairs->strips[k].count};
    visit_queues(pairs->queues, count, visit, user);
}

void ordered_pairs_free(struct ordered_pairs *pairs)
{
    for (unsigned k = 0; k < thread_pool_count(pairs->pool) && pairs->strips; k++) {
        memory_free(pairs->strips[k].found);
        memory_free(pairs->strips[k].list);
    }
    memory_free(pairs->strips);
    memory_free(pairs->queues);
    memory_free(pairs->members);
    memory_free(pairs->turns);
    *pairs = (struct ordered_pairs){0};
}
