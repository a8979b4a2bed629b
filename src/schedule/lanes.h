/*
 * The inner loops of the schedules, for 2 or 4 pairs at a time, as the processor has lanes in a
 * vector register (base/simd.h). There is one source, lanes.c, compiled for each number of lanes;
 * lanes_choose finds out, as the program runs, which this processor can use. The results are the
 * same to the last bit. (8 lanes, of AVX-512, take 3 % of the time of a run away at best. Where a
 * compiler loads the 8 indices of a list at once, just after they have been stored by fours, they
 * add 12 to 30 %: a processor cannot hand over what is in several stores, and waits for the cache.)
 */
#ifndef PARTICLES_LANES_H
#define PARTICLES_LANES_H

#include "base/simd.h"
#include "cell_list.h"
#include "model/pair.h"
#include "model/system.h"
#include "prediction.h"

#include <stddef.h>
#include <stdint.h>

/* More lanes than these are not used: 4, or less for tests and measurements. */
#ifndef LANES_MAX
#define LANES_MAX 4
#endif

enum {
    LANES_FEW = 4,           /* members of a list at a time: as many as 3 cells have, about; */
    LANES_MANY = 8,          /* of a particle with the latest anchor: as many as 9 cells have; */
    LANES_SLACK = LANES_MANY /* what a list must have room for beyond its members */
};

struct lanes_search;

/*
 * The first attempt of lanes_consider: LANES_FEW or LANES_MANY are considered at a time, without
 * branches, for a processor cannot predict which particle is met and when. Returns 0 where two
 * times are equal, when part of the list may have been considered.
 */
typedef int lanes_attempt(const struct lanes_search *search, uint32_t k,
                          struct prediction *prediction, uint32_t *list, size_t count);

struct lanes {
    unsigned count; /* how many there are */
    /* Without kinds and images; with kinds; with images; under gravity, and where disks grow, in
     * any of these cases. Each for any particle, and, quicker, for one whose anchor is not earlier
     * than others'. */
    lanes_attempt *one_size[2], *sizes[2], *images[2], *falling[2], *growing[2];
    /* Writes the times at which, without gravity and growth, particle k, whose anchor is not
     * earlier than others', meets each of all particles, with the bits of pair_time. A particle
     * never meets itself. */
    void (*times)(const struct lanes_search *search, uint32_t k, double *times);
};

/* The data that all searches of a system use. */
struct lanes_search {
    const struct system *system;
    const struct particle_kind
        *kinds;     /* the system's; or NULL where all particles have the same radius, */
    double contact; /* twice this radius, or twice the radius of all small disks, length */
    const struct lanes *lanes;
    lanes_attempt *const *attempts[4]; /* the attempts of `lanes` for each enum prediction_images */
    struct pair_shift shifts[PREDICTION_IMAGES]; /* of the images with each code */
};

/* A search among the particles of a system by as many lanes as this processor can use, up to
 * `most`, which is at least 2. */
struct lanes_search lanes_choose(const struct system *system, unsigned most);

/* prediction_consider_each, but quicker; the list is written to behind its end, and so has room for
 * LANES_SLACK more. With `is_latest` no anchor is later than the anchor of particle k. */
static inline void lanes_consider(const struct lanes_search *search, uint32_t k,
                                  struct prediction *prediction, uint32_t *list, size_t count,
                                  enum prediction_images images, int is_latest)
{
    if (images == LIST_HAS_ALL_IMAGES ||
        !search->attempts[images][is_latest](search, k, prediction, list, count))
        prediction_consider_each(search->system, k, prediction, list, count, images);
}

/* A list of what is to be considered for a prediction: when it is longer than LANES_LIST_MEMBERS,
 * it is considered, and begins anew. */
enum {
    LANES_LIST_MEMBERS = 96,
    LANES_LIST_ROOM = LANES_LIST_MEMBERS + CELL_LIST_NEIGHBOURS + CELL_LIST_MEMBERS + LANES_SLACK
};

struct lanes_list {
    const struct lanes_search *search;
    struct prediction *prediction;
    uint32_t k;
    int is_latest;
    enum prediction_images images;
    int has_been_full;
    size_t count;
    uint32_t entries[LANES_LIST_ROOM];
};

static inline void lanes_list_make_room(struct lanes_list *list)
{
    if (list->count <= LANES_LIST_MEMBERS)
        return;
    lanes_consider(list->search, list->k, list->prediction, list->entries, list->count,
                   list->images, list->is_latest);
    list->has_been_full = 1;
    list->count = 0;
}

/* Appends the members of a cell and its chain, as images with a code. */
static inline void lanes_list_add(struct lanes_list *list, const struct cell *cells, uint32_t first,
                                  uint32_t code)
{
    for (uint32_t next = first; next != 0; next = cells[next].state >> 2) {
        cell_list_gather_images(&cells[next], code, list->entries, &list->count);
        lanes_list_make_room(list);
    }
}

/* Appends the members of `cell`, but for the particle itself, and of those around it, wherever they
 * wrap: there are images with codes, unless all are considered. With a step that is not 0, by which
 * the particle has come into the cell: members of the 3 cells that come into reach with it. */
void lanes_list_add_images(struct lanes_list *list, const struct cell_list *cell_list,
                           uint32_t cell, int32_t step);

/* Appends what follows on 3 cells in each of some rows, `apart` from each other, in their chains.
 */
void lanes_list_add_chains(struct lanes_list *list, const struct cell_list *cell_list,
                           uint32_t first, uint32_t apart, uint32_t rows);

/* For 2 and 4 lanes; the latter only for processors that have AVX2. */
extern const struct lanes lanes_two, lanes_four;

