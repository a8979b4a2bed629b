/*
 * The search for disks that overlap; see overlap.h.
 *
 * Overlaps are found by a sweep. Take disks of nearly one size first. The box is cut into rows, one
 * largest diameter high, and the disks are sorted by row and, within a row, by x. What overlaps a
 * disk is then in its row or in a row beside that, less than a diameter away in x. Only a handful
 * of disks fit into such a window unless they overlap each other; so however the disks are spread,
 * the sweep either meets an overlap soon or is done after O(N) steps.
 *
 * Disks of different sizes are on different levels: of two on one level, neither has four times the
 * radius of the other. Each level has rows of its own. The sweep goes from the largest disks to the
 * smallest. A disk is compared with those of its own level, and with those of each larger level in
 * three rows there; never with the many smaller ones around it, for those are compared with it. So
 * only a handful fit into every window: the disks there are no smaller than a quarter of this one.
 * Points are the last level; no two of them overlap.
 *
 * Across a seam a disk overlaps the image of another one. So the sweep also has images of the disks
 * that are near the left and the lower side: those beyond the right and the upper side. Each pair
 * that touches across a seam then stands side by side there.
 *
 * Sorting would take longer than the sweep, so the disks of a level are first dealt into buckets
 * that follow each other in the order of the sweep, a third as many as disks; then each bucket is
 * sorted. Spread evenly, the disks are a few to a bucket, and that takes O(N) steps; at worst, all
 * in one, O(N log N).
 *
 * Threads share each of these steps: particles are measured and dealt in shares of as many of them,
 * buckets are sorted and swept in shares of as many buckets and disks. In which order disks come
 * into a bucket does not matter, because sorting leaves one order only. Of the overlaps that
 * threads find, the first in the order of the sweep counts: so it is always the same one.
 */
#include "model/overlap.h"

#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    LEVELS = 134, /* one for every power of 4 from SYSTEM_SMALLEST to SYSTEM_LARGEST, and points */
    POINTS = LEVELS - 1,
    DISKS_PER_BUCKET = 3, /* where they are spread evenly */
    FEW = 8               /* disks that insertion sorts soonest */
};

static const char what[] = "the search for overlapping particles"; /* needs memory */

struct place {
    double x, y;
};

/* A disk in the sweep, or an image of one. */
struct disk {
    double row, x, y;
    uint32_t particle; /* its index in the system */
};

/*
 * Disks of nearly one size, and how the part of the box that has such disks in it is cut into
 * buckets, in the order of the sweep: each row into columns or, where there are more rows than
 * buckets, several rows into one.
 */
struct level {
    size_t count;                    /* its disks */
    double radius;                   /* the largest, length */
    double left, right, bottom, top; /* the range of the centres, length */
    double row_height;               /* length */
    double lowest_row, highest_row;  /* of those that have disks */
    size_t begin, end;               /* its place among all disks, */
    size_t begin_bucket, end_bucket; /* and among all buckets */
    double columns;
    double buckets_per_row, columns_per_length;
};

/* What one thread has found out. */
struct share {
    struct level levels[LEVELS]; /* of its particles: how many, how large, and where */
    struct overlap overlap;      /* the first in its part of the sweep, */
    size_t number;               /* while it was sweeping over this one of the levels used */
};

struct search {
    const struct system *system;
    struct thread_pool *pool; /* or NULL */
    unsigned thread_count;
    struct share *shares;             /* of each thread */
    struct level levels[LEVELS];      /* by powers of 4 */
    const struct level *used[LEVELS]; /* those that have disks, the largest disks first */
    size_t used_count;
    double largest;     /* radius of all, length */
    size_t disk_count;  /* of particles and images */
    struct disk *disks; /* level by level, in the order of the sweep */
    size_t bucket_count;
    atomic_uint_least32_t *ends; /* where each bucket ends in `disks` */
};

/* The order of the sweep: whether a disk comes before a place in a row; and before another disk. */
static int is_before(const struct disk *disk, double row, double x)
{
    return disk->row < row || (disk->row == row && disk->x < x);
}

