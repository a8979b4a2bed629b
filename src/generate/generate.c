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
#include "lattice.h"
#include "model/polygon_check.h"
#include "model/reach.h"
#include "model/stream.h"
#include "observe/system_text.h"
#include "random_placement.h"
#include "relaxation.h"
#include "request.h"
#include "velocities.h"

#include <math.h>

/* Up to this area fraction disks are placed at random: there each takes 6 proposals, but 12 at 0.45
 * and 50 at 0.5. */
static const double MAX_BY_CHANCE = 0.4;

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
static void shape_box(struct boundary *box, const struct extremes *extremes, double area,
                      double aspect)
{
    double min = MIN_SIDE * extremes->largest;
    double height = fmax(sqrt(area / aspect), min);
    double width = area / height;
    if (width < min) {
        width = min;
        height = fmax(area / width, min);
    }
    box->width = width;
    box->height = height;
    struct decimals decimals = request_place_decimals(extremes, box);
    if (decimals.scale > 0) { /* rounded up, so that nothing is squeezed out */
        box->width = number_round(&decimals, width + 0.5 / decimals.scale);
        box->height = number_round(&decimals, height + 0.5 / decimals.scale);
    }
}

/* Whether a periodic side is so long that no disk can touch another one on both sides at once. */
static int has_room_for_images(const struct boundary *box, double radius)
{
    return !((box->periodic & PERIODIC_X && box->width < 4 * radius) ||
             (box->periodic & PERIODIC_Y && box->height < 4 * radius));
}

/* Finds the lattice of a box of this area and aspect. Returns whether there is one. */
static int try_shape(struct system *system, const struct extremes *extremes, double area,
                     double aspect, struct lattice *lattice)
{
    shape_box(&system->boundary, extremes, area, aspect);
    return has_room_for_images(&system->boundary, extremes->largest) &&
           lattice_find(system, extremes->largest, lattice);
}

/*
 * Tries further shapes, up to an aspect `last`, while their lattice has more room. The first shape
 * with any room holds a lattice that is stretched as far as possible; the best does not.
 */
static struct lattice improve_shape(struct system *system, const struct extremes *extremes,
                                    double area, double aspect, double stretch, double last)
{
    struct lattice lattice;
    double best = 0;
    double settled = aspect;
    while ((aspect - last) * (stretch - 1) <= 0 &&
           try_shape(system, extremes, area, aspect, &lattice) && lattice.radius > best) {
        best = lattice.radius;
        settled = aspect;
        aspect *= stretch;
    }
    try_shape(system, extremes, area, settled, &lattice);
    return lattice;
}

/*
 * Finds a box, of this area and aspect or nearly so, that has room for a lattice: the first shape
 * between walls, where a lattice is stretched anyway, and the best one nearby with periodic axes.
 */
static struct lattice fit_lattice(struct system *system, const struct extremes *extremes,
                                  double area, double aspect)
{
    const struct boundary *box = &system->boundary;
    const double stretch = box->periodic ? FINE_STRETCH : STRETCH;
    struct lattice lattice;
    shape_box(&system->boundary, extremes, area, aspect);
    aspect = box->width / box->height; /* as it is now, if it was too narrow */
    const double widest = fmax(aspect, 1) * MAX_SHAPE_CHANGE;
    const double narrowest = fmin(aspect, 1) / MAX_SHAPE_CHANGE;
    for (;; area *= 1 + GROWTH) {
        if (try_shape(system, extremes, area, aspect, &lattice))
            return lattice;
        double wider = aspect * stretch;
        double narrower = aspect / stretch;
        while (wider <= widest || narrower >= narrowest) {
            if (wider <= widest && try_shape(system, extremes, area, wider, &lattice))
                return box->periodic ? improve_shape(system, extremes, area, wider, stretch, widest)
                                     : lattice;
            if (narrower >= narrowest && try_shape(system, extremes, area, narrower, &lattice))
                return box->periodic
                           ? improve_shape(system, extremes, area, narrower, 1 / stretch, narrowest)
                           : lattice;
            wider *= stretch;
            narrower /= stretch;
        }
    }
}

