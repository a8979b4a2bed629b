/*
 * The structure factor; see structure_factor.h.
 *
 * S(-k) = S(k), so a half of the plane is enough. The wave vectors stand in chains, each of which
 * is the one before it plus one of four steps, so that exp(i k.r) costs one complex multiplication
 * instead of a cosine and a sine: 1.3 instead of 20 nanoseconds. Its error grows with the length of
 * a chain, to 10^-13.
 *
 * There are two sorts of chains. Rows with the same n, of all wave vectors in the first shells;
 * and, beyond these, some directions, along each of which the wave vectors are chosen that are
 * nearest to the middle of each shell.
 */
#include "structure_factor.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>

enum {
    SHELLS = 128,
    BATCH = 256,     /* particles at a time */
    LANES = 4,       /* sums at a time, which do not wait for each other */
    MOST_ALL = 2048, /* wave vectors in the first shells */
    LEAST_DIRECTIONS = 4,
    MOST_DIRECTIONS = 16,
    BEGINS = 4 /* for struct wave: not a step, but the first of a chain */
};

static const double MOST_PHASES = 1
                                  << 26; /* of all particles and wave vectors, as far as possible */
/* Of a shell: so much below its border is beyond it, so that rounding does not decide where wave
 * vectors just at a border are. */
static const double MARGIN = 1e-9;
static const double pi = 3.14159265358979323846;

struct wave {
    double m, n;   /* whole numbers */
    double base_m; /* of a chain that begins: step 0; step 1 is 1 more in m, */
    double base_n; /* step 2 in n, and step 3 in both */
    uint32_t step; /* from the one before it; or BEGINS */
    uint32_t shell;
};

/* exp(i angle), real and imaginary parts, of particles. */
struct phase_list {
    double real[BATCH], imaginary[BATCH];
};

struct phases {
    double x[BATCH], y[BATCH]; /* positions in parts of the box */
    struct phase_list wave;    /* of the present wave vector */
    struct phase_list steps[4];
    struct phase_list unit_x, unit_y; /* of the wave vectors (1, 0) and (0, 1) */
};

/* |k| of a wave vector; that of (0, 0) is 0. */
static double find_k(const struct structure_factor *factor, double m, double n)
{
    const double x = m == 0 ? 0 : m * factor->pitch_x;
    const double y = n == 0 ? 0 : n * factor->pitch_y;
    return sqrt(x * x + y * y);
}

/* How many wave vectors there are up to a length of k, along an axis; 0 if that has walls. */
static double find_most(double length, double pitch)
{
    return floor(length / pitch);
}

/* How many wave vectors of half the plane are in the first `shells`; or more than MOST_ALL. */
static double count_all(const struct structure_factor *factor, size_t shells)
{
    const double k = ((double)shells - MARGIN) * factor->width;
    const double rows = find_most(k, factor->pitch_y);
    double count = find_most(k, factor->pitch_x);
    for (double n = 1; n <= rows && count <= MOST_ALL; n++) {
        const double y = n * factor->pitch_y;
        count += 2 * find_most(sqrt(fmax(0, k * k - y * y)), factor->pitch_x) + 1;
    }
    return count;
}

/* Appends a wave vector to the chain with these steps. */
static enum status append(struct structure_factor *factor, struct wave wave, struct error *error)
{
    if (factor->count == factor->capacity) {
        const size_t capacity = factor->capacity > 0 ? 2 * factor->capacity : 256;
        struct wave *waves = memory_resize(factor->waves, capacity, sizeof *waves,
                                           "the wave vectors of --structure", error);
        if (!waves)
            return STATUS_NO_MEMORY;
        factor->waves = waves;
        factor->capacity = capacity;
    }
    factor->waves[factor->count++] = wave;
    return STATUS_DONE;
}

/* The shell of a wave vector; `shells` beyond the last. */
static uint32_t find_shell(const struct structure_factor *factor, double m, double n)
{
    const double shell = find_k(factor, m, n) / factor->width + MARGIN;
    return (uint32_t)fmin(shell, (double)factor->shells);
}

