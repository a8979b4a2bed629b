/* Compares smoothed particle hydrodynamics with theory and experiments: still and sloshing water, a
 * vortex that decays, flow between plates, and a column that collapses, each at two resolutions.
 * Prints a table, and ends with 1 if a value is out of bounds. It takes about a minute. */
#include "base/elementary.h"
#include "measure.h"
#include "potential.h"
#include "smoothed.h"

static const double SMOOTHING = 2; /* the default, in spacings */

static const double GRAVITY = 9.81; /* of the dam break */

static const double COURANT = 0.25; /* the part of a smoothing length that sound goes in a step */

/* A row of the table: `scale` is what a deviation is a part of. */
static void report(const char *quantity, double expected, double measured, double scale,
                   double bound)
{
    const double deviation = (measured - expected) / scale;
    const int is_good = fabs(deviation) <= bound;
    printf("| %s | %.4g | %.4g | %+.2f %% | %.3g %% |%s\n", quantity, expected, measured,
           100 * deviation, 100 * bound, is_good ? "" : " OUT OF BOUNDS");
    measure_check(is_good);
}

enum { TEXT_SIZE = 200 };

/* The text of a fluid of density 1. */
static const char *fluid_text(char text[TEXT_SIZE], double sound, double viscosity,
                              const char *more)
{
    snprintf(text, TEXT_SIZE, "sph density=1 sound-speed=%.17g kinematic-viscosity=%.17g %s", sound,
             viscosity, more);
    return text;
}

static void run(struct smoothed *flow, struct system *system, double sound, double smoothing)
{
    flow->step = COURANT * smoothing / sound;
    must(smoothed_run(flow, system, &failure));
    system_free(system);
}

/* Still water (S. Adami, X. Y. Hu and N. A. Adams, J. Comput. Phys. 231, 7057, 2012): a tank 2
 * wide, 0.9 deep, g = 1, c = 10 sqrt(g H), for 5 units of time. */
struct still {
    double depth;
    double error, layer, speed; /* the largest: of a particle, of a layer's mean, of speeds */
};

static void see_still(void *context, const struct snapshot *snapshot,
                      const struct dynamics_column *pressure)
{
    enum { LAYERS = 10 };
    struct still *still = context;
    double sums[LAYERS] = {0}, counts[LAYERS] = {0};
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double error = pressure->value(pressure->of, k) - (still->depth - body.y);
        const int layer = (int)fmax(0, fmin(LAYERS - 1, floor(LAYERS * body.y / still->depth)));
        sums[layer] += error;
        counts[layer]++;
        still->error = fmax(still->error, fabs(error));
        still->speed = fmax(still->speed, sqrt(body.u * body.u + body.v * body.v));
    }
    for (int layer = 0; layer < LAYERS; layer++)
        if (counts[layer] > 0)
            still->layer = fmax(still->layer, fabs(sums[layer] / counts[layer]));
}

static void measure_still_water(size_t rows)
{
    char text[TEXT_SIZE];
    struct still still = {.depth = 0.9};
    const double spacing = still.depth / (double)rows;
    const double smoothing = SMOOTHING * spacing;
    const double sound = 10 * sqrt(still.depth);
    const size_t columns = (size_t)floor(2 / spacing + 0.5);
    struct system system = smoothed_block(2, 1, 0, spacing, columns, rows);
    struct smoothed flow = {.end_time = 5,
                            .parts = {fluid_text(text, sound, 0, ""), "gravity g=-1"},
                            .every = 0.25,
                            .see = see_still,
                            .context = &still};
    run(&flow, &system, sound, smoothing);
    report("still water, largest error of pressure in a layer, 20 times up to t = 5", 0,
           still.layer, still.depth, 0.02);
    report("still water, largest error of pressure at a particle", 0, still.error, still.depth,
           0.05);
    report("still water, largest speed, of sqrt(g H)", 0, still.speed, sqrt(still.depth), 0.05);
}

