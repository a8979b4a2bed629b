/*
 * The lists of all interactions and constraints; see part.h.
 */
#include "parts.h"

const struct part_kind *const interaction_kinds[] = {
    &gravity_kind,     &drag_kind,    &spring_kind, &lennard_jones_kind,
    &gravitation_kind, &coulomb_kind, &sph_kind,    NULL};

const struct part_kind *const constraint_kinds[] = {&contact_kind, &link_kind, &pin_kind,
                                                    &walls_kind, NULL};
