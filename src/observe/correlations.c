/* Correlations; see correlations.h. */
#include "correlations.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { BATCH = 256 }; /* particles at a time, so that compilers compute several at once */

void neighbours_map_take(struct neighbours_map *map, const struct snapshot *snapshot)
{
    for (size_t k = 0; k < map->count; k++) {
        snapshot_position(snapshot, k, &map->x[k], &map->y[k]);
        if (!snapshot_has(snapshot, k))
            map->x[k] = map->y[k] = (double)INFINITY;
    }
    neighbours_map_sort(map);
}

/*
 * The pair distribution function.
 *
 * The probability of a distance, if all positions are equally likely, is exact with walls, too: the
 * difference of two independent points of an interval of length a has the density (a - |d|) / a^2,
 * and along a periodic axis 1 / a. Integrated over a circle of radius r, for r up to both sides a
 * and b, and then over r, the probability of a distance up to r is
 * (pi a b r^2 - 4/3 r^3 (b if x has walls + a if y has walls) + 1/2 r^4 if both have) / (a b)^2.
 */

enum { NEAR_DIAMETERS = 4, NEAR_PER_DIAMETER = 50, FAR_PER_DIAMETER = 10, FAR_MAX = 1000 };

static const double MAX_PAIRS = 1 << 24; /* for the far bins of a frame */

/* The number of counts of a slot: one for each bin, and two more at the end. */
static size_t slot_size(const struct pair_distribution *pairs)
{
    return pairs->near_bins + pairs->far_bins + 2;
}

static void choose_bins(struct pair_distribution *pairs)
{
    const double near = NEAR_DIAMETERS * pairs->diameter;
    if (pairs->reach < near) {
        pairs->near_bins = (size_t)(pairs->reach / pairs->diameter * NEAR_PER_DIAMETER);
        pairs->near = pairs->diameter * (double)pairs->near_bins / NEAR_PER_DIAMETER;
        return;
    }
    pairs->near_bins = NEAR_DIAMETERS * NEAR_PER_DIAMETER;
    pairs->near = near;
    const double bins = (pairs->reach - near) / pairs->diameter * FAR_PER_DIAMETER;
    pairs->far_bins = bins < FAR_MAX ? (size_t)bins : FAR_MAX;
    pairs->far_width =
        bins < FAR_MAX ? pairs->diameter / FAR_PER_DIAMETER : (pairs->reach - near) / FAR_MAX;
}

enum status pair_distribution_create(struct pair_distribution *pairs,
                                     const struct neighbours_map *map,
                                     const struct classes *classes, struct error *error)
{
    const double count = (double)map->count;
    const double mean_radius = classes->mean_radius;
    const struct boundary *box = &map->boundary;
    *pairs = (struct pair_distribution){
        .classes = classes,
        .slots = classes_slots(classes),
        .walls = {(box->periodic & PERIODIC_X) == 0, (box->periodic & PERIODIC_Y) == 0},
    };
    pairs->sides[0] = fmax(0, box->width - 2 * mean_radius * pairs->walls[0]);
    pairs->sides[1] = fmax(0, box->height - 2 * mean_radius * pairs->walls[1]);
    pairs->diameter =
        mean_radius > 0 ? 2 * mean_radius : sqrt(box->width) * sqrt(box->height) / sqrt(count);
    pairs->reach = fmin(pairs->sides[0], pairs->sides[1]) / 2;
    pairs->stride = (size_t)ceil(count * (count - 1) / 2 / MAX_PAIRS);
    pairs->stride = pairs->stride > 1 ? (size_t)ceil(count * count / MAX_PAIRS) : 1;
    choose_bins(pairs);
    const size_t size = slot_size(pairs);
    enum status status = block_sums_create(&pairs->blocks, (pairs->slots + 1) * size, error);
    if (status)
        return status;
    pairs->counts = memory_allocate(pairs->slots * size, sizeof *pairs->counts,
                                    "the pairs of --structure", error);
    return pairs->counts ? STATUS_DONE : STATUS_NO_MEMORY;
}

void pair_distribution_free(struct pair_distribution *pairs)
{
    memory_free(pairs->counts);
    block_sums_free(&pairs->blocks);
}

/* Finds the index at which the counts of pairs of class `a` with each class begin. */
static void find_slots(const struct pair_distribution *pairs, size_t a, size_t slots[CLASSES_MAX])
{
    for (size_t b = 0; b < pairs->classes->count; b++)
        slots[b] = classes_slot(pairs->classes, a, b) * slot_size(pairs);
}

/* Counts the near pairs of the member `k` of the grid with those in a span. */
static void count_span(struct pair_distribution *pairs, const struct neighbours_map *map,
                       const struct bond_order *bonds, size_t k,
                       const struct neighbours_map_span *span, const size_t slots[CLASSES_MAX])
{
    const struct bond_order *own = &bonds[map->numbers[k]];
    const double x = map->sorted_x[k] - span->shift.x;
    const double y = map->sorted_y[k] - span->shift.y;
    for (size_t j = span->begin; j < span->end; j++) {
        const double dx = map->sorted_x[j] - x, dy = map->sorted_y[j] - y;
        const double r = sqrt(dx * dx + dy * dy);
        if (r < pairs->near) {
            const size_t bin = (size_t)(r / pairs->diameter * NEAR_PER_DIAMETER);
            const size_t last = pairs->near_bins - 1;
            const uint32_t other = map->numbers[j];
            pairs->counts[slots[pairs->classes->list[other]] + (bin < last ? bin : last)]++;
            pairs->orders[bin < last ? bin : last] +=
                own->real * bonds[other].real + own->imaginary * bonds[other].imaginary;
        }
    }
}

/* Counts the near pairs of the members of a cell with the members of the same cell, of those to the
 * right of it, and of the rows above it: so each pair of images is counted once. */
