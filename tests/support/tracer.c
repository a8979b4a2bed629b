/* Watching disks diffuse; see tracer.h. */
#include "tracer.h"

#include "measure.h"
#include "model/physics.h"

static void *allocate(size_t count, size_t size)
{
    void *block = memory_allocate(count, size, "the tracer", &failure);
    if (!block)
        measure_fail(failure.message);
    return block;
}

static int is_inside(const struct tracer *tracer, const struct system *system, double x, double y)
{
    if (system->boundary.periodic)
        return 1;
    return x >= tracer->margin && x <= system->boundary.width - tracer->margin &&
           y >= tracer->margin && y <= system->boundary.height - tracer->margin;
}

/* Looks at one disk. Returns 1 if it is on its side, -1 otherwise. */
static int look_at(struct tracer *tracer, const struct snapshot *snapshot, size_t id)
{
    const size_t origin = tracer->looks / tracer->lags;
    const size_t lag = tracer->looks % tracer->lags;
    const struct system *system = snapshot->system;
    double x, y;
    snapshot_unwrapped(snapshot, id, &x, &y);
    int side = x < system->boundary.width / 2 ? -1 : 1;
    if (tracer->looks == 0)
        tracer->side[id] = (signed char)side;
    if (lag == 0) {
        tracer->x[id] = x;
        tracer->y[id] = y;
        tracer->counts[origin] += is_inside(tracer, system, x, y);
    } else if (is_inside(tracer, system, tracer->x[id], tracer->y[id])) {
        double dx = x - tracer->x[id];
        double dy = y - tracer->y[id];
        tracer->squares[tracer->looks] += dx * dx + dy * dy;
    }
    return tracer->side[id] * side;
}

static enum status tracer_sample(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct tracer *tracer = (struct tracer *)observer;
    double sum = 0;
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++)
        sum += look_at(tracer, snapshot, k);
    tracer->segregation[tracer->looks] = sum / (double)snapshot->system->count;
    tracer->looks++;
    observer->next_sample = tracer->looks < tracer->max_samples
                                ? tracer->start + (double)tracer->looks * tracer->interval
                                : (double)INFINITY;
    return STATUS_DONE;
}

void tracer_init(struct tracer *tracer, const struct system *system, double start, double interval,
                 size_t lags, size_t looks, double margin)
{
    static const struct observer_operations operations = {.sample = tracer_sample};
    *tracer = (struct tracer){.observer = {.operations = &operations, .next_sample = start},
                              .start = start,
                              .interval = interval,
                              .margin = margin,
                              .area = (system->boundary.width - 2 * margin) *
                                      (system->boundary.height - 2 * margin),
                              .lags = lags,
                              .max_samples = looks};
    tracer->x = allocate(system->count, sizeof *tracer->x);
    tracer->y = allocate(system->count, sizeof *tracer->y);
    tracer->side = allocate(system->count, sizeof *tracer->side);
    tracer->segregation = allocate(looks, sizeof *tracer->segregation);
    tracer->squares = allocate(looks, sizeof *tracer->squares);
    tracer->counts = allocate(looks, sizeof *tracer->counts);
    for (size_t look = 0; look < looks; look++)
        tracer->squares[look] = tracer->counts[look] = 0;
}

void tracer_free(struct tracer *tracer)
{
    memory_free(tracer->x);
    memory_free(tracer->y);
    memory_free(tracer->side);
    memory_free(tracer->segregation);
    memory_free(tracer->squares);
    memory_free(tracer->counts);
}

double tracer_density(const struct tracer *tracer)
{
    const size_t origins = tracer->looks / tracer->lags;
    double sum = 0;
    for (size_t origin = 0; origin < origins; origin++)
        sum += tracer->counts[origin];
    return sum / ((double)origins * tracer->area);
}

double tracer_slope(const double *values, size_t first, size_t last)
{
    const double middle = (double)(first + last) / 2;
    double up = 0, across = 0;
    for (size_t lag = first; lag <= last; lag++) {
        const double off = (double)lag - middle;
        up += off * values[lag];
        across += off * off;
    }
    return up / across;
}

struct measured_mean tracer_diffusion(const struct tracer *tracer, size_t first, size_t last)
{
    const size_t origins = tracer->looks / tracer->lags;
    double *values = allocate(origins, sizeof *values);
    for (size_t origin = 0; origin < origins; origin++)
        values[origin] = tracer_slope(tracer->squares + origin * tracer->lags, first, last) /
                         (4 * tracer->interval * tracer->counts[origin]);
    const struct measured_mean estimate = measure_estimate(values, origins);
    memory_free(values);
    return estimate;
}

double tracer_bend(const struct tracer *tracer, size_t first, size_t last)
{
    const double middle = (double)(first + last) / 2;
    double *sums = allocate(tracer->lags, sizeof *sums);
    double mean = 0, bend = 0;
    for (size_t lag = first; lag <= last; lag++) {
        sums[lag] = 0;
        for (size_t look = lag; look < tracer->looks; look += tracer->lags)
            sums[lag] += tracer->squares[look];
        mean += sums[lag] / (double)(last - first + 1);
    }
    const double slope = tracer_slope(sums, first, last);
    for (size_t lag = first; lag <= last; lag++)
        bend = fmax(bend, fabs(sums[lag] / (mean + slope * ((double)lag - middle)) - 1));
    memory_free(sums);
    return bend;
}

double tracer_enskog(double contact_value, double density, double temperature)
{
    return sqrt(temperature / pi) / (4 * density * contact_value);
}

double tracer_tail(double area_fraction, double contact_value, double temperature)
{
    const double density = area_fraction / pi;
    const double crowd = 2 * area_fraction;
    const double viscosity = sqrt(temperature / pi) / (4 * density) *
                             (1 / contact_value + crowd + 0.8729 * crowd * crowd * contact_value);
    const double diffusion = tracer_enskog(contact_value, density, temperature);
    return temperature / (8 * pi * density * (viscosity + diffusion));
}