/* Checks that the box is not too large, and has room for images. */
static enum status check_box(const struct boundary *box, const struct extremes *extremes,
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

/* Chooses the box of a request without polygons; a lattice may change it later. */
static enum status choose_plain_box(const struct generate_request *request,
                                    const struct extremes *extremes, struct boundary *box,
                                    struct error *error)
{
    box->periodic = request->periodic;
    shape_box(box, extremes, extremes->area / request->area_fraction, request->aspect);
    return check_box(box, extremes, error);
}

/* The largest coordinates of the polygons; of the domain's alone, if there is one. */
struct polygon_extent {
    double x, y;
    int is_domain;
};

static struct polygon_extent find_polygon_extent(const struct polygons *polygons)
{
    struct polygon_extent extent = {-(double)INFINITY, -(double)INFINITY, 0};
    for (size_t k = 0; k < polygons->count; k++)
        extent.is_domain |= polygons->list[k].is_domain;
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k];
        if (polygons->list[side->polygon].is_domain != extent.is_domain)
            continue;
        extent.x = fmax(extent.x, side->corner_x);
        extent.y = fmax(extent.y, side->corner_y);
    }
    return extent;
}

/* Chooses a box around obstacles. Which of them are inside others, and cover nothing, has to be
 * found first; crossings are found later, with their images. */
static enum status choose_box_around(struct generate_request *request, struct polygons *polygons,
                                     const struct polygon_extent *extent, struct error *error)
{
    const struct generate_request full = request_complete(request);
    const struct extremes extremes = request_extremes(&full);
    const struct boundary plane = {0};
    struct boundary *box = &request->box;
    struct polygon_fault fault;
    enum status status = polygons_check(polygons, &plane, &fault, error);
    if (status)
        return status;
    double area = extremes.area / request->area_fraction;
    for (size_t k = 0; k < polygons->count; k++)
        area -= polygons_area(polygons, k);
    shape_box(box, &extremes, area, request->aspect);
    if ((box->periodic & PERIODIC_X || extent->x <= box->width) &&
        (box->periodic & PERIODIC_Y || extent->y <= box->height))
        return check_box(box, &extremes, error);
    return error_set(error, STATUS_USAGE,
                     "the obstacles reach to x = %g and y = %g, and the box would be %g wide and "
                     "%g high: use more or larger particles, a smaller area fraction or another "
                     "aspect, or choose the box by a --domain",
                     extent->x, extent->y, box->width, box->height);
}

enum status generate_choose_box(struct generate_request *request, struct polygons *polygons,
                                struct error *error)
{
    const struct polygon_extent extent = find_polygon_extent(polygons);
    request->box =
        (struct boundary){.width = extent.x, .height = extent.y, .periodic = request->periodic};
    if (!extent.is_domain)
        return choose_box_around(request, polygons, &extent, error);
    if (extent.x >= SYSTEM_SMALLEST && extent.y >= SYSTEM_SMALLEST && extent.x <= SYSTEM_LARGEST &&
        extent.y <= SYSTEM_LARGEST)
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "the domain reaches to x = %g and y = %g, and the box, which begins at 0, "
                     "must have sides from %g to %g",
                     extent.x, extent.y, SYSTEM_SMALLEST, SYSTEM_LARGEST);
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
    double radius = sqrt(request->area_fraction * area / (REQUEST_PI * (double)request->count));
    const struct extremes extremes = {.smallest = radius, .largest = radius};
    const struct decimals decimals = request_place_decimals(&extremes, box);
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

/* The components as groups of disks, the largest disks first. */
static void make_groups(const struct generate_request *request,
                        struct disk_group groups[GENERATE_MAX_COMPONENTS])
{
    size_t first = 0;
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        size_t j = k;
        for (; j > 0 && groups[j - 1].radius < component->radius; j--)
            groups[j] = groups[j - 1];
        groups[j] = (struct disk_group){first, component->count, component->radius};
        first += component->count;
    }
}

