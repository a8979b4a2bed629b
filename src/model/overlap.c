/*
 * The search for disks that overlap; see overlap.h.
 *
 * Overlaps are found by a sweep. Of disks of nearly one size, the box is cut into rows, one largest
 * diameter high, and the disks are sorted by row and, within a row, by x. What overlaps a disk is
 * then in its row or in a row beside that, less than a diameter away in x. Only a handful of disks
 * fit into such a window unless they overlap; so however the disks are spread, the sweep either
 * meets an overlap soon or is done after O(N) steps.
 *
 * Disks of different sizes are on different levels, with rows of their own: of two on one level,
 * neither has four times the radius of the other. From the largest disks to the smallest, each is
 * compared with the disks of its own level and, in three rows, of each larger level. So only a
 * handful fit into every window. Points are the last level; no two of them overlap.
 *
 * Across a seam a disk overlaps the image of another one. So the sweep also has images of the disks
 * that are near the left and the lower side: those beyond the right and the upper side.
 *
 * Sorting would take longer than the sweep, so the disks of a level are first dealt into buckets
 * that follow each other in the order of the sweep, a third as many as disks; then each bucket is
 * sorted. That takes O(N) steps for disks spread evenly, and at worst O(N log N).
 *
 * Threads share each of these steps. Sorting leaves one order only, and of the overlaps that
 * threads find, the first in the order of the sweep counts: so it is always the same one.
 */
#include "model/overlap.h"

#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 134, /* one for every power of 4 from SYSTEM_SMALLEST to SYSTEM_LARGEST, and points */
    POINTS = LEVELS - 1,
    DISKS_PER_BUCKET = 3, /* where they are spread evenly */
    FEW = 8               /* disks that are sorted soonest by insertion */
};

static const char what[] = "the search for overlapping particles"; /* needs memory */

/* Disks of nearly one size. Of the part of the box that has them, each row is cut into buckets or,
 * where there are more rows than buckets, several rows are one. */
struct overlap_level {
    size_t count;                    /* its disks */
    double radius;                   /* the largest, length */
    double left, right, bottom, top; /* the range of the centres, length */
    double row_height;               /* length */
    double lowest_row, highest_row;  /* of those that have disks */
    size_t begin, end;               /* its range among all disks, */
    size_t begin_bucket, end_bucket; /* and among all buckets */
    double columns;
    double buckets_per_row, columns_per_length;
};

struct overlap_share {
    struct overlap_level levels[LEVELS]; /* of its particles: how many, how large, and where */
    struct overlap_disk found[2];        /* the first pair in its part of the sweep, */
    size_t number;  /* while it was sweeping over this one of the levels used */
    size_t counted; /* disks in its part of the buckets */
};

struct overlap_task {
    const struct system *system;
    struct overlap_range range;   /* how near those are that are found */
    const unsigned char *changes; /* of one of two that are found: CHANGE_MOVED; NULL: any */
    overlap_visit *visit;         /* of each pair found; returns whether the search ends */
    void *context;                /* of `visit` */
    struct thread_pool *pool;     /* or NULL */
};

struct overlap_search {
    struct overlap_task task;
    unsigned thread_count;
    struct overlap_share *shares;             /* of each thread */
    struct overlap_level levels[LEVELS];      /* by powers of 4 */
    const struct overlap_level *used[LEVELS]; /* those that have disks, the largest disks first */
    size_t used_count;
    double largest;             /* radius of all, length */
    size_t disk_count;          /* of particles and images */
    struct overlap_disk *disks; /* level by level, in the order of the sweep */
    size_t bucket_count;
    int is_counted;              /* how many disks come into each bucket */
    atomic_uint_least32_t *ends; /* where each bucket ends in `disks` */
    struct overlap_disk found[2];
};

/* True if a disk is before a position in a row, in the order of the sweep. */
static int overlap_is_before(const struct overlap_disk *disk, double row, double x)
{
    return disk->row < row || (disk->row == row && disk->x < x);
}

static int overlap_comes_before(const struct overlap_disk *a, const struct overlap_disk *b)
{
    if (a->row != b->row || a->x != b->x)
        return overlap_is_before(a, b->row, b->x);
    if (a->y != b->y)
        return a->y < b->y;
    return a->particle < b->particle;
}

