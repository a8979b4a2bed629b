/*
 * Standard errors of averages over time, from one run. Its time is cut into blocks of equal length;
 * the scatter of the blocks' means shows the error of the mean of all, if blocks are so long that
 * one hardly depends on the next. So neighbouring blocks are joined in pairs, again and again (H.
 * Flyvbjerg and H. Petersen, Error estimates on averages of correlated data, J. Chem. Phys. 91,
 * 1989): the error that they show grows until they are long enough, and then only its own noise
 * does.
 *
 * Figures and forces have BLOCKS of them, of sums that are marked where a block ends. Tables of
 * many sums, such as histograms, have only SUM_BLOCKS, which are not joined. What a create prepares
 * (STATUS_DONE or STATUS_NO_MEMORY) is in any case freed by its free.
 */
#ifndef PARTICLES_BLOCKS_H
#define PARTICLES_BLOCKS_H

#include "io/record.h"
#include "run/snapshot.h"
#include "tally.h"

#include <stddef.h>

struct block_times {
    double from, to; /* the time of all blocks together */
    size_t complete; /* how many blocks have passed */
    double end;      /* of the block after these */
};

void block_times_begin(struct block_times *times, double from, double to, size_t complete);

/* When block k ends, since the first one began. */
double block_times_length(const struct block_times *times, size_t k);

/* What a sum has gained in block k, of its values where blocks end. */
static inline double block_gain(const double marks[BLOCKS], size_t k)
{
    return marks[k] - (k > 0 ? marks[k - 1] : 0);
}

/* The standard error of the mean over all blocks; 0 if all blocks are the same. NAN if they do not
 * determine it: if even an eighth of the run is not long against the correlation time, or shorter
 * than `least` blocks; if there is a trend over the run; or if `least` or a value is not finite. */
double block_error(const double values[BLOCKS], double least);

/* A mean and its standard error; not finite where the run does not determine it. */
struct block_estimate {
    double value, error;
};

/* The sums over a block: members of a tally with the same names, and its integrals; then the sums
 * of each of several classes and of each pair of classes. */
enum block_sum {
    BLOCK_PAIRS,
    BLOCK_VIRIAL,
    BLOCK_DIFFERENCE,
    BLOCK_SHEAR,
    BLOCK_INFLOW,
    BLOCK_INTEGRALS, /* the first of TALLY_INTEGRALS */
    BLOCK_ACTION = BLOCK_INTEGRALS + INTEGRAL_ENERGY,
    BLOCK_PATH = BLOCK_INTEGRALS + INTEGRAL_SPEED,
    BLOCK_KINETIC_DIFFERENCE = BLOCK_INTEGRALS + INTEGRAL_DIFFERENCE,
    BLOCK_KINETIC_SHEAR = BLOCK_INTEGRALS + INTEGRAL_SHEAR,
    BLOCK_FOURTH = BLOCK_INTEGRALS + INTEGRAL_FOURTH,
    BLOCK_CLASSES = BLOCK_INTEGRALS + INTEGRAL_CLASSES,
    BLOCK_CLASS_PAIRS = BLOCK_INTEGRALS + TALLY_INTEGRALS,
    BLOCK_CLASS_VIRIALS = BLOCK_CLASS_PAIRS + CLASS_PAIRS,
    BLOCK_SUMS = BLOCK_CLASS_VIRIALS + CLASS_PAIRS
};

struct blocks {
    struct block_times times;
    double starts[TALLY_INTEGRALS]; /* the sums that are integrated, at the beginning; but for the
                                       energy, known when all blocks are complete */
    int has_classes;                /* or only sums before BLOCK_CLASSES are marked */
    int is_short;                   /* the time is too short for errors */
    /* Sums of a tally where each complete block ends, but of changes for integrals. */
    double marks[BLOCK_SUMS][BLOCKS];
    double energy_gained[BLOCKS];
};

void blocks_begin(struct blocks *blocks, double from, double to, double energy);

/* Marks the end of a block. `tally` has begun with the blocks, and has what is up to that end; its
 * sums are of the next block then, with which an array goes on; that ends with one more. */
void blocks_mark(struct blocks *blocks, struct tally *tally);

/* Marks the ends of blocks before `time`, at which a collision is then added to the tally. */
static inline void blocks_reach(struct blocks *blocks, struct tally *tally, double time)
{
    while (time > blocks->times.end)
        blocks_mark(blocks, tally);
}

/* Marks the ends of all blocks that remain, when the run has ended. */
void blocks_complete(struct blocks *blocks, struct tally *tally);

/* Joins blocks in pairs when all have passed: they are the first half of twice the time. */
void blocks_double(struct blocks *blocks);

/* Cuts the time up to `time`, where the tally has ended, in the block after the complete ones, into
 * BLOCKS. They are shorter than before, but not than half of that, unless it `is_short`. */
void blocks_cut(struct blocks *blocks, struct tally *tally, double time);

/* Of a run that is complete, the mean over all blocks of an enum block_sum; and over time, of what
 * is integrated. */
double blocks_mean(const struct blocks *blocks, int sum);
double blocks_mean_integral(const struct blocks *blocks, enum tally_integral integral);

/* The mean over all blocks of terms, each a sum times its weight, with its standard error:
 * block_error. They are added in this order; a weight of 0 is none. */
struct block_term {
    int sum; /* enum block_sum */
    double weight;
};
struct block_estimate blocks_estimate(const struct blocks *blocks, const struct block_term *terms,
                                      size_t count, double least);

/* Writes blocks, of the time `from` to `to`, into a checkpoint, or reads them. */
void blocks_record(struct blocks *blocks, double from, double to, struct record *record);

enum { SUM_BLOCKS = 10, SUM_BLOCKS_MIN = 5 };

