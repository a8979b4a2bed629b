/* Tests of the event calendar: used as its header says, it hands out every item at its time, in the
 * order of times and ranks, whatever the slices. The naive one beside it looks at all items each
 * time. */
#include "schedule/calendar.h"

#include "check.h"

#include <float.h>

enum { MAX_ITEMS = 300 };

/* The user of a calendar: when each item is due, and what to do with what comes up. */
struct user {
    struct calendar calendar;
    size_t count;
    double times[MAX_ITEMS];   /* when each item is due; INFINITY: never */
    uint64_t ranks[MAX_ITEMS]; /* items of the same time and rank are one event */
    double slice_length;       /* for the cycles to come */
    int cycles;
};

static uint64_t rank_of(const void *user, uint32_t item, double time)
{
    const struct user *own = user;
    return own->times[item] == time ? own->ranks[item] : UINT64_MAX;
}

/* For items whose order at one time does not matter: each time another one. */
static uint64_t no_rank(const void *user, uint32_t item, double time)
{
    static uint64_t ranks;
    (void)user;
    (void)item;
    (void)time;
    return ++ranks;
}

/* Puts an item into the front, as the user does. Returns 0 if there is no room. */
static int push(struct calendar *calendar, uint32_t item, double time, uint32_t is_due)
{
    const uint32_t place = calendar->near_count;
    if (place == CALENDAR_NEAR)
        return !is_due || calendar_push_heap(calendar, item, time);
    calendar->near_count = calendar_push(calendar, place, item, time, is_due);
    return 1;
}

/* Returns 0 if there is no room. */
static int schedule(struct user *user, uint32_t item)
{
    if (user->times[item] == (double)INFINITY)
        return 1;
    return calendar_schedule(&user->calendar, item, user->times[item]);
}

/* Begins a cycle with all items, for which there is always room. Returns 0 if none is left. */
static int begin_cycle(struct user *user)
{
    double begin = (double)INFINITY;
    for (size_t k = 0; k < user->count; k++)
        begin = fmin(begin, user->times[k]);
    if (begin == (double)INFINITY)
        return 0;
    user->cycles++;
    calendar_begin_cycle(&user->calendar, begin, user->slice_length);
    CHECK(calendar_is_empty(&user->calendar));
    for (uint32_t item = 0; item < user->count; item++)
        CHECK(schedule(user, item));
    return 1;
}

/* Goes on until the front has an entry that is up to date. Returns 0 if nothing is left. */
static int find_first(struct user *user)
{
    struct calendar *calendar = &user->calendar;
    for (;;) {
        while (!calendar_is_empty(calendar)) {
            const struct calendar_entry first = calendar_first(calendar);
            uint64_t rank = user->ranks[first.item];
            if (first.time == user->times[first.item] && (first.rank == 0 || first.rank == rank))
                return 1;
            calendar_pop(calendar);
        }
        const struct calendar_chunk *chunk = calendar_next_slice(calendar);
        if (!chunk && !begin_cycle(user))
            return 0;
        if (!chunk)
            continue;
        for (; chunk; chunk = calendar_more(calendar, chunk))
            for (uint32_t k = 0; k < chunk->count; k++)
                CHECK(push(calendar, chunk->items[k], user->times[chunk->items[k]],
                           (uint32_t)calendar_is_due(calendar, user->times[chunk->items[k]])));
        calendar_sort(calendar);
    }
}

/* The item that is first by looking at all; `count` if none is left. */
static uint32_t naive_first(const struct user *user)
{
    size_t first = user->count;
    for (size_t k = 0; k < user->count; k++) {
        if (user->times[k] == (double)INFINITY)
            continue;
        if (first == user->count || user->times[k] < user->times[first] ||
            (user->times[k] == user->times[first] && user->ranks[k] < user->ranks[first]))
            first = k;
    }
    return (uint32_t)first;
}

/* How the times of a test are made. */
struct waits {
    double begin;   /* of all */
    double longest; /* waits are uniform from 0 to this */
    double step;    /* and multiples of this; 0: any number */
};

static double choose_time(struct random_generator *random, const struct waits *waits, double now)
{
    if (random_below(random, 20) == 0)
        return (double)INFINITY;
    double wait = waits->longest * random_unit(random);
    return now + (waits->step > 0 ? floor(wait / waits->step) * waits->step : wait);
}

/* Each item has ranks of its own, so that no two entries are equal; but now and then its neighbour
 * by number gets the same time and rank: then both are one event. Returns how many have changed. */
