/*
 * What kinetic theory predicts for a fluid of hard disks in equilibrium: Enskog's theory, which
 * takes two disks that meet for strangers to each other, but knows how crowded they are. All that
 * it needs to know about that is the contact value: how much more often than in an ideal gas two
 * centres are one contact distance apart.
 */
#ifndef PARTICLES_ENSKOG_H
#define PARTICLES_ENSKOG_H

#include "model/system.h"

/* Where the fluid freezes, and the predictions end (about; that of equal disks). */
#define ENSKOG_MOST_AREA_FRACTION 0.7

/* For so many kinds of particles, at most, there are predictions. */
enum { ENSKOG_MOST_KINDS = 64 };

/* A prediction; NAN where there is none. */
struct enskog {
    double collision_rate;  /* with other particles, per particle and time */
    double compressibility; /* p A / (N k T) */
};

/* The part of the box that the disks cover: sum of pi R^2 / (Lx Ly). */
double enskog_area_fraction(const struct system *system);

/*
 * The contact value of equal disks, (1 - 7 f / 16) / (1 - f)^2 at area fraction f (D. Henderson, A
 * simple equation of state for hard discs, Mol. Phys. 30, 1975, his equation of state being
 * 1 + 2 f g).
 */
double enskog_contact_value(double area_fraction);

/*
 * The prediction for `system` filling its box evenly, with k T = `temperature`, energy. There is
 * one only if collisions conserve energy and momentum, the disks are a fluid, and there are at
 * most ENSKOG_MOST_KINDS kinds of them.
 */
struct enskog enskog_predict(const struct system *system, double temperature);

#endif