/* The vortices of G. I. Taylor and A. E. Green (Proc. R. Soc. A 158, 499, 1937), of size 1 and
 * speed 1: velocities decay as e^(-8 pi^2 t / Re). */
struct vortex {
    double reynolds, worst, last;
};

static void see_vortex(void *context, const struct snapshot *snapshot,
                       const struct dynamics_column *pressure)
{
    struct vortex *vortex = context;
    double squares = 0;
    (void)pressure;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        squares += body.u * body.u + body.v * body.v;
    }
    const double speed = sqrt(2 * squares / (double)snapshot->system->count);
    const double exact = elementary_exp(-8 * PI * PI * snapshot->time / vortex->reynolds);
    if (fabs(speed / exact - 1) > fabs(vortex->worst))
        vortex->worst = speed / exact - 1;
    vortex->last = speed;
}

static void measure_vortex(size_t side)
{
    char text[TEXT_SIZE];
    struct vortex vortex = {.reynolds = 100};
    const double spacing = 1 / (double)side;
    const double smoothing = SMOOTHING * spacing;
    const double sound = 10;
    struct system system = smoothed_block(1, 1, PERIODIC_X | PERIODIC_Y, spacing, side, side);
    struct smoothed flow = {.end_time = 2.05,
                            .parts = {fluid_text(text, sound, 1 / vortex.reynolds, "shifting=0.3")},
                            .every = 0.2,
                            .see = see_vortex,
                            .context = &vortex};
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        double x_cosine, x_sine, y_cosine, y_sine;
        elementary_turn(p->x, &x_cosine, &x_sine);
        elementary_turn(p->y, &y_cosine, &y_sine);
        p->u = -x_cosine * y_sine;
        p->v = x_sine * y_cosine;
    }
    run(&flow, &system, sound, smoothing);
    report("Taylor-Green vortices, Re 100, rate of decay up to t = 2", 8 * PI * PI / 100,
           -elementary_log(vortex.last) / 2, 8 * PI * PI / 100, 0.05);
    report(measure_text("the same, %zu x %zu, largest error of the speed, 10 times", side, side), 0,
           vortex.worst, 1, 0.05);
}

/* Plane Poiseuille flow: between plates 2 d apart, driven by f, it is 1 - ((y - d) / d)^2 of the
 * fastest, f d^2 / (2 nu). */
struct plates {
    double half, fastest, worst;
};

static void see_plates(void *context, const struct snapshot *snapshot,
                       const struct dynamics_column *pressure)
{
    struct plates *plates = context;
    (void)pressure;
    plates->worst = 0;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double off = (body.y - plates->half) / plates->half;
        const double error = body.u / plates->fastest - (1 - off * off);
        if (fabs(error) > fabs(plates->worst))
            plates->worst = error;
    }
}

static void measure_plates(size_t rows)
{
    char text[TEXT_SIZE];
    struct plates plates = {.half = 0.5, .fastest = 1};
    const double spacing = 1 / (double)rows;
    const double smoothing = SMOOTHING * spacing;
    const double sound = 10, viscosity = 0.1;
    struct system system = smoothed_block(1, 1, PERIODIC_X, spacing, rows, rows);
    char drive[TEXT_SIZE];
    struct smoothed flow = {.end_time = 6,
                            .parts = {fluid_text(text, sound, viscosity, "shifting=0.1"), drive},
                            .every = 5.99,
                            .see = see_plates,
                            .context = &plates};
    snprintf(drive, sizeof drive, "gravity direction=0 g=%.17g",
             2 * viscosity * plates.fastest / (plates.half * plates.half));
    run(&flow, &system, sound, smoothing);
    report(measure_text("flow between plates, %zu rows, largest error of a speed", rows), 0,
           plates.worst, 1, 0.02);
}

/* Water in a tank, 1 wide, sways with omega^2 = g k tanh(k depth), k = pi. */
enum { SLOSH_LOOKS = 200 }; /* in a period */

struct slosh {
    double last, crossings[8]; /* of the mean velocity along x, and when it changed its sign */
    size_t count;
};

