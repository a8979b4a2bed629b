/*
 * The search for disks that overlap; see overlap.h. This is how it is done if all have the same
 * radius; otherwise, see overlap_mixed.c.
 *
 * Overlaps are found by a sweep. The box is cut into rows one diameter high, and the particles
 * are sorted by row and, within a row, by x. Whoever overlaps a particle is then in its row or in
 * the next one, less than a diameter away in x. Only a handful of disks fit into such a window
 * unless they overlap each other; so however the particles are spread, the sweep either meets an
 * overlap soon or is done after O(N) steps.
 *
 * Sorting would take longer than the sweep, so particles are first dealt into about N / 4 buckets
 * that follow each other in the order of the sweep; then each bucket is sorted. Spread evenly,
 * they are a few to a bucket, and that takes O(N) steps; at worst, all in one, O(N log N).
 */
#include "model/overlap.h"

#include "base/memory.h"
#include "overlap_mixed.h"

#include <math.h>
#include <string.h>

/* A particle in the sweep. Which one it is can be told from where it is. */
struct sweep_entry {
    double row, x, y;
};

/* The order of the sweep. */
static int comes_before(const struct sweep_entry *a, const struct sweep_entry *b)
{
    if (a->row != b->row)
        return a->row < b->row;
    if (a->x != b->x)
        return a->x < b->x;
    return a->y < b->y;
}

/* Puts `entry` into a heap, the last in order on top, whose place `hole` is free. */
static void sift_down(struct sweep_entry *heap, size_t count, size_t hole, struct sweep_entry entry)
{
    for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && comes_before(&heap[child], &heap[child + 1]))
            child++;
        if (!comes_before(&entry, &heap[child]))
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = entry;
}

/* Heap sort: unlike qsort it promises to need neither N^2 steps nor memory. */
static void sort_entries(struct sweep_entry *entries, size_t count)
{
    for (size_t k = count / 2; k > 0; k--)
        sift_down(entries, count, k - 1, entries[k - 1]);
    for (size_t k = count; k > 1; k--) {
        struct sweep_entry last = entries[k - 1];
        entries[k - 1] = entries[0];
        sift_down(entries, k - 1, 0, last);
    }
}

/*
 * How the part of the box that has particles in it is cut into buckets, in the order of the sweep:
 * each row into columns or, where there are more rows than buckets, several rows into one.
 */
struct buckets {
    size_t count, columns;
    double lowest_row, left; /* where the first bucket begins */
    double per_row, per_length;
};

enum { PARTICLES_PER_BUCKET = 4 }; /* where they are spread evenly */

static double row_of(const struct system *system, double y)
{
    return floor(y / (2 * system->radius));
}

static struct buckets cut_into_buckets(const struct system *system)
{
    const struct particle *p = system->particles;
    double left = p->x;
    double right = p->x;
    double bottom = p->y;
    double top = p->y;
    for (size_t k = 1; k < system->count; k++) {
        left = p[k].x < left ? p[k].x : left;
        right = p[k].x > right ? p[k].x : right;
        bottom = p[k].y < bottom ? p[k].y : bottom;
        top = p[k].y > top ? p[k].y : top;
    }
    double count = floor((double)system->count / PARTICLES_PER_BUCKET) + 1;
    double lowest_row = row_of(system, bottom);
    double rows = row_of(system, top) - lowest_row + 1;
    double columns = rows < count ? floor(count / rows) : 1;
    return (struct buckets){
        .count = (size_t)count,
        .columns = (size_t)columns,
        .lowest_row = lowest_row,
        .left = left,
        .per_row = rows < count ? 1 : count / rows,
        .per_length = right > left ? columns / (right - left) : 0,
    };
}

/* The bucket of an entry; of two entries in order, the second is never in an earlier one. */
static size_t bucket_of(const struct buckets *buckets, const struct sweep_entry *entry)
{
    size_t row = (size_t)((entry->row - buckets->lowest_row) * buckets->per_row);
    size_t column = (size_t)((entry->x - buckets->left) * buckets->per_length);
    if (column >= buckets->columns)
        column = buckets->columns - 1;
    size_t bucket = row * buckets->columns + column;
    return bucket < buckets->count ? bucket : buckets->count - 1;
}

static struct sweep_entry entry_of(const struct system *system, size_t index)
{
    const struct particle *particle = &system->particles[index];
    return (struct sweep_entry){row_of(system, particle->y), particle->x, particle->y};
}

/*
 * Fills in the entries in the order of the sweep. `ends` has room for a number per bucket: first
 * how many entries it has, then where the next one of them goes, at last where they end.
 */
