/*
 * Generating systems: the box, the positions, the velocities, the file and the report.
 *
 * A seed gives the same system on every machine: all operations are exact (+ - * / and sqrt on
 * doubles, which every machine rounds alike), and the random numbers are our own. Coordinates,
 * velocities and the box's sides are decimal numbers with nine places or so (number.h), which are
 * quick to write and to read, and read back as they were.
 */
#include "generate/generate.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "input/input.h"
#include "io/number.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/polygons.h"
#include "model/region.h"
#include "placement.h"

#include <inttypes.h>
#include <math.h>

static const double SQRT_2 = 1.41421356237309504880;
static const double STEP = 1e-9; /* of coordinates in radii, and of velocities in speeds */

/* The largest component of a velocity, in root mean squares of the speeds: of velocities in a disc;
 * and of velocities relative to a stream, where no number of random_normal is larger than 12.1. */
static const double MAX_COMPONENT = 2;
static const double MAX_NORMAL = 9;

/* Ranges over all components. */
struct generate_ranges {
    double smallest, largest;        /* radius, length */
    double slowest, fastest;         /* root mean square of the speeds, length per time */
    struct number_decimals velocity; /* of velocities */
    double area;                     /* that the disks cover, length^2 */
};

/* Divides a component into sizes, at equal distances of the radius or of its logarithm. */
static void divide_sizes(struct generate_request *request)
{
    const struct generate_spread *spread = &request->spread;
    const struct generate_component whole = request->components[0];
    const size_t sizes = whole.count < GENERATE_MAX_SIZES ? whole.count : GENERATE_MAX_SIZES;
    double weights[GENERATE_MAX_SIZES], sum = 0, passed = 0;
    size_t count = 0; /* of the particles so far */
    for (size_t k = 0; k < sizes; k++) {
        const double z = 6 * ((double)k + 0.5) / (double)sizes - 3;
        sum += weights[k] = spread->largest > 0 ? 1 : elementary_exp(-z * z / 2);
    }
    request->component_count = 0;
    for (size_t k = 0; k < sizes; k++) {
        const double part = ((double)k + 0.5) / (double)sizes;
        const double grown = elementary_exp(-spread->deviation * fabs(6 * part - 3));
        struct generate_component *size = &request->components[request->component_count];
        passed += weights[k];
        const size_t before = count;
        count = (size_t)floor((double)whole.count * (passed / sum) + 0.5);
        *size = (struct generate_component){count - before, 0, whole.mass};
        if (spread->largest > 0)
            size->radius = spread->radius + (spread->largest - spread->radius) * part;
        else
            size->radius = part < 0.5 ? spread->radius * grown : spread->radius / grown;
        request->component_count += size->count > 0;
    }
}

/* The request with at least one component, as the functions below need it. */
static struct generate_request request_complete(const struct generate_request *request)
{
    struct generate_request completed = *request;
    if (request->component_count == 0) {
        completed.component_count = 1;
        completed.components[0] = (struct generate_component){request->count, request->radius, 1};
    }
    if (request->spread.radius > 0 && completed.component_count == 1)
        divide_sizes(&completed);
    return completed;
}

/* True if INPUT needs columns for kinds. */
static int request_has_kinds(const struct generate_request *request)
{
    return request->component_count > 1 || request->components[0].mass != 1;
}

/* The root mean square of the speeds of a component, relative to a stream; length per time. */
static double request_speed(const struct generate_request *request, size_t component)
{
    if (request->stream.draw)
        return sqrt(2 * request->stream.temperature / request->components[component].mass);
    return request->speed * sqrt(request->components[0].mass / request->components[component].mass);
}

static struct generate_ranges request_extremes(const struct generate_request *request)
{
    struct generate_ranges extremes = {.smallest = (double)INFINITY, .slowest = (double)INFINITY};
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        const double speed = request_speed(request, k);
        extremes.smallest = fmin(extremes.smallest, component->radius);
        extremes.largest = fmax(extremes.largest, component->radius);
        extremes.slowest = fmin(extremes.slowest, speed);
        extremes.fastest = fmax(extremes.fastest, speed);
        extremes.area += (double)component->count * PI * component->radius * component->radius;
    }
    extremes.velocity = number_choose_decimals(
        STEP * extremes.slowest, request->stream.draw
                                     ? fabs(request->stream.speed) + MAX_NORMAL * extremes.fastest
                                     : MAX_COMPONENT * extremes.fastest);
    if (extremes.slowest * extremes.velocity.scale < 10) /* too slow for the last place of all */
        extremes.velocity = (struct number_decimals){0};
    return extremes;
}