/* Appends all wave vectors of half the plane in the first shells, row by row. */
static enum status append_rows(struct structure_factor *factor, size_t shells, struct error *error)
{
    const double k = ((double)shells - MARGIN) * factor->width;
    enum status status = STATUS_DONE;
    for (double n = 0; n <= find_most(k, factor->pitch_y) && !status; n++) {
        const double y = n == 0 ? 0 : n * factor->pitch_y;
        const double most = find_most(sqrt(fmax(0, k * k - y * y)), factor->pitch_x);
        struct wave wave = {.n = n, .base_m = 1, .step = BEGINS};
        for (wave.m = n == 0 ? 1 : -most; wave.m <= most && !status; wave.m++) {
            wave.shell = find_shell(factor, wave.m, wave.n);
            status = append(factor, wave, error);
            wave.step = 0;
        }
    }
    return status;
}

/* The step from one wave vector to another in a chain with the steps of `from`; BEGINS for none. */
static uint32_t find_step(const struct wave *from, double m, double n)
{
    const double more_m = m - from->m - from->base_m;
    const double more_n = n - from->n - from->base_n;
    if ((more_m != 0 && more_m != 1) || (more_n != 0 && more_n != 1))
        return BEGINS;
    return (uint32_t)(more_m + 2 * more_n);
}

/*
 * Appends the wave vectors nearest to the middles of the shells from `first` on in the direction
 * (x, y), of length 1, each once; each counts in the shell where it is.
 */
static enum status append_direction(struct structure_factor *factor, size_t first, double x,
                                    double y, struct error *error)
{
    const double pitch_m = factor->width * x / factor->pitch_x;
    const double pitch_n = factor->width * y / factor->pitch_y;
    struct wave wave = {.base_m = floor(pitch_m), .base_n = floor(pitch_n), .step = BEGINS};
    enum status status = STATUS_DONE;
    int has_begun = 0;
    for (size_t shell = first; shell < factor->shells && !status; shell++) {
        const double m = floor(((double)shell + 0.5) * pitch_m + 0.5);
        const double n = floor(((double)shell + 0.5) * pitch_n + 0.5);
        if (m == wave.m && n == wave.n)
            continue;
        wave.step = has_begun ? find_step(&wave, m, n) : BEGINS;
        wave.m = m;
        wave.n = n;
        wave.shell = find_shell(factor, m, n);
        if (wave.shell < first) /* it is there already: only a place in the chain */
            wave.shell = (uint32_t)factor->shells;
        has_begun = 1;
        status = append(factor, wave, error);
    }
    return status;
}

/* Chooses the wave vectors for a number of particles. */
static enum status choose_waves(struct structure_factor *factor, double particles,
                                struct error *error)
{
    const double most = MOST_PHASES / particles;
    const double most_all = fmin(MOST_ALL, most / 2);
    const int is_plane = isfinite(factor->pitch_x) && isfinite(factor->pitch_y);
    const int is_x = isfinite(factor->pitch_x);
    double directions = floor(most / 2 / SHELLS);
    directions = fmin(fmax(directions, LEAST_DIRECTIONS), MOST_DIRECTIONS);
    directions = is_plane ? directions : 1;
    size_t all = 0;
    while (all < factor->shells && count_all(factor, all + 1) <= most_all)
        all++;
    enum status status = append_rows(factor, all, error);
    for (double k = 0; k < directions && !status; k++) {
        double x = is_x;
        double y = !is_x;
        if (is_plane)
            elementary_turn((k + 0.5) / (2 * directions), &x, &y);
        status = append_direction(factor, all, x, y, error);
    }
    return status;
}

enum status structure_factor_create(struct structure_factor *factor, const struct frame *frame,
                                    double diameter, struct error *error)
{
    static const char what[] = "the wave vectors of --structure";
    const struct boundary *box = &frame->boundary;
    *factor = (struct structure_factor){
        .shells = box->periodic ? SHELLS : 0,
        .pitch_x = box->periodic & PERIODIC_X ? 2 * pi / box->width : (double)INFINITY,
        .pitch_y = box->periodic & PERIODIC_Y ? 2 * pi / box->height : (double)INFINITY,
    };
    const double finest = fmin(factor->pitch_x, factor->pitch_y);
    factor->width = 8 * pi / diameter / SHELLS;
    if (box->periodic && factor->width < finest) { /* no shell is narrower than the waves' pitch */
        factor->width = finest;
        factor->shells = (size_t)(8 * pi / diameter / finest);
    }
    enum status status = block_sums_create(&factor->blocks, 2 * factor->shells + 1, error);
    if (!status && factor->shells > 0)
        status = choose_waves(factor, (double)frame->count, error);
    if (status)
        return status;
    factor->phases = memory_allocate(1, sizeof *factor->phases, what, error);
    factor->sums = memory_allocate(factor->count, 2 * sizeof *factor->sums, what, error);
    return factor->phases && factor->sums ? STATUS_DONE : STATUS_NO_MEMORY;
}

