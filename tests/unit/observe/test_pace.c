/* Tests of looking at the clock now and then. */
#include "check.h"
#include "observe/writers.h"

static double now;    /* of the clock in these tests, */
static int questions; /* and how often it has been asked */

static double clock_of_test(void)
{
    questions++;
    return now;
}

/* How often the clock is looked at during `events`, each of which takes `seconds`. */
static int count_samples(struct pace *pace, int events, double seconds)
{
    int looks = 0;
    double time = -1;
    for (int k = 0; k < events; k++) {
        now += seconds;
        int looked = pace_count(pace, &time);
        CHECK(!looked || time == now);
        looks += looked;
    }
    return looks;
}

TEST(quick_events_are_not_timed_one_by_one)
{
    struct pace pace;
    questions = 0;
    CHECK(pace_begin(&pace, clock_of_test, 0.01) == now && questions == 1);
    int looks = count_samples(&pace, 1000000, 0);
    CHECK(looks < 300 && looks > 200 && questions == looks + 1); /* 1, 2, 4, ... 4096, 4096, ... */
}

TEST(slow_events_are)
{
    struct pace pace;
    pace_begin(&pace, clock_of_test, 0.01);
    CHECK(count_samples(&pace, 1000, 0.02) == 1000);
    count_samples(&pace, 10000, 0);
    count_samples(&pace, 4096, 0.02); /* the first look after so many tells it */
    CHECK(count_samples(&pace, 1000, 0.02) == 1000);
}
