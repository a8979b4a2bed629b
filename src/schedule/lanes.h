/*
 * The inner loops of the schedules, for several pairs at a time: for 2 or 4 of them, as the
 * processor has lanes in a vector register (base/simd.h). There is one source, lanes_search.h; it
 * is compiled for each number of lanes, and lanes_choose finds out, as the program runs, which of
 * them this processor can use. The results are the same to the last bit. (With the 8 lanes of
 * AVX-512 a run of 10^4 disks takes 1.1 to 1.3 times as long as with 4: the square roots and
 * divisions of 8 take as long as those of twice 4.)
 */
#ifndef PARTICLES_LANES_H
#define PARTICLES_LANES_H

#include "model/system.h"
#include "prediction.h"

#include <stddef.h>
#include <stdint.h>

/* More lanes than these are not used: 4, or less for tests and measurements. */
#ifndef LANES_MOST
#define LANES_MOST 4
#endif

enum {
    LANES_FEW = 4,  /* so many of a list are considered at a time, about those of 3 cells; */
    LANES_MANY = 8, /* so many for a particle whose anchor is the latest, of 9; */
    LANES_SLACK = LANES_MANY /* and so many more a list, and shifts, must have room for */
};

/* What a search has in common with all others. */
struct lanes_search {
    const struct system *system;
    const struct kind *kinds; /* the system's; or NULL where all particles have the same radius, */
    double contact;           /* and then this is twice that, length */
};

/*
 * What lanes_consider tries first. LANES_FEW or LANES_MANY are considered at a time, without
 * branches, for a processor cannot guess which particle is met and when. Returns 0 where two times
 * are equal, when part of the list may have been considered.
 */
typedef int lanes_attempt(const struct lanes_search *search, uint32_t k,
                          struct prediction *prediction, uint32_t *list, size_t count,
                          const struct shift *shifts);

/* What a lanes_attempt is made for; any other leads to wrong results. */
enum lanes_case {
    LANES_ONE_SIZE, /* no kinds, no shifts */
    LANES_SIZES,    /* kinds, no shifts */
    LANES_IMAGES,   /* shifts, with kinds or without */
    LANES_CASES
};

/*
 * When particle k, whose anchor is not earlier than others', meets each of all particles, as
 * physics_pair_time says it: writes as many times as there are particles. It never meets itself.
 */
typedef void lanes_times(const struct lanes_search *search, uint32_t k, double *times);

struct lanes {
    unsigned count; /* how many there are */
    /* For any particle; and, quicker, for one whose anchor is not earlier than others'. */
    lanes_attempt *attempts[LANES_CASES][2];
    lanes_times *times;
};

/*
 * prediction_consider_each, but quicker; the list is written to behind its end, and so has room for
 * LANES_SLACK more.
 */
static inline void lanes_consider(lanes_attempt *attempt, const struct lanes_search *search,
                                  uint32_t k, struct prediction *prediction, uint32_t *list,
                                  size_t count, const struct shift *shifts)
{
    if (!attempt(search, k, prediction, list, count, shifts))
        prediction_consider_each(search->system, k, prediction, list, count, shifts);
}

/* Those of lanes_two.c and lanes_four.c; the latter only for processors that have AVX2. */
extern const struct lanes lanes_two, lanes_four;

/* The most lanes that this processor can use, up to `most`, which is at least 2. */
const struct lanes *lanes_choose(unsigned most);

#endif