static void count_near(struct pair_distribution *pairs, const struct neighbours_map *map,
                       const struct bond_order *bonds, int64_t row, int64_t column)
{
    const int64_t columns = (int64_t)(pairs->near / map->grid.width) + 1;
    const int64_t rows = (int64_t)(pairs->near / map->grid.height) + 1;
    const size_t cell = (size_t)(row * map->grid.columns + column);
    for (size_t k = map->grid.first[cell]; k < map->grid.first[cell + 1]; k++) {
        size_t slots[CLASSES_MAX];
        find_slots(pairs, pairs->classes->list[map->numbers[k]], slots);
        for (int64_t above = 0; above <= rows; above++) {
            struct neighbours_map_span span;
            int64_t next = above > 0 ? column - columns : column;
            int is_first = above == 0;
            while (neighbours_map_span(map, row + above, &next, column + columns, &span)) {
                if (is_first)
                    span.begin = k + 1;
                is_first = 0;
                count_span(pairs, map, bonds, k, &span, slots);
            }
        }
    }
}

/* The bins of the distances from a centre to those from number `first` on: 0 for near ones. */
static void find_far_bins(const struct pair_distribution *pairs, const struct neighbours_map *map,
                          size_t centre, size_t first, size_t count, int32_t bins[BATCH])
{
    const double x = map->x[centre], y = map->y[centre];
    const double x_period = pairs->walls[0] > 0 ? (double)INFINITY : pairs->sides[0];
    const double y_period = pairs->walls[1] > 0 ? (double)INFINITY : pairs->sides[1];
    const double near = pairs->near;
    const double scale = 1 / pairs->far_width;
    const double beyond = (double)pairs->far_bins;
    for (size_t k = 0; k < count; k++) {
        const double dx = fabs(map->x[first + k] - x);
        const double dy = fabs(map->y[first + k] - y);
        const double x_least = x_period - dx < dx ? x_period - dx : dx;
        const double y_least = y_period - dy < dy ? y_period - dy : dy;
        double bin = (sqrt(x_least * x_least + y_least * y_least) - near) * scale;
        bin = bin < 0 ? -1 : bin;
        bin = bin > beyond ? beyond : bin;
        bins[k] = (int32_t)(bin + 1);
    }
}

/* Counts the far pairs of a centre with those from number `first` on; near ones in a bin before. */
static void count_far(struct pair_distribution *pairs, const struct neighbours_map *map,
                      const struct bond_order *bonds, size_t centre, size_t first)
{
    const struct bond_order *own = &bonds[centre];
    double *orders = pairs->orders + pairs->near_bins;
    size_t slots[CLASSES_MAX];
    find_slots(pairs, pairs->classes->list[centre], slots);
    for (; first < map->count; first += BATCH) {
        int32_t bins[BATCH];
        const size_t left = map->count - first;
        const size_t count = left < BATCH ? left : BATCH;
        find_far_bins(pairs, map, centre, first, count, bins);
        for (size_t k = 0; k < count; k++) {
            const struct bond_order *other = &bonds[first + k];
            pairs->counts[slots[pairs->classes->list[first + k]] + pairs->near_bins +
                          (size_t)bins[k]]++;
            orders[bins[k]] += own->real * other->real + own->imaginary * other->imaginary;
        }
    }
}

/* Adds the numbers of pairs examined for each slot, around `centres` of each class. */
static void add_totals(const struct pair_distribution *pairs, const double centres[CLASSES_MAX],
                       double *table, size_t entry)
{
    const struct classes *classes = pairs->classes;
    for (size_t a = 0; a < classes->count; a++) {
        for (size_t b = 0; b < classes->count; b++) {
            const double examined = centres[a] * ((double)classes->members[b] - (a == b));
            table[entry] += examined;
            if (pairs->slots > 1)
                table[classes_slot(pairs->classes, a, b) * slot_size(pairs) + entry] += examined;
        }
    }
}

/* Adds the counts of a frame to a block; the counts of slot 0 are sums over the other slots. */
static void add_counts(struct pair_distribution *pairs, double *table)
{
    const size_t size = slot_size(pairs);
    const size_t near = pairs->near_bins;
    for (size_t slot = 0; slot < pairs->slots; slot++) {
        const uint64_t *counts = pairs->counts + slot * size;
        for (size_t bin = 0; bin < near + pairs->far_bins; bin++) {
            const double count = (double)counts[bin < near ? bin : bin + 1];
            table[slot * size + bin] += count;
            if (slot > 0)
                table[bin] += count;
        }
    }
}

void pair_distribution_add(struct pair_distribution *pairs, const struct neighbours_map *map,
                           const struct bond_order *bonds, uint64_t k, int block)
{
    const size_t size = slot_size(pairs);
    const size_t stride = pairs->stride;
    double centres[CLASSES_MAX] = {0}; /* of far pairs, */
    double halves[CLASSES_MAX];        /* and where each pair is counted once */
    double *table = block_sums_table(&pairs->blocks, block);
    memset(pairs->counts, 0, pairs->slots * size * sizeof *pairs->counts);
    pairs->orders = table + pairs->slots * size;
    for (int64_t row = 0; row < map->grid.rows && pairs->near_bins > 0; row++)
        for (int64_t column = 0; column < map->grid.columns; column++)
            count_near(pairs, map, bonds, row, column);
    for (size_t centre = (size_t)(k % stride); centre < map->count && pairs->far_bins > 0;
         centre += stride) {
        if (!(map->x[centre] < (double)INFINITY))
            continue;
        centres[pairs->classes->list[centre]]++;
        count_far(pairs, map, bonds, centre, stride == 1 ? centre + 1 : 0);
    }
    for (size_t a = 0; a < pairs->classes->count; a++)
        halves[a] = (double)pairs->classes->members[a] / 2;
    add_counts(pairs, table);
    add_totals(pairs, halves, table, size - 2);
    add_totals(pairs, stride > 1 ? centres : halves, table, size - 1);
}