static struct number_decimals request_position_decimals(const struct generate_ranges *extremes,
                                                        const struct boundary *box)
{
    return number_choose_decimals(STEP * extremes->smallest, fmax(box->width, box->height));
}

/* Up to about this area fraction it is possible at all, but slow. */
static const double MAX_BY_SLOW_CHANCE = 0.5;

static const double MIN_SIDE = 2.1;          /* of a box, in radii: room for a disk, and to move */
static const double STRETCH = 1.02;          /* from one shape that is tried to the next */
static const double MAX_SHAPE_CHANGE = 1.25; /* how far a shape may go away from a square */
static const double GROWTH = 0.0005;         /* of the area, each time that no shape has served */

/* From one shape that is tried to the next where a lattice has to fit a periodic axis: the shapes
 * with room for a very dense one are few. */
static const double FINE_STRETCH = 1.0002;

/* Gives the box this area and aspect, or a less slender shape if it would be too narrow. */
static void shape_box(struct boundary *box, const struct generate_ranges *extremes, double area,
                      double aspect)
{
    const double min = MIN_SIDE * extremes->largest;
    box->height = fmax(sqrt(area / aspect), min);
    box->width = area / box->height;
    if (box->width < min) {
        box->width = min;
        box->height = fmax(area / min, min);
    }
    const struct number_decimals decimals = request_position_decimals(extremes, box);
    if (decimals.scale > 0) { /* rounded up, so that it has room for all */
        box->width = number_round(&decimals, box->width + 0.5 / decimals.scale);
        box->height = number_round(&decimals, box->height + 0.5 / decimals.scale);
    }
}

/* True if a periodic side is so long that no disk can touch another one on both sides at once. */
static int has_room_for_images(const struct boundary *box, double radius)
{
    const struct pair_shift periods = boundary_periods(box);
    return !(fmin(periods.x, periods.y) < 4 * radius);
}

/* Finds the lattice of a box of this area and aspect. Returns whether there is one. */
static int try_shape(struct system *system, const struct generate_ranges *extremes, double area,
                     double aspect, struct placement_lattice *lattice)
{
    shape_box(&system->boundary, extremes, area, aspect);
    return has_room_for_images(&system->boundary, extremes->largest) &&
           lattice_find(system, extremes->largest, lattice);
}

/* The lattice of a shape that has one; with periodic axes, of the best shape from it on, up to an
 * aspect `last`, as long as each has more room than the one before. The first shape with any room
 * holds a lattice that is stretched as far as possible. Between walls it is stretched anyway. */
static struct placement_lattice improve_shape(struct system *system,
                                              const struct generate_ranges *extremes, double area,
                                              double aspect, double stretch, double last)
{
    struct placement_lattice lattice;
    double best = 0, settled = aspect;
    while (system->boundary.periodic && (aspect - last) * (stretch - 1) <= 0 &&
           try_shape(system, extremes, area, aspect, &lattice) && lattice.radius > best) {
        best = lattice.radius;
        settled = aspect;
        aspect *= stretch;
    }
    try_shape(system, extremes, area, settled, &lattice);
    return lattice;
}

