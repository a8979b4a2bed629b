/*
 * Velocities of a stream, and walls that act; see boundary_law.h.
 *
 * In a stream, in units of the thermal speed sigma = sqrt(T / m), the component along the seam is
 * normal. The other one, w, has a density proportional to g(w) = |w| e^(-(w - s)^2 / 2) with s = U
 * / sigma at the seam in x, and s = 0 at the seam in y. It is drawn by rejection (J. von Neumann,
 * Various techniques used in connection with random digits, 1951), which is exact:
 *
 * On each side of 0 the density has one peak. With p = (s + sqrt(s^2 + 4)) / 2 these are at p and
 * at -1 / p. The logarithm of g is everywhere as curved as the logarithm of a normal distribution,
 * or more, so on the side of a peak q it is less than the logarithm of g(q) e^(-(w - q)^2 / 2), by
 * a factor r e^(1-r) with r = w / q. So one of the peaks is chosen with a probability proportional
 * to its height, a normal number around it is proposed, and accepted with the probability r
 * e^(1-r), if it is on the side of the peak. The height of the peak at -1 / p is e^(-s sqrt(s^2 +
 * 4) / 2) / p^2 times the height of the other. Against the stream this is computed for its mirror
 * image, where s > 0. It takes 1.5 proposals on average where s = 0, and fewer elsewhere.
 */
#include "model/boundary_law.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>

static const double e = 2.71828182845904523536;

/* A number w with the density |w| e^(-(w - s)^2 / 2), s >= 0; and a normal one. */
static double draw_flux(struct random_generator *generator, double s, double *normal)
{
    const double root = sqrt(s * s + 4);
    const double ahead = (s + root) / 2;
    const double height = elementary_exp(-s * root / 2) / (ahead * ahead);
    double peak, ratio;
    do {
        double around;
        peak = random_unit(generator) * (1 + height) < height ? -1 / ahead : ahead;
        random_normal(generator, &around, normal);
        ratio = 1 + around / peak;
    } while (ratio <= 0 || random_unit(generator) >= e * ratio * elementary_exp(-ratio));
    return peak * ratio;
}

void stream_draw(const struct stream *stream, struct particle *particle, double mass, int32_t side)
{
    const double sigma = sqrt(stream->temperature / mass);
    const int is_across = side >= FEATURE_RIGHT; /* the stream crosses the seam, or goes along it */
    const double direction = copysign(1, stream->speed);
    struct random_generator generator;
    double normal;
    random_seed_draw(&generator, stream->seed, (uint32_t)particle->id, particle->draws++);
    const double flux =
        sigma * draw_flux(&generator, is_across ? fabs(stream->speed) / sigma : 0, &normal);
    particle->u = is_across ? direction * flux : stream->speed + sigma * normal;
    particle->v = is_across ? sigma * normal : flux;
}

/*
 * In d dimensions it is the mean for U = 0, times e^-x M((d + 1) / 2, d / 2, x) with x = s^2 and
 * Kummer's function M(a, b, x) = 1 + a / b x + a (a + 1) / (b (b + 1)) x^2 / 2 + ..., all of whose
 * terms are positive. From x = 40 on the first terms of the series in 1 / x are exact enough; in
 * one dimension that is |U|.
 */
double stream_mean_speed(const struct stream *stream, double mass, int dimensions)
{
    static const double root = 0.79788456080286536; /* sqrt(2 / pi) */
    const double mean = dimensions == 1 ? root : 1 / root;
    const double sigma = sqrt(stream->temperature / mass);
    const double x = stream->speed / sigma * (stream->speed / sigma) / 2;
    double sum = 1;
    if (x > 40)
        return fabs(stream->speed) * (dimensions == 1 ? 1 : 1 + (1 + 1 / (8 * x)) / (4 * x));
    double term = 1;
    for (int n = 1; term > sum * 1e-17; n++) {
        const double b = 0.5 * dimensions + (n - 1);
        term *= x / (b * n / (b + 0.5));
        sum += term;
    }
    return sigma * mean * elementary_exp(-x) * sum;
}

struct stream stream_make(double speed, double temperature, uint64_t seed)
{
    return (struct stream){stream_draw, speed, temperature, seed};
}

