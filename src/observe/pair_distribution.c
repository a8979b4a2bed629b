/*
 * Counting pairs by their distances; see pair_distribution.h.
 *
 * The likelihood of a distance, if all places are equally likely, is exact with walls, too: the
 * difference of two independent points of an interval of length a has the density (a - |d|) / a^2,
 * and along a periodic axis 1 / a. Integrated over a circle of radius r, for r up to both sides a
 * and b, and then over r, the probability of a distance up to r is
 *     (pi a b r^2 - 4/3 r^3 (b if x has walls + a if y has walls) + 1/2 r^4 if both have) / (a
 * b)^2.
 */
#include "pair_distribution.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>

enum {
    NEAR_DIAMETERS = 4,
    NEAR_PER_DIAMETER = 50,
    FAR_PER_DIAMETER = 10,
    FAR_MOST = 1000,
    BATCH = 256 /* distances computed at a time, so that compilers do several at once */
};

static const double MOST_PAIRS = 1 << 24; /* for the far bins of a frame */
static const double pi = 3.14159265358979323846;

/* The counts of a slot in one frame: of the bins, and what is beyond, at the end. */
static size_t slot_size(const struct pair_distribution *pairs)
{
    return pairs->near_bins + pairs->far_bins + 2;
}

/* Chooses the bins. */
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
    pairs->far_bins = bins < FAR_MOST ? (size_t)bins : FAR_MOST;
    pairs->far_width =
        bins < FAR_MOST ? pairs->diameter / FAR_PER_DIAMETER : (pairs->reach - near) / FAR_MOST;
}

enum status pair_distribution_create(struct pair_distribution *pairs, const struct frame *frame,
                                     const struct classes *classes, struct error *error)
{
    const double count = (double)frame->count;
    const double mean_radius = classes->mean_radius;
    const struct boundary *box = &frame->boundary;
    *pairs = (struct pair_distribution){
        .classes = classes,
        .slots = classes->count > 1 ? 1 + classes->count * (classes->count + 1) / 2 : 1,
        .walls = {(box->periodic & PERIODIC_X) == 0, (box->periodic & PERIODIC_Y) == 0},
    };
    pairs->sides[0] = fmax(0, box->width - 2 * mean_radius * pairs->walls[0]);
    pairs->sides[1] = fmax(0, box->height - 2 * mean_radius * pairs->walls[1]);
    pairs->diameter =
        mean_radius > 0 ? 2 * mean_radius : sqrt(box->width) * sqrt(box->height) / sqrt(count);
    pairs->reach = fmin(pairs->sides[0], pairs->sides[1]) / 2;
    pairs->stride = (size_t)ceil(count * (count - 1) / 2 / MOST_PAIRS);
    pairs->stride = pairs->stride > 1 ? (size_t)ceil(count * count / MOST_PAIRS) : 1;
    choose_bins(pairs);
    enum status status = block_sums_create(&pairs->blocks, pairs->slots * slot_size(pairs), error);
    if (status)
        return status;
    pairs->counts = memory_allocate(pairs->slots * slot_size(pairs), sizeof *pairs->counts,
                                    "the pairs of --structure", error);
    return pairs->counts ? STATUS_DONE : STATUS_NO_MEMORY;
}

void pair_distribution_free(struct pair_distribution *pairs)
{
    memory_free(pairs->counts);
    block_sums_free(&pairs->blocks);
    *pairs = (struct pair_distribution){0};
}

size_t pair_slot(const struct pair_distribution *pairs, size_t a, size_t b)
{
    const size_t low = a < b ? a : b;
    const size_t high = a < b ? b : a;
    return pairs->slots == 1 ? 0 : 1 + high * (high + 1) / 2 + low;
}

/* For each class, where the counts of its pairs with class `a` begin. */
static void find_places(const struct pair_distribution *pairs, size_t a,
                        size_t places[CLASSES_MOST])
{
    for (size_t b = 0; b < pairs->classes->count; b++)
        places[b] = pair_slot(pairs, a, b) * slot_size(pairs);
}