/* Finds a box, of this area and aspect or nearly so, that has room for a lattice. */
static struct placement_lattice fit_lattice(struct system *system,
                                            const struct generate_ranges *extremes, double area,
                                            double aspect)
{
    const struct boundary *box = &system->boundary;
    const double stretch = box->periodic ? FINE_STRETCH : STRETCH;
    struct placement_lattice lattice;
    shape_box(&system->boundary, extremes, area, aspect);
    aspect = box->width / box->height; /* shape_box changes it if the box is too narrow */
    const double widest = fmax(aspect, 1) * MAX_SHAPE_CHANGE;
    const double narrowest = fmin(aspect, 1) / MAX_SHAPE_CHANGE;
    for (;; area *= 1 + GROWTH) {
        if (try_shape(system, extremes, area, aspect, &lattice))
            return lattice;
        double wider = aspect * stretch, narrower = aspect / stretch;
        while (wider <= widest || narrower >= narrowest) {
            if (wider <= widest && try_shape(system, extremes, area, wider, &lattice))
                return improve_shape(system, extremes, area, wider, stretch, widest);
            if (narrower >= narrowest && try_shape(system, extremes, area, narrower, &lattice))
                return improve_shape(system, extremes, area, narrower, 1 / stretch, narrowest);
            wider *= stretch;
            narrower /= stretch;
        }
    }
}

static enum status check_box(const struct boundary *box, const struct generate_ranges *extremes,
                             struct error *error)
{
    if (!(box->width <= SYSTEM_LARGEST && box->height <= SYSTEM_LARGEST))
        return error_set(error, STATUS_USAGE,
                         "the box would be %g wide and %g high, and no side may exceed %g",
                         box->width, box->height, SYSTEM_LARGEST);
    if (!has_room_for_images(box, extremes->largest))
        return error_set(error, STATUS_USAGE,
                         "the box would be %g wide and %g high, and a periodic side must be at "
                         "least 4 times the largest radius, %g: use more particles, a smaller area "
                         "fraction or another aspect",
                         box->width, box->height, extremes->largest);
    return STATUS_DONE;
}

/* Chooses a box around obstacles, which reach to its upper right corner now. Which of them are
 * inside others has to be found first; crossings are found later, with their images. */
static enum status choose_box_around(struct generate_request *request, struct polygons *polygons,
                                     struct error *error)
{
    const struct generate_request full = request_complete(request);
    const struct generate_ranges extremes = request_extremes(&full);
    const struct boundary plane = {0};
    struct boundary *box = &request->box;
    const double x = box->width, y = box->height;
    struct polygon_fault fault;
    enum status status = polygons_check(polygons, &plane, &fault, error);
    if (status)
        return status;
    double area = extremes.area / request->area_fraction;
    for (size_t k = 0; k < polygons->count; k++)
        area -= polygons_area(polygons, k);
    shape_box(box, &extremes, area, request->aspect);
    if ((box->periodic & PERIODIC_X || x <= box->width) &&
        (box->periodic & PERIODIC_Y || y <= box->height))
        return check_box(box, &extremes, error);
    return error_set(error, STATUS_USAGE,
                     "the obstacles reach to x = %g and y = %g, and the box would be %g wide and "
                     "%g high: use more or larger particles, a smaller area fraction or another "
                     "aspect, or choose the box by a --domain",
                     x, y, box->width, box->height);
}

enum status generate_choose_box(struct generate_request *request, struct polygons *polygons,
                                struct error *error)
{
    double low[2], high[2];
    const int has_domain = polygons_extent(polygons, 1, low, high);
    if (!has_domain)
        polygons_extent(polygons, 0, low, high);
    request->box =
        (struct boundary){.width = high[0], .height = high[1], .periodic = request->periodic};
    if (!has_domain)
        return choose_box_around(request, polygons, error);
    if (fmin(high[0], high[1]) >= SYSTEM_SMALLEST && fmax(high[0], high[1]) <= SYSTEM_LARGEST)
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "the domain reaches to x = %g and y = %g, and the box, which begins at 0, "
                     "must have sides from %g to %g",
                     high[0], high[1], SYSTEM_SMALLEST, SYSTEM_LARGEST);
}

enum status generate_take_polygons(struct generate_request *request, struct polygons *polygons,
                                   struct error *error)
{
    struct boundary *box = &request->box;
    box->polygons = polygons;
    const double area = reach_area(box);
    if (!(area > 0))
        return error_set(error, STATUS_BAD_DATA, "the polygons leave no area free");
    if (request->radius > 0)
        return STATUS_DONE;
    double radius = sqrt(request->area_fraction * area / (PI * (double)request->count));
    const struct generate_ranges extremes = {.smallest = radius, .largest = radius};
    const struct number_decimals decimals = request_position_decimals(&extremes, box);
    radius = number_round(&decimals, radius);
    if (!(radius >= SYSTEM_SMALLEST))
        return error_set(error, STATUS_USAGE,
                         "the radius would be less than %g: use fewer particles or a larger area "
                         "fraction",
                         fmax(SYSTEM_SMALLEST, decimals.scale > 0 ? 1 / decimals.scale : 0));
    request->radius = radius;
    for (size_t k = 0; k < request->component_count; k++)
        request->components[k].radius = radius;
    return STATUS_DONE;
}