double pair_distribution_edge(const struct pair_distribution *pairs, size_t bin)
{
    if (bin <= pairs->near_bins)
        return pairs->diameter * (double)bin / NEAR_PER_DIAMETER;
    return pairs->near + (double)(bin - pairs->near_bins) * pairs->far_width;
}

/* The probability of a distance up to r, times both sides: see above. */
static double likelihood(const struct pair_distribution *pairs, double r)
{
    const double a = r / pairs->sides[0], b = r / pairs->sides[1];
    const double walls = pairs->walls[0] * a + pairs->walls[1] * b;
    return a * b * (PI - 4.0 / 3 * walls + 0.5 * pairs->walls[0] * pairs->walls[1] * a * b);
}

struct block_estimate pair_distribution_value(const struct pair_distribution *pairs, size_t slot,
                                              size_t bin)
{
    const size_t size = slot_size(pairs);
    const double expected = likelihood(pairs, pair_distribution_edge(pairs, bin + 1)) -
                            likelihood(pairs, pair_distribution_edge(pairs, bin));
    return block_sums_ratio(&pairs->blocks, slot * size + bin,
                            (slot + 1) * size - (bin < pairs->near_bins ? 2 : 1), 1 / expected);
}

struct block_estimate pair_distribution_order(const struct pair_distribution *pairs, size_t bin)
{
    const size_t entry = bin < pairs->near_bins ? bin : bin + 1;
    return block_sums_ratio(&pairs->blocks, pairs->slots * slot_size(pairs) + entry, bin, 1);
}

/* The value at 0 of the parabola that fits points best, from sums of w x^n and w x^n y (Cramer). */
static double fit_parabola(const double s[5], const double t[3])
{
    const double minor_0 = s[2] * s[4] - s[3] * s[3];
    const double minor_1 = s[1] * s[4] - s[2] * s[3];
    const double minor_2 = s[1] * s[3] - s[2] * s[2];
    return (t[0] * minor_0 - t[1] * minor_1 + t[2] * minor_2) /
           (s[0] * minor_0 - s[1] * minor_1 + s[2] * minor_2);
}

/* A sum of a block; of number SUM_BLOCKS, of all. */
static double find_sum(const struct block_sums *blocks, int block, size_t entry)
{
    return block < SUM_BLOCKS ? block_sums_table(blocks, block)[entry]
                              : block_sums_total(blocks, entry);
}

/* g at contact, by the counts of a block, or of all of them. */
static double fit_contact(const struct pair_distribution *pairs, size_t slot, double contact,
                          int block)
{
    const size_t size = slot_size(pairs);
    double s[5] = {0};
    double t[3] = {0};
    size_t used = 0;
    for (size_t bin = 0; bin < pairs->near_bins + pairs->far_bins; bin++) {
        const double begin = pair_distribution_edge(pairs, bin);
        const double end = pair_distribution_edge(pairs, bin + 1);
        if (begin < contact * (1 - 1e-9) || end > 1.2 * contact * (1 + 1e-9))
            continue;
        const size_t entry = slot * size + bin;
        const size_t total = (slot + 1) * size - (bin < pairs->near_bins ? 2 : 1);
        const double count = find_sum(&pairs->blocks, block, entry);
        const double examined = find_sum(&pairs->blocks, block, total);
        if (!(count > 0))
            return (double)NAN;
        const double x = (begin + end) / (2 * contact) - 1;
        const double y = elementary_log(
            count / (examined * (likelihood(pairs, end) - likelihood(pairs, begin))));
        double weight = count;
        for (int n = 0; n < 5; n++, weight *= x) {
            s[n] += weight;
            if (n < 3)
                t[n] += weight * y;
        }
        used++;
    }
    const double fitted = used < 4 ? (double)NAN : fit_parabola(s, t);
    if (!isfinite(fitted))
        return (double)NAN;
    return fitted > 0 ? 1 / elementary_exp(-fitted) : elementary_exp(fitted);
}

struct block_estimate pair_distribution_contact(const struct pair_distribution *pairs, size_t slot,
                                                double contact)
{
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++)
        parts[block] = fit_contact(pairs, slot, contact, block);
    return block_estimate(fit_contact(pairs, slot, contact, SUM_BLOCKS), parts);
}

/*
 * The structure factor.
 *
 * S(-k) = S(k), so a half of the plane is enough. The wave vectors form chains. In a chain the next
 * one is the one before plus one of four steps, so that exp(i k.r) costs one complex
 * multiplication: 1.3 instead of 20 nanoseconds, with an error of up to 10^-13. Chains are rows
 * with the same n, of all wave vectors in the first shells; and beyond these some directions, along
 * which the nearest to the middle of each shell are chosen.
 */

enum {
    SHELLS = 128,
    LANES = 4,      /* sums at a time, which do not wait for each other */
    MAX_ALL = 2048, /* wave vectors in the first shells */
    MIN_DIRECTIONS = 4,
    MAX_DIRECTIONS = 16,
    BEGINS = 4 /* for struct structure_wave: not a step, but the first of a chain */
};

/* Of all particles and wave vectors, as far as possible. */
static const double MAX_PHASES = 1 << 26;

/* Relative to a shell's width: wave vectors this close below its border count as above it, so that
 * rounding does not decide about those just at it. */
static const double MARGIN = 1e-9;

struct structure_wave {
    double m, n;                 /* whole numbers */
    double base_m;               /* of a chain that begins: step 0; step 1 is 1 more in m, */
    double base_n;               /* step 2 in n, and step 3 in both */
    double sums[CLASSES_MAX][2]; /* of exp(i k.r) of each class, real and imaginary part */
    uint32_t step;               /* from the one before it; or BEGINS */
    uint32_t shell;
};

/* exp(i angle), real and imaginary parts, of particles. */
struct structure_phases {
    double real[BATCH], imaginary[BATCH];
};