static int comes_before(const struct disk *a, const struct disk *b)
{
    if (a->row != b->row || a->x != b->x)
        return is_before(a, b->row, b->x);
    if (a->y != b->y)
        return a->y < b->y;
    return a->particle < b->particle;
}

/* Puts `disk` into a heap, the last in order on top, whose place `hole` is free. */
static void sift_down(struct disk *heap, size_t count, size_t hole, struct disk disk)
{
    for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && comes_before(&heap[child], &heap[child + 1]))
            child++;
        if (!comes_before(&disk, &heap[child]))
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = disk;
}

static void insert_disks(struct disk *disks, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const struct disk disk = disks[k];
        size_t hole = k;
        for (; hole > 0 && comes_before(&disk, &disks[hole - 1]); hole--)
            disks[hole] = disks[hole - 1];
        disks[hole] = disk;
    }
}

/* Heap sort: unlike qsort it promises to need neither N^2 steps nor memory. */
static void sort_disks(struct disk *disks, size_t count)
{
    if (count <= FEW) {
        insert_disks(disks, count);
        return;
    }
    for (size_t k = count / 2; k > 0; k--)
        sift_down(disks, count, k - 1, disks[k - 1]);
    for (size_t k = count; k > 1; k--) {
        struct disk last = disks[k - 1];
        disks[k - 1] = disks[0];
        sift_down(disks, k - 1, 0, last);
    }
}

/*
 * The radius of a particle, less what rounding explains: its half of the rounding of a pair. If
 * that is not above 0, the particle is as good as a point.
 */
static double certain_radius(const struct system *system, const struct particle *p)
{
    double radius = system_radius(system, p);
    double length = (p->x > p->y ? p->x : p->y) + radius;
    return radius - system_rounding(length) / 2;
}

/* The power of 2 of a number above 0, plus a constant: its bits have it. (ilogb is a call.) */
static uint64_t exponent(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 52;
}

static size_t level_of(const struct search *search, const struct particle *p)
{
    if (certain_radius(search->system, p) <= 0)
        return POINTS;
    uint64_t halvings = exponent(SYSTEM_LARGEST) - exponent(system_radius(search->system, p));
    return (size_t)(halvings / 2);
}

/*
 * Where a particle stands in the sweep: at its own place, and at those of its images that another
 * one may touch. Returns how many places there are.
 */
static inline size_t find_places(const struct search *search, const struct particle *p,
                                 struct place places[4])
{
    const struct boundary *boundary = &search->system->boundary;
    size_t count = 1;
    places[0] = (struct place){p->x, p->y};
    if (!boundary->periodic)
        return count;
    double reach = system_radius(search->system, p) + search->largest;
    if (boundary->periodic & PERIODIC_X && p->x < reach)
        places[count++] = (struct place){p->x + boundary->width, p->y};
    if (boundary->periodic & PERIODIC_Y && p->y < reach)
        for (size_t k = 0, before = count; k < before; k++)
            places[count++] = (struct place){places[k].x, p->y + boundary->height};
    return count;
}

/* Makes a level include another one. */
static void extend_level(struct level *level, const struct level *other)
{
    if (other->count == 0)
        return;
    if (level->count == 0)
        *level = (struct level){
            .left = other->left, .right = other->right, .bottom = other->bottom, .top = other->top};
    level->count += other->count;
    level->radius = other->radius > level->radius ? other->radius : level->radius;
    level->left = other->left < level->left ? other->left : level->left;
    level->right = other->right > level->right ? other->right : level->right;
    level->bottom = other->bottom < level->bottom ? other->bottom : level->bottom;
    level->top = other->top > level->top ? other->top : level->top;
}

/* Finds out how many disks of a share of the particles each level has, how large they are, and
 * where. */
