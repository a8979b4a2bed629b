/*
 * The search for overlaps among disks of any radii.
 *
 * A vertical line moves over the box from left to right and cuts the disks. A disk enters it with
 * its left end and leaves it with its right end; in between its cut is an interval of the line that
 * contains the y of its centre. As long as no two cuts meet, their order on the line is that of
 * the centres' y, and so never changes. If two cuts do meet, then so do those of two neighbours in
 * that order. Therefore it is enough to compare disks when they become neighbours: one that enters
 * with those above and below it, and these two with each other when it leaves (M. I. Shamos and
 * D. Hoey, Geometric intersection problems, 17th Annual Symposium on Foundations of Computer
 * Science, 1976). That is 3 N comparisons, whatever the radii and wherever the disks are.
 *
 * So that disks which touch, or overlap by rounding, cannot confuse that order, each is made
 * smaller by what rounding explains. One that vanishes, as a point does, enters and leaves at once.
 *
 * The disks on the line are the members of a set of whole numbers, their places in the order of y.
 * It is kept as bits, 64 to a word, with a bit above each word that tells whether any in it is
 * set, and so on upwards: the next member is a few words away, 6 levels of them at most.
 */
#include "overlap_mixed.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    LEVELS = 6,     /* 64^6 is more than SYSTEM_MAX_COUNT */
    WORD_BITS = 64, /* in a uint64_t */
    DIGITS = 8,     /* of a key, each a byte */
    DIGIT_VALUES = 256
};

static const size_t NONE = SIZE_MAX; /* no disk */

/* A disk, made smaller; with a radius below 0 it is as good as a point. */
struct disk {
    double x, y, radius;
    uint32_t particle; /* whose it is: its index in the system */
};

/* A number to sort by, and what it belongs to. */
struct sort_entry {
    uint64_t key;
    uint32_t value;
};

struct search {
    size_t count;
    struct disk *disks;           /* in the order of y */
    uint32_t *by_left, *by_right; /* places in `disks`, in the order of their ends */
    struct sort_entry *entries;   /* `count` of them, and as many as spare room for sorting */
    uint64_t *words[LEVELS];      /* the set of disks on the line; words[0] is the block of all */
};