/* Places the disks at random. `*placed` is the number that found room, the largest first. */
static enum status place_by_chance(const struct generate_request *request, struct system *system,
                                   const struct decimals *decimals,
                                   struct random_generator *generator, size_t *placed,
                                   struct error *error)
{
    struct disk_group groups[GENERATE_MAX_COMPONENTS];
    make_groups(request, groups);
    return place_at_random(system, groups, request->component_count, decimals, generator, placed,
                           error);
}

/* Reports that disks found no room among polygons. */
static enum status refuse_among_polygons(const struct generate_request *request, size_t placed,
                                         struct error *error)
{
    struct disk_group groups[GENERATE_MAX_COMPONENTS];
    const double area = reach_area(&request->box);
    const size_t all = placed;
    double covered = 0;
    make_groups(request, groups);
    for (size_t k = 0; k < request->component_count; k++) {
        const size_t count = groups[k].count < placed ? groups[k].count : placed;
        covered += (double)count * REQUEST_PI * groups[k].radius * groups[k].radius;
        placed -= count;
    }
    return error_set(error, STATUS_USAGE,
                     "chance finds room among the polygons for %zu of %zu disks, which cover %.3g "
                     "of the free area: use a smaller area fraction, or fewer or smaller particles",
                     all, request->count, covered / area);
}

/* Places the disks among polygons: at random, because a lattice hardly ever fits there. */
static enum status place_among_polygons(const struct generate_request *request,
                                        const struct extremes *extremes, struct system *system,
                                        struct random_generator *generator, struct error *error)
{
    const struct decimals decimals = request_place_decimals(extremes, &system->boundary);
    size_t placed = 0;
    enum status status = check_box(&system->boundary, extremes, error);
    if (!status)
        status = place_by_chance(request, system, &decimals, generator, &placed, error);
    return status || placed == system->count ? status
                                             : refuse_among_polygons(request, placed, error);
}

/* Whether radii are near enough to each other for disks to be pushed apart. */
static int can_relax(const struct extremes *extremes)
{
    return extremes->largest <= RELAXATION_MAX_RATIO * extremes->smallest;
}

/* Permutes the positions of the particles, every permutation with the same probability (Knuth, The
 * Art of Computer Programming 2, algorithm 3.4.2 P). */
static void shuffle_places(struct system *system, struct random_generator *generator)
{
    for (size_t k = system->count; k > 1; k--) {
        struct particle *p = &system->particles[k - 1];
        struct particle *q = &system->particles[(size_t)((double)k * random_unit(generator))];
        const double x = p->x;
        const double y = p->y;
        p->x = q->x;
        p->y = q->y;
        q->x = x;
        q->y = y;
    }
}

/* The largest area fraction for which disks of different sizes are placed on a lattice: that at
 * which disks that are all as large as the largest would cover the most that can be asked for. */
static double max_on_lattice(const struct generate_request *request,
                             const struct extremes *extremes)
{
    const unsigned both = PERIODIC_X | PERIODIC_Y;
    const double max =
        request->periodic == both ? GENERATE_MAX_WITHOUT_WALLS : GENERATE_MAX_AREA_FRACTION;
    const double square = extremes->area / REQUEST_PI / (double)request->count;
    return max * square / (extremes->largest * extremes->largest);
}

/* Reports that disks of different sizes are too dense. */
static enum status refuse_mixture(const struct generate_request *request,
                                  const struct extremes *extremes, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "area fraction %g cannot be reached with these radii: they fit on a lattice "
                     "of places for the largest up to %.3g, and anywhere, in a large box, up to "
                     "about %g",
                     request->area_fraction, max_on_lattice(request, extremes),
                     can_relax(extremes) ? RELAXATION_MAX_AREA_FRACTION : MAX_BY_SLOW_CHANCE);
}