/* A table of sums for each block; {0} is none. Whole numbers in it are exact up to 2^53. */
struct block_sums {
    size_t size;  /* of a table */
    double *sums; /* SUM_BLOCKS * size, owned */
};

static inline struct block_estimate estimate_exact(double value)
{
    return (struct block_estimate){value, (double)NAN};
}

enum status block_sums_create(struct block_sums *blocks, size_t size, struct error *error);
void block_sums_free(struct block_sums *blocks);

/* The block of a time that is not before `from`, of the time `from` to `to`. */
static inline int block_sums_find(double from, double to, double time)
{
    const double part = (time - from) / (to - from);
    /* The last one also where there is no duration. */
    return part < 1 ? (int)(part * SUM_BLOCKS) : SUM_BLOCKS - 1;
}

/* The table of a block, from 0 to SUM_BLOCKS - 1. */
static inline double *block_sums_table(const struct block_sums *blocks, int block)
{
    return blocks->sums + (size_t)block * blocks->size;
}

double block_sums_total(const struct block_sums *blocks, size_t entry);

/* A value of the whole run, with the standard error of the mean of its values in the blocks; those
 * that are not finite do not count, and less than SUM_BLOCKS_MIN determine no error. */
struct block_estimate block_estimate(double whole, const double parts[SUM_BLOCKS]);

/* Joins blocks in pairs, in the first half; the others are empty then. */
void block_sums_join(const struct block_sums *blocks);

/* The sum of one entry divided by a `whole` that all blocks have an equal part of, such as time, if
 * a `part` of their time has passed, 0 to 1; and divided by the sum of another entry, times a
 * factor. */
struct block_estimate block_sums_mean(const struct block_sums *blocks, size_t entry, double whole,
                                      double part);
struct block_estimate block_sums_ratio(const struct block_sums *blocks, size_t entry,
                                       size_t divisor, double factor);

/* Of the state, the entries that are not 0, in a line a block; they are read into tables of 0. */
void block_sums_record(struct block_sums *blocks, struct record *record);

/* The classes of particles: their species, ascending; if more than CLASSES_MAX, one for all. */
struct classes {
    size_t count;                 /* 1 to CLASSES_MAX */
    int32_t species[CLASSES_MAX]; /* ascending */
    size_t members[CLASSES_MAX];  /* how many particles */
    double radius[CLASSES_MAX];   /* of all of them, at time 0; NAN if they differ */
    double mass[CLASSES_MAX];     /* of all of several classes */
    double mean_radius;           /* of all particles, at time 0 */
    uint8_t *list;                /* the class of each particle by its number; owned */
};

/* Groups of particles: all, number 0; and if there are several classes, class g - 1 is group g. */
enum { GROUPS_MAX = 1 + CLASSES_MAX };

static inline size_t classes_groups(const struct classes *classes)
{
    return classes->count > 1 ? 1 + classes->count : 1;
}

/* Slots of sums: 0 for all particles, and one for each two of several classes, in either order. */
static inline size_t classes_slots(const struct classes *classes)
{
    return classes->count > 1 ? 1 + classes->count * (classes->count + 1) / 2 : 1;
}

static inline size_t classes_slot(const struct classes *classes, size_t a, size_t b)
{
    return classes->count == 1 ? 0 : 1 + class_pair(a, b);
}

enum status classes_create(struct classes *classes, const struct snapshot *snapshot,
                           struct error *error);
void classes_free(struct classes *classes);

/* Counts the members anew, if walls absorb particles. */
void classes_count(struct classes *classes, const struct snapshot *snapshot);

/* Makes sums over collisions separate the collisions of several classes. */
static inline void classes_watch(const struct classes *classes, struct collision_basis *basis)
{
    basis->classes = classes->count > 1 ? classes->list : NULL;
    basis->more_pairs = class_pair(0, classes->count) - 1;
}

/* Histograms of numbers from 0 without a known maximum. There are 256 bins, whose width is a power
 * of two and grows, twofold each time, so that the largest number is in the upper half: then bins
 * are added up in pairs. So the result depends only on the numbers, not on their order. */
enum { HISTOGRAM_BINS = 256 };

struct histogram {
    double limit;             /* where the bins end; 0 as long as there were only zeros */
    double scale;             /* how many bins there are in a unit; then 0, too */
    struct block_sums counts; /* of the bins, and of all numbers */
};

enum status histogram_create(struct histogram *histogram, struct error *error);
void histogram_free(struct histogram *histogram);

/* Makes room for a number that is not below the limit. */
void histogram_widen(struct histogram *histogram, double value);

/* Counts a number from 0 to 1e300, in a block; or in its table, but for counts[HISTOGRAM_BINS]. */
static inline void histogram_put(struct histogram *histogram, double *counts, double value)
{
    if (value >= histogram->limit && value > 0)
        histogram_widen(histogram, value);
    counts[(long)(value * histogram->scale)]++;
}

static inline void histogram_add(struct histogram *histogram, int block, double value)
{
    double *counts = block_sums_table(&histogram->counts, block);
    histogram_put(histogram, counts, value);
    counts[HISTOGRAM_BINS]++;
}

/* The number of bins up to the last that is not empty; 0 if all numbers were 0. */
size_t histogram_used(const struct histogram *histogram);

double histogram_count(const struct histogram *histogram);

/* The density in a bin: the fraction of all numbers in it, divided by its width. */
struct block_estimate histogram_density(const struct histogram *histogram, size_t bin);

/* Where a bin begins. */
static inline double histogram_edge(const struct histogram *histogram, size_t bin)
{
    return histogram->limit / HISTOGRAM_BINS * (double)bin;
}

void histogram_record(struct histogram *histogram, struct record *record);

#endif
