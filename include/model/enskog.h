/* Enskog's kinetic theory of a fluid of hard disks: its predictions for a system. */
#ifndef PARTICLES_ENSKOG_H
#define PARTICLES_ENSKOG_H

#include "model/system.h"

/* There are predictions up to this area fraction, where equal disks freeze, and number of kinds. */
#define ENSKOG_MAX_AREA_FRACTION 0.7
enum { ENSKOG_MAX_KINDS = 64 };

/*
 * A prediction of Enskog's kinetic theory for a fluid of hard disks in equilibrium; NAN where there
 * is none. It assumes that the velocities of two disks that collide are independent, but accounts
 * for their density by the contact value: how much more often than in an ideal gas two centres are
 * one contact distance apart.
 */
struct enskog {
    double collision_rate;  /* with other particles, per particle and time */
    double compressibility; /* p A / (N k T) */
    double sound_speed;     /* c, length per time */
    double mass;            /* of a particle, the mean */
    /* The first two of no more disks than there are: one has N - 1 partners, N_i - 1 of its own
     * kind. And the parts of that rate by pairs of species, in the order of class_pair, if there
     * are up to CLASSES_MAX of these: as predicted, and if all contact values were 1. */
    double few_rate, few_compressibility;
    struct enskog_pair {
        double rate, ideal_rate;
    } pairs[CLASS_PAIRS];
};

/* An amount per free area. */
double enskog_per_area(const struct system *system, double amount);

/* The fraction of the free area that the disks cover: sum of pi R^2 / area. */
double enskog_area_fraction(const struct system *system);

/* The prediction for `system`, but `crowding` times as many particles, spread evenly over the box,
 * at k T = `temperature`. There is one only if collisions conserve energy and momentum. */
struct enskog enskog_predict(const struct system *system, double temperature, double crowding);

/* Its transport coefficients for disks that are all alike and elastic, otherwise NAN (D. Gass,
 * Enskog theory for a rigid disk fluid, J. Chem. Phys. 54, 1971; of the diffusion the third
 * approximation). */
struct enskog_transport {
    double viscosity; /* mass per time */
    double heat;      /* conductivity, 1 per time, as Boltzmann's constant is 1 */
    double diffusion; /* of a disk, length^2 per time */
};

struct enskog_transport enskog_transport(const struct system *system, double temperature);

/* The mean number of collisions of a disk in the time in which disks heavier than a power of 2 and
 * lighter ones exchange their energy, for the power that makes it longest; 0: there is none. A
 * collision of masses m and n passes on 2 (1 + restitution) m n / (m + n)^2 of the difference of
 * their temperatures. Walls that act and streams keep the temperature of the lighter ones. */
double enskog_exchange(const struct system *system);

/* The radius and the mass of the disks; NAN if they have several. */
struct particle_kind enskog_common_kind(const struct system *system);

#endif