static void see_slosh(void *context, const struct snapshot *snapshot,
                      const struct dynamics_column *pressure)
{
    struct slosh *slosh = context;
    double u = 0;
    (void)pressure;
    for (size_t k = 0; k < snapshot->system->count; k++)
        u += snapshot_body(snapshot, k).u;
    if (u * slosh->last < 0 && slosh->count < 8)
        slosh->crossings[slosh->count++] = snapshot->time;
    slosh->last = u;
}

static void measure_sloshing(size_t columns, double depth)
{
    char text[TEXT_SIZE];
    const double spacing = 1 / (double)columns;
    const double sound = 10 * sqrt(depth);
    const double decay = elementary_exp(-2 * PI * depth);
    const double omega = sqrt(PI * (1 - decay) / (1 + decay));
    const double period = 2 * PI / omega;
    struct slosh slosh = {0};
    struct system system =
        smoothed_block(1, 1, 0, spacing, columns, (size_t)floor(depth / spacing + 0.5));
    struct smoothed flow = {.end_time = 2.4 * period,
                            .parts = {fluid_text(text, sound, 0, ""), "gravity g=-1"},
                            .every = period / SLOSH_LOOKS,
                            .see = see_slosh,
                            .context = &slosh};
    for (size_t n = 0; n < system.count; n++) {
        struct particle *p = &system.particles[n];
        const double up = elementary_exp(PI * (p->y - depth));
        const double down = elementary_exp(-PI * (p->y + depth));
        double cosine, sine;
        elementary_turn(p->x / 2, &cosine, &sine);
        p->u = 0.03 * omega * sine * (up + down) / (1 - decay);
        p->v = -0.03 * omega * cosine * (up - down) / (1 - decay);
    }
    run(&flow, &system, sound, SMOOTHING * spacing);
    snprintf(text, TEXT_SIZE, "sloshing, depth %g, %zu columns, frequency", depth, columns);
    if (slosh.count < 4)
        measure_fail("the water did not slosh");
    report(text, 1 / period, 1.5 / (slosh.crossings[3] - slosh.crossings[0]), 1 / period, 0.02);
}

/* A column, 1 wide and 2 high, collapses: where its front is, Z / L, at times t sqrt(2 g / L); and
 * its height at the wall, of that at the start, at a time t sqrt(g / L). (S. Koshizuka and Y. Oka,
 * Nucl. Sci. Eng. 123, 421, 1996; J. C. Martin and W. J. Moyce, Phil. Trans. R. Soc. A 244, 312,
 * 1952, n^2 = 2.)
 *
 * Potential flow is what water without viscosity does, if the dam vanishes at once. Its front is
 * ahead of both experiments, mostly by more than their bound, and that of smoothed particles comes
 * near to it, from behind, the smaller they are. A dam that takes time to open delays the
 * experiments, so times between two fronts are compared, too. */
static const struct {
    const char *source;
    double time, front;
} fronts[] = {
    {"Koshizuka and Oka", 0.381, 1.111}, {"Koshizuka and Oka", 0.769, 1.252},
    {"Koshizuka and Oka", 1.153, 1.505}, {"Koshizuka and Oka", 1.537, 1.892},
    {"Koshizuka and Oka", 1.935, 2.241}, {"Koshizuka and Oka", 2.323, 2.615},
    {"Koshizuka and Oka", 2.719, 3.003}, {"Koshizuka and Oka", 3.096, 3.624},
    {"Martin and Moyce", 0.849, 1.245},  {"Martin and Moyce", 1.602, 1.884},
    {"Martin and Moyce", 2.950, 3.728},
};
enum { FRONTS = LENGTH(fronts), FRONT_LOOKS = 210, POTENTIAL_TIMES = 4 };

/* Two fronts of one experiment: the first one beyond 1.2, and the last one. */
static const size_t spans[][2] = {{1, 7}, {8, 10}};

static const double BEYOND = 0.02; /* area; a hundredth of the water */