/* A whole number that grows with a double. */
static uint64_t sort_key(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/*
 * Sorts entries by key, byte by byte from the last on, each time without changing the order of
 * equals: O(N), and nobody can choose numbers for which it would be slow.
 */
static void sort_by_key(struct sort_entry *entries, size_t count)
{
    struct sort_entry *from = entries;
    struct sort_entry *to = entries + count;
    for (int shift = 0; shift < DIGITS * 8; shift += 8) {
        size_t begins[DIGIT_VALUES + 1] = {0};
        for (size_t k = 0; k < count; k++)
            begins[(from[k].key >> shift & 0xff) + 1]++;
        for (size_t digit = 1; digit < DIGIT_VALUES; digit++)
            begins[digit + 1] += begins[digit];
        for (size_t k = 0; k < count; k++)
            to[begins[from[k].key >> shift & 0xff]++] = from[k];
        struct sort_entry *swap = from;
        from = to;
        to = swap;
    }
}

/* The disk of a particle. Half of a pair's slack, as overlap.c has it, is each one's. */
static struct disk shrink(const struct system *system, size_t index)
{
    const struct particle *p = &system->particles[index];
    double radius = system_radius(system, p);
    double slack = system_rounding(fmax(p->x, p->y) + radius) / 2;
    return (struct disk){p->x, p->y, radius - slack, (uint32_t)index};
}

static double left_end(const struct disk *disk)
{
    return disk->radius > 0 ? disk->x - disk->radius : disk->x;
}

static double right_end(const struct disk *disk)
{
    return disk->radius > 0 ? disk->x + disk->radius : disk->x;
}

static void sort_disks(struct search *search, const struct system *system)
{
    struct sort_entry *entries = search->entries;
    size_t count = search->count;
    for (size_t k = 0; k < count; k++)
        entries[k] = (struct sort_entry){sort_key(system->particles[k].y), (uint32_t)k};
    sort_by_key(entries, count);
    for (size_t k = 0; k < count; k++)
        search->disks[k] = shrink(system, entries[k].value);
    for (size_t k = 0; k < count; k++)
        entries[k] = (struct sort_entry){sort_key(left_end(&search->disks[k])), (uint32_t)k};
    sort_by_key(entries, count);
    for (size_t k = 0; k < count; k++)
        search->by_left[k] = entries[k].value;
    for (size_t k = 0; k < count; k++)
        entries[k] = (struct sort_entry){sort_key(right_end(&search->disks[k])), (uint32_t)k};
    sort_by_key(entries, count);
    for (size_t k = 0; k < count; k++)
        search->by_right[k] = entries[k].value;
}

static int is_on_line(const struct search *search, size_t place)
{
    return (int)(search->words[0][place / WORD_BITS] >> place % WORD_BITS & 1);
}

static void put_on_line(struct search *search, size_t place)
{
    for (int level = 0; level < LEVELS; level++, place /= WORD_BITS)
        search->words[level][place / WORD_BITS] |= (uint64_t)1 << place % WORD_BITS;
}

static void take_off_line(struct search *search, size_t place)
{
    for (int level = 0; level < LEVELS; level++, place /= WORD_BITS) {
        uint64_t *word = &search->words[level][place / WORD_BITS];
        *word &= ~((uint64_t)1 << place % WORD_BITS);
        if (*word != 0)
            return;
    }
}

/* The number of the lowest bit that is set in `word`, which is not 0. */
static size_t lowest_bit(uint64_t word)
{
    size_t bit = 0;
    for (size_t step = WORD_BITS / 2; step > 0; step /= 2)
        if (word << (WORD_BITS - step) == 0) {
            word >>= step;
            bit += step;
        }
    return bit;
}

/* And of the highest. */
static size_t highest_bit(uint64_t word)
{
    size_t bit = 0;
    for (size_t step = WORD_BITS / 2; step > 0; step /= 2)
        if (word >> step != 0) {
            word >>= step;
            bit += step;
        }
    return bit;
}

/* The next disk on the line above `place`, or NONE. */
static size_t find_above(const struct search *search, size_t place)
{
    for (int level = 0; level < LEVELS; level++, place /= WORD_BITS) {
        size_t bit = place % WORD_BITS;
        uint64_t word = search->words[level][place / WORD_BITS] >> bit >> 1;
        if (word == 0)
            continue;
        place += 1 + lowest_bit(word);
        while (level-- > 0)
            place = place * WORD_BITS + lowest_bit(search->words[level][place]);
        return place;
    }
    return NONE;
}

/* And below. */
static size_t find_below(const struct search *search, size_t place)
{
    for (int level = 0; level < LEVELS; level++, place /= WORD_BITS) {
        size_t bit = place % WORD_BITS;
        uint64_t word = search->words[level][place / WORD_BITS] & (((uint64_t)1 << bit) - 1);
        if (word == 0)
            continue;
        place = place - bit + highest_bit(word);
        while (level-- > 0)
            place = place * WORD_BITS + highest_bit(search->words[level][place]);
        return place;
    }
    return NONE;
}

/* Compares two disks, either of which may be NONE. Returns whether they overlap. */
static int compare(const struct search *search, size_t below, size_t above, struct overlap *overlap)
{
    if (below == NONE || above == NONE)
        return 0;
    const struct disk *a = &search->disks[below];
    const struct disk *b = &search->disks[above];
    double least = a->radius + b->radius;
    if (fabs(b->x - a->x) >= least || fabs(b->y - a->y) >= least)
        return 0;
    double distance = hypot(b->x - a->x, b->y - a->y);
    if (distance >= least)
        return 0;
    size_t i = a->particle;
    size_t j = b->particle;
    *overlap = (struct overlap){1, i < j ? i : j, i < j ? j : i, distance};
    return 1;
}

/* The line reaches the left end of a disk. Returns whether an overlap was found. */
static int enter(struct search *search, size_t place, struct overlap *overlap)
{
    const struct disk *disk = &search->disks[place];
    if (compare(search, find_below(search, place), place, overlap) ||
        compare(search, place, find_above(search, place), overlap))
        return 1;
    if (left_end(disk) < right_end(disk))
        put_on_line(search, place);
    return 0;
}

/* The line reaches the right end of a disk. */
static int leave(struct search *search, size_t place, struct overlap *overlap)
{
    if (!is_on_line(search, place))
        return 0; /* a point */
    take_off_line(search, place);
    return compare(search, find_below(search, place), find_above(search, place), overlap);
}

/*
 * Moves the line over the box. Of two ends at one place, right ones come first: disks may touch.
 * When all have left, those that have not entered are points, and there is no disk to be in.
 */
static void sweep(struct search *search, struct overlap *overlap)
{
    const size_t count = search->count;
    size_t left = 0;
    size_t right = 0;
    int is_found = 0;
    while (!is_found && right < count) {
        size_t leaving = search->by_right[right];
        size_t entering = left < count ? search->by_left[left] : NONE;
        if (entering == NONE ||
            right_end(&search->disks[leaving]) <= left_end(&search->disks[entering])) {
            is_found = leave(search, leaving, overlap);
            right++;
        } else {
            is_found = enter(search, entering, overlap);
            left++;
        }
    }
}

/* Makes the empty set. Returns 0 if there is no memory for it. */
static int make_line(struct search *search, const char *what, struct error *error)
{
    size_t sizes[LEVELS];
    size_t size = 0;
    size_t count = search->count;
    for (int level = 0; level < LEVELS; level++) {
        count = count / WORD_BITS + 1;
        sizes[level] = count;
        size += count;
    }
    uint64_t *words = memory_allocate(size, sizeof *words, what, error);
    if (!words)
        return 0;
    memset(words, 0, size * sizeof *words);
    for (int level = 0; level < LEVELS; words += sizes[level++])
        search->words[level] = words;
    return 1;
}

enum status overlap_mixed_find(const struct system *system, struct overlap *overlap,
                               struct error *error)
{
    const char *what = "the search for overlapping particles";
    const size_t count = system->count;
    struct search search = {.count = count};
    *overlap = (struct overlap){0};
    search.disks = memory_allocate(count, sizeof *search.disks, what, error);
    search.by_left = search.disks ? memory_allocate(count, sizeof(uint32_t), what, error) : NULL;
    search.by_right = search.by_left ? memory_allocate(count, sizeof(uint32_t), what, error) : NULL;
    search.entries =
        search.by_right ? memory_allocate(count, 2 * sizeof *search.entries, what, error) : NULL;
    int is_ready = search.entries && make_line(&search, what, error);
    if (is_ready) {
        sort_disks(&search, system);
        sweep(&search, overlap);
    }
    memory_free(search.words[0]);
    memory_free(search.entries);
    memory_free(search.by_right);
    memory_free(search.by_left);
    memory_free(search.disks);
    return is_ready ? STATUS_DONE : STATUS_NO_MEMORY;
}