/* Counts the near pairs of the member `k` of the grid, in a cell, with those after it in a span. */
static void count_span(struct pair_distribution *pairs, const struct frame *frame, size_t k,
                       const struct span *span, const size_t places[CLASSES_MOST])
{
    const double x = frame->sorted_x[k] - span->shift.x;
    const double y = frame->sorted_y[k] - span->shift.y;
    for (size_t j = span->begin; j < span->end; j++) {
        const double dx = frame->sorted_x[j] - x;
        const double dy = frame->sorted_y[j] - y;
        const double r = sqrt(dx * dx + dy * dy);
        if (r < pairs->near) {
            const size_t bin = (size_t)(r / pairs->diameter * NEAR_PER_DIAMETER);
            const size_t last = pairs->near_bins - 1;
            pairs->counts[places[pairs->classes->list[frame->numbers[j]]] +
                          (bin < last ? bin : last)]++;
        }
    }
}

/*
 * Counts the near pairs of the members of a cell with what is in the same cell and to the right of
 * it, and in the rows above it: so each pair of images is met once.
 */
static void count_near(struct pair_distribution *pairs, const struct frame *frame, int64_t row,
                       int64_t column)
{
    const int64_t columns = (int64_t)(pairs->near / frame->side_x) + 1;
    const int64_t rows = (int64_t)(pairs->near / frame->side_y) + 1;
    const size_t cell = (size_t)(row * frame->columns + column);
    for (size_t k = frame->begins[cell]; k < frame->begins[cell + 1]; k++) {
        size_t places[CLASSES_MOST];
        find_places(pairs, pairs->classes->list[frame->numbers[k]], places);
        for (int64_t above = 0; above <= rows; above++) {
            struct span span;
            int64_t next = above > 0 ? column - columns : column;
            int is_first = above == 0;
            while (frame_span(frame, row + above, &next, column + columns, &span)) {
                if (is_first)
                    span.begin = k + 1;
                is_first = 0;
                count_span(pairs, frame, k, &span, places);
            }
        }
    }
}

/* The bins of the distances from a centre to those from number `first` on: 0 for near ones. */
static void find_far_bins(const struct pair_distribution *pairs, const struct frame *frame,
                          size_t centre, size_t first, size_t count, int32_t bins[BATCH])
{
    const double x = frame->x[centre];
    const double y = frame->y[centre];
    const double x_period = pairs->walls[0] > 0 ? (double)INFINITY : pairs->sides[0];
    const double y_period = pairs->walls[1] > 0 ? (double)INFINITY : pairs->sides[1];
    const double near = pairs->near;
    const double scale = 1 / pairs->far_width;
    const double beyond = (double)pairs->far_bins;
    for (size_t k = 0; k < count; k++) {
        const double dx = fabs(frame->x[first + k] - x);
        const double dy = fabs(frame->y[first + k] - y);
        const double x_least = x_period - dx < dx ? x_period - dx : dx;
        const double y_least = y_period - dy < dy ? y_period - dy : dy;
        double bin = (sqrt(x_least * x_least + y_least * y_least) - near) * scale;
        bin = bin < 0 ? -1 : bin;
        bin = bin > beyond ? beyond : bin;
        bins[k] = (int32_t)(bin + 1);
    }
}

/* Counts the far pairs of a centre with all from number `first` on; in the place before the far
 * bins go those that are near. */
static void count_far(struct pair_distribution *pairs, const struct frame *frame, size_t centre,
                      size_t first)
{
    size_t places[CLASSES_MOST];
    find_places(pairs, pairs->classes->list[centre], places);
    for (; first < frame->count; first += BATCH) {
        int32_t bins[BATCH];
        const size_t left = frame->count - first;
        const size_t count = left < BATCH ? left : BATCH;
        find_far_bins(pairs, frame, centre, first, count, bins);
        for (size_t k = 0; k < count; k++)
            pairs->counts[places[pairs->classes->list[first + k]] + pairs->near_bins +
                          (size_t)bins[k]]++;
    }
}

/* Adds how many pairs of each slot have been looked at, when these many of each class, or all, were
 * centres. */