struct generate_state {
    struct generate_request request; /* with at least one component */
    struct generate_ranges extremes;
    struct system *system;
    struct random_generator generator;
};

/* Places the disks at random, the largest first. `*placed` find room, and cover `*area`. */
static enum status place_by_chance(struct generate_state *generation,
                                   const struct number_decimals *decimals, size_t *placed,
                                   double *area, struct error *error)
{
    const struct generate_request *request = &generation->request;
    struct placement_group groups[GENERATE_MAX_SIZES];
    size_t first = 0;
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        size_t j = k;
        for (; j > 0 && groups[j - 1].radius < component->radius; j--)
            groups[j] = groups[j - 1];
        groups[j] = (struct placement_group){first, component->count, component->radius};
        first += component->count;
    }
    enum status status = place_at_random(generation->system, groups, request->component_count,
                                         decimals, &generation->generator, placed, error);
    size_t left = *placed;
    *area = 0;
    for (const struct placement_group *group = groups; left > 0; group++) {
        const size_t count = group->count < left ? group->count : left;
        *area += (double)count * PI * group->radius * group->radius;
        left -= count;
    }
    return status;
}

/* Places the disks among polygons: at random, because a lattice hardly ever fits there. */
static enum status place_among_polygons(struct generate_state *generation, struct error *error)
{
    const struct system *system = generation->system;
    const struct boundary *box = &system->boundary;
    const struct number_decimals decimals = request_position_decimals(&generation->extremes, box);
    size_t placed = 0;
    double area = 0;
    enum status status = check_box(box, &generation->extremes, error);
    status = status ? status : place_by_chance(generation, &decimals, &placed, &area, error);
    if (status || placed == system->count)
        return status;
    return error_set(error, STATUS_USAGE,
                     "chance finds room among the polygons for %zu of %zu disks, which cover %.3g "
                     "of the free area: use a smaller area fraction, or fewer or smaller particles",
                     placed, system->count, area / reach_area(box));
}

/* Permutes the positions of the particles, every permutation with the same probability (Knuth, The
 * Art of Computer Programming 2, algorithm 3.4.2 P). */
static void shuffle_places(struct system *system, struct random_generator *generator)
{
    for (size_t k = system->count; k > 1; k--) {
        struct particle *p = &system->particles[k - 1];
        struct particle *q = &system->particles[(size_t)((double)k * random_unit(generator))];
        const double x = p->x, y = p->y;
        p->x = q->x;
        p->y = q->y;
        q->x = x;
        q->y = y;
    }
}

/* The largest area fraction for which disks of different sizes are placed on a lattice. With it,
 * disks that were all as large as the largest would have the highest area fraction that can be
 * asked for. */
static double max_on_lattice(const struct generate_request *request,
                             const struct generate_ranges *extremes)
{
    const double max = request->periodic == (PERIODIC_X | PERIODIC_Y) ? GENERATE_MAX_WITHOUT_WALLS
                                                                      : GENERATE_MAX_AREA_FRACTION;
    const double square = extremes->area / PI / (double)request->count;
    return max * square / (extremes->largest * extremes->largest);
}