static int overlap_order(const void *a, const void *b)
{
    return overlap_comes_before(a, b) ? -1 : 1; /* no two are the same */
}

static void sort_disks(struct overlap_disk *disks, size_t count)
{
    if (count > FEW) {
        qsort(disks, count, sizeof *disks, overlap_order);
        return;
    }
    for (size_t k = 1; k < count; k++) {
        const struct overlap_disk disk = disks[k];
        size_t hole = k;
        for (; hole > 0 && overlap_comes_before(&disk, &disks[hole - 1]); hole--)
            disks[hole] = disks[hole - 1];
        disks[hole] = disk;
    }
}

static inline double overlap_radius(const struct overlap_search *search, const struct particle *p)
{
    return search->task.range.scale * system_radius(search->task.system, p) +
           search->task.range.extra;
}

/* That radius less half of the rounding of a pair; of a point it is not above 0. */
static double certain_radius(const struct overlap_search *search, const struct particle *p)
{
    double radius = overlap_radius(search, p);
    double length = (p->x > p->y ? p->x : p->y) + radius;
    return radius - pair_rounding(length) / 2;
}

/* The power of 2 of a number above 0, plus a constant: its bits have it. (ilogb is a call.) */
static uint64_t exponent(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 52;
}

static size_t level_of(const struct overlap_search *search, const struct particle *p)
{
    if (certain_radius(search, p) <= 0)
        return POINTS;
    uint64_t halvings = exponent(SYSTEM_LARGEST) - exponent(overlap_radius(search, p));
    return (size_t)(halvings / 2);
}

/* The positions of a particle, and of its images that another one may touch: how many. */
static inline size_t overlap_images(const struct overlap_search *search, const struct particle *p,
                                    struct pair_shift images[4])
{
    const struct boundary *boundary = &search->task.system->boundary;
    size_t count = !particle_is_absorbed(p);
    images[0] = (struct pair_shift){p->x, p->y};
    if (!(boundary->periodic && count))
        return count;
    double reach = overlap_radius(search, p) + search->largest + search->task.range.outside;
    if (boundary->periodic & PERIODIC_X && p->x < reach)
        images[count++] = (struct pair_shift){p->x + boundary->width, p->y};
    if (boundary->periodic & PERIODIC_Y && p->y < reach)
        for (size_t k = 0, before = count; k < before; k++)
            images[count++] = (struct pair_shift){images[k].x, p->y + boundary->height};
    return count;
}

static void extend_level(struct overlap_level *level, const struct overlap_level *other)
{
    if (other->count == 0)
        return;
    if (level->count == 0)
        *level = (struct overlap_level){
            .left = other->left, .right = other->right, .bottom = other->bottom, .top = other->top};
    level->count += other->count;
    level->radius = other->radius > level->radius ? other->radius : level->radius;
    level->left = other->left < level->left ? other->left : level->left;
    level->right = other->right > level->right ? other->right : level->right;
    level->bottom = other->bottom < level->bottom ? other->bottom : level->bottom;
    level->top = other->top > level->top ? other->top : level->top;
}

/* Measures the levels of a thread's share of the particles. */
static void measure_share(void *user, unsigned number)
{
    struct overlap_search *search = user;
    const struct system *system = search->task.system;
    struct overlap_level *levels = search->shares[number].levels;
    struct pair_shift images[4];
    const size_t end = thread_pool_share(search->task.pool, system->count, number + 1);
    for (size_t k = thread_pool_share(search->task.pool, system->count, number); k < end; k++) {
        const struct particle *p = &system->particles[k];
        struct overlap_level *level = &levels[level_of(search, p)];
        size_t count = overlap_images(search, p, images);
        for (size_t m = 0; m < count; m++) {
            const double x = images[m].x, y = images[m].y;
            extend_level(level, &(struct overlap_level){.count = 1,
                                                        .radius = overlap_radius(search, p),
                                                        .left = x,
                                                        .right = x,
                                                        .bottom = y,
                                                        .top = y});
        }
    }
}

static void measure_levels(struct overlap_search *search)
{
    thread_pool_run(search->task.pool, measure_share, search);
    for (size_t k = 0; k < LEVELS; k++) {
        struct overlap_level *level = &search->levels[k];
        for (unsigned m = 0; m < search->thread_count; m++)
            extend_level(level, &search->shares[m].levels[k]);
        level->row_height = 2 * level->radius;
        search->disk_count += level->count;
    }
    search->levels[POINTS].radius = 0;
    search->levels[POINTS].row_height = (double)INFINITY; /* one row for all */
}

