/* Reading the clock from time to time; see pace.h. */
#include "base/pace.h"

static const uint64_t MAX_AT_ONCE = 4096; /* events between two readings */

double pace_begin(struct pace *pace, double (*clock)(void), double quick)
{
    *pace = (struct pace){.clock = clock, .quick = quick, .asked = clock(), .left = 1, .step = 1};
    return pace->asked;
}

int pace_count(struct pace *pace, double *now)
{
    if (--pace->left > 0)
        return 0;
    *now = pace->clock();
    if (*now - pace->asked >= pace->quick)
        pace->step = 1;
    else if (pace->step < MAX_AT_ONCE)
        pace->step *= 2;
    pace->left = pace->step;
    pace->asked = *now;
    return 1;
}
