/*
 * What Enskog's kinetic theory predicts for a fluid of hard disks in equilibrium. It assumes that
 * the velocities of two disks that collide are independent, but takes into account how crowded the
 * disks are, by the contact value: how much more often than in an ideal gas two centres are one
 * contact distance apart.
 */
#ifndef PARTICLES_ENSKOG_H
#define PARTICLES_ENSKOG_H

#include "model/system.h"

/* The area fraction at which equal disks freeze, about: there are no predictions beyond it. */
#define ENSKOG_MOST_AREA_FRACTION 0.7

/* There are no predictions for more kinds of particles. */
enum { ENSKOG_MOST_KINDS = 64 };

/* A prediction; NAN where there is none. */
struct enskog {
    double collision_rate;  /* with other particles, per particle and time */
    double compressibility; /* p A / (N k T) */
    double sound_speed;     /* c, length per time */
};

/* The part of the free area that the disks cover: sum of pi R^2 / area, in a box Lx Ly. */
double enskog_area_fraction(const struct system *system);

/*
 * The contact value of equal disks, (1 - 7 f / 16) / (1 - f)^2 at area fraction f (D. Henderson, A
 * simple equation of state for hard discs, Mol. Phys. 30, 1975, his equation of state being
 * 1 + 2 f g).
 */
double enskog_contact_value(double area_fraction);

/*
 * The contact value of equal disks that collide with each other at `collision_rate`, per particle,
 * at k T = `temperature`: what Enskog's collision rate says of it, if speeds are Maxwell's. NAN for
 * disks of several radii or masses, and if collisions do not conserve energy and momentum.
 */
double enskog_measured_contact_value(const struct system *system, double collision_rate,
                                     double temperature);

/* The radius of the disks, length; NAN if they have several. */
double enskog_radius(const struct system *system);

/*
 * The prediction for `system`, its particles spread evenly over the box, at k T = `temperature`, an
 * energy. There is one only if collisions conserve energy and momentum, the disks are a fluid, and
 * there are at most ENSKOG_MOST_KINDS kinds of them.
 */
struct enskog enskog_predict(const struct system *system, double temperature);

/* The same if there were `crowding` times as many particles. */
struct enskog enskog_predict_at(const struct system *system, double temperature, double crowding);

#endif