static void measure_share(void *user, unsigned number)
{
    struct search *search = user;
    const struct system *system = search->system;
    struct level *levels = search->shares[number].levels;
    struct place places[4];
    const size_t end = thread_pool_share(search->pool, system->count, number + 1);
    for (size_t k = thread_pool_share(search->pool, system->count, number); k < end; k++) {
        const struct particle *p = &system->particles[k];
        struct level *level = &levels[level_of(search, p)];
        size_t count = find_places(search, p, places);
        for (size_t m = 0; m < count; m++)
            extend_level(level, &(struct level){.count = 1,
                                                .radius = system_radius(system, p),
                                                .left = places[m].x,
                                                .right = places[m].x,
                                                .bottom = places[m].y,
                                                .top = places[m].y});
    }
}

/* The same for all particles. */
static void measure_levels(struct search *search)
{
    thread_pool_run(search->pool, measure_share, search);
    for (size_t k = 0; k < LEVELS; k++) {
        struct level *level = &search->levels[k];
        for (unsigned m = 0; m < search->thread_count; m++)
            extend_level(level, &search->shares[m].levels[k]);
        level->row_height = 2 * level->radius;
        search->disk_count += level->count;
    }
    search->levels[POINTS].radius = 0;
    search->levels[POINTS].row_height = (double)INFINITY; /* one row for all */
}

/* The row of a place: y / row_height, rounded down. (floor can be a call.) */
static double row_of(const struct level *level, double y)
{
    const double row = y / level->row_height;
    if (!(fabs(row) < 0x1p52))
        return row; /* a whole number, as all are that are so large */
    const double whole = (double)(int64_t)row;
    return whole > row ? whole - 1 : whole;
}

/* Cuts a level into buckets; its disks and its buckets are to follow those of `before`. */
static void cut_into_buckets(struct level *level, const struct level *before)
{
    double count = floor((double)level->count / DISKS_PER_BUCKET) + 1;
    level->lowest_row = row_of(level, level->bottom);
    level->highest_row = row_of(level, level->top);
    double rows = level->highest_row - level->lowest_row + 1;
    level->columns = rows < count ? floor(count / rows) : 1;
    level->buckets_per_row = rows < count ? level->columns : count / rows;
    level->columns_per_length =
        level->right > level->left ? level->columns / (level->right - level->left) : 0;
    level->begin = before ? before->end : 0;
    level->end = level->begin + level->count;
    level->begin_bucket = before ? before->end_bucket : 0;
    level->end_bucket = level->begin_bucket + (size_t)count;
}

/*
 * The bucket of a place in a row, from the lowest to the highest one. Of two places in the order of
 * the sweep, the second is never in an earlier bucket.
 */
static size_t bucket_of(const struct level *level, double row, double x)
{
    double column = (x - level->left) * level->columns_per_length;
    size_t bucket = (size_t)((row - level->lowest_row) * level->buckets_per_row);
    if (column > 0)
        bucket += (size_t)(column < level->columns ? column : level->columns - 1);
    bucket += level->begin_bucket;
    return bucket < level->end_bucket ? bucket : level->end_bucket - 1;
}

/* Raises the end of a bucket by one, and returns what it was. Where there are several threads, no
 * other one can come between. */
static uint32_t raise_end(struct search *search, size_t bucket)
{
    if (search->thread_count > 1)
        return (uint32_t)atomic_fetch_add_explicit(&search->ends[bucket], 1, memory_order_relaxed);
    const uint32_t end =
        (uint32_t)atomic_load_explicit(&search->ends[bucket], memory_order_relaxed);
    atomic_store_explicit(&search->ends[bucket], end + 1, memory_order_relaxed);
    return end;
}

static size_t end_of(const struct search *search, size_t bucket)
{
    return (size_t)atomic_load_explicit(&search->ends[bucket], memory_order_relaxed);
}

/* Counts how many disks of a share of the particles come into each bucket or, once there is memory
 * for them, puts them there. */