/* The row of a position: y / row_height, rounded down. (floor can be a call.) */
static double row_of(const struct overlap_level *level, double y)
{
    const double row = y / level->row_height;
    if (!(fabs(row) < 0x1p52))
        return row; /* a whole number, as all are that are so large */
    const double whole = (double)(int64_t)row;
    return whole > row ? whole - 1 : whole;
}

/* Cuts a level into buckets; its disks and its buckets are to follow the ones of `before`. */
static void cut_into_buckets(struct overlap_level *level, const struct overlap_level *before)
{
    const double count = floor((double)level->count / DISKS_PER_BUCKET) + 1;
    level->lowest_row = row_of(level, level->bottom);
    level->highest_row = row_of(level, level->top);
    const double per_row = count / (level->highest_row - level->lowest_row + 1);
    level->columns = fmax(floor(per_row), 1);
    level->buckets_per_row = fmin(per_row, level->columns);
    level->columns_per_length =
        level->right > level->left ? level->columns / (level->right - level->left) : 0;
    level->begin = before ? before->end : 0;
    level->end = level->begin + level->count;
    level->begin_bucket = before ? before->end_bucket : 0;
    level->end_bucket = level->begin_bucket + (size_t)count;
}

/* The bucket of a position in a row: not before the buckets of positions before it. */
static size_t bucket_of(const struct overlap_level *level, double row, double x)
{
    double column = (x - level->left) * level->columns_per_length;
    size_t bucket = (size_t)((row - level->lowest_row) * level->buckets_per_row);
    if (column > 0)
        bucket += (size_t)(column < level->columns ? column : level->columns - 1);
    bucket += level->begin_bucket;
    return bucket < level->end_bucket ? bucket : level->end_bucket - 1;
}

static size_t end_of(const struct overlap_search *search, size_t bucket)
{
    return (size_t)atomic_load_explicit(&search->ends[bucket], memory_order_relaxed);
}

/* Counts the disks of a share of the particles that come into each bucket, or puts them there. */
static void deal_part(void *user, size_t begin, size_t end)
{
    struct overlap_search *search = user;
    struct pair_shift images[4];
    for (size_t k = begin; k < end; k++) {
        const struct particle *p = &search->task.system->particles[k];
        const struct overlap_level *level = &search->levels[level_of(search, p)];
        size_t count = overlap_images(search, p, images);
        for (size_t m = 0; m < count; m++) {
            const double row = row_of(level, images[m].y);
            const uint32_t index = thread_pool_add(
                search->task.pool, &search->ends[bucket_of(level, row, images[m].x)]);
            if (search->is_counted)
                search->disks[index] =
                    (struct overlap_disk){row, images[m].x, images[m].y, (uint32_t)k};
        }
    }
}

/* Task. */
static void empty_buckets(void *user, size_t begin, size_t end)
{
    struct overlap_search *search = user;
    for (size_t k = begin; k < end; k++)
        atomic_init(&search->ends[k], 0);
}

/* Task: counts the disks of a share of the buckets; or, from where they begin, makes of each size
 * where the disks of the bucket begin. */
static void add_up_share(void *user, unsigned number)
{
    struct overlap_search *search = user;
    size_t next = 0;
    for (unsigned k = 0; search->is_counted && k < number; k++)
        next += search->shares[k].counted;
    const size_t end = thread_pool_share(search->task.pool, search->bucket_count, number + 1);
    for (size_t k = thread_pool_share(search->task.pool, search->bucket_count, number); k < end;
         k++) {
        const size_t size = end_of(search, k);
        if (search->is_counted)
            atomic_init(&search->ends[k], (uint_least32_t)next);
        next += size;
    }
    if (!search->is_counted)
        search->shares[number].counted = next;
}

static void sort_part(void *user, size_t begin, size_t end)
{
    struct overlap_search *search = user;
    for (size_t k = begin; k < end; k++) {
        const size_t first = k > 0 ? end_of(search, k - 1) : 0;
        sort_disks(search->disks + first, end_of(search, k) - first);
    }
}