struct structure_waves {
    struct structure_wave list[MAX_ALL + MAX_DIRECTIONS * SHELLS];
    double x[BATCH], y[BATCH];    /* positions of some particles, in parts of the box */
    struct structure_phases wave; /* their phases for the present wave vector */
    struct structure_phases steps[4];
    struct structure_phases unit_x, unit_y; /* for the wave vectors (1, 0) and (0, 1) */
};

/* Appends a wave vector in its shell, which is `shells` beyond the last; or in none, but as a link
 * of its chain, if it is before the shell `first`. */
static void append_wave(struct structure_factor *factor, struct structure_wave wave, size_t first)
{
    const double x = wave.m == 0 ? 0 : wave.m * factor->pitch_x;
    const double y = wave.n == 0 ? 0 : wave.n * factor->pitch_y;
    const double shell = sqrt(x * x + y * y) / factor->width + MARGIN;
    wave.shell = (uint32_t)fmin(shell, (double)factor->shells);
    if (wave.shell < first)
        wave.shell = (uint32_t)factor->shells;
    factor->waves->list[factor->count++] = wave;
}

/* Counts the wave vectors of half the plane in the first `shells`, and may append them. */
static double structure_factor_rows(struct structure_factor *factor, size_t shells,
                                    int is_appending)
{
    const double k = fmax(0, (double)shells - MARGIN) * factor->width;
    const double rows = floor(k / factor->pitch_y); /* 0 along an axis with walls */
    double count = 0;
    for (double n = 0; n <= rows && count <= MAX_ALL; n++) {
        const double y = n == 0 ? 0 : n * factor->pitch_y;
        const double most = floor(sqrt(fmax(0, k * k - y * y)) / factor->pitch_x);
        const double first = n == 0 ? 1 : -most;
        struct structure_wave wave = {.n = n, .base_m = 1, .step = BEGINS};
        count += most + 1 - first;
        for (wave.m = first; wave.m <= most && is_appending; wave.m++) {
            append_wave(factor, wave, 0);
            wave.step = 0;
        }
    }
    return count;
}

/* The step from one wave vector to another in a chain with the steps of `from`; BEGINS for none. */
static uint32_t structure_factor_find_step(const struct structure_wave *from, double m, double n)
{
    const double more_m = m - from->m - from->base_m;
    const double more_n = n - from->n - from->base_n;
    if ((more_m != 0 && more_m != 1) || (more_n != 0 && more_n != 1))
        return BEGINS;
    return (uint32_t)(more_m + 2 * more_n);
}

/* Appends those nearest to the middles of the shells from `first` on in the direction (x, y), of
 * length 1, each once; each counts in the shell where it is. */
static void append_direction(struct structure_factor *factor, size_t first, double x, double y)
{
    const double pitch_m = factor->width * x / factor->pitch_x;
    const double pitch_n = factor->width * y / factor->pitch_y;
    struct structure_wave wave = {
        .base_m = floor(pitch_m), .base_n = floor(pitch_n), .step = BEGINS};
    int has_begun = 0;
    for (size_t shell = first; shell < factor->shells; shell++) {
        const double m = floor(((double)shell + 0.5) * pitch_m + 0.5);
        const double n = floor(((double)shell + 0.5) * pitch_n + 0.5);
        if (m == wave.m && n == wave.n)
            continue;
        wave.step = has_begun ? structure_factor_find_step(&wave, m, n) : BEGINS;
        wave.m = m;
        wave.n = n;
        has_begun = 1;
        append_wave(factor, wave, first);
    }
}

static void choose_waves(struct structure_factor *factor, double particles)
{
    const double most = MAX_PHASES / particles;
    const double most_all = fmin(MAX_ALL, most / 2);
    const int is_plane = isfinite(factor->pitch_x) && isfinite(factor->pitch_y);
    const int is_x = isfinite(factor->pitch_x);
    double directions = floor(most / 2 / SHELLS);
    directions = is_plane ? fmin(fmax(directions, MIN_DIRECTIONS), MAX_DIRECTIONS) : 1;
    size_t all = 0;
    while (all < factor->shells && structure_factor_rows(factor, all + 1, 0) <= most_all)
        all++;
    structure_factor_rows(factor, all, 1);
    for (double k = 0; k < directions; k++) {
        double x = is_x, y = !is_x;
        if (is_plane)
            elementary_turn((k + 0.5) / (2 * directions), &x, &y);
        append_direction(factor, all, x, y);
    }
}

enum status structure_factor_create(struct structure_factor *factor,
                                    const struct neighbours_map *map, const struct classes *classes,
                                    double diameter, struct error *error)
{
    const struct boundary *box = &map->boundary;
    *factor = (struct structure_factor){
        .classes = classes,
        .shells = box->periodic ? SHELLS : 0,
        .pitch_x = box->periodic & PERIODIC_X ? 2 * PI / box->width : (double)INFINITY,
        .pitch_y = box->periodic & PERIODIC_Y ? 2 * PI / box->height : (double)INFINITY,
    };
    const double finest = fmin(factor->pitch_x, factor->pitch_y);
    factor->width = 8 * PI / diameter / SHELLS;
    if (box->periodic && factor->width < finest) { /* no shell is narrower than the waves' pitch */
        factor->width = finest;
        factor->shells = (size_t)(8 * PI / diameter / finest);
    }
    factor->waves =
        memory_allocate(1, sizeof *factor->waves, "the wave vectors of --structure", error);
    if (!factor->waves)
        return STATUS_NO_MEMORY;
    if (factor->shells > 0)
        choose_waves(factor, (double)map->count);
    return block_sums_create(&factor->blocks, (classes_slots(classes) + 1) * factor->shells + 1,
                             error);
}

void structure_factor_free(struct structure_factor *factor)
{
    memory_free(factor->waves);
    block_sums_free(&factor->blocks);
}

