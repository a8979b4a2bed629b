/*
 * Watching disks diffuse; see tracer.h.
 */
#include "tracer.h"

#include "base/memory.h"
#include "measure.h"
#include "model/physics.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void *allocate(size_t count, size_t size)
{
    struct error error;
    void *block = memory_allocate(count, size, "the tracer", &error);
    if (!block)
        measure_fail(error.message);
    return block;
}

static int is_inside(const struct tracer *tracer, const struct system *system, double x, double y)
{
    return x >= tracer->margin && x <= system->boundary.width - tracer->margin &&
           y >= tracer->margin && y <= system->boundary.height - tracer->margin;
}

/* Looks at one disk, `lag` looks after the origin. Returns 1 if it is on its side, -1 otherwise. */
static int look_at(struct tracer *tracer, const struct snapshot *snapshot, size_t id, size_t lag)
{
    const struct system *system = snapshot->system;
    double x;
    double y;
    snapshot_position(snapshot, id, &x, &y);
    int side = x < system->boundary.width / 2 ? -1 : 1;
    if (tracer->looks == 0)
        tracer->side[id] = (signed char)side;
    if (lag == 0) {
        tracer->x[id] = x;
        tracer->y[id] = y;
    } else if (is_inside(tracer, system, tracer->x[id], tracer->y[id])) {
        double dx = x - tracer->x[id];
        double dy = y - tracer->y[id];
        tracer->squares[lag] += dx * dx + dy * dy;
        tracer->counts[lag]++;
    }
    return tracer->side[id] * side;
}

static enum status tracer_look(struct observer *observer, const struct snapshot *snapshot,
                               struct error *error)
{
    struct tracer *tracer = (struct tracer *)observer;
    double sum = 0;
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++)
        sum += look_at(tracer, snapshot, k, tracer->looks % tracer->lags);
    tracer->segregation[tracer->looks] = sum / (double)snapshot->system->count;
    tracer->looks++;
    observer->next_look = tracer->looks < tracer->most_segregations
                              ? tracer->start + (double)tracer->looks * tracer->interval
                              : (double)INFINITY;
    return STATUS_DONE;
}

void tracer_init(struct tracer *tracer, const struct system *system, double start, double interval,
                 size_t lags, size_t looks, double margin)
{
    static const struct observer_operations operations = {.look = tracer_look};
    *tracer = (struct tracer){.observer = {.operations = &operations, .next_look = start},
                              .start = start,
                              .interval = interval,
                              .margin = margin,
                              .lags = lags,
                              .most_segregations = looks};
    tracer->x = allocate(system->count, sizeof *tracer->x);
    tracer->y = allocate(system->count, sizeof *tracer->y);
    tracer->side = allocate(system->count, sizeof *tracer->side);
    tracer->segregation = allocate(looks, sizeof *tracer->segregation);
}

void tracer_free(struct tracer *tracer)
{
    memory_free(tracer->x);
    memory_free(tracer->y);
    memory_free(tracer->side);
    memory_free(tracer->segregation);
}

double tracer_displacement(const struct tracer *tracer, size_t lag)
{
    return tracer->squares[lag] / tracer->counts[lag];
}

double tracer_diffusion(const struct tracer *tracer, size_t first, size_t last, double *bend)
{
    double count = (double)(last - first + 1);
    double middle = (double)(first + last) / 2;
    double mean = 0;
    double up = 0;
    double across = 0;
    for (size_t lag = first; lag <= last; lag++)
        mean += tracer_displacement(tracer, lag) / count;
    for (size_t lag = first; lag <= last; lag++) {
        double off = (double)lag - middle;
        up += off * tracer_displacement(tracer, lag);
        across += off * off;
    }
    *bend = 0;
    for (size_t lag = first; lag <= last; lag++) {
        double line = mean + up / across * ((double)lag - middle);
        *bend = fmax(*bend, fabs(tracer_displacement(tracer, lag) / line - 1));
    }
    return up / across / tracer->interval / 4;
}

double tracer_enskog(double contact_value, double density, double temperature)
{
    return sqrt(temperature / pi) / (4 * density * contact_value);
}