static enum status place_anywhere(struct generate_state *generation,
                                  const struct number_decimals *decimals, struct error *error)
{
    const struct generate_request *request = &generation->request;
    const struct generate_ranges *extremes = &generation->extremes;
    int is_placed = 0;
    size_t placed = 0;
    double area;
    enum status status = STATUS_DONE;
    const int can_relax = extremes->largest <= RELAXATION_MAX_RATIO * extremes->smallest;
    if (!can_relax) {
        status = place_by_chance(generation, decimals, &placed, &area, error);
        is_placed = placed == request->count;
    } else if (request->area_fraction <= RELAXATION_MAX_AREA_FRACTION) {
        status = place_by_relaxation(generation->system, decimals, &generation->generator,
                                     &is_placed, error);
    }
    if (status || is_placed)
        return status;
    return error_set(error, STATUS_USAGE,
                     "area fraction %g cannot be reached with these radii: they fit on a lattice "
                     "of places for the largest up to %.3g, and anywhere, in a large box, up to "
                     "about %g",
                     request->area_fraction, max_on_lattice(request, extremes),
                     can_relax ? RELAXATION_MAX_AREA_FRACTION : MAX_BY_SLOW_CHANCE);
}

static enum status place_in_box(struct generate_state *generation, struct error *error)
{
    const struct generate_request *request = &generation->request;
    const struct generate_ranges *extremes = &generation->extremes;
    struct system *system = generation->system;
    size_t placed = 0;
    double covered;
    const double area = extremes->area / request->area_fraction;
    system->boundary.periodic = request->periodic;
    shape_box(&system->boundary, extremes, area, request->aspect);
    enum status status = check_box(&system->boundary, extremes, error);
    struct number_decimals decimals = request_position_decimals(extremes, &system->boundary);
    if (!status && request->area_fraction <= GENERATE_MAX_BY_CHANCE)
        status = place_by_chance(generation, &decimals, &placed, &covered, error);
    if (status || placed == system->count)
        return status;
    if (extremes->smallest < extremes->largest &&
        request->area_fraction > max_on_lattice(request, extremes))
        return place_anywhere(generation, &decimals, error);
    struct placement_lattice lattice = fit_lattice(system, extremes, area, request->aspect);
    decimals = request_position_decimals(extremes, &system->boundary);
    lattice_place(system, extremes->largest, &lattice, &decimals, &generation->generator);
    if (request->component_count > 1)
        shuffle_places(system, &generation->generator);
    return STATUS_DONE;
}

/*
 * Random velocities. Between walls, which take up momentum, the mean velocity is left to chance. On
 * a periodic axis momentum is conserved, and a gas that begins with some drifts for ever; there the
 * mean is subtracted. After rounding, the sum of the components is a whole number of units of their
 * last place, less than one for each particle: as many particles lose a unit each. A stream needs
 * none of this: its seam gives and takes momentum.
 */

/* A component of the velocity: u of an axis PERIODIC_X, v of PERIODIC_Y. */
static double *velocity_component(struct particle *particle, unsigned axis)
{
    return axis == PERIODIC_X ? &particle->u : &particle->v;
}

/* Draws velocities around (u, 0), by `draw` in units of `scale`; rounded, no component is 0. */
static void draw_from(void (*draw)(struct random_generator *, double *, double *),
                      struct particle *particles, size_t count, double u, double scale,
                      const struct number_decimals *decimals, struct random_generator *generator)
{
    for (struct particle *particle = particles; particle < particles + count; particle++) {
        do {
            draw(generator, &particle->u, &particle->v);
            particle->u = number_round(decimals, u + scale * particle->u);
            particle->v = number_round(decimals, scale * particle->v);
        } while (particle->u == 0 || particle->v == 0);
    }
}

static void subtract_mean(struct particle *particles, size_t count, unsigned axis)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += *velocity_component(&particles[k], axis);
    const double mean = sum / (double)count;
    for (size_t k = 0; k < count; k++)
        *velocity_component(&particles[k], axis) -= mean;
}

/* Removes the remainder of a few units of the last place from the sum of the components. */
static void balance_momentum(struct particle *particles, size_t count, unsigned axis,
                             const struct number_decimals *decimals)
{
    int64_t excess = 0;
    for (size_t k = 0; k < count; k++)
        excess += (int64_t)floor(*velocity_component(&particles[k], axis) * decimals->scale + 0.5);
    for (size_t k = 0; excess != 0; k = (k + 1) % count) {
        const int unit = excess > 0 ? 1 : -1;
        double *value = velocity_component(&particles[k], axis);
        *value = number_round(decimals, *value - unit / decimals->scale);
        excess -= unit;
    }
}