/* The prediction of pair_time for as many pairs at a time as there are lanes in a vector
 * register (base/simd.h): the same operations in the same order, and so the same bits, but without
 * a branch. Tests compare it with pair_time, which is the version to read. */

/* A particle in all lanes: to be paired with others, one in each lane. */
struct pair_repeated {
    simd x, y, u, v, t;
};

SIMD_INLINE struct pair_repeated pair_repeat(const struct particle *particle)
{
    return (struct pair_repeated){simd_all(particle->x), simd_all(particle->y),
                                  simd_all(particle->u), simd_all(particle->v),
                                  simd_all(particle->t)};
}

/* The results of pair_approach for several pairs; A where disks grow. */
struct pair_approaches {
    simd r, A, B, C, D;
};

/* How far the image of a particle is from it, in each lane. */
struct pair_shifts {
    simd x, y;
};

/* Moves particles by motion_at, after the times `passed`. */
SIMD_INLINE void pairs_fall(const struct acceleration *gravity, simd passed, simd *x, simd *y,
                            simd *u, simd *v)
{
    const simd gx = simd_all(gravity->x), gy = simd_all(gravity->y), half = simd_all(0.5);
    *x = *x + (*u + half * gx * passed) * passed;
    *y = *y + (*v + half * gy * passed) * passed;
    *u = *u + gx * passed;
    *v = *v + gy * passed;
}

/* pair_approach of particle i with each j. With `is_latest`, a constant in each caller, no
 * anchor is later than the anchor of i. The shifts are of each j, or NULL; NULL, too, is where
 * there is no gravity, and where disks do not grow. With `growth` it is as in pair_growing_time,
 * and C is a NaN for a particle with itself. */
SIMD_INLINE struct pair_approaches
pair_approaches(const struct pair_repeated *i, const struct particle *const j[SIMD_LANES],
                simd contact, int is_latest, const struct pair_shifts *shifts,
                const struct acceleration *gravity, const double *growth)
{
    const double *sources[SIMD_LANES];
    const double *velocities[SIMD_LANES];
    const double *times[SIMD_LANES];
    COMPILER_UNROLLED
    for (int k = 0; k < SIMD_LANES; k++) {
        sources[k] = &j[k]->x;
        velocities[k] = &j[k]->u;
        times[k] = &j[k]->t;
    }
    simd x, y, u, v, dx, dy;
    simd_load_two(sources, &x, &y);
    simd_load_two(velocities, &u, &v);
    const simd t = simd_load_one(times);
    simd r = is_latest ? i->t : simd_larger(i->t, t);
    simd i_u = i->u, i_v = i->v;
    if (gravity) {
        dx = i->x;
        dy = i->y;
        pairs_fall(gravity, r - i->t, &dx, &dy, &i_u, &i_v);
        pairs_fall(gravity, r - t, &x, &y, &u, &v);
        dx = x - dx;
        dy = y - dy;
    } else {
        dx = (x + u * (r - t)) - (is_latest ? i->x : i->x + i->u * (r - i->t));
        dy = (y + v * (r - t)) - (is_latest ? i->y : i->y + i->v * (r - i->t));
    }
    if (shifts) {
        dx += shifts->x;
        dy += shifts->y;
    }
    simd wx = u - i_u;
    simd wy = v - i_v;
    simd cross = dx * wy - dy * wx;
    if (growth) {
        const simd s = contact * (1 + *growth * r), h = contact * *growth;
        const simd ex = s * wx - h * dx, ey = s * wy - h * dy;
        const simd apart = dx * dx + dy * dy;
        return (struct pair_approaches){
            .r = r,
            .A = (wx * wx + wy * wy) - h * h,
            .B = (dx * wx + dy * wy) - h * s,
            .C = simd_spoil(apart == 0, apart - s * s),
            .D = (ex * ex + ey * ey) - cross * cross,
        };
    }
    simd square = contact * contact;
    simd A = wx * wx + wy * wy;
    return (struct pair_approaches){
        .r = r,
        .B = dx * wx + dy * wy,
        .C = (dx * dx + dy * dy) - square,
        .D = A * square - cross * cross,
    };
}

/* True if any of them touch at all: see pair_meets. */
SIMD_INLINE int pairs_meet(const struct pair_approaches *approaches)
{
    const unsigned approaching = simd_bits(approaches->B < 0);
    return (approaching & simd_bits((approaches->C <= 0) | (approaches->D >= 0))) != 0;
}

/* When they touch, to the last bit as pair_time; but a NaN where they never do, which is
 * neither before nor at any other time. */
SIMD_INLINE simd pair_times(const struct pair_approaches *approaches)
{
    const simd root = simd_root(approaches->D); /* a NaN where D < 0 */
    const simd later = approaches->C / (root - approaches->B);
    const simd time = approaches->r + simd_except(approaches->C <= 0, later);
    return simd_spoil(approaches->B >= 0, time);
}

/* The same, to the last bit as pair_growing_time. */
SIMD_INLINE simd pair_growing_times(const struct pair_approaches *approaches)
{
    const simd root = simd_root(simd_larger(approaches->D, simd_all(0)));
    const simd_mask closes = approaches->B < 0;
    const simd_mask touches = approaches->C <= 0;
    const simd above =
        simd_either(simd_only(closes, approaches->C), simd_except(closes, approaches->B + root));
    const simd below =
        simd_either(simd_only(closes, root - approaches->B), simd_except(closes, -approaches->A));
    const simd time = approaches->r + simd_except(closes & touches, above / below);
    return simd_spoil(~((approaches->A < 0) | (closes & (touches | (approaches->D >= 0)))), time);
}

#endif