static void add_totals(const struct pair_distribution *pairs, const size_t *centres, double *table,
                       size_t place)
{
    const struct classes *classes = pairs->classes;
    for (size_t a = 0; a < classes->count; a++) {
        for (size_t b = 0; b < classes->count; b++) {
            const double others = (double)classes->members[b] - (a == b);
            const double looks =
                centres ? (double)centres[a] * others : (double)classes->members[a] * others / 2;
            table[place] += looks;
            if (pairs->slots > 1)
                table[pair_slot(pairs, a, b) * slot_size(pairs) + place] += looks;
        }
    }
}

/* Adds the counts of a frame to a block; those of slot 0 are the sums of the others. */
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

void pair_distribution_add(struct pair_distribution *pairs, const struct frame *frame, uint64_t k,
                           int block)
{
    const size_t size = slot_size(pairs);
    size_t centres[CLASSES_MOST] = {0};
    double *table = block_sums_table(&pairs->blocks, block);
    for (size_t place = 0; place < pairs->slots * size; place++)
        pairs->counts[place] = 0;
    for (int64_t row = 0; row < frame->rows && pairs->near_bins > 0; row++)
        for (int64_t column = 0; column < frame->columns; column++)
            count_near(pairs, frame, row, column);
    for (size_t centre = (size_t)(k % pairs->stride); centre < frame->count && pairs->far_bins > 0;
         centre += pairs->stride) {
        centres[pairs->classes->list[centre]]++;
        if (pairs->stride == 1) {
            count_far(pairs, frame, centre, centre + 1);
        } else {
            count_far(pairs, frame, centre, 0);
        }
    }
    add_counts(pairs, table);
    add_totals(pairs, NULL, table, size - 2);
    add_totals(pairs, pairs->stride > 1 ? centres : NULL, table, size - 1);
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
    const double a = r / pairs->sides[0];
    const double b = r / pairs->sides[1];
    const double walls = pairs->walls[0] * a + pairs->walls[1] * b;
    return a * b * (pi - 4.0 / 3 * walls + 0.5 * pairs->walls[0] * pairs->walls[1] * a * b);
}

struct estimate pair_distribution_value(const struct pair_distribution *pairs, size_t slot,
                                        size_t bin)
{
    const size_t size = slot_size(pairs);
    const double expected = likelihood(pairs, pair_distribution_edge(pairs, bin + 1)) -
                            likelihood(pairs, pair_distribution_edge(pairs, bin));
    return block_sums_ratio(&pairs->blocks, slot * size + bin,
                            (slot + 1) * size - (bin < pairs->near_bins ? 2 : 1), 1 / expected);
}

/* The value at 0 of the parabola that fits points (x, y) best, from the sums of w x^n and w x^n y
 * (Cramer's rule). */
static double fit_parabola(const double s[5], const double t[3])
{
    const double minor_0 = s[2] * s[4] - s[3] * s[3];
    const double minor_1 = s[1] * s[4] - s[2] * s[3];
    const double minor_2 = s[1] * s[3] - s[2] * s[2];
    return (t[0] * minor_0 - t[1] * minor_1 + t[2] * minor_2) /
           (s[0] * minor_0 - s[1] * minor_1 + s[2] * minor_2);
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
        const size_t place = slot * size + bin;
        const size_t total = (slot + 1) * size - (bin < pairs->near_bins ? 2 : 1);
        const double *table = block_sums_table(&pairs->blocks, block < SUM_BLOCKS ? block : 0);
        const double count =
            block < SUM_BLOCKS ? table[place] : block_sums_total(&pairs->blocks, place);
        const double looks =
            block < SUM_BLOCKS ? table[total] : block_sums_total(&pairs->blocks, total);
        if (!(count > 0))
            return (double)NAN;
        const double x = (begin + end) / (2 * contact) - 1;
        const double y =
            elementary_log(count / (looks * (likelihood(pairs, end) - likelihood(pairs, begin))));
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

struct estimate pair_distribution_contact(const struct pair_distribution *pairs, size_t slot,
                                          double contact)
{
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++)
        parts[block] = fit_contact(pairs, slot, contact, block);
    return block_estimate(fit_contact(pairs, slot, contact, SUM_BLOCKS), parts);
}