/* A disc of radius a holds velocities whose mean square is a^2 / 2, on average. A factor corrects
 * the mean square of the velocities that are drawn. Between walls that is at least 1 / sqrt(2), so
 * no component becomes 0. Of a few, one may become too fast by it; then all are drawn again. */
static void draw_velocities(struct particle *particles, size_t count, unsigned periodic,
                            double speed, const struct number_decimals *decimals,
                            struct random_generator *generator)
{
    double squares, fastest, factor;
    do {
        draw_from(random_in_disc, particles, count, 0, SQRT_2 * speed, decimals, generator);
        for (unsigned axis = PERIODIC_X; axis <= PERIODIC_Y; axis++)
            if (periodic & axis)
                subtract_mean(particles, count, axis);
        squares = fastest = 0;
        for (const struct particle *p = particles; p < particles + count; p++) {
            squares += p->u * p->u + p->v * p->v;
            fastest = fmax(fastest, fmax(fabs(p->u), fabs(p->v)));
        }
        const double drawn = sqrt(squares / (double)count);
        factor = drawn > 0 ? speed / drawn : 1; /* 0: a particle alone on two periodic axes */
    } while (factor * fastest > MAX_COMPONENT * speed);
    for (struct particle *p = particles; p < particles + count; p++) {
        p->u = number_round(decimals, factor * p->u);
        p->v = number_round(decimals, factor * p->v);
    }
    for (unsigned axis = PERIODIC_X; axis <= PERIODIC_Y; axis++)
        if ((periodic & axis) && decimals->scale > 0)
            balance_momentum(particles, count, axis, decimals);
}

/* The deviation of each component in a stream is speed / sqrt(2). Sizes of a spread are one gas. */
static void set_velocities(struct generate_state *generation)
{
    const struct generate_request *request = &generation->request;
    const struct number_decimals *decimals = &generation->extremes.velocity;
    struct particle *particles = generation->system->particles;
    const int is_one = request->spread.radius > 0;
    for (size_t k = 0; k < (is_one ? 1 : request->component_count); k++) {
        const size_t count = is_one ? request->count : request->components[k].count;
        const double speed = request_speed(request, k);
        if (request->stream.draw)
            draw_from(random_normal, particles, count, request->stream.speed, speed / SQRT_2,
                      decimals, &generation->generator);
        else
            draw_velocities(particles, count, request->periodic, speed, decimals,
                            &generation->generator);
        particles += count;
    }
}

static enum status set_kinds(const struct generate_request *request, struct system *system,
                             struct error *error)
{
    if (!request_has_kinds(request))
        return STATUS_DONE;
    const size_t count = request->component_count;
    struct particle *particle = system->particles;
    system->kinds = memory_allocate(count, sizeof *system->kinds, "the kinds of particles", error);
    if (!system->kinds)
        return STATUS_NO_MEMORY;
    system->kind_count = count;
    for (size_t k = 0; k < count; k++) {
        const struct generate_component *component = &request->components[k];
        const int32_t species = request->spread.radius > 0 ? 0 : (int32_t)k;
        system->kinds[k] = (struct particle_kind){component->radius, component->mass, species};
        for (size_t j = 0; j < component->count; j++)
            particle++->kind = (uint32_t)k;
    }
    return STATUS_DONE;
}

static enum status check_speeds(const struct generate_request *request,
                                const struct generate_ranges *extremes, struct error *error)
{
    /* Each component of a velocity has a thermal speed of the root of half the square. */
    const double min = request->stream.draw ? 2 * SYSTEM_SMALLEST : SYSTEM_SMALLEST;
    const double max = request->stream.draw ? STREAM_FASTEST : GENERATE_MAX_SPEED;
    if (extremes->slowest >= min && extremes->fastest <= max)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "at one temperature these masses would have speeds from %g to %g, and they "
                     "must be from %g to %g",
                     extremes->slowest, extremes->fastest, min, max);
}

