/* make_case SEED [AXES]: writes a small random input file to standard output, every number with all
 * its digits; one for a box with these periodic axes, x, y or xy. */
#include "random_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct random_generator random = random_from(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    size_t count = 1 + random_below(&random, 12);
    double area_fraction = 0.02 + 0.4 * random_unit(&random);
    OWNED(system, system) =
        random_system(&random, count, area_fraction, 0.3 + random_unit(&random));
    if (argc > 2)
        random_periodic(&random, &system,
                        (strchr(argv[2], 'x') ? PERIODIC_X : 0u) |
                            (strchr(argv[2], 'y') ? PERIODIC_Y : 0u));
    printf("%zu\n%.17g\n%.17g %.17g\n", count, system.radius, system.boundary.width,
           system.boundary.height);
    for (size_t k = 0; k < count; k++) {
        const struct particle *p = &system.particles[k];
        printf("%.17g %.17g %.17g %.17g\n", p->x, p->y, p->u, p->v);
    }
    return 0;
}
