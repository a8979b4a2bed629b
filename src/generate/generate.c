/*
 * Making up systems: the box, the places, the velocities, and writing them down.
 *
 * Nothing but exact operations, + - * / and sqrt on doubles, which every machine rounds alike, and
 * random numbers of our own: so a seed means the same system everywhere. Coordinates, velocities
 * and the box's sides are decimal numbers with nine places or so (number.h), which are quick to
 * write and to read, and read back as they were.
 */
#include "generate/generate.h"

#include "base/memory.h"
#include "base/random.h"
#include "io/number.h"
#include "io/text.h"
#include "lattice.h"
#include "observe/system_text.h"
#include "random_placement.h"

#include <inttypes.h>
#include <math.h>

/* Up to this area fraction disks are placed by chance: there each takes 6 proposals, but 12 at
 * 0.45 and 50 at 0.5. */
static const double MOST_BY_CHANCE = 0.4;

static const double LEAST_SIDE = 2.1; /* of a box, in radii: room for a disk, and to move */
static const double STEP = 1e-9;      /* of coordinates in radii, and of velocities in speeds */
static const double STRETCH = 1.02;   /* from one shape that is tried to the next */
static const double MOST_AWAY = 1.25; /* how far a shape may go away from a square */
static const double GROWTH = 0.0005;  /* of the area, each time that no shape has served */

static const double MOST_SPEEDS = 2; /* the fastest disk, in root mean squares */
static const double ROUNDING = 1e-6; /* of the area fraction by that of the box, more or less */

static const double PI = 3.14159265358979323846;
static const double SQRT_2 = 1.41421356237309504880;

/* The decimals of coordinates. */
static struct decimals choose_place_decimals(const struct system *system)
{
    return number_choose_decimals(STEP * system->radius,
                                  fmax(system->boundary.width, system->boundary.height));
}

/* The decimals of velocities. */
static struct decimals choose_velocity_decimals(const struct generate_request *request)
{
    return number_choose_decimals(STEP * request->speed, MOST_SPEEDS * request->speed);
}

/* Gives the box this area and aspect, or one that is less long if it would be too narrow. */
static void shape_box(struct system *system, double area, double aspect)
{
    double least = LEAST_SIDE * system->radius;
    double height = fmax(sqrt(area / aspect), least);
    double width = area / height;
    if (width < least) {
        width = least;
        height = fmax(area / width, least);
    }
    system->boundary.width = width;
    system->boundary.height = height;
    struct decimals decimals = choose_place_decimals(system);
    if (decimals.scale > 0) { /* up, so that whatever fits still does */
        system->boundary.width = number_round(&decimals, width + 0.5 / decimals.scale);
        system->boundary.height = number_round(&decimals, height + 0.5 / decimals.scale);
    }
}

/* Finds a box, of this area and aspect or nearly so, that has room for a lattice. */
static struct lattice fit_lattice(struct system *system, double area, double aspect)
{
    struct lattice lattice;
    shape_box(system, area, aspect);
    aspect =
        system->boundary.width / system->boundary.height; /* as it is now, if it was too narrow */
    const double widest = fmax(aspect, 1) * MOST_AWAY;
    const double narrowest = fmin(aspect, 1) / MOST_AWAY;
    for (;; area *= 1 + GROWTH) {
        double wider = aspect;
        double narrower = aspect;
        while (wider <= widest || narrower >= narrowest) {
            shape_box(system, area, wider);
            if (wider <= widest && lattice_find(system, &lattice))
                return lattice;
            shape_box(system, area, narrower);
            if (narrower >= narrowest && lattice_find(system, &lattice))
                return lattice;
            wider *= STRETCH;
            narrower /= STRETCH;
        }
    }
}

/* Chooses the box and places the particles. */
static enum status place(const struct generate_request *request, struct system *system,
                         struct random_generator *generator, struct error *error)
{
    double area = (double)system->count * PI * system->radius * system->radius;
    int is_placed = 0;
    area /= request->area_fraction;
    shape_box(system, area, request->aspect);
    if (fmax(system->boundary.width, system->boundary.height) > SYSTEM_LARGEST)
        return error_set(error, STATUS_USAGE,
                         "the box would be %g wide and %g high, and no side may exceed %g",
                         system->boundary.width, system->boundary.height, SYSTEM_LARGEST);
    if (request->area_fraction <= MOST_BY_CHANCE) {
        struct decimals decimals = choose_place_decimals(system);
        enum status status = random_placement(system, &decimals, generator, &is_placed, error);
        if (status || is_placed)
            return status;
    }
    struct lattice lattice = fit_lattice(system, area, request->aspect);
    struct decimals decimals = choose_place_decimals(system);
    lattice_place(system, &lattice, &decimals, generator);
    return STATUS_DONE;
}