/* Lets disks grow to the radii of a request, and somewhat more, so that they can be rounded. */
static enum status grow_disks(const struct generate_request *request, double factor,
                              struct system *system, struct error *error)
{
    const struct generate_ranges extremes = request_extremes(request);
    const struct number_decimals decimals = request_position_decimals(&extremes, &system->boundary);
    const double unit = decimals.scale > 0 ? 1 / decimals.scale : 0;
    const double margin = 1 + 4 * unit / extremes.smallest + 1e-12;
    const enum status status = request->grow(system, factor * margin, error);
    system->radius = request->components[0].radius;
    for (size_t k = 0; k < system->kind_count; k++)
        system->kinds[k].radius = request->components[k].radius;
    for (size_t k = 0; k < system->count && decimals.scale > 0; k++) {
        system->particles[k].x = number_round(&decimals, system->particles[k].x);
        system->particles[k].y = number_round(&decimals, system->particles[k].y);
    }
    return status;
}

/* generate_system of disks that are placed at random, and grow. */
static enum status generate_grown(const struct generate_request *request, struct system *system,
                                  struct error *error)
{
    const struct generate_request full = request_complete(request);
    struct generate_request small = full;
    const double factor = sqrt(full.area_fraction / GENERATE_MAX_BY_CHANCE);
    small.grow = NULL;
    small.spread = (struct generate_spread){0}; /* it has been divided into components */
    small.area_fraction = GENERATE_MAX_BY_CHANCE;
    small.radius *= 1 / factor;
    for (size_t k = 0; k < small.component_count; k++)
        small.components[k].radius *= 1 / factor;
    enum status status = generate_system(&small, system, error);
    if (!status && (status = grow_disks(&full, factor, system, error)))
        system_free(system);
    for (size_t k = 0; k < system->kind_count && request->spread.radius > 0; k++)
        system->kinds[k].species = 0;
    return status;
}

enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error)
{
    if (request->grow && request->area_fraction > GENERATE_MAX_BY_CHANCE)
        return generate_grown(request, system, error);
    struct generate_state generation = {.request = request_complete(request), .system = system};
    const struct generate_request *full = &generation.request;
    struct polygons *polygons = full->box.polygons;
    generation.extremes = request_extremes(full);
    random_seed(&generation.generator, full->seed);
    *system = (struct system){
        .count = full->count, .radius = full->components[0].radius, .boundary = full->box};
    enum status status;
    if ((polygons &&
         (status = polygons_prepare(polygons, &system->boundary, generation.extremes.largest,
                                    full->count, error))) ||
        (status = check_speeds(full, &generation.extremes, error)) ||
        (status = system_reserve(system, system->count, error)) ||
        (status = set_kinds(full, system, error)) ||
        (status = polygons ? place_among_polygons(&generation, error)
                           : place_in_box(&generation, error)))
        system_free(system);
    else
        set_velocities(&generation);
    return status;
}

/* Writes --NAME=LIST: a number for each component, or one if all are equal. */
static void write_list(const char *name, const double *values, size_t count, FILE *stream)
{
    int is_one = 1;
    for (size_t k = 1; k < count; k++)
        is_one = is_one && values[k] == values[0];
    fprintf(stream, " --%s=", name);
    for (size_t k = 0; k < (is_one ? 1 : count); k++)
        fprintf(stream, "%s%s", k > 0 ? "," : "", show_exactly(values[k]).text);
}

/* Writes the options that INPUT and the request have in common. */
static void write_boundary(const struct generate_request *request, FILE *stream)
{
    if (request->periodic)
        fprintf(stream, " --periodic=%s%s", request->periodic & PERIODIC_X ? "x" : "",
                request->periodic & PERIODIC_Y ? "y" : "");
    if (request->stream.draw) {
        write_list("stream", &request->stream.speed, 1, stream);
        write_list("stream-temperature", &request->stream.temperature, 1, stream);
    }
    for (size_t k = 0; request->files && k < request->files->count; k++) {
        fputs(request->files->list[k].is_domain ? " --domain=" : " --obstacle=", stream);
        text_quote(request->files->list[k].text, fputc, stream);
    }
}

