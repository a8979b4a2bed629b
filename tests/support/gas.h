/* Gases of elastic disks, as physics measures them: shared by the program physics, which makes the
 * validation tables, and by the tests that are a small part of it. */
#ifndef PARTICLES_TESTS_GAS_H
#define PARTICLES_TESTS_GAS_H

#include "run/observer.h"
#include "schedule/schedule.h"

/* `count` disks of radius 1 and mass 1, root mean square speed about 1, in a square box: placed
 * and moving as --generate makes them, and elastic. The caller frees the system. */
struct system gas_create(size_t count, double area_fraction, uint64_t seed);

/* A gas in a box without walls: both axes are periodic, and the total momentum is 0. */
struct system gas_create_periodic(size_t count, double area_fraction, uint64_t seed);

/* Gives every second disk the radius `radius`, at most 1, and the mass `mass`. */
void gas_mix(struct system *system, double radius, double mass);

/* k T: kinetic energy per particle. */
double gas_temperature(const struct system *system);

/* Runs from time 0, or the last collision of an earlier run, to `end_time` with this kind of
 * schedule, with `observer`, or with none if that is NULL. */
void gas_run(struct system *system, enum schedule_kind kind, double end_time,
             struct observer *observer);

/* The contact value g of equal disks up to freezing, from a fit to simulations in periodic boxes,
 * which gives Z = 1 + 2 f g to 10^-6 (J. Kolafa and M. Rottner, Mol. Phys. 104, 3435, 2006). */
double gas_contact_value(double area_fraction);

/* Henderson's approximation of it, (1 - 7 f / 16) / (1 - f)^2: Mol. Phys. 30, 1975. */
static inline double gas_henderson(double area_fraction)
{
    return (1 - 7 * area_fraction / 16) / ((1 - area_fraction) * (1 - area_fraction));
}

/* How much the disks are one hexagonal crystal: |mean of exp(6 i angle)| over all bonds, which are
 * pairs closer than 1.4 times the spacing of a hexagonal lattice of this density. 1: a perfect
 * crystal; a fluid of N disks has about 1 / sqrt(N). Takes O(N^2) time. */
double gas_bond_order(const struct system *system, double time);

/* How far the speeds are from Maxwell's distribution: the Kolmogorov-Smirnov statistic of the
 * energies against the exponential distribution with their mean, in M. Stephens' form for any N
 * (J. Am. Stat. Assoc. 69, 1974), which exceeds GAS_KOLMOGOROV_1_PERCENT once in 100 times if the
 * distribution is Maxwell's. Masses must be equal. */
double gas_kolmogorov(const struct system *system);
#define GAS_KOLMOGOROV_1_PERCENT 1.308

/* <c^4> / <c^2>^2 of the speeds: 2 for Maxwell's, up to about 2 / sqrt(N). */
double gas_kurtosis(const struct system *system);

#endif
