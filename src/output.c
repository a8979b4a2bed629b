/*
 * Writing the answer; see output.h.
 */
#include "output.h"

#include "physics.h"
#include "text.h"

#include <inttypes.h>

enum status output_write(const struct system *system, double end_time, FILE *stream,
                         const char *name, struct error *error)
{
    int written = 0;
    for (size_t index = 0; index < system->count && written >= 0; index++) {
        const struct particle *particle = &system->particles[index];
        double x;
        double y;
        physics_position(system, index, end_time, &x, &y);
        written = fprintf(stream, "%.6f, %.6f, %" PRIu64 ", %" PRIu64 "\n", x, y,
                          particle->wall_collisions, particle->particle_collisions);
    }
    return text_flush(stream, name, error);
}