struct column {
    double spacing;
    size_t looks;
    double times[FRONT_LOOKS]; /* t sqrt(2 g / L) */
    double places[FRONT_LOOKS], behind[FRONT_LOOKS], heights[FRONT_LOOKS];
};

static void see_column(void *context, const struct snapshot *snapshot,
                       const struct dynamics_column *pressure)
{
    struct column *column = context;
    const size_t count = snapshot->system->count, look = column->looks;
    const size_t beyond = (size_t)floor(BEYOND / (column->spacing * column->spacing) + 0.5);
    double *x = malloc(count * sizeof *x);
    (void)pressure;
    if (!x)
        measure_fail("out of memory");
    double height = 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        x[k] = body.x;
        if (body.x < column->spacing)
            height = fmax(height, body.y + column->spacing / 2);
    }
    qsort(x, count, sizeof *x, compare_doubles);
    if (look < FRONT_LOOKS) {
        column->times[look] = snapshot->time * sqrt(2 * GRAVITY);
        column->places[look] = x[count - 1] + column->spacing / 2;
        column->behind[look] = (x[count - beyond - 1] + x[count - beyond]) / 2;
        column->heights[look] = height;
        column->looks++;
    }
    free(x);
}

/* The value of y at x, where the values of x grow. */
static double value_at(const double *xs, const double *ys, size_t count, double x)
{
    size_t k = 1;
    while (k + 1 < count && xs[k] < x)
        k++;
    return ys[k - 1] + (x - xs[k - 1]) / (xs[k] - xs[k - 1]) * (ys[k] - ys[k - 1]);
}

static double larger_deviation(double worst, double measured, double expected)
{
    const double deviation = measured / expected - 1;
    return fabs(deviation) > fabs(worst) ? deviation : worst;
}

/* Before the front is at the opposite wall, at times 1, 1.5, 2 and 2.5. */
static void compare_with_potential_flow(const struct column *column, size_t columns)
{
    struct potential_flow *flow = potential_create(2, 0.01);
    double worst[3] = {0}; /* the foremost particle, nearly all of the water, the height */
    for (int k = 0; k < POTENTIAL_TIMES; k++) {
        const double time = 1 + 0.5 * k;
        potential_advance(flow, time);
        const struct potential_figures exact = potential_figures(flow, BEYOND);
        const double *const measured[] = {column->places, column->behind, column->heights};
        const double expected[] = {exact.front, exact.behind, exact.height};
        for (int n = 0; n < 3; n++)
            worst[n] = larger_deviation(
                worst[n], value_at(column->times, measured[n], column->looks, time), expected[n]);
    }
    potential_free(flow);
    const struct {
        const char *name;
        double bound; /* with one column */
    } rows[] = {{"foremost particle", 1.3}, {"front of 99 % of the water", 0.5}, {"height", 0.2}};
    for (int n = 0; n < 3; n++) {
        report(measure_text("dam break, %zu columns, %s, most off potential flow, 4 times", columns,
                            rows[n].name),
               0, worst[n], 1, rows[n].bound / (double)columns);
    }
}

/* A front of an experiment, or the time between two. Where potential flow is out of bounds itself,
 * a row shows what that leaves out, and says nothing of particles. */
static void report_experiment(const char *quantity, double expected, double measured, double exact)
{
    const double bound = 0.08;
    char text[2 * TEXT_SIZE];
    if (fabs(exact / expected - 1) <= bound)
        report(measure_text("dam break, %s (potential flow: %.3f)", quantity, exact), expected,
               measured, expected, bound);
    else
        printf("| %s | %.4g | %.4g | %+.2f %% | none: potential flow misses %g %% |\n", text,
               expected, measured, 100 * (measured / expected - 1), 100 * bound);
}

static double time_between(const struct column *column, size_t first, size_t last)
{
    const double *places = column->places;
    return value_at(places, column->times, column->looks, fronts[last].front) -
           value_at(places, column->times, column->looks, fronts[first].front);
}

