/*
 * Local variables that free what they own where their block ends, whichever way it is left.
 */
#ifndef PARTICLES_TESTS_OWNED_H
#define PARTICLES_TESTS_OWNED_H

/* Declares `struct type name`, whose block ends with type_free(&name): OWNED(system, gas) = ...; */
#define OWNED(type, name) struct type name __attribute__((cleanup(type##_free)))

#endif
