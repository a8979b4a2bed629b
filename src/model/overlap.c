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
 * in one, O(N log N). A million disks take 0.09 s if they are of one size or two, and 0.4 s if
 * their radii are spread over a factor of 1000.
 */
#include "model/overlap.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    LEVELS = 134, /* one for every power of 4 from SYSTEM_SMALLEST to SYSTEM_LARGEST, and points */
    POINTS = LEVELS - 1,
    DISKS_PER_BUCKET = 3 /* where they are spread evenly */
};

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

struct search {
    const struct system *system;
    struct level levels[LEVELS];      /* by powers of 4 */
    const struct level *used[LEVELS]; /* those that have disks, the largest disks first */
    size_t used_count;
    double largest;     /* radius of all, length */
    size_t disk_count;  /* of particles and images */
    struct disk *disks; /* level by level, in the order of the sweep */
    uint32_t *buckets;  /* which bucket each of them is in, particle by particle */
    uint32_t *ends;     /* where each bucket ends in `disks` */
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

/* Heap sort: unlike qsort it promises to need neither N^2 steps nor memory. */
static void sort_disks(struct disk *disks, size_t count)
{
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

static struct level *level_of(struct search *search, const struct particle *p)
{
    if (certain_radius(search->system, p) <= 0)
        return &search->levels[POINTS];
    uint64_t halvings = exponent(SYSTEM_LARGEST) - exponent(system_radius(search->system, p));
    return &search->levels[halvings / 2];
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

static void extend_level(struct level *level, double radius, const struct place *place)
{
    if (level->count++ == 0) {
        level->left = level->right = place->x;
        level->bottom = level->top = place->y;
    }
    level->radius = radius > level->radius ? radius : level->radius;
    level->left = place->x < level->left ? place->x : level->left;
    level->right = place->x > level->right ? place->x : level->right;
    level->bottom = place->y < level->bottom ? place->y : level->bottom;
    level->top = place->y > level->top ? place->y : level->top;
}

/* Finds out how many disks each level has, how large they are, and where. */
static void measure_levels(struct search *search)
{
    const struct system *system = search->system;
    struct place places[4];
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        struct level *level = level_of(search, p);
        size_t count = find_places(search, p, places);
        for (size_t m = 0; m < count; m++)
            extend_level(level, system_radius(system, p), &places[m]);
        search->disk_count += count;
    }
    for (size_t k = 0; k < POINTS; k++)
        search->levels[k].row_height = 2 * search->levels[k].radius;
    search->levels[POINTS].radius = 0;
    search->levels[POINTS].row_height = (double)INFINITY; /* one row for all */
}

static double row_of(const struct level *level, double y)
{
    return floor(y / level->row_height);
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

/*
 * Fills in the disks in the order of the sweep. `ends` has for each bucket first how many disks are
 * in it, then where the next one of them goes, at last where they end.
 */
static void fill_in_order(struct search *search, size_t bucket_count)
{
    const struct system *system = search->system;
    uint32_t *ends = search->ends;
    struct place places[4];
    size_t next = 0;
    memset(ends, 0, bucket_count * sizeof *ends);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const struct level *level = level_of(search, p);
        size_t count = find_places(search, p, places);
        for (size_t m = 0; m < count; m++) {
            size_t bucket = bucket_of(level, row_of(level, places[m].y), places[m].x);
            search->buckets[next++] = (uint32_t)bucket;
            ends[bucket]++;
        }
    }
    uint32_t begin = 0;
    for (size_t k = 0; k < bucket_count; k++) {
        uint32_t size = ends[k];
        ends[k] = begin;
        begin += size;
    }
    next = 0;
    for (size_t k = 0; k < system->count; k++) {
        size_t count = find_places(search, &system->particles[k], places);
        for (size_t m = 0; m < count; m++)
            search->disks[ends[search->buckets[next++]]++] =
                (struct disk){0, places[m].x, places[m].y, (uint32_t)k};
    }
    begin = 0;
    for (size_t n = 0; n < search->used_count; n++) {
        const struct level *level = search->used[n];
        for (size_t k = level->begin; k < level->end; k++)
            search->disks[k].row = row_of(level, search->disks[k].y);
        for (size_t k = level->begin_bucket; k < level->end_bucket; k++) {
            sort_disks(search->disks + begin, ends[k] - begin);
            begin = ends[k];
        }
    }
}

/* The first disk of a level that is not before a place in a row that has disks or may have some. */
static size_t find_place(const struct search *search, const struct level *level, double row,
                         double x)
{
    size_t bucket = bucket_of(level, row, x);
    size_t low = bucket > 0 ? search->ends[bucket - 1] : 0;
    size_t high = search->ends[bucket];
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

/* The sweep over a level, those before it being done. */
static int sweep(const struct search *search, size_t number, struct overlap *overlap)
{
    const struct level *level = search->used[number];
    const double reach = 2 * level->radius;
    size_t above = level->begin; /* the first disk of the next row that can still matter */
    for (size_t k = level->begin; k < level->end; k++) {
        const struct disk *disk = &search->disks[k];
        for (size_t m = 0; m < number; m++)
            if (find_in_level(search, disk, search->used[m],
                              search->used[m]->radius + level->radius, overlap))
                return 1;
        while (above < level->end &&
               is_before(&search->disks[above], disk->row + 1, disk->x - reach))
            above++;
        if (find_in_row(search, disk, level, disk->row, k + 1, reach, overlap) ||
            find_in_row(search, disk, level, disk->row + 1, above, reach, overlap))
            return 1;
    }
    return 0;
}

/* Sorts the disks and sweeps over all levels. */
static enum status find(struct search *search, struct overlap *overlap, struct error *error)
{
    const char *what = "the search for overlapping particles";
    const struct level *last = NULL;
    for (size_t k = 0; k < search->system->kind_count; k++)
        search->largest = fmax(search->largest, search->system->kinds[k].radius);
    if (!search->system->kinds)
        search->largest = search->system->radius;
    measure_levels(search);
    const size_t count = search->disk_count;
    if (search->levels[POINTS].count == count)
        return STATUS_DONE; /* points have no room in which to overlap */
    for (size_t k = 0; k < LEVELS; k++)
        if (search->levels[k].count > 0) {
            cut_into_buckets(&search->levels[k], last);
            last = search->used[search->used_count++] = &search->levels[k];
        }
    search->disks = memory_allocate(count, sizeof *search->disks, what, error);
    if (search->disks)
        search->buckets = memory_allocate(count, sizeof *search->buckets, what, error);
    if (search->buckets)
        search->ends = memory_allocate(last->end_bucket, sizeof *search->ends, what, error);
    if (!search->ends)
        return STATUS_NO_MEMORY;
    fill_in_order(search, last->end_bucket);
    for (size_t k = 0; k < search->used_count && !overlap->found; k++)
        sweep(search, k, overlap);
    return STATUS_DONE;
}

enum status overlap_find(const struct system *system, struct overlap *overlap, struct error *error)
{
    struct search *search =
        memory_allocate(1, sizeof *search, "the search for overlapping particles", error);
    *overlap = (struct overlap){0};
    if (!search)
        return STATUS_NO_MEMORY;
    memset(search, 0, sizeof *search);
    search->system = system;
    enum status status = find(search, overlap, error);
    memory_free(search->ends);
    memory_free(search->buckets);
    memory_free(search->disks);
    memory_free(search);
    return status;
}