/* Fills in the disks in the order of the sweep. For each bucket `ends` has first how many disks are
 * in it, then where the next one goes, at last where they end. */
static void fill_in_order(struct overlap_search *search)
{
    thread_pool_divide(search->task.pool, search->bucket_count, empty_buckets, search);
    thread_pool_divide(search->task.pool, search->task.system->count, deal_part, search);
    thread_pool_run(search->task.pool, add_up_share, search);
    search->is_counted = 1;
    thread_pool_run(search->task.pool, add_up_share, search);
    thread_pool_divide(search->task.pool, search->task.system->count, deal_part, search);
    thread_pool_divide(search->task.pool, search->bucket_count, sort_part, search);
}

/* The first disk of a level that is not before a position in a row that may have disks. */
static size_t overlap_find_index(const struct overlap_search *search,
                                 const struct overlap_level *level, double row, double x)
{
    size_t bucket = bucket_of(level, row, x);
    size_t low = bucket > 0 ? end_of(search, bucket - 1) : 0, high = end_of(search, bucket);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (overlap_is_before(&search->disks[middle], row, x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int overlap_compare(const struct overlap_search *search, const struct overlap_disk *a,
                           const struct overlap_disk *b, struct overlap_disk found[2])
{
    const struct particle *particles = search->task.system->particles;
    const unsigned char *changes = search->task.changes;
    double least = certain_radius(search, &particles[a->particle]) +
                   certain_radius(search, &particles[b->particle]);
    double dx = b->x - a->x, dy = b->y - a->y;
    if (sqrt(dx * dx + dy * dy) >= least) /* the last digit of hypot is not everywhere one */
        return 0;
    if (changes && changes[a->particle] != CHANGE_MOVED && changes[b->particle] != CHANGE_MOVED)
        return 0;
    if (search->task.visit)
        return search->task.visit(search->task.context, a, b);
    found[0] = *a;
    found[1] = *b;
    return 1;
}

/* Compares a disk with those in a row of a level, from the one at `first` on up to `reach` to its
 * right: the sum of the two levels' radii. Pairs further apart are rejected without a root: there
 * rounding does not matter, for it is less than the amount that certain_radius subtracts. */
static int find_in_row(const struct overlap_search *search, const struct overlap_disk *disk,
                       const struct overlap_level *level, double row, size_t first, double reach,
                       struct overlap_disk found[2])
{
    for (size_t k = first; k < level->end; k++) {
        const struct overlap_disk *other = &search->disks[k];
        double dx = other->x - disk->x, dy = other->y - disk->y;
        if (other->row != row || dx >= reach)
            return 0;
        if (dx * dx + dy * dy < reach * reach && overlap_compare(search, disk, other, found))
            return 1;
    }
    return 0;
}

/* Compares a disk with the disks of a larger level, in its row there and in the two beside it. */
static int find_in_level(const struct overlap_search *search, const struct overlap_disk *disk,
                         const struct overlap_level *level, double reach,
                         struct overlap_disk found[2])
{
    double middle = row_of(level, disk->y);
    double last = fmin(middle + 1, level->highest_row);
    for (double row = fmax(middle - 1, level->lowest_row); row <= last; row++) {
        size_t first = overlap_find_index(search, level, row, disk->x - reach);
        if (find_in_row(search, disk, level, row, first, reach, found))
            return 1;
    }
    return 0;
}

/* The sweep over a thread's share of a level, those before it being done. */
static int sweep(const struct overlap_search *search, unsigned thread, size_t number,
                 struct overlap_disk found[2])
{
    const struct overlap_level *level = search->used[number];
    const double reach = 2 * level->radius;
    const struct thread_pool *pool = search->task.pool;
    const size_t begin = level->begin + thread_pool_share(pool, level->count, thread);
    const size_t end = level->begin + thread_pool_share(pool, level->count, thread + 1);
    size_t above = begin; /* the first disk of the next row that can matter */
    for (size_t k = begin; k < end; k++) {
        const struct overlap_disk *disk = &search->disks[k];
        for (size_t m = 0; m < number; m++)
            if (find_in_level(search, disk, search->used[m],
                              search->used[m]->radius + level->radius, found))
                return 1;
        if (k == begin && disk->row < level->highest_row)
            above = overlap_find_index(search, level, disk->row + 1, disk->x - reach);
        while (above < level->end &&
               overlap_is_before(&search->disks[above], disk->row + 1, disk->x - reach))
            above++;
        if (find_in_row(search, disk, level, disk->row, k + 1, reach, found) ||
            find_in_row(search, disk, level, disk->row + 1, above, reach, found))
            return 1;
    }
    return 0;
}

static void sweep_share(void *user, unsigned number)
{
    const struct overlap_search *search = user;
    struct overlap_share *mine = &search->shares[number];
    mine->number = 0;
    while (mine->number < search->used_count && !sweep(search, number, mine->number, mine->found))
        mine->number++;
}

static enum status overlap_sort_and_sweep(struct overlap_search *search, struct error *error)
{
    const struct system *system = search->task.system;
    const struct overlap_level *last = NULL;
    search->thread_count = thread_pool_count(search->task.pool);
    search->largest =
        search->task.range.scale * system_largest_radius(system) + search->task.range.extra;
    search->shares =
        memory_allocate_zeros(search->thread_count, sizeof *search->shares, what, error);
    if (!search->shares)
        return STATUS_NO_MEMORY;
    measure_levels(search);
    if (search->levels[POINTS].count == search->disk_count)
        return STATUS_DONE; /* points have no room in which to overlap */
    for (size_t k = 0; k < LEVELS; k++)
        if (search->levels[k].count > 0) {
            cut_into_buckets(&search->levels[k], last);
            last = search->used[search->used_count++] = &search->levels[k];
        }
    search->bucket_count = last->end_bucket;
    search->disks = memory_allocate_lines(search->disk_count, sizeof *search->disks, what, error);
    if (search->disks)
        search->ends =
            memory_allocate_lines(search->bucket_count, sizeof *search->ends, what, error);
    if (!search->ends)
        return STATUS_NO_MEMORY;
    fill_in_order(search);
    thread_pool_run(search->task.pool, sweep_share, search);
    size_t first = search->used_count;
    for (unsigned k = 0; k < search->thread_count; k++) /* the first level, there the first share */
        if (search->shares[k].number < first) {
            first = search->shares[k].number;
            memcpy(search->found, search->shares[k].found, sizeof search->found);
        }
    return STATUS_DONE;
}

/* Does the search that `task` describes; `found` are the first two, both 0 if there are none. */
static enum status overlap_search(const struct overlap_task *task, struct overlap_disk found[2],
                                  struct error *error)
{
    struct overlap_search *search = memory_allocate_zeros(1, sizeof *search, what, error);
    if (!search)
        return STATUS_NO_MEMORY;
    search->task = *task;
    const enum status status = overlap_sort_and_sweep(search, error);
    memcpy(found, search->found, sizeof search->found);
    memory_free(search->ends);
    memory_free(search->disks);
    memory_free(search->shares);
    memory_free(search);
    return status;
}

/* Does the search for two that overlap. */
static enum status overlap_search_one(const struct overlap_task *task, struct overlap *overlap,
                                      struct error *error)
{
    struct overlap_disk found[2] = {{0}};
    enum status status = overlap_search(task, found, error);
    const double dx = found[1].x - found[0].x, dy = found[1].y - found[0].y;
    const size_t i = found[0].particle, j = found[1].particle;
    *overlap = (struct overlap){i != j, i < j ? i : j, i < j ? j : i, sqrt(dx * dx + dy * dy)};
    return status;
}

enum status overlap_find(const struct system *system, struct thread_pool *pool,
                         struct overlap *overlap, struct error *error)
{
    const struct overlap_task task = {.system = system, .range = {.scale = 1}, .pool = pool};
    return overlap_search_one(&task, overlap, error);
}

enum status overlap_find_moved(const struct system *system, const unsigned char *changes,
                               struct overlap *overlap, struct error *error)
{
    const struct overlap_task task = {.system = system, .range = {.scale = 1}, .changes = changes};
    return overlap_search_one(&task, overlap, error);
}

enum status overlap_visit_pairs(const struct system *system, const struct overlap_range *range,
                                overlap_visit *visit, void *context, struct error *error)
{
    const struct overlap_task task = {
        .system = system, .range = *range, .visit = visit, .context = context};
    struct overlap_disk found[2];
    return overlap_search(&task, found, error);
}
