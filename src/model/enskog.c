/* Enskog's predictions; see model/enskog.h. */
#include "model/enskog.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "model/region.h"

#include <math.h>
#include <string.h>

/*
 * Let n be number densities, s = R_i + R_j the contact distance of kinds i
 * and j, and M = m_i m_j / (m_i + m_j) their reduced mass. A particle of kind i collides with
 * particles of kind j at the rate n_j s g sqrt(2 pi k T / M), which is the flux of relative
 * velocities, mean |w.n| over all directions, through a circle of radius s, times the contact value
 * g (S. Chapman and T. Cowling, The mathematical theory of non-uniform gases, chapters 5 and 16,
 * for spheres). For equal disks this is 2 n s g sqrt(pi k T / m). From the same contacts, by the
 * virial theorem,
 *     p A / (N k T) = 1 + pi / (2 n) sum over i, j of n_i n_j s^2 g,
 * which for equal disks is 1 + 2 f g.
 *
 * The contact value of a mixture is
 *     g = 1 / (1 - f) + 9/8 S R_i R_j / (R_i + R_j) / (1 - f)^2,  S = sum of pi n_k R_k
 * (J. Jenkins and F. Mancini, J. Appl. Mech. 54, 1987; tested by S. Luding and A. Santos, J. Chem.
 * Phys. 121, 2004). For equal disks it is (1 - 7 f / 16) / (1 - f)^2 (D. Henderson, A simple
 * equation of state for hard discs, Mol. Phys. 30, 1975).
 *
 * Sound is faster than in an ideal gas. With Z = p A / (N k T) at area fraction f, mean mass m and
 * the heat capacity k of a disk in two dimensions, thermodynamics gives
 *     c^2 = (k T / m) (Z + f dZ/df + Z^2),
 * which for f = 0 is 2 k T / m (J. Hansen and I. McDonald, Theory of simple liquids, for c^2 from
 * an equation of state).
 */

/* The number density of each kind, and the sums in the formulas above. */
struct enskog_mixture {
    size_t count;
    struct particle_kind kinds[ENSKOG_MAX_KINDS];
    double density[ENSKOG_MAX_KINDS]; /* number per area */
    size_t ranks[ENSKOG_MAX_KINDS];   /* of their species, from 0 */
    double all;                       /* the sum of them */
    double area_fraction;             /* f */
    double rims;                      /* S */
    double mass;                      /* of a particle, the mean */
};

double enskog_per_area(const struct system *system, double amount)
{
    const struct region_reach reach = reach_find(&system->boundary, 0);
    return amount / reach.width / reach.height;
}

double enskog_area_fraction(const struct system *system)
{
    double squares = system->kinds ? 0 : (double)system->count * system->radius * system->radius;
    for (size_t k = 0; k < system->count && system->kinds; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        squares += radius * radius;
    }
    return enskog_per_area(system, PI * squares);
}

/* How many species are before the species of kind k. */
static size_t find_rank(const struct enskog_mixture *mixture, size_t k)
{
    size_t rank = 0;
    for (size_t a = 0; a < mixture->count; a++) {
        int is_new = mixture->kinds[a].species < mixture->kinds[k].species;
        for (size_t b = 0; b < a; b++)
            is_new &= mixture->kinds[b].species != mixture->kinds[a].species;
        rank += (size_t)is_new;
    }
    return rank;
}

COMPILER_APART static struct enskog_mixture find_mixture(const struct system *system,
                                                         double crowding)
{
    struct enskog_mixture mixture = {.count = 1, .kinds = {{.radius = system->radius, .mass = 1}}};
    if (system->kinds) {
        mixture.count = system->kind_count;
        memcpy(mixture.kinds, system->kinds, mixture.count * sizeof *mixture.kinds);
    }
    for (size_t k = 0; k < system->count; k++)
        mixture.density[system->kinds ? system->particles[k].kind : 0] += 1;
    for (size_t k = 0; k < mixture.count; k++) {
        mixture.density[k] = crowding * enskog_per_area(system, mixture.density[k]);
        mixture.all += mixture.density[k];
        mixture.mass += mixture.density[k] * mixture.kinds[k].mass;
        mixture.rims += PI * mixture.density[k] * mixture.kinds[k].radius;
        mixture.ranks[k] = find_rank(&mixture, k);
    }
    mixture.mass /= mixture.all;
    mixture.area_fraction = crowding * enskog_area_fraction(system);
    return mixture;
}

/* The contact value g of two kinds, and f dg/df, its growth with the relative density of all kinds.
 * The contact value of two points is not used, for they do not collide. */
struct enskog_contact {
    double value, growth;
};

static struct enskog_contact contact_value(const struct enskog_mixture *mixture,
                                           const struct particle_kind *i,
                                           const struct particle_kind *j)
{
    const double f = mixture->area_fraction;
    const double room = f <= ENSKOG_MAX_AREA_FRACTION ? 1 - f : (double)NAN;
    const double contact = i->radius + j->radius;
    double curvature = contact > 0 ? i->radius * j->radius / contact : 0;
    double bend = 9.0 / 8 * mixture->rims * curvature / (room * room);
    return (struct enskog_contact){1 / room + bend, f / (room * room) + bend * (1 + 2 * f / room)};
}