/* Places disks of different sizes that do not fit on a lattice. */
static enum status place_anywhere(const struct generate_request *request,
                                  const struct extremes *extremes, struct system *system,
                                  const struct decimals *decimals,
                                  struct random_generator *generator, struct error *error)
{
    int is_placed = 0;
    size_t placed = 0;
    enum status status = STATUS_DONE;
    if (!can_relax(extremes)) {
        status = place_by_chance(request, system, decimals, generator, &placed, error);
        is_placed = placed == system->count;
    } else if (request->area_fraction <= RELAXATION_MAX_AREA_FRACTION) {
        status = place_by_relaxation(system, decimals, generator, &is_placed, error);
    }
    return status || is_placed ? status : refuse_mixture(request, extremes, error);
}

/* Chooses the box and places the particles. */
static enum status place_in_box(const struct generate_request *request,
                                const struct extremes *extremes, struct system *system,
                                struct random_generator *generator, struct error *error)
{
    size_t placed = 0;
    enum status status = choose_plain_box(request, extremes, &system->boundary, error);
    struct decimals decimals = request_place_decimals(extremes, &system->boundary);
    if (!status && request->area_fraction <= MAX_BY_CHANCE)
        status = place_by_chance(request, system, &decimals, generator, &placed, error);
    if (status || placed == system->count)
        return status;
    if (extremes->smallest < extremes->largest &&
        request->area_fraction > max_on_lattice(request, extremes))
        return place_anywhere(request, extremes, system, &decimals, generator, error);
    struct lattice lattice =
        fit_lattice(system, extremes, extremes->area / request->area_fraction, request->aspect);
    decimals = request_place_decimals(extremes, &system->boundary);
    lattice_place(system, extremes->largest, &lattice, &decimals, generator);
    if (request->component_count > 1)
        shuffle_places(system, generator);
    return STATUS_DONE;
}

/* Draws the velocities, component by component. */
static void set_velocities(const struct generate_request *request, const struct extremes *extremes,
                           struct system *system, struct random_generator *generator)
{
    const struct decimals decimals = request_velocity_decimals(extremes);
    size_t first = 0;
    for (size_t k = 0; k < request->component_count; k++) {
        const size_t count = request->components[k].count;
        const double speed = request_speed(request, k);
        if (request->stream.draw)
            draw_stream_velocities(system, first, count, request->stream.speed, speed, &decimals,
                                   generator);
        else
            draw_velocities(system, first, count, speed, &decimals, generator);
        first += count;
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

/* Gives each particle its kind, if the request has kinds. */
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
        system->kinds[k] = (struct kind){component->radius, component->mass, (int32_t)k};
        for (size_t j = 0; j < component->count; j++)
            particle++->kind = (uint32_t)k;
    }
    return STATUS_DONE;
}

static enum status check_speeds(const struct generate_request *request,
                                const struct extremes *extremes, struct error *error)
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

enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error)
{
    const struct generate_request full = request_complete(request);
    const struct extremes extremes = request_extremes(&full);
    struct random_generator generator;
    random_seed(&generator, full.seed);
    *system = (struct system){
        .count = full.count, .radius = full.components[0].radius, .boundary = full.box};
    enum status status = STATUS_DONE;
    if (full.box.polygons)
        status = polygons_prepare(full.box.polygons, &system->boundary, extremes.largest,
                                  full.count, error);
    if (!status)
        status = check_speeds(&full, &extremes, error);
    if (!status)
        status = create_particles(system, error);
    if (!status)
        status = set_kinds(&full, system, error);
    if (!status)
        status = full.box.polygons
                     ? place_among_polygons(&full, &extremes, system, &generator, error)
                     : place_in_box(&full, &extremes, system, &generator, error);
    if (!status)
        set_velocities(&full, &extremes, system, &generator);
    else
        system_free(system);
    return status;
}

enum status generate_write(const struct generate_request *request, const struct system *system,
                           FILE *stream, const char *name, struct error *error)
{
    const struct generate_request full = request_complete(request);
    const struct extremes extremes = request_extremes(&full);
    const struct system_decimals decimals = {request_place_decimals(&extremes, &system->boundary),
                                             request_velocity_decimals(&extremes)};
    return system_write(system, &decimals, stream, name, error);
}