void structure_factor_free(struct structure_factor *factor)
{
    memory_free(factor->waves);
    memory_free(factor->phases);
    memory_free(factor->sums);
    block_sums_free(&factor->blocks);
    *factor = (struct structure_factor){0};
}

/* result = a b, for all of a batch; the result may be one of them. */
static void multiply(const struct phase_list *a, const struct phase_list *b,
                     struct phase_list *result)
{
    for (size_t k = 0; k < BATCH; k++) {
        const double real = a->real[k] * b->real[k] - a->imaginary[k] * b->imaginary[k];
        const double imaginary = a->real[k] * b->imaginary[k] + a->imaginary[k] * b->real[k];
        result->real[k] = real;
        result->imaginary[k] = imaginary;
    }
}

/* exp(2 pi i (m x + n y)) */
static void turn(const struct phases *phases, double m, double n, struct phase_list *result)
{
    for (size_t k = 0; k < BATCH; k++)
        elementary_turn(m * phases->x[k] + n * phases->y[k], &result->real[k],
                        &result->imaginary[k]);
}

/* Goes on to a wave vector, from the one before it. */
static void advance(struct phases *phases, const struct wave *wave)
{
    struct phase_list *steps = phases->steps;
    if (wave->step < BEGINS) {
        multiply(&phases->wave, &steps[wave->step], &phases->wave);
        return;
    }
    turn(phases, wave->m, wave->n, &phases->wave);
    if (wave->base_m == 1 && wave->base_n == 0) /* of a row */
        steps[0] = phases->unit_x;
    else
        turn(phases, wave->base_m, wave->base_n, &steps[0]);
    multiply(&steps[0], &phases->unit_x, &steps[1]);
    multiply(&steps[0], &phases->unit_y, &steps[2]);
    multiply(&steps[1], &phases->unit_y, &steps[3]);
}

/* Adds the phases of the first `count` particles of the batch to the two sums. */
static void add_phases(struct phase_list *wave, size_t count, double *sums)
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

/* Adds the particles of the grid from `first` on, up to a batch of them, to all sums. */
static void add_batch(struct structure_factor *factor, const struct frame *frame, size_t first)
{
    struct phases *phases = factor->phases;
    const size_t left = frame->count - first;
    const size_t count = left < BATCH ? left : BATCH;
    for (size_t k = 0; k < BATCH; k++) {
        phases->x[k] = k < count ? frame->x[first + k] / frame->boundary.width : 0;
        phases->y[k] = k < count ? frame->y[first + k] / frame->boundary.height : 0;
    }
    turn(phases, 1, 0, &phases->unit_x);
    turn(phases, 0, 1, &phases->unit_y);
    for (size_t k = 0; k < factor->count; k++) {
        advance(phases, &factor->waves[k]);
        add_phases(&phases->wave, count, &factor->sums[2 * k]);
    }
}

void structure_factor_add(struct structure_factor *factor, const struct frame *frame, int block)
{
    double *table = block_sums_table(&factor->blocks, block);
    for (size_t k = 0; k < 2 * factor->count; k++)
        factor->sums[k] = 0;
    for (size_t first = 0; first < frame->count && factor->count > 0; first += BATCH)
        add_batch(factor, frame, first);
    for (size_t k = 0; k < factor->count; k++) {
        const double *sum = &factor->sums[2 * k];
        const size_t shell = factor->waves[k].shell;
        if (shell < factor->shells) {
            table[shell] += (sum[0] * sum[0] + sum[1] * sum[1]) / (double)frame->count;
            table[factor->shells + shell]++;
        }
    }
}

struct estimate structure_factor_value(const struct structure_factor *factor, size_t shell)
{
    return block_sums_ratio(&factor->blocks, shell, factor->shells + shell, 1);
}