static void fill_in_order(const struct system *system, const struct buckets *buckets,
                          uint32_t *ends, struct sweep_entry *entries)
{
    memset(ends, 0, buckets->count * sizeof *ends);
    for (size_t k = 0; k < system->count; k++) {
        struct sweep_entry entry = entry_of(system, k);
        ends[bucket_of(buckets, &entry)]++;
    }
    uint32_t begin = 0;
    for (size_t k = 0; k < buckets->count; k++) {
        uint32_t size = ends[k];
        ends[k] = begin;
        begin += size;
    }
    for (size_t k = 0; k < system->count; k++) {
        struct sweep_entry entry = entry_of(system, k);
        entries[ends[bucket_of(buckets, &entry)]++] = entry;
    }
    begin = 0;
    for (size_t k = 0; k < buckets->count; k++) {
        sort_entries(entries + begin, ends[k] - begin);
        begin = ends[k];
    }
}

/* Closer than this to the particle of `entry`, another one overlaps it. */
static double overlap_distance(const struct system *system, const struct sweep_entry *entry)
{
    return 2 * system->radius - system_rounding(fmax(entry->x, entry->y) + system->radius);
}

/* Whether two particles overlap; tells pairs that are clearly apart without taking a root. */
static int overlaps(const struct system *system, const struct sweep_entry *a,
                    const struct sweep_entry *b, double least)
{
    double dx = b->x - a->x;
    double dy = b->y - a->y;
    return dx * dx + dy * dy < 5 * (system->radius * system->radius) && hypot(dx, dy) < least;
}

/* The first particle from `index` on that is where `entry` is. */
static size_t find_particle(const struct system *system, const struct sweep_entry *entry,
                            size_t index)
{
    while (system->particles[index].x != entry->x || system->particles[index].y != entry->y)
        index++;
    return index;
}

static void report(const struct system *system, const struct sweep_entry *a,
                   const struct sweep_entry *b, struct overlap *overlap)
{
    size_t i = find_particle(system, a, 0);
    size_t j = find_particle(system, b, 0);
    if (i == j) /* both at the same place */
        j = find_particle(system, b, i + 1);
    overlap->found = 1;
    overlap->first = i < j ? i : j;
    overlap->second = i < j ? j : i;
    overlap->distance = hypot(b->x - a->x, b->y - a->y);
}

/* Tests entries from `first` on that lie in `row` and are not too far right of `entry`. */
static int find_in_row(const struct system *system, const struct sweep_entry *entries, size_t first,
                       const struct sweep_entry *entry, double row, struct overlap *overlap)
{
    double least = overlap_distance(system, entry);
    for (size_t k = first;
         k < system->count && entries[k].row == row && entries[k].x - entry->x < least; k++) {
        if (overlaps(system, entry, &entries[k], least)) {
            report(system, entry, &entries[k], overlap);
            return 1;
        }
    }
    return 0;
}

/* The sweep itself, over sorted entries. */
static void sweep(const struct system *system, const struct sweep_entry *entries,
                  struct overlap *overlap)
{
    size_t above = 0; /* the first entry of the next row that can still matter */
    for (size_t k = 0; k < system->count; k++) {
        const struct sweep_entry *entry = &entries[k];
        double next_row = entry->row + 1;
        double left_end = entry->x - 2 * system->radius;
        while (above < system->count &&
               (entries[above].row < next_row ||
                (entries[above].row == next_row && entries[above].x <= left_end)))
            above++;
        if (find_in_row(system, entries, k + 1, entry, entry->row, overlap) ||
            find_in_row(system, entries, above, entry, next_row, overlap))
            return;
    }
}

/* overlap_find for disks that all have the system's radius. */
static enum status find_equal(const struct system *system, struct overlap *overlap,
                              struct error *error)
{
    const char *what = "the search for overlapping particles";
    *overlap = (struct overlap){0};
    if (system->radius == 0)
        return STATUS_DONE; /* points have no room in which to overlap */
    struct buckets buckets = cut_into_buckets(system);
    struct sweep_entry *entries = memory_allocate(system->count, sizeof *entries, what, error);
    uint32_t *ends = entries ? memory_allocate(buckets.count, sizeof *ends, what, error) : NULL;
    if (ends) {
        fill_in_order(system, &buckets, ends, entries);
        sweep(system, entries, overlap);
    }
    memory_free(ends);
    memory_free(entries);
    return ends ? STATUS_DONE : STATUS_NO_MEMORY;
}

enum status overlap_find(const struct system *system, struct overlap *overlap, struct error *error)
{
    struct system equal = *system;
    for (size_t k = 0; k < system->kind_count; k++) {
        if (k > 0 && system->kinds[k].radius != equal.radius)
            return overlap_mixed_find(system, overlap, error);
        equal.radius = system->kinds[k].radius;
    }
    return find_equal(&equal, overlap, error);
}
