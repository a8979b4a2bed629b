/*
 * Velocities of a stream; see stream.h.
 *
 * In units of the thermal speed sigma = sqrt(T / m), the component along the seam is normal. The
 * other one, w > 0 away from the seam, has a density proportional to w e^(-(w - s)^2 / 2), with
 * s = U / sigma for particles that go to the right and -U / sigma for those that go to the left.
 * Both ways of drawing it propose a number and accept it with some probability (rejection; J. von
 * Neumann, Various techniques used in connection with random digits, 1951), and are exact:
 *
 *   - The density is largest at w* = (s + sqrt(s^2 + 4)) / 2. Its logarithm is everywhere as
 *     curved as that of a normal distribution, or more. So a normal number around w* is proposed,
 *     and accepted with the probability r e^(1 - r) where r = w / w*.
 *   - Where s is less than -1.3, that is against the stream, w* is small, and most proposals would
 *     be negative. There w e^(s w) is proposed, the sum of two exponential numbers, and
 *     accepted with the probability e^(-w^2 / 2).
 */
#include "model/stream.h"

#include "base/elementary.h"
#include "base/random.h"
#include "base/sum.h"

#include <math.h>

static const double e = 2.71828182845904523536;

/* The least s for the first way: there both take 2.2 proposals on average, elsewhere the one that
 * is chosen takes fewer. */
static const double LEAST_AROUND_PEAK = -1.3;

static double propose_around(struct random_generator *generator, double s, double *acceptance)
{
    const double peak = (s + sqrt(s * s + 4)) / 2;
    double normal, unused;
    random_normal(generator, &normal, &unused);
    const double ratio = 1 + normal / peak;
    *acceptance = ratio > 0 ? e * ratio * elementary_exp(-ratio) : 0;
    return peak + normal;
}

static double propose_against(struct random_generator *generator, double s, double *acceptance)
{
    const double product = (1 - random_unit(generator)) * (1 - random_unit(generator));
    const double w = elementary_log(product) / s;
    *acceptance = elementary_exp(-w * w / 2);
    return w;
}

/* A number w > 0 with the density w e^(-(w - s)^2 / 2). */
static double draw_away(struct random_generator *generator, double s)
{
    double w, acceptance;
    do {
        w = s < LEAST_AROUND_PEAK ? propose_against(generator, s, &acceptance)
                                  : propose_around(generator, s, &acceptance);
    } while (random_unit(generator) >= acceptance || w <= 0);
    return w;
}

void stream_draw(const struct stream *stream, struct particle *particle, double mass,
                 int32_t feature)
{
    const double sigma = sqrt(stream->temperature / mass);
    const double side = feature == FEATURE_RIGHT ? 1 : -1;
    struct random_generator generator;
    double normal, unused;
    random_seed_draw(&generator, stream->seed, (uint32_t)particle->id, particle->draws++);
    particle->u = side * sigma * draw_away(&generator, side * stream->speed / sigma);
    random_normal(&generator, &normal, &unused);
    particle->v = sigma * normal;
}

struct stream stream_make(double speed, double temperature, uint64_t seed)
{
    return (struct stream){stream_draw, speed, temperature, seed};
}

/* The temperature of all particles, relative to the velocity of their centre of mass. Velocities
 * are taken relative to that of the first one, so that the temperature is 0 if all are equal. */
static double find_temperature(const struct system *system)
{
    struct sum mass = {0};
    struct sum momentum[2] = {{0}};
    struct sum energy = {0};
    const struct particle *first = &system->particles[0];
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double m = system_mass(system, p);
        sum_add(&mass, m);
        sum_add(&momentum[0], m * (p->u - first->u));
        sum_add(&momentum[1], m * (p->v - first->v));
    }
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double u = p->u - first->u - sum_value(&momentum[0]) / sum_value(&mass);
        const double v = p->v - first->v - sum_value(&momentum[1]) / sum_value(&mass);
        sum_add(&energy, 0.5 * system_mass(system, p) * (u * u + v * v));
    }
    return system->count > 1 ? sum_value(&energy) / (double)(system->count - 1) : 0;
}

/* Checks that the thermal speed of a mass is one that particles may have. */
static enum status check_mass(const struct stream *stream, double mass, struct error *error)
{
    const double sigma = sqrt(stream->temperature / mass);
    if (sigma >= SYSTEM_SMALLEST && sigma <= STREAM_FASTEST)
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "a stream of temperature %g gives particles of mass %g a thermal speed of %g, "
                     "and it must be from %g to %g",
                     stream->temperature, mass, sigma, SYSTEM_SMALLEST, STREAM_FASTEST);
}

enum status stream_complete(struct system *system, struct error *error)
{
    struct stream *stream = &system->boundary.stream;
    if (stream->temperature == 0)
        stream->temperature = find_temperature(system);
    if (!(stream->temperature > 0))
        return error_set(error, STATUS_BAD_DATA,
                         "the particles have no temperature that the stream could take, for they "
                         "all have one velocity: give --stream-temperature=T");
    enum status status = system->kind_count > 0 ? STATUS_DONE : check_mass(stream, 1, error);
    for (size_t k = 0; k < system->kind_count && !status; k++)
        status = check_mass(stream, system->kinds[k].mass, error);
    return status;
}