/* Velocities are relative to the first one, so that it is 0 if all are equal. */
double stream_find_temperature(const struct system *system)
{
    struct sum mass = {0}, momentum[2] = {{0}}, energy = {0};
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

/* Checks the thermal speeds of all masses of a system at the temperature of a stream or a wall. */
static enum status stream_check_masses(const struct system *system, double temperature,
                                       const char *what, struct error *error)
{
    for (size_t k = 0; k == 0 || k < system->kind_count; k++) {
        const double mass = system->kind_count > 0 ? system->kinds[k].mass : 1;
        const double sigma = sqrt(temperature / mass);
        if (!(sigma >= SYSTEM_SMALLEST && sigma <= STREAM_FASTEST))
            return error_set(error, STATUS_BAD_DATA,
                             "a %s of temperature %g gives particles of mass %g a thermal speed of "
                             "%g, and it must be from %g to %g",
                             what, temperature, mass, sigma, SYSTEM_SMALLEST, STREAM_FASTEST);
    }
    return STATUS_DONE;
}

enum status stream_complete(struct system *system, struct error *error)
{
    struct stream *stream = &system->boundary.stream;
    if (stream->temperature == 0)
        stream->temperature = stream_find_temperature(system);
    if (!(stream->temperature > 0))
        return error_set(error, STATUS_BAD_DATA,
                         "the particles have no temperature that the stream could take, for they "
                         "all have one velocity: give --stream-temperature=T");
    return stream_check_masses(system, stream->temperature, "stream", error);
}

#define WALL_KEY_ROW(name, ...) {#name, __VA_ARGS__},

const struct wall_key wall_keys[WALL_KEY_COUNT] = {WALL_KEYS(WALL_KEY_ROW)};

struct wall_laws *wall_laws_create(size_t polygons, uint64_t seed, struct error *error)
{
    const size_t count = BOUNDARY_SIDES + polygons;
    const size_t heads = sizeof(struct wall_laws) / sizeof(struct wall_law) + 1;
    struct wall_laws *laws =
        memory_allocate(heads + count, sizeof(struct wall_law), "the walls", error);
    if (!laws)
        return NULL;
    *laws = (struct wall_laws){.seed = seed, .coldest = STREAM_HOTTEST, .count = count};
    for (size_t k = 0; k < count * WALL_KEY_COUNT; k++)
        laws->list[k / WALL_KEY_COUNT].values[k % WALL_KEY_COUNT] =
            wall_keys[k % WALL_KEY_COUNT].smooth;
    return laws;
}

void wall_laws_shake(struct boundary *boundary)
{
    const struct wall_law *bottom = wall_laws_find(boundary, FEATURE_BOTTOM);
    boundary->shake = (struct boundary_shake){0, 0, 0};
    if (bottom && bottom->shake > 0)
        boundary->shake = (struct boundary_shake){bottom->shake, bottom->period, 1};
}

enum status wall_laws_complete(struct wall_laws *laws, const struct system *system,
                               struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < laws->count && !status; k++) {
        const struct wall_law *law = &laws->list[k];
        laws->hottest = fmax(laws->hottest, law->temperature);
        laws->fastest = fmax(laws->fastest, fabs(law->speed));
        laws->absorb |= law->absorb > 0;
        if (law->temperature > 0) {
            laws->coldest = fmin(laws->coldest, law->temperature);
            status = stream_check_masses(system, law->temperature, "wall", error);
        }
    }
    return status;
}

void wall_act(const struct system *system, const struct wall_law *law, double nx, double ny,
              double sense, struct particle *particle)
{
    struct random_generator generator;
    double part = 0;
    double along, other;
    if (law->temperature > 0)
        random_seed_draw(&generator, system->boundary.walls->seed, (uint32_t)particle->id,
                         particle->draws++);
    if (law->temperature > 0 && random_unit(&generator) < law->accommodation) {
        const double sigma = sqrt(law->temperature / system_mass(system, particle));
        while (part == 0)
            part = random_unit(&generator);
        const double across = sigma * sqrt(-2 * elementary_log(part));
        random_normal(&generator, &along, &other);
        along = sense * (law->speed + sigma * along);
        particle->u = across * nx + along * ny;
        particle->v = across * ny - along * nx;
    } else if (system_loses(system, particle->t - particle->collided,
                            particle->u * nx + particle->v * ny)) {
        const double lost = (1 - law->restitution) * (particle->u * nx + particle->v * ny);
        particle->u -= lost * nx;
        particle->v -= lost * ny;
    }
}