/* Draws velocities from a disc of this radius. Returns their root mean square. */
static double draw_velocities(const struct generate_request *request, struct system *system,
                              struct random_generator *generator, double radius)
{
    const struct decimals decimals = choose_velocity_decimals(request);
    double sum = 0;
    for (size_t k = 0; k < system->count; k++) {
        struct particle *particle = &system->particles[k];
        do {
            random_in_disc(generator, &particle->u, &particle->v);
            particle->u = number_round(&decimals, radius * particle->u);
            particle->v = number_round(&decimals, radius * particle->v);
        } while (particle->u == 0 || particle->v == 0);
        sum += particle->u * particle->u + particle->v * particle->v;
    }
    return sqrt(sum / (double)system->count);
}

/*
 * A disc of radius a holds velocities whose mean square is a^2 / 2, on average. What those that are
 * drawn have instead is made up for by a factor, which is at least 1 / sqrt(2): so none becomes 0.
 * Of a few, one may become too fast by it; then all are drawn again.
 */
static void set_velocities(const struct generate_request *request, struct system *system,
                           struct random_generator *generator)
{
    const double radius = SQRT_2 * request->speed;
    const struct decimals decimals = choose_velocity_decimals(request);
    double factor;
    do {
        factor = request->speed / draw_velocities(request, system, generator, radius);
    } while (factor * system_fastest(system) > MOST_SPEEDS * request->speed);
    for (size_t k = 0; k < system->count; k++) {
        struct particle *particle = &system->particles[k];
        particle->u = number_round(&decimals, factor * particle->u);
        particle->v = number_round(&decimals, factor * particle->v);
    }
}

/* Allocates the particles, all at rest at the origin. */
static enum status create_particles(struct system *system, struct error *error)
{
    double bytes = (double)system->count * (double)sizeof *system->particles;
    if (bytes > memory_physical()) {
        char needed[MEMORY_TEXT_SIZE];
        char present[MEMORY_TEXT_SIZE];
        return error_set(error, STATUS_NO_MEMORY,
                         "out of memory: %zu particles need %s, and this machine has %s",
                         system->count, memory_text(needed, bytes),
                         memory_text(present, memory_physical()));
    }
    return system_reserve(system, 0, system->count, error);
}

enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error)
{
    struct random_generator generator;
    random_seed(&generator, request->seed);
    *system = (struct system){.count = request->count, .radius = request->radius};
    enum status status = create_particles(system, error);
    if (!status)
        status = place(request, system, &generator, error);
    if (!status)
        set_velocities(request, system, &generator);
    else
        system_free(system);
    return status;
}

enum status generate_report(const struct generate_request *request, const struct system *system,
                            FILE *stream, const char *name, struct error *error)
{
    static const char *const names[4] = {"area-fraction", "radius", "aspect", "speed"};
    const double values[4] = {request->area_fraction, request->radius, request->aspect,
                              request->speed};
    double covered = (double)system->count * PI * (system->radius / system->boundary.width) *
                     (system->radius / system->boundary.height);
    char text[NUMBER_SHORTEST_SIZE];
    fprintf(stream, "particles: --generate=%zu", request->count);
    for (int k = 0; k < 4; k++) {
        number_write_shortest(text, values[k]);
        fprintf(stream, " --%s=%s", names[k], text);
    }
    fprintf(stream, " --seed=%" PRIu64 "\n", request->seed);
    fprintf(stream, "particles: this box has area fraction %.6g and aspect %.6g", covered,
            system->boundary.width / system->boundary.height);
    if (covered < (1 - ROUNDING) * request->area_fraction)
        fprintf(stream, ": there is no room for %g", request->area_fraction);
    fputc('\n', stream);
    return text_flush(stream, name, error);
}

enum status generate_write(const struct generate_request *request, const struct system *system,
                           FILE *stream, const char *name, struct error *error)
{
    const struct system_decimals decimals = {choose_place_decimals(system),
                                             choose_velocity_decimals(request)};
    return system_write(system, &decimals, stream, name, error);
}
