/* Tests of the order of events. */
#include "check.h"
#include "model/boundary.h"

TEST(the_order_is_total)
{
    /* Sorted as they should be: by time, then a, then b, walls (negative) before particles. */
    static const struct event events[] = {
        {0, 5, 6},
        {1, 0, FEATURE_TOP},
        {1, 0, FEATURE_LEFT},
        {1, 0, 3},
        {1, 1, 2},
        {1, 1, 3},
        {1.5, 0, 1},
        {2, 0, 1},
        {(double)INFINITY, 0, FEATURE_LEFT},
        {(double)INFINITY, 0, 1},
    };
    const size_t count = LENGTH(events);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            CHECK(event_before(&events[i], &events[j]) == (i < j));
}

TEST(an_event_is_16_bytes)
{
    CHECK(sizeof(struct event) == 16);
}
