/* Small systems made of arbitrary bytes; see byte_system.h.
 *
 * One byte a number keeps inputs short, and makes ties and exact touches likely: coordinates are
 * small multiples of a quantum. Other bytes choose the quantum, and may shift a coordinate by a few
 * units in the last place, to either side of touching. All bytes mean something; particles that
 * would overlap are left out, and the rest is checked as the reader checks it. */
#include "byte_system.h"

#include "byte_polygons.h"
#include "model/boundary_law.h"
#include "model/overlap.h"
#include "model/physics.h"
#include "model/polygons.h"

/* Around points that begin at one place cells are so small that the cells schedule takes for ever.
 */
enum { MAX_IN_A_CROWD = 3 };

/* The scales of a system, powers of two, so that they keep ties. */
struct scales {
    double quantum; /* of coordinates */
    double length, speed;
    unsigned periodic; /* the periodic axes */
    unsigned polygons; /* how many groups of them there may be */
};

static struct scales take_scales(struct fuzz_bytes *bytes)
{
    static const double quanta[] = {1, 0.5, 0.25, 1.0 / 3, 0.1, 0.01, 1.5, 1};
    static const int lengths[] = {0, 0, 0, 0, 10, -100, 60, 100};
    static const int speeds[] = {0, 0, 0, 0, -20, 100, -60, 100};
    unsigned choice = fuzz_byte(bytes);
    unsigned extremes = fuzz_byte(bytes);
    return (struct scales){.quantum = quanta[choice & 7],
                           .length = ldexp(1, lengths[extremes & 7]),
                           .speed = ldexp(1, speeds[extremes >> 3 & 7]),
                           .periodic = choice & 0x20 ? 0 : choice >> 3 & 3,
                           .polygons = choice >> 6};
}

static struct system_law take_law(struct fuzz_bytes *bytes)
{
    static const double restitutions[] = {1, 1, 1, 0.5, 0.9, 0, 0.99, 0.25};
    unsigned choice = fuzz_byte(bytes);
    struct system_law law = {.rule = choice & 1 ? RULE_ELASTIC : RULE_SWAP, .restitution = 1};
    if (law.rule == RULE_ELASTIC)
        law.restitution = restitutions[choice >> 1 & 7];
    if (law.restitution < 1)
        law.contact_time = choice & 16 ? 0.001 * (choice >> 5) : -1;
    return law;
}

/* Kinds, if the bytes want them: of equal radii, of equal masses, or of neither. */
static void take_kinds(struct fuzz_bytes *bytes, const struct scales *scales,
                       struct particle_kind *kinds, struct system *system)
{
    static const double radii[] = {1, 0.5, 0, 2, 0.25, 1.0 / 3, 3, 1e-3};
    static const double masses[] = {1, 4, 0.25, 1e6, 1e-6, 3, 1e40, 1e-40};
    unsigned choice = fuzz_byte(bytes);
    size_t count = choice & 3;
    for (size_t k = 0; k < count; k++) {
        unsigned kind = fuzz_byte(bytes);
        kinds[k] =
            (struct particle_kind){.radius = system->radius, .mass = 1, .species = (int32_t)k};
        if (choice & 4)
            kinds[k].radius = radii[kind & 7] * scales->length;
        if (choice & 8 && system->law.rule == RULE_ELASTIC)
            kinds[k].mass = masses[kind >> 3 & 7];
    }
    system->kind_count = count;
    system->kinds = count > 0 ? kinds : NULL;
}

/* A coordinate from `lowest` to `highest`: a multiple of the quantum above the former or below the
 * latter, perhaps a few units in the last place off. */
static double take_coordinate(struct fuzz_bytes *bytes, const struct scales *scales, double lowest,
                              double highest, unsigned off)
{
    unsigned steps = fuzz_byte(bytes);
    double distance = (steps & 127) * scales->quantum * scales->length;
    double coordinate = steps & 128 ? highest - distance : lowest + distance;
    for (unsigned k = 0; k < (off & 3); k++)
        coordinate = nextafter(coordinate, (double)(off & 4 ? INFINITY : -INFINITY));
    return coordinate;
}

/* A velocity component: a small whole number or a fraction, or none. */
static double take_velocity(struct fuzz_bytes *bytes, const struct scales *scales)
{
    int byte = (int)fuzz_byte(bytes);
    int whole = byte / 2 - 64;
    return (byte & 1 ? whole / 7.0 : (double)(whole / 16)) * scales->speed;
}

/* A stream, if the box has a seam for it, at a temperature at which the lightest kind is about as
 * fast as the particles are. Not where the heaviest would be so slow that the lightest passes the
 * seam faster, while it comes, than the digits of the time can tell. */
static void take_stream(unsigned choice, const struct scales *scales, struct system *system)
{
    static const double speeds[] = {1, 0, -1, 0.1, -20, 1e3, 1e-3, -5};
    static const double temperatures[] = {1, 0.01};
    double lightest = system->kind_count > 0 ? (double)INFINITY : 1;
    double heaviest = system->kind_count > 0 ? 0 : 1;
    for (size_t k = 0; k < system->kind_count; k++) {
        lightest = fmin(lightest, system->kinds[k].mass);
        heaviest = fmax(heaviest, system->kinds[k].mass);
    }
    const double heat = temperatures[choice >> 6 & 1] * scales->speed * scales->speed * lightest;
    if (scales->periodic & PERIODIC_X && choice & 0x80 && heaviest < 1e13 * lightest)
        system->boundary.stream =
            stream_make(speeds[choice >> 3 & 7] * scales->speed, heat, choice);
}