static uint32_t reschedule(struct user *user, struct random_generator *random,
                           const struct waits *waits, uint32_t item, double now)
{
    user->times[item] = choose_time(random, waits, now);
    user->ranks[item] = random_below(random, 5) * MAX_ITEMS + item + 1;
    if (item + 1 == user->count || random_below(random, 4) != 0)
        return 1;
    user->times[item + 1] = user->times[item];
    user->ranks[item + 1] = user->ranks[item];
    return 2;
}

/* Lets all that is one event with an item be over. */
static void finish(struct user *user, uint32_t item)
{
    const double time = user->times[item];
    for (size_t k = 0; k < user->count; k++)
        if (user->times[k] == time && user->ranks[k] == user->ranks[item])
            user->times[k] = (double)INFINITY;
}

/* Lets `steps` items come up; each time, it and a few others are scheduled anew. */
static void follow(struct user *user, struct random_generator *random, const struct waits *waits,
                   int steps)
{
    double now = waits->begin;
    for (uint32_t item = 0; item < user->count;)
        item += reschedule(user, random, waits, item, now);
    CHECK(begin_cycle(user) == (naive_first(user) < user->count));
    for (int step = 0; step < steps; step++) {
        uint32_t expected = naive_first(user);
        if (!CHECK(find_first(user) == (expected < user->count)) || expected == user->count)
            return;
        const struct calendar_entry entry = calendar_first(&user->calendar);
        if (!CHECK(user->ranks[entry.item] == user->ranks[expected] &&
                   entry.time == user->times[expected]))
            return;
        now = entry.time;
        calendar_pop(&user->calendar);
        finish(user, expected);
        uint32_t item = expected;
        for (size_t others = random_below(random, 4);; others--) {
            const uint32_t changed = reschedule(user, random, waits, item, now);
            if (!schedule(user, item) || (changed == 2 && !schedule(user, item + 1))) {
                CHECK(begin_cycle(user));
                user->slice_length *= 1 + random_unit(random) / 8;
            }
            if (others == 0)
                break;
            item = (uint32_t)random_below(random, user->count);
        }
    }
}

static void follow_new(struct random_generator *random, size_t count, const struct waits *waits,
                       double slice_length, int steps)
{
    struct user user = {.count = count, .slice_length = slice_length};
    if (CHECK(calendar_create(&user.calendar, count, rank_of, &user, &failure) == STATUS_DONE))
        follow(&user, random, waits, 2 * steps);
    calendar_free(&user.calendar);
}

static int steps_of(int steps)
{
    return check_is_thorough() ? steps : steps / (check_is_quick() ? 10 : 4);
}

/* Slices from so short that a cycle holds one item to so long that one holds all. */
RANDOM_TEST(items_come_in_order, 40)
{
    for (int round = 0; round < 60; round++) {
        const struct waits waits = {0, 1, 0};
        size_t count = 1 + random_below(random, MAX_ITEMS);
        follow_new(random, count, &waits, pow(10, 9 * random_unit(random) - 6), steps_of(800));
    }
}

RANDOM_TEST(ties_come_in_the_order_of_their_ranks, 41)
{
    for (int round = 0; round < 60; round++) {
        const struct waits waits = {3, 4, 0.5}; /* 8 times for all of them, and now is one */
        size_t count = 1 + random_below(random, MAX_ITEMS);
        follow_new(random, count, &waits, pow(2, (double)random_below(random, 20) - 12),
                   steps_of(800));
    }
}

/* Ends because an item whose time is INFINITY is only woken by another one. */
RANDOM_TEST(all_at_one_time, 42)
{
    const struct waits waits = {7, 0, 0};
    for (size_t count = 1; count <= MAX_ITEMS; count += 13)
        follow_new(random, count, &waits, 0x1p-10 * (double)count, steps_of(2000));
}

RANDOM_TEST(late_times_and_tiny_slices, 43)
{
    static const struct waits waits[] = {
        {1e12, 1, 0}, {1e12, 1e-3, 0}, {1e12, 1e12, 0}, {1e300, 1e300, 0}, {1e-290, 1e-290, 0}};
    for (size_t k = 0; k < LENGTH(waits); k++) {
        follow_new(random, 100, &waits[k], 1e-12 * waits[k].longest, steps_of(300));
        follow_new(random, 100, &waits[k], 0.01 * waits[k].longest, steps_of(3000));
        follow_new(random, 100, &waits[k], 1e6 * waits[k].longest, steps_of(3000));
    }
}