static void compare_with_experiments(const struct column *column)
{
    char text[TEXT_SIZE];
    struct column exact = {.looks = FRONT_LOOKS};
    struct potential_flow *flow = potential_create(2, 0.01);
    for (size_t k = 0; k < FRONT_LOOKS; k++) {
        exact.times[k] = 3.1 * (double)k / (FRONT_LOOKS - 1);
        potential_advance(flow, exact.times[k]);
        exact.places[k] = potential_figures(flow, BEYOND).front;
    }
    potential_free(flow);
    for (size_t k = 0; k < FRONTS; k++) {
        const double time = fronts[k].time;
        snprintf(text, TEXT_SIZE, "front at %.3f, %s", time, fronts[k].source);
        report_experiment(text, fronts[k].front,
                          value_at(column->times, column->places, column->looks, time),
                          value_at(exact.times, exact.places, exact.looks, time));
    }
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
        const size_t first = spans[k][0], last = spans[k][1];
        snprintf(text, TEXT_SIZE, "time from front %.3f to %.3f, %s", fronts[first].front,
                 fronts[last].front, fronts[first].source);
        report_experiment(text, fronts[last].time - fronts[first].time,
                          time_between(column, first, last), time_between(&exact, first, last));
    }
}

static void measure_dam_break(size_t columns)
{
    char text[TEXT_SIZE];
    struct column column = {.spacing = 1 / (double)columns};
    const double smoothing = SMOOTHING * column.spacing;
    const double sound = 10 * sqrt(2 * GRAVITY * 2);
    struct system system = smoothed_block(4, 4, 0, column.spacing, columns, 2 * columns);
    struct smoothed flow = {.end_time = 3.13 / sqrt(GRAVITY) + 1e-3,
                            .parts = {fluid_text(text, sound, 0, ""), "gravity g=-9.81"},
                            .every = 3.13 / sqrt(GRAVITY) / (FRONT_LOOKS - 10),
                            .see = see_column,
                            .context = &column};
    run(&flow, &system, sound, smoothing);
    report(measure_text("dam break, %zu columns, height at the wall at 3.13", columns), 0.27,
           column.heights[column.looks - 1] / 2, 1, 0.02);
    compare_with_potential_flow(&column, columns);
    compare_with_experiments(&column);
}

/* Potential flow itself. A column begins to fall at the wall with the acceleration g (1 - 2 sum of
 * (-1)^m / (k cosh(k height))), k = (m + 1/2) pi, from the pressure in a rectangle; and its area
 * and energy do not change. */
static void measure_potential_flow(double height)
{
    struct potential_flow *flow = potential_create(height, 0.01);
    double fall = 1;
    for (int m = 0; m < 20; m++) {
        const double k = (m + 0.5) * PI, decay = elementary_exp(-k * height);
        fall -= (m % 2 ? -4 : 4) * decay / (k * (1 + decay * decay));
    }
    potential_advance(flow, 0.05);
    struct potential_figures first = potential_figures(flow, BEYOND);
    report("potential flow, acceleration at the wall", fall / 2,
           2 * (height - first.height) / (0.05 * 0.05), fall / 2, 0.01);
    potential_advance(flow, 2.5);
    const struct potential_figures last = potential_figures(flow, BEYOND);
    report("potential flow, area at 2.5", first.area, last.area, first.area, 0.002);
    report("potential flow, energy at 2.5", first.energy, last.energy, first.energy, 0.002);
    potential_free(flow);
}

int main(void)
{
    puts("| quantity | expected | measured | deviation | bound |");
    puts("|---|---:|---:|---:|---:|");
    measure_potential_flow(1);
    measure_potential_flow(2);
    for (size_t finer = 1; finer <= 2; finer++) {
        measure_still_water(18 * finer);
        measure_sloshing(40 * finer, 0.5);
        measure_sloshing(40 * finer, 0.25);
        measure_vortex(30 * finer);
        measure_plates(20 * finer);
        measure_dam_break(20 * finer);
    }
    return measure_finish();
}