/* The shortest way that is the same as one of length d along a periodic axis. */
static double shorten(double d, double length, unsigned is_periodic)
{
    return is_periodic ? fmin(fabs(d), length - fabs(d)) : fabs(d);
}

double byte_system_distance(const struct boundary *boundary, double dx, double dy)
{
    return hypot(shorten(dx, boundary->width, boundary->periodic & PERIODIC_X),
                 shorten(dy, boundary->height, boundary->periodic & PERIODIC_Y));
}

static void take_particle(struct fuzz_bytes *bytes, const struct scales *scales,
                          struct system *system)
{
    struct particle *p = &system->particles[system->count];
    unsigned choice = fuzz_byte(bytes);
    *p = (struct particle){.collided = -(double)INFINITY, .id = (int32_t)system->count};
    if (system->kinds)
        p->kind = (choice & 3) % (uint32_t)system->kind_count;
    const struct boundary *boundary = &system->boundary;
    const double R = system_radius(system, p);
    const double left = boundary->periodic & PERIODIC_X ? 0 : R;
    const double bottom = boundary->periodic & PERIODIC_Y ? 0 : R;
    p->x = take_coordinate(bytes, scales, left, boundary->width - left, choice >> 2);
    p->y = take_coordinate(bytes, scales, bottom, boundary->height - bottom, choice >> 5);
    p->u = take_velocity(bytes, scales);
    p->v = take_velocity(bytes, scales);
    if (boundary->width == 2 * left)
        p->u = 0;
    if (boundary->height == 2 * bottom)
        p->v = 0;
    if (system_check_particle(system, system->count, &failure))
        return;
    if (boundary->periodic) /* as the reader does */
        boundary_clamp(boundary, R, &p->x, &p->y);
    unsigned crowd = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *q = &system->particles[k];
        double slack = 16 * DBL_EPSILON * fmax(boundary->width, boundary->height);
        if (byte_system_distance(boundary, p->x - q->x, p->y - q->y) <
            system_contact(system, p, q) - slack)
            return;
        if (p->x == q->x && p->y == q->y && system_contact(system, p, q) > 0)
            return;
        crowd += byte_system_distance(boundary, p->x - q->x, p->y - q->y) < slack;
    }
    if (crowd > MAX_IN_A_CROWD)
        return;
    if (boundary->polygons && !byte_polygons_leave(system, p))
        return;
    system->count++;
}

/* Makes sure that the reader would take it. */
static int is_acceptable(const struct system *system)
{
    struct overlap overlap;
    const struct particle_kind plain = {system->radius, 1, 0};
    if (system_check_kind(&plain, &failure) || system_check_box(&system->boundary, &failure))
        return 0;
    if (!system->kinds && system->radius > boundary_largest_radius(&system->boundary))
        return 0;
    for (size_t k = 0; k < system->kind_count; k++)
        if (system_check_kind(&system->kinds[k], &failure))
            return 0;
    return !overlap_find(system, NULL, &overlap, &failure) && !overlap.found;
}

/* A copy that the system can own. */
static void *own(const void *block, size_t size)
{
    void *copy = memory_allocate(1, size, "a test", &failure);
    fuzz_expect(copy != NULL, "no memory for a test");
    memcpy(copy, block, size);
    return copy;
}

int byte_system(struct fuzz_bytes *bytes, struct system *system, double *end_time)
{
    static const double ends[] = {1, 10, 0, 1e3, 0.5, 1e10, 1e40, 100};
    struct particle_kind kinds[3];
    struct particle particles[BYTE_SYSTEM_MAX + 1];
    const struct particle_counts counts[BYTE_SYSTEM_MAX] = {{0}};
    *system = (struct system){.law = take_law(bytes), .particles = particles};
    const struct scales scales = take_scales(bytes);
    unsigned shape = fuzz_byte(bytes);
    system->radius = (shape & 3 ? 1 : 0) * scales.length;
    system->boundary.width = (1 + (shape >> 2)) * scales.quantum * scales.length;
    system->boundary.height = (1 + fuzz_byte(bytes)) * scales.quantum * scales.length;
    double unit = scales.length / scales.speed; /* of time */
    system->boundary.periodic = scales.periodic;
    if ((shape & 3) == 1) /* just wide enough */
        system->boundary.width = (scales.periodic & PERIODIC_X ? 4 : 2) * system->radius;
    take_kinds(bytes, &scales, kinds, system);
    const unsigned choice = fuzz_byte(bytes);
    *end_time = fmin(ends[choice & 7] * unit, SYSTEM_LARGEST);
    take_stream(choice, &scales, system);
    if (system->law.contact_time > 0)
        system->law.contact_time *= unit;
    byte_polygons(bytes, scales.polygons, scales.quantum * scales.length, system);
    while (bytes->left > 0 && system->count < BYTE_SYSTEM_MAX)
        take_particle(bytes, &scales, system);
    if (system->count == 0 || !is_acceptable(system) ||
        (system->boundary.stream.draw && stream_complete(system, &failure))) {
        polygons_free(system->boundary.polygons);
        return 0;
    }
    system->particles = own(particles, system->count * sizeof *particles);
    system->counts = own(counts, system->count * sizeof *counts);
    if (system->kinds)
        system->kinds = own(kinds, system->kind_count * sizeof *kinds);
    if (system->law.contact_time < 0)
        system->law.contact_time = physics_contact_time(system);
    return 1;
}