double enskog_exchange(const struct system *system)
{
    enum { BINS = 272 }; /* powers of 2, of all masses that there can be */
    uint32_t members[BINS] = {0};
    double masses[BINS] = {0}, radii[BINS] = {0}, exchange[BINS] = {0}; /* sums over them */
    double all = 0, heavy = 0, longest = 0;
    const double count = (double)system->count, loss = (1 + system->law.restitution) / 2;
    const int is_open = system->boundary.walls || system->boundary.stream.draw; /* to heat */
    for (size_t k = 0; k < system->count && system->kinds; k++) {
        const struct particle_kind *kind = &system->kinds[system->particles[k].kind];
        int bin;
        (void)frexp(kind->mass, &bin);
        members[bin += BINS / 2]++;
        masses[bin] += kind->mass;
        radii[bin] += kind->radius;
    }
    for (int i = 0; i < BINS; i++) {
        for (int j = 0; j < BINS && members[i] > 0; j++) {
            const double m = masses[i] / members[i], n = masses[j] / members[j];
            const double rate =
                (members[j] * radii[i] + members[i] * radii[j]) * sqrt(1 / m + 1 / n);
            all += members[j] > 0 ? rate : 0;
            for (int cut = i + 1; cut <= j && members[j] > 0; cut++)
                exchange[cut] += rate * loss * 4 * m * n / ((m + n) * (m + n));
        }
    }
    for (int cut = BINS - 1; cut > 0; cut--) {
        heavy += members[cut] / count;
        if (exchange[cut] > 0)
            longest = fmax(longest, all * heavy * (is_open ? 1 : 1 - heavy) / exchange[cut]);
    }
    return system->law.rule == RULE_ELASTIC ? longest : 0;
}

struct particle_kind enskog_common_kind(const struct system *system)
{
    struct particle_kind common = system->kinds
                                      ? system->kinds[0]
                                      : (struct particle_kind){.radius = system->radius, .mass = 1};
    for (size_t k = 1; k < system->kind_count; k++) {
        if (system->kinds[k].radius != system->kinds[0].radius)
            common.radius = (double)NAN;
        if (system->kinds[k].mass != system->kinds[0].mass)
            common.mass = (double)NAN;
    }
    return common;
}

struct enskog enskog_predict(const struct system *system, double temperature, double crowding)
{
    const double none = (double)NAN;
    struct enskog prediction = {none, none, none, none, none, none, {{0, 0}}};
    /* Collisions conserve energy and momentum; a switch of velocities does if masses are equal. */
    const int is_conservative = system->law.rule == RULE_SWAP
                                    ? !isnan(enskog_common_kind(system).mass)
                                    : system->law.restitution == 1;
    if (!is_conservative || system->kind_count > ENSKOG_MAX_KINDS)
        return prediction;
    const struct enskog_mixture mixture = find_mixture(system, crowding);
    const double own = crowding * enskog_per_area(system, 1);
    double rate = 0, contacts = 0, growth = 0;
    prediction.few_rate = 0;
    prediction.few_compressibility = 1;
    for (size_t a = 0; a < mixture.count; a++) {
        for (size_t b = 0; b < mixture.count; b++) {
            const struct particle_kind *i = &mixture.kinds[a], *j = &mixture.kinds[b];
            double contact = i->radius + j->radius;
            const struct enskog_contact g = contact_value(&mixture, i, j);
            double crossing = mixture.density[a] / mixture.all * mixture.density[b] * contact;
            double crowd = crossing * g.value;
            const double speed = sqrt(2 * PI * temperature * (1 / i->mass + 1 / j->mass));
            const double fewer = a == b ? 1 - own / mixture.density[a] : 1;
            const size_t pair = class_pair(mixture.ranks[a], mixture.ranks[b]);
            rate += crowd * speed;
            contacts += crowd * contact;
            growth += crossing * contact * (g.value + g.growth);
            prediction.few_rate += fewer * crowd * speed;
            prediction.few_compressibility += PI / 2 * fewer * crowd * contact;
            if (pair < CLASS_PAIRS) {
                prediction.pairs[pair].rate += fewer * crowd * speed;
                prediction.pairs[pair].ideal_rate += fewer * crossing * speed;
            }
        }
    }
    prediction.collision_rate = rate;
    const double z = 1 + PI / 2 * contacts;
    prediction.compressibility = z;
    prediction.mass = mixture.mass;
    prediction.sound_speed = sqrt(temperature / mixture.mass * (z + PI / 2 * growth + z * z));
    return prediction;
}

struct enskog_transport enskog_transport(const struct system *system, double temperature)
{
    const struct particle_kind kind = enskog_common_kind(system);
    const double thermal = sqrt(temperature / kind.mass);
    const double diameter = 2 * kind.radius;
    const double covered = enskog_area_fraction(system);
    const double line = 4 * covered / PI / diameter; /* density times diameter */
    const double unit = thermal / sqrt(PI) / diameter;
    const double rate = enskog_predict(system, temperature, 1).collision_rate;
    const double contact = rate > 0 ? rate / (2 * line * sqrt(PI) * thermal) : (double)NAN;
    return (struct enskog_transport){
        0.511 * kind.mass * unit *
            (1 / contact + 2 * covered + 3.4916 * covered * covered * contact),
        2.058 * unit * (1 / contact + 3 * covered + 3.487 * covered * covered * contact),
        1.0271 * 0.5 * diameter * unit / (line * contact)};
}
