/*
 * The kinds of interactions and constraints.
 */
#ifndef PARTICLES_PARTS_H
#define PARTICLES_PARTS_H

#include "part.h"

extern const struct part_kind gravity_kind, drag_kind, spring_kind, lennard_jones_kind,
    gravitation_kind, coulomb_kind, sph_kind;

extern const struct part_kind contact_kind, link_kind, pin_kind, walls_kind;

#endif