/* result = a b, for all of a batch; the result may be one of them. */
static void structure_factor_multiply(const struct structure_phases *a,
                                      const struct structure_phases *b,
                                      struct structure_phases *result)
{
    for (size_t k = 0; k < BATCH; k++) {
        const double real = a->real[k] * b->real[k] - a->imaginary[k] * b->imaginary[k];
        const double imaginary = a->real[k] * b->imaginary[k] + a->imaginary[k] * b->real[k];
        result->real[k] = real;
        result->imaginary[k] = imaginary;
    }
}

/* exp(2 pi i (m x + n y)) */
static void find_phases(const struct structure_waves *waves, double m, double n,
                        struct structure_phases *result)
{
    for (size_t k = 0; k < BATCH; k++)
        elementary_turn(m * waves->x[k] + n * waves->y[k], &result->real[k], &result->imaginary[k]);
}

static void structure_factor_advance(struct structure_waves *waves,
                                     const struct structure_wave *wave)
{
    struct structure_phases *steps = waves->steps;
    if (wave->step < BEGINS) {
        structure_factor_multiply(&waves->wave, &steps[wave->step], &waves->wave);
        return;
    }
    find_phases(waves, wave->m, wave->n, &waves->wave);
    if (wave->base_m == 1 && wave->base_n == 0) /* of a row */
        steps[0] = waves->unit_x;
    else
        find_phases(waves, wave->base_m, wave->base_n, &steps[0]);
    structure_factor_multiply(&steps[0], &waves->unit_x, &steps[1]);
    structure_factor_multiply(&steps[0], &waves->unit_y, &steps[2]);
    structure_factor_multiply(&steps[1], &waves->unit_y, &steps[3]);
}

/* Adds the phases of the first `count` particles of the batch to the two sums. */
static void add_phases(struct structure_phases *wave, size_t count, double *sums)
{
    double real[LANES] = {0};
    double imaginary[LANES] = {0};
    for (size_t k = count; k < BATCH; k++)
        wave->real[k] = wave->imaginary[k] = 0;
    for (size_t k = 0; k < BATCH; k += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            real[lane] += wave->real[k + lane];
            imaginary[lane] += wave->imaginary[k + lane];
        }
    }
    sums[0] += (real[0] + real[1]) + (real[2] + real[3]);
    sums[1] += (imaginary[0] + imaginary[1]) + (imaginary[2] + imaginary[3]);
}

/* Adds the first `count` particles of the batch to all sums of their class. */
static void add_batch(struct structure_factor *factor, size_t count, size_t class)
{
    struct structure_waves *waves = factor->waves;
    for (size_t k = count; k < BATCH; k++)
        waves->x[k] = waves->y[k] = 0;
    find_phases(waves, 1, 0, &waves->unit_x);
    find_phases(waves, 0, 1, &waves->unit_y);
    for (size_t k = 0; k < factor->count; k++) {
        structure_factor_advance(waves, &waves->list[k]);
        add_phases(&waves->wave, count, waves->list[k].sums[class]);
    }
}

static void add_class(struct structure_factor *factor, const struct neighbours_map *map,
                      size_t class)
{
    struct structure_waves *waves = factor->waves;
    size_t count = 0;
    for (size_t k = 0; k < map->count; k++) {
        if ((factor->classes->count > 1 && factor->classes->list[k] != class) ||
            !(map->x[k] < (double)INFINITY))
            continue;
        waves->x[count] = map->x[k] / map->boundary.width;
        waves->y[count] = map->y[k] / map->boundary.height;
        if (++count == BATCH) {
            add_batch(factor, count, class);
            count = 0;
        }
    }
    if (count > 0)
        add_batch(factor, count, class);
}

/* Adds S of a wave vector, and the partial ones, to the sums of its shell. */
static void add_wave(const struct structure_factor *factor, const struct structure_wave *wave,
                     double *sums)
{
    const struct classes *classes = factor->classes;
    double all[2] = {0};
    double members = 0;
    for (size_t a = 0; a < classes->count; a++) {
        const double *x = wave->sums[a];
        all[0] += x[0];
        all[1] += x[1];
        members += (double)classes->members[a];
        for (size_t b = a; b < classes->count && classes->count > 1; b++) {
            const double *y = wave->sums[b];
            sums[classes_slot(classes, a, b) * factor->shells] +=
                (x[0] * y[0] + x[1] * y[1]) /
                fmax(sqrt((double)classes->members[a] * (double)classes->members[b]), 1);
        }
    }
    sums[0] += (all[0] * all[0] + all[1] * all[1]) / fmax(members, 1);
    sums[classes_slots(classes) * factor->shells]++;
}

void structure_factor_add(struct structure_factor *factor, const struct neighbours_map *map,
                          int block)
{
    double *table = block_sums_table(&factor->blocks, block);
    for (size_t k = 0; k < factor->count; k++)
        memset(factor->waves->list[k].sums, 0, sizeof factor->waves->list[k].sums);
    for (size_t class = 0; class < factor->classes->count && factor->count > 0; class ++)
        add_class(factor, map, class);
    for (size_t k = 0; k < factor->count; k++) {
        const struct structure_wave *wave = &factor->waves->list[k];
        if (wave->shell < factor->shells)
            add_wave(factor, wave, table + wave->shell);
    }
}

struct block_estimate structure_factor_value(const struct structure_factor *factor, size_t slot,
                                             size_t shell)
{
    const size_t size = factor->shells;
    return block_sums_ratio(&factor->blocks, slot * size + shell,
                            classes_slots(factor->classes) * size + shell, 1);
}

/*
 * Voronoi cells and psi6.
 *
 * The cell of a particle is first bounded by walls and, along a periodic axis, by the particle's
 * own images. Then the perpendicular bisectors of particles near by cut it, in the order of the
 * grid, until all others are more than twice as far away as its farthest corner.
 */

enum { DEFAULT_CORNERS = 32 };

static const double SHORTEST_SIDE = 1e-6; /* that counts, in distances of the neighbours */

/* A corner of a cell, and the side from it to the next corner. */
struct voronoi_corner {
    double x, y;   /* relative to the particle, length */
    double dx, dy; /* to the neighbour behind the side; 0 for a wall */
};