static void write_options(const struct generate_request *request, FILE *stream)
{
    const size_t count = request->component_count;
    const struct generate_spread *spread = &request->spread;
    double radii[GENERATE_MAX_SIZES], masses[GENERATE_MAX_SIZES];
    const int has_domain = !(request->aspect > 0);
    const int has_spread = spread->radius > 0;
    fputs("particles: --generate=", stream);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || !has_spread)
            fprintf(stream, "%s%zu", k > 0 ? "," : "",
                    has_spread ? request->count : request->components[k].count);
        radii[k] = request->components[k].radius;
        masses[k] = request->components[k].mass;
    }
    if (request->area_fraction > 0)
        write_list("area-fraction", &request->area_fraction, 1, stream);
    if (has_spread)
        fprintf(stream, " --radius=%s", spread->text);
    else if (!has_domain || request->area_fraction == 0)
        write_list("radius", radii, count, stream);
    if (request_has_kinds(request))
        write_list("mass", masses, count, stream);
    if (!has_domain)
        write_list("aspect", &request->aspect, 1, stream);
    if (!request->stream.draw)
        write_list("speed", &request->speed, 1, stream);
    if (request->grow)
        fputs(" --disordered", stream);
    write_boundary(request, stream);
    fprintf(stream, " --seed=%" PRIu64 "\n", request->seed);
}

/* Says which options a simulation needs, if it needs any. In periodic boxes, which are made to
 * compare with theory, collisions are to lead to Maxwell's speeds. */
static void write_advice(const struct generate_request *request, FILE *stream)
{
    int is_elastic = request->periodic != 0;
    for (size_t k = 1; k < request->component_count; k++)
        is_elastic = is_elastic || request->components[k].mass != request->components[0].mass;
    if (!is_elastic && !request->periodic && !request->box.polygons)
        return;
    fputs("particles: simulate it with", stream);
    write_boundary(request, stream);
    fputs(is_elastic ? " --rule=elastic\n" : "\n", stream);
}

/* Writes how to repeat such a system, its area fraction and aspect, also if there was no room for
 * the area fraction of `request`, and how to simulate it, if that takes options. */
static enum status generate_report(const struct generate_request *request,
                                   const struct system *system, FILE *stream, struct error *error)
{
    const struct boundary *box = &system->boundary;
    double covered = 0;
    for (size_t k = 0; k < request->component_count; k++)
        covered += (double)request->components[k].count * PI *
                   (request->components[k].radius / box->width) *
                   (request->components[k].radius / box->height);
    write_options(request, stream);
    if (box->polygons)
        covered /= reach_area(box) / box->width / box->height;
    fprintf(stream, "particles: this box has area fraction %.6g%s and aspect %.6g", covered,
            box->polygons ? " (of its free area)" : "", box->width / box->height);
    if (covered < (1 - 1e-6) * request->area_fraction) /* the box is rounded */
        fprintf(stream, ": there is no room for %g", request->area_fraction);
    fputc('\n', stream);
    write_advice(request, stream);
    return text_flush(stream, "standard error", error);
}

enum status generate_among(const struct generate_request *request,
                           const struct polygon_files *files, struct generate_request *complete,
                           struct system *system, struct error *error)
{
    struct polygon_source source = {0};
    enum status status = STATUS_DONE;
    *complete = request_complete(request);
    if (files->count == 0 ||
        (!(status = polygon_files_read(files, &source, error)) &&
         !(status = generate_choose_box(complete, source.polygons, error)) &&
         !(status = polygon_source_fit(&source, &complete->box, error)) &&
         !(status = generate_take_polygons(complete, source.polygons, error)))) {
        complete->files = files;
        source.polygons = NULL; /* the system takes them */
        status = generate_system(complete, system, error);
    }
    polygon_source_free(&source);
    return status;
}

enum status generate_input(const struct generate_request *request,
                           const struct polygon_files *files, FILE *stream, FILE *report,
                           struct error *error)
{
    struct generate_request complete;
    struct system system = {0};
    enum status status = generate_among(request, files, &complete, &system, error);
    if (!status) {
        const struct generate_ranges extremes = request_extremes(&complete);
        const struct input_decimals decimals = {
            request_position_decimals(&extremes, &system.boundary), extremes.velocity};
        status = input_write(&system, &decimals, stream, "standard output", error);
    }
    if (!status && report)
        status = generate_report(&complete, &system, report, error);
    system_free(&system);
    return status;
}