RANDOM_TEST(a_slice_without_end_is_a_heap, 44)
{
    const struct waits waits = {0, 1e40, 0};
    follow_new(random, MAX_ITEMS, &waits, DBL_MAX, steps_of(5000));
    follow_new(random, MAX_ITEMS, &waits, 1e300, steps_of(5000));
}

/* Where an item is put depends on its slice alone. */
TEST(places)
{
    struct calendar calendar;
    CHECK(calendar_create(&calendar, 10, no_rank, NULL, &failure) == STATUS_DONE);
    calendar_begin_cycle(&calendar, 100, 2);
    double end = 100 + 2 * (double)calendar.slice_count;
    CHECK(calendar_schedule(&calendar, 0, 100) && calendar.near_count == 1);
    CHECK(calendar_schedule(&calendar, 0, nextafter(102, 0)) && calendar.near_count == 2);
    CHECK(calendar_is_due(&calendar, nextafter(102, 0)) && !calendar_is_due(&calendar, 102));
    CHECK(calendar_schedule(&calendar, 1, 102));
    CHECK(calendar_schedule(&calendar, 2, nextafter(end, 0)));
    CHECK(calendar_schedule(&calendar, 3, end));
    CHECK(calendar_schedule(&calendar, 3, 1e300));
    CHECK(calendar.near_count == 2);
    CHECK(calendar_peek(&calendar, 0) == NULL &&
          calendar_peek(&calendar, calendar.slice_count) == NULL);
    calendar_put_pending(&calendar);
    CHECK(calendar_peek(&calendar, 1)->count == 1 && calendar_peek(&calendar, 1)->items[0] == 1);
    const struct calendar_chunk *chunk = calendar_next_slice(&calendar);
    CHECK(chunk && chunk->items[0] == 1 && !calendar_more(&calendar, chunk) && calendar.slice == 1);
    CHECK(calendar_is_due(&calendar, 102) && calendar_schedule(&calendar, 1, 103));
    CHECK(calendar.near_count == 1);
    chunk = calendar_next_slice(&calendar);
    CHECK(chunk && chunk->count == 1 && chunk->items[0] == 2 &&
          calendar.slice == calendar.slice_count - 1);
    CHECK(calendar_next_slice(&calendar) == NULL && calendar_next_slice(&calendar) == NULL);
    calendar_free(&calendar);
}

/* The memory for chunks is used up by one item that is scheduled again and again. */
TEST(a_full_calendar_says_so)
{
    enum { ITEMS = 20 };
    struct calendar calendar;
    CHECK(calendar_create(&calendar, ITEMS, no_rank, NULL, &failure) == STATUS_DONE);
    for (int cycle = 0; cycle < 2; cycle++) {
        calendar_begin_cycle(&calendar, 0, 1);
        size_t kept = 0;
        while (kept < 100000 && calendar_schedule(&calendar, 0, 5))
            kept++;
        CHECK(kept >= ITEMS && kept < 100000);
        CHECK(!calendar_schedule(&calendar, 1, 5));
        CHECK(calendar_schedule(&calendar, 1, 0.5)); /* that needs no slice */
        size_t found = 0;
        for (const struct calendar_chunk *chunk = calendar_next_slice(&calendar); chunk;
             chunk = calendar_more(&calendar, chunk))
            found += chunk->count;
        CHECK(found == kept && calendar.slice == 5);
    }
    calendar_free(&calendar);
}

TEST(a_full_front_refuses)
{
    enum { ITEMS = 5 };
    struct calendar calendar;
    CHECK(calendar_create(&calendar, ITEMS, no_rank, NULL, &failure) == STATUS_DONE);
    calendar_begin_cycle(&calendar, 0, 1);
    size_t pushed = 0;
    while (pushed < 100000) {
        if (!push(&calendar, 0, (double)(pushed * 7 % 16), 1))
            break;
        pushed++;
    }
    calendar_sort(&calendar);
    CHECK(pushed >= ITEMS && pushed < 100000 && calendar.taken == pushed);
    double last = -1;
    for (; !calendar_is_empty(&calendar); pushed--) {
        CHECK(calendar_first(&calendar).time >= last);
        last = calendar_first(&calendar).time;
        calendar_pop(&calendar);
    }
    CHECK(pushed == 0);
    calendar_begin_cycle(&calendar, 0, 1);
    CHECK(calendar_is_empty(&calendar) && calendar.taken == 0);
    calendar_free(&calendar);
}