static void deal(struct search *search, unsigned number, int is_counted)
{
    const struct system *system = search->system;
    struct place places[4];
    const size_t end = thread_pool_share(search->pool, system->count, number + 1);
    for (size_t k = thread_pool_share(search->pool, system->count, number); k < end; k++) {
        const struct particle *p = &system->particles[k];
        const struct level *level = &search->levels[level_of(search, p)];
        size_t count = find_places(search, p, places);
        for (size_t m = 0; m < count; m++) {
            const double row = row_of(level, places[m].y);
            const uint32_t place = raise_end(search, bucket_of(level, row, places[m].x));
            if (is_counted)
                search->disks[place] = (struct disk){row, places[m].x, places[m].y, (uint32_t)k};
        }
    }
}

static void count_share(void *user, unsigned number)
{
    deal(user, number, 0);
}

static void place_share(void *user, unsigned number)
{
    deal(user, number, 1);
}

static void sort_share(void *user, unsigned number)
{
    struct search *search = user;
    const size_t last = thread_pool_share(search->pool, search->bucket_count, number + 1);
    for (size_t k = thread_pool_share(search->pool, search->bucket_count, number); k < last; k++) {
        const size_t begin = k > 0 ? end_of(search, k - 1) : 0;
        sort_disks(search->disks + begin, end_of(search, k) - begin);
    }
}

/*
 * Fills in the disks in the order of the sweep. `ends` has for each bucket first how many disks are
 * in it, then where the next one of them goes, at last where they end.
 */
static void fill_in_order(struct search *search)
{
    for (size_t k = 0; k < search->bucket_count; k++)
        atomic_init(&search->ends[k], 0);
    thread_pool_run(search->pool, count_share, search);
    uint_least32_t begin = 0;
    for (size_t k = 0; k < search->bucket_count; k++) {
        const uint_least32_t size = (uint_least32_t)end_of(search, k);
        atomic_init(&search->ends[k], begin);
        begin += size;
    }
    thread_pool_run(search->pool, place_share, search);
    thread_pool_run(search->pool, sort_share, search);
}

