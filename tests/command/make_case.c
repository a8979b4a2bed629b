/*
 * make_case SEED: writes a small random input file to standard output, every number with all its
 * digits.
 */
#include "random_system.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct random_generator random = random_from(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    size_t count = 1 + random_below(&random, 12);
    double area_fraction = 0.02 + 0.4 * random_unit(&random);
    struct system system = random_system(&random, count, area_fraction, 0.3 + random_unit(&random));
    printf("%zu\n%.17g\n%.17g %.17g\n", count, system.radius, system.boundary.width,
           system.boundary.height);
    for (size_t k = 0; k < count; k++) {
        const struct particle *p = &system.particles[k];
        printf("%.17g %.17g %.17g %.17g\n", p->x, p->y, p->u, p->v);
    }
    system_free(&system);
    return 0;
}