struct voronoi_cell {
    const struct neighbours_map *map;
    size_t member;
    struct voronoi_corner *corners; /* in anticlockwise order; owned */
    struct voronoi_corner *next;    /* when the next side has been cut off; owned */
    size_t count, capacity;         /* of corners */
    size_t copies;                  /* particles at its position, itself included */
    double reach_2;                 /* the square of how far they are */
    enum status status;             /* STATUS_NO_MEMORY: there are too many corners */
    struct error *error;
};

static void voronoi_reserve(struct voronoi_cell *cell, size_t capacity)
{
    static const char what[] = "the neighbours of a particle";
    struct voronoi_corner *corners =
        memory_resize(cell->corners, capacity, sizeof *corners, what, cell->error);
    if (corners)
        cell->corners = corners;
    struct voronoi_corner *next =
        memory_resize(cell->next, capacity, sizeof *next, what, cell->error);
    if (next)
        cell->next = next;
    cell->capacity = capacity;
    cell->status = corners && next ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void find_reach(struct voronoi_cell *cell)
{
    cell->reach_2 = 0;
    for (size_t k = 0; k < cell->count; k++) {
        const struct voronoi_corner *c = &cell->corners[k];
        cell->reach_2 = fmax(cell->reach_2, c->x * c->x + c->y * c->y);
    }
}

/* The cell of a particle without neighbours. */
static void begin_cell(struct voronoi_cell *cell)
{
    const struct boundary *box = &cell->map->boundary;
    const double x = cell->map->sorted_x[cell->member];
    const double y = cell->map->sorted_y[cell->member];
    const int is_x = (box->periodic & PERIODIC_X) != 0;
    const int is_y = (box->periodic & PERIODIC_Y) != 0;
    const double left = is_x ? -box->width / 2 : -x;
    const double right = is_x ? box->width / 2 : box->width - x;
    const double bottom = is_y ? -box->height / 2 : -y;
    const double top = is_y ? box->height / 2 : box->height - y;
    cell->corners[0] = (struct voronoi_corner){left, bottom, 0, is_y ? -box->height : 0};
    cell->corners[1] = (struct voronoi_corner){right, bottom, is_x ? box->width : 0, 0};
    cell->corners[2] = (struct voronoi_corner){right, top, 0, is_y ? box->height : 0};
    cell->corners[3] = (struct voronoi_corner){left, top, is_x ? -box->width : 0, 0};
    cell->count = 4;
    cell->copies = 0;
    find_reach(cell);
}

/* The distance of a corner beyond the bisector of a neighbour, times the neighbour's distance. */
static double beyond(const struct voronoi_corner *c, double dx, double dy, double half)
{
    return c->x * dx + c->y * dy - half;
}

/* Cuts off the points that are nearer to a neighbour at (dx, dy). */
static void voronoi_cut(struct voronoi_cell *cell, double dx, double dy)
{
    const double half = (dx * dx + dy * dy) / 2;
    size_t count = 0;
    int is_cut = 0;
    cell->copies += half == 0;
    for (size_t k = 0; k < cell->count; k++)
        is_cut |= beyond(&cell->corners[k], dx, dy, half) > 0;
    if (is_cut && half != 0 && cell->count + 2 > cell->capacity)
        voronoi_reserve(cell, 2 * cell->capacity);
    if (!is_cut || half == 0 || cell->status)
        return;
    for (size_t k = 0; k < cell->count; k++) {
        const struct voronoi_corner *c = &cell->corners[k];
        const struct voronoi_corner *d = &cell->corners[k + 1 < cell->count ? k + 1 : 0];
        const double c_beyond = beyond(c, dx, dy, half);
        const double d_beyond = beyond(d, dx, dy, half);
        if (c_beyond <= 0)
            cell->next[count++] = *c;
        if ((c_beyond <= 0) == (d_beyond <= 0))
            continue;
        const double part = c_beyond / (c_beyond - d_beyond);
        struct voronoi_corner crossing = {c->x + part * (d->x - c->x), c->y + part * (d->y - c->y),
                                          c->dx, c->dy};
        if (c_beyond <= 0) { /* the new side begins here */
            crossing.dx = dx;
            crossing.dy = dy;
        }
        cell->next[count++] = crossing;
    }
    struct voronoi_corner *swapped = cell->corners;
    cell->corners = cell->next;
    cell->next = swapped;
    cell->count = count;
    find_reach(cell);
}

static void cut_row(struct voronoi_cell *cell, int64_t row, int64_t first, int64_t last)
{
    const struct neighbours_map *map = cell->map;
    struct neighbours_map_span span;
    while (neighbours_map_span(map, row, &first, last, &span)) {
        const double x = map->sorted_x[cell->member] - span.shift.x;
        const double y = map->sorted_y[cell->member] - span.shift.y;
        for (size_t j = span.begin; j < span.end; j++) {
            const double dx = map->sorted_x[j] - x, dy = map->sorted_y[j] - y;
            if (dx * dx + dy * dy < 4 * cell->reach_2)
                voronoi_cut(cell, dx, dy);
        }
    }
}

/* Cuts it by ring `n` of the cells of the grid around the one in this row and column. */
static void cut_ring(struct voronoi_cell *cell, int64_t row, int64_t column, int64_t n)
{
    const struct neighbours_map *map = cell->map;
    const int64_t columns = n < map->grid.columns ? n : map->grid.columns;
    const int64_t rows = n - 1 < map->grid.rows ? n - 1 : map->grid.rows;
    if (n <= map->grid.rows) {
        cut_row(cell, row - n, column - columns, column + columns);
        cut_row(cell, row + n, column - columns, column + columns);
    }
    for (int64_t m = row - rows; m <= row + rows && n <= map->grid.columns; m++) {
        cut_row(cell, m, column - n, column - n);
        cut_row(cell, m, column + n, column + n);
    }
}

/* The cell of a member of the grid that is in this row and column: cut by the members of its own
 * cell of the grid, then of the rings of cells around it. Members beyond ring n are further away
 * than n cells; or, along an axis that has no more cells, they are images further away than a whole
 * box, whose nearer image is nearer to every point of the cell. */
static void voronoi_find(struct voronoi_cell *cell, int64_t row, int64_t column)
{
    const struct neighbours_map *map = cell->map;
    begin_cell(cell);
    cut_row(cell, row, column, column);
    for (int64_t n = 0; !cell->status; n++) {
        const double x_seen =
            n < map->grid.columns ? (double)n * map->grid.width : (double)INFINITY;
        const double y_seen = n < map->grid.rows ? (double)n * map->grid.height : (double)INFINITY;
        const double seen = fmin(x_seen, y_seen);
        if (seen * seen >= 4 * cell->reach_2)
            break;
        cut_ring(cell, row, column, n + 1);
    }
}

/* The bonds of the cell: psi6 is the mean of z^6 for bonds with the directions z. */
static struct bond_order find_bonds(const struct voronoi_cell *cell)
{
    struct bond_order bonds = {0};
    for (size_t k = 0; k < cell->count; k++) {
        const struct voronoi_corner *c = &cell->corners[k];
        const struct voronoi_corner *d = &cell->corners[k + 1 < cell->count ? k + 1 : 0];
        const double side_2 = (d->x - c->x) * (d->x - c->x) + (d->y - c->y) * (d->y - c->y);
        const double distance_2 = c->dx * c->dx + c->dy * c->dy;
        bonds.area += 0.5 * (c->x * d->y - c->y * d->x);
        if (distance_2 == 0 || side_2 <= SHORTEST_SIDE * SHORTEST_SIDE * distance_2)
            continue;
        const double x_2 = (c->dx * c->dx - c->dy * c->dy) / distance_2;
        const double y_2 = 2 * c->dx * c->dy / distance_2;
        bonds.real += x_2 * (x_2 * x_2 - 3 * y_2 * y_2);
        bonds.imaginary += y_2 * (3 * x_2 * x_2 - y_2 * y_2);
        bonds.count++;
    }
    bonds.area /= (double)cell->copies;
    if (bonds.count > 0) {
        bonds.real /= (double)bonds.count;
        bonds.imaginary /= (double)bonds.count;
    }
    return bonds;
}

enum status bond_order_find(const struct neighbours_map *map, struct bond_order *bonds,
                            double *local, double *global, struct error *error)
{
    const size_t members = map->grid.first[(size_t)map->grid.rows * map->grid.columns];
    const double count = fmax((double)members, 1);
    struct voronoi_cell voronoi = {.map = map, .error = error};
    double sizes = 0;
    double real = 0, imaginary = 0;
    voronoi_reserve(&voronoi, DEFAULT_CORNERS);
    if (members < map->count)
        memset(bonds, 0, map->count * sizeof *bonds);
    for (int64_t cell = 0; cell < map->grid.rows * map->grid.columns; cell++) {
        for (size_t k = map->grid.first[cell]; k < map->grid.first[cell + 1] && !voronoi.status;
             k++) {
            voronoi.member = k;
            voronoi_find(&voronoi, cell / map->grid.columns, cell % map->grid.columns);
            const struct bond_order own = find_bonds(&voronoi);
            bonds[map->numbers[k]] = own;
            sizes += sqrt(own.real * own.real + own.imaginary * own.imaginary);
            real += own.real;
            imaginary += own.imaginary;
        }
    }
    *local = sizes / count;
    *global = sqrt(real * real + imaginary * imaginary) / count;
    memory_free(voronoi.corners);
    memory_free(voronoi.next);
    return voronoi.status;
}

/* Correlations in time. */

/* The largest coordinate, with images of the largest box: see checkpoint.c. It stands for that of a
 * tracer that a wall has absorbed. */
static const double ABSENT = 1e142;

enum { HALF = CORRELATOR_KEPT / 2, MAX_SAMPLES = 1 << 21, MAX_LEVELS = 40 };

size_t correlator_lags(const struct correlator *correlator)
{
    return CORRELATOR_KEPT + (correlator->levels - 1) * HALF;
}

uint64_t correlator_lag(size_t number)
{
    if (number < CORRELATOR_KEPT)
        return number;
    const size_t level = (number - CORRELATOR_KEPT) / HALF + 1;
    return (uint64_t)(HALF + number % HALF) << level;
}

enum status correlator_create(struct correlator *correlator, size_t particles,
                              const struct classes *classes, uint64_t frames, struct error *error)
{
    *correlator = (struct correlator){
        .classes = classes, .particles = particles, .tracers = particles, .levels = 1};
    while (correlator->levels < MAX_LEVELS && correlator_lag(correlator_lags(correlator)) < frames)
        correlator->levels++;
    const size_t most = MAX_SAMPLES / CORRELATOR_KEPT / correlator->levels;
    if (correlator->tracers > most)
        correlator->tracers = most;
    const size_t samples = correlator->tracers * correlator->levels * CORRELATOR_KEPT;
    correlator->samples = memory_allocate(samples, sizeof *correlator->samples,
                                          "the displacements of --structure", error);
    if (!correlator->samples)
        return STATUS_NO_MEMORY;
    return block_sums_create(
        &correlator->blocks,
        correlator_lags(correlator) * classes_groups(correlator->classes) * CORRELATOR_SUMS, error);
}

void correlator_free(struct correlator *correlator)
{
    memory_free(correlator->samples);
    block_sums_free(&correlator->blocks);
}

/* The samples of all tracers that a level took as its `number`-th. */
static struct correlator_sample *find_samples(const struct correlator *correlator, size_t level,
                                              uint64_t number)
{
    const size_t index = level * CORRELATOR_KEPT + (size_t)(number % CORRELATOR_KEPT);
    return correlator->samples + index * correlator->tracers;
}

/* The number of a tracer in the input: they are spread evenly. */
static size_t find_number(const struct correlator *correlator, size_t tracer)
{
    return (size_t)((uint64_t)tracer * correlator->particles / correlator->tracers);
}

static size_t correlator_find_sums(const struct correlator *correlator, size_t lag)
{
    return lag * classes_groups(correlator->classes) * CORRELATOR_SUMS;
}

static void correlate(const struct correlator *correlator, const struct correlator_sample *now,
                      const struct correlator_sample *then, double *sums)
{
    double groups[1 + CLASSES_MAX][CORRELATOR_SUMS] = {{0}};
    for (size_t k = 0; k < correlator->tracers; k++) {
        if (now[k].x == ABSENT)
            continue;
        const double dx = now[k].x - then[k].x, dy = now[k].y - then[k].y;
        double *group = groups[1 + correlator->classes->list[find_number(correlator, k)]];
        group[CORRELATOR_DISPLACEMENT] += dx * dx + dy * dy;
        group[CORRELATOR_VELOCITY] += now[k].u * then[k].u + now[k].v * then[k].v;
        group[CORRELATOR_COUNT]++;
    }
    for (size_t group = 1; group <= correlator->classes->count; group++) {
        for (size_t k = 0; k < CORRELATOR_SUMS; k++) {
            sums[k] += groups[group][k];
            if (correlator->classes->count > 1)
                sums[group * CORRELATOR_SUMS + k] += groups[group][k];
        }
    }
}

struct correlator_sample *correlator_next(const struct correlator *correlator)
{
    return find_samples(correlator, 0, correlator->taken);
}

void correlator_add(struct correlator *correlator, const struct snapshot *snapshot, double drift_u,
                    double drift_v, int block)
{
    struct correlator_sample *now = correlator_next(correlator);
    for (size_t k = 0; k < correlator->tracers; k++) {
        const size_t number = find_number(correlator, k);
        const struct snapshot_particle body = snapshot_body(snapshot, number);
        snapshot_unwrapped(snapshot, number, &now[k].x, &now[k].y);
        now[k].x -= drift_u * snapshot->time;
        now[k].y -= drift_v * snapshot->time;
        now[k].u = body.u - drift_u;
        now[k].v = body.v - drift_v;
        if (!snapshot_has(snapshot, number))
            now[k].x = ABSENT;
    }
    correlator_take(correlator, block);
}

void correlator_take(struct correlator *correlator, int block)
{
    double *table = block_sums_table(&correlator->blocks, block);
    const struct correlator_sample *now = correlator_next(correlator);
    for (size_t level = 0; level < correlator->levels; level++) {
        const uint64_t number = correlator->taken >> level;
        if (number << level != correlator->taken)
            break;
        struct correlator_sample *kept = find_samples(correlator, level, number);
        for (size_t k = 0; k < correlator->tracers && level > 0; k++)
            kept[k] = now[k];
        for (uint64_t j = level > 0 ? HALF : 0; j < CORRELATOR_KEPT && j <= number; j++) {
            const size_t lag = (size_t)j + level * HALF;
            correlate(correlator, now, find_samples(correlator, level, number - j),
                      table + correlator_find_sums(correlator, lag));
        }
    }
    correlator->taken++;
}

struct block_estimate correlator_mean(const struct correlator *correlator, size_t lag, size_t group,
                                      enum correlator_sum sum)
{
    const size_t index = correlator_find_sums(correlator, lag) + group * CORRELATOR_SUMS;
    struct block_estimate mean =
        block_sums_ratio(&correlator->blocks, index + sum, index + CORRELATOR_COUNT, 1);
    if (SUM_BLOCKS * correlator_lag(lag) > correlator->taken) /* blocks share most of their time */
        mean.error = (double)NAN;
    return mean;
}

struct block_estimate correlator_slope(const struct correlator *correlator, size_t lag,
                                       size_t group, double factor)
{
    const struct block_sums *sums = &correlator->blocks;
    const size_t half = lag < CORRELATOR_KEPT ? lag / 2 : lag - HALF;
    const size_t end = correlator_find_sums(correlator, lag) + group * CORRELATOR_SUMS;
    const size_t begin = correlator_find_sums(correlator, half) + group * CORRELATOR_SUMS;
    const double frames = (double)(correlator_lag(lag) - correlator_lag(half));
    double parts[SUM_BLOCKS + 1];
    for (int block = 0; block <= SUM_BLOCKS; block++)
        parts[block] =
            factor / frames *
            (find_sum(sums, block, end) / find_sum(sums, block, end + CORRELATOR_COUNT) -
             find_sum(sums, block, begin) / find_sum(sums, block, begin + CORRELATOR_COUNT));
    struct block_estimate estimate = block_estimate(parts[SUM_BLOCKS], parts);
    if (4 * SUM_BLOCKS * correlator_lag(lag) > correlator->taken)
        estimate.error = (double)NAN;
    return estimate;
}

void correlator_record(struct correlator *correlator, struct record *record)
{
    record_whole(record, &correlator->taken, UINT32_MAX);
    for (size_t level = 0; level < correlator->levels && !record->status; level++) {
        struct correlator_sample *samples = find_samples(correlator, level, 0);
        const uint64_t taken = correlator->taken > 0 ? ((correlator->taken - 1) >> level) + 1 : 0;
        const size_t kept = taken < CORRELATOR_KEPT ? (size_t)taken : CORRELATOR_KEPT;
        for (size_t k = 0; k < kept * correlator->tracers && !record->status; k++) {
            record_number(record, &samples[k].x, -ABSENT, ABSENT);
            record_number(record, &samples[k].y, -ABSENT, ABSENT);
            record_number(record, &samples[k].u, -ABSENT, ABSENT);
            record_number(record, &samples[k].v, -ABSENT, ABSENT);
        }
    }
    record_end_line(record);
    block_sums_record(&correlator->blocks, record);
}