/* The first disk of a level that is not before a place in a row that has disks or may have some. */
static size_t find_place(const struct search *search, const struct level *level, double row,
                         double x)
{
    size_t bucket = bucket_of(level, row, x);
    size_t low = bucket > 0 ? end_of(search, bucket - 1) : 0;
    size_t high = end_of(search, bucket);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&search->disks[middle], row, x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Compares two disks. Returns whether they overlap. */
static int compare(const struct search *search, const struct disk *a, const struct disk *b,
                   struct overlap *overlap)
{
    const struct particle *particles = search->system->particles;
    double least = certain_radius(search->system, &particles[a->particle]) +
                   certain_radius(search->system, &particles[b->particle]);
    double dx = b->x - a->x;
    double dy = b->y - a->y;
    double distance = sqrt(dx * dx + dy * dy); /* the last digit of hypot is not everywhere one */
    if (distance >= least)
        return 0;
    size_t i = a->particle;
    size_t j = b->particle;
    *overlap = (struct overlap){1, i < j ? i : j, i < j ? j : i, distance};
    return 1;
}

/*
 * Compares a disk with those in a row of a level, from the one at `first` on up to `reach` to its
 * right: the sum of the two levels' radii. Pairs further apart are told without a root, and
 * rounding does not matter there, for it is less than what certain_radius takes off.
 */
static int find_in_row(const struct search *search, const struct disk *disk,
                       const struct level *level, double row, size_t first, double reach,
                       struct overlap *overlap)
{
    for (size_t k = first; k < level->end; k++) {
        const struct disk *other = &search->disks[k];
        double dx = other->x - disk->x;
        double dy = other->y - disk->y;
        if (other->row != row || dx >= reach)
            return 0;
        if (dx * dx + dy * dy < reach * reach && compare(search, disk, other, overlap))
            return 1;
    }
    return 0;
}

/* Compares a disk with those of a larger level, in the row where it is and the two beside that. */
static int find_in_level(const struct search *search, const struct disk *disk,
                         const struct level *level, double reach, struct overlap *overlap)
{
    double middle = row_of(level, disk->y);
    double last = fmin(middle + 1, level->highest_row);
    for (double row = fmax(middle - 1, level->lowest_row); row <= last; row++) {
        size_t first = find_place(search, level, row, disk->x - reach);
        if (find_in_row(search, disk, level, row, first, reach, overlap))
            return 1;
    }
    return 0;
}

/* The sweep over a thread's share of a level, those before it being done. */
static int sweep(const struct search *search, unsigned thread, size_t number,
                 struct overlap *overlap)
{
    const struct level *level = search->used[number];
    const double reach = 2 * level->radius;
    const size_t begin = level->begin + thread_pool_share(search->pool, level->count, thread);
    const size_t end = level->begin + thread_pool_share(search->pool, level->count, thread + 1);
    size_t above = begin; /* the first disk of the next row that can still matter */
    for (size_t k = begin; k < end; k++) {
        const struct disk *disk = &search->disks[k];
        for (size_t m = 0; m < number; m++)
            if (find_in_level(search, disk, search->used[m],
                              search->used[m]->radius + level->radius, overlap))
                return 1;
        if (k == begin && disk->row < level->highest_row)
            above = find_place(search, level, disk->row + 1, disk->x - reach);
        while (above < level->end &&
               is_before(&search->disks[above], disk->row + 1, disk->x - reach))
            above++;
        if (find_in_row(search, disk, level, disk->row, k + 1, reach, overlap) ||
            find_in_row(search, disk, level, disk->row + 1, above, reach, overlap))
            return 1;
    }
    return 0;
}

/* The sweep over a thread's share of all levels, up to the first overlap there. */
static void sweep_share(void *user, unsigned number)
{
    const struct search *search = user;
    struct share *mine = &search->shares[number];
    mine->number = 0;
    while (mine->number < search->used_count &&
           !sweep(search, number, mine->number, &mine->overlap))
        mine->number++;
}

/* Sweeps over all levels. Of what the threads find, the first is on the first level, and there in
 * the first share. */
static void sweep_all(struct search *search, struct overlap *overlap)
{
    size_t first = search->used_count;
    thread_pool_run(search->pool, sweep_share, search);
    for (unsigned k = 0; k < search->thread_count; k++)
        if (search->shares[k].number < first) {
            first = search->shares[k].number;
            *overlap = search->shares[k].overlap;
        }
}

/* Sorts the disks and sweeps over all levels. */
static enum status find(struct search *search, struct overlap *overlap, struct error *error)
{
    const struct level *last = NULL;
    for (size_t k = 0; k < search->system->kind_count; k++)
        search->largest = fmax(search->largest, search->system->kinds[k].radius);
    if (!search->system->kinds)
        search->largest = search->system->radius;
    search->shares = memory_allocate(search->thread_count, sizeof *search->shares, what, error);
    if (!search->shares)
        return STATUS_NO_MEMORY;
    memset(search->shares, 0, search->thread_count * sizeof *search->shares);
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
        search->ends = memory_allocate(search->bucket_count, sizeof *search->ends, what, error);
    if (!search->ends)
        return STATUS_NO_MEMORY;
    fill_in_order(search);
    sweep_all(search, overlap);
    return STATUS_DONE;
}

enum status overlap_find_threaded(const struct system *system, struct thread_pool *pool,
                                  struct overlap *overlap, struct error *error)
{
    struct search *search = memory_allocate(1, sizeof *search, what, error);
    *overlap = (struct overlap){0};
    if (!search)
        return STATUS_NO_MEMORY;
    memset(search, 0, sizeof *search);
    search->system = system;
    search->pool = pool;
    search->thread_count = thread_pool_count(pool);
    enum status status = find(search, overlap, error);
    memory_free(search->ends);
    memory_free(search->disks);
    memory_free(search->shares);
    memory_free(search);
    return status;
}

enum status overlap_find(const struct system *system, struct overlap *overlap, struct error *error)
{
    return overlap_find_threaded(system, NULL, overlap, error);
}
