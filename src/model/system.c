/*
 * Systems: their memory, their order, and what can be simulated at all. What concerns the boundary
 * is checked in boundary.c, and whether disks overlap each other in overlap.c.
 */
#include "model/system.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* So many particles do not stay in the processor's cache while their order is restored. Of a
 * million it takes a fifth of the time to move them to another block. */
enum { ELSEWHERE_FROM = 20000 };
_Static_assert(sizeof(struct counts) <= sizeof(struct particle), "counts fit where particles do");

static int is_size(double length)
{
    return length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST;
}

enum status system_check_radius(const struct system *system, struct error *error)
{
    if (system->radius != 0 && !is_size(system->radius))
        return error_set(error, STATUS_BAD_DATA, "the radius must be 0 or from %g to %g, not %.17g",
                         SYSTEM_SMALLEST, SYSTEM_LARGEST, system->radius);
    return STATUS_DONE;
}

enum status system_check_box(const struct system *system, struct error *error)
{
    const double sides[2] = {system->boundary.width, system->boundary.height};
    const unsigned axes[2] = {PERIODIC_X, PERIODIC_Y};
    enum status status = boundary_check(&system->boundary, error);
    for (int k = 0; k < 2 && !status; k++) {
        const int is_periodic = (system->boundary.periodic & axes[k]) != 0;
        if (is_periodic && sides[k] < 4 * system->radius)
            status = error_set(error, STATUS_BAD_DATA,
                               "the box's %s, %.17g, is too short to be periodic: it must be at "
                               "least 4 times the radius, %.17g, or a particle could touch another "
                               "one on both sides at once",
                               k == 0 ? "width" : "height", sides[k], system->radius);
        else if (sides[k] < 2 * system->radius)
            status = error_set(error, STATUS_BAD_DATA,
                               "the box's %s, %.17g, is less than a particle's diameter, %.17g",
                               k == 0 ? "width" : "height", sides[k], 2 * system->radius);
    }
    return status;
}

enum status system_check_kind(const struct kind *kind, struct error *error)
{
    if (kind->radius != 0 && !is_size(kind->radius))
        return error_set(error, STATUS_BAD_DATA,
                         "a particle's radius must be 0 or from %g to %g, not %.17g",
                         SYSTEM_SMALLEST, SYSTEM_LARGEST, kind->radius);
    if (!(kind->mass >= SYSTEM_LEAST_MASS && kind->mass <= SYSTEM_LARGEST_MASS))
        return error_set(error, STATUS_BAD_DATA,
                         "a particle's mass must be from %g to %g, not %.17g", SYSTEM_LEAST_MASS,
                         SYSTEM_LARGEST_MASS, kind->mass);
    return STATUS_DONE;
}

enum status system_check_particle(const struct system *system, size_t index, struct error *error)
{
    const struct particle *particle = &system->particles[index];
    return boundary_check_particle(&system->boundary, particle, system_radius(system, particle),
                                   error);
}

double system_fastest(const struct system *system)
{
    double fastest = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        fastest = fmax(fastest, fmax(fabs(p->u), fabs(p->v)));
    }
    return fastest;
}

double system_last_time(const struct system *system)
{
    double time = 0;
    for (size_t k = 0; k < system->count; k++)
        time = fmax(time, system->particles[k].t);
    return time;
}

/*
 * Restores the order by way of another block of memory: there every particle can go to its place at
 * once, while one exchange has to wait for the other. Counts go there and back, so that a second
 * block need not be had. Returns 0, and does nothing, if there is no memory for that.
 */
static int restore_elsewhere(struct system *system)
{
    struct error error; /* of no interest: the caller can do without */
    const size_t count = system->count;
    struct particle *particles =
        memory_allocate_lines(count, sizeof *particles, "the order of the particles", &error);
    if (!particles)
        return 0;
    struct counts *counts = (void *)particles;
    for (size_t k = 0; k < count; k++)
        counts[system->particles[k].id] = system->counts[k];
    memcpy(system->counts, counts, count * sizeof *counts);
    for (size_t k = 0; k < count; k++)
        particles[system->particles[k].id] = system->particles[k];
    memory_free(system->particles);
    system->particles = particles;
    return 1;
}

void system_restore_order(struct system *system)
{
    size_t k = 0;
    while (k < system->count && (size_t)system->particles[k].id == k)
        k++;
    if (system->count - k >= ELSEWHERE_FROM && restore_elsewhere(system))
        return;
    for (; k < system->count; k++)
        while ((size_t)system->particles[k].id != k)
            system_exchange(system, k, (size_t)system->particles[k].id);
}

enum status system_allocate(struct system *system, size_t used, size_t capacity,
                            struct error *error)
{
    struct particle *particles =
        memory_allocate_lines(capacity, sizeof *particles, "the particles", error);
    struct counts *counts =
        particles ? memory_allocate_lines(capacity, sizeof *counts, "the counts", error) : NULL;
    if (!counts) {
        memory_free(particles);
        return STATUS_NO_MEMORY;
    }
    if (used > 0) {
        memcpy(particles, system->particles, used * sizeof *particles);
        memcpy(counts, system->counts, used * sizeof *counts);
    }
    memory_free(system->particles);
    memory_free(system->counts);
    system->particles = particles;
    system->counts = counts;
    return STATUS_DONE;
}

void system_begin(struct system *system, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        system->particles[k] = (struct particle){.collided = -(double)INFINITY, .id = (int32_t)k};
        system->counts[k] = (struct counts){0};
    }
}

enum status system_reserve(struct system *system, size_t used, size_t capacity, struct error *error)
{
    enum status status = system_allocate(system, used, capacity, error);
    if (!status)
        system_begin(system, used, capacity);
    return status;
}

void system_free(struct system *system)
{
    memory_free(system->particles);
    memory_free(system->counts);
    memory_free(system->kinds);
    if (system->boundary.polygons)
        system->boundary.operations->free(system->boundary.polygons);
    *system = (struct system){0};
}
