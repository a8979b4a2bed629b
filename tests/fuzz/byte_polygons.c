/* Polygons made of arbitrary bytes; see byte_polygons.h.
 *
 * A group is one polygon, or a room of thin walls. Groups are added one after another; one with
 * which the polygons would not be sound is left out. */
#include "byte_polygons.h"

#include "model/polygons.h"
#include "model/region.h"

enum { MAX_GROUPS = 3, MAX_VERTICES = 8 };

/* Vertices, and what they are. */
struct group {
    double vertices[MAX_VERTICES][2];
    size_t count;
    int is_domain;
    int is_room; /* thin walls from each vertex to the next one */
};

/* The unit in which bytes give coordinates, and the box in which they are. */
struct drawing {
    struct fuzz_bytes *bytes;
    const struct boundary *boundary;
    double quantum;
    unsigned off; /* by how many units in the last place vertices are off the grid, up or down */
};

static double take_coordinate(struct drawing *drawing, double length)
{
    const unsigned steps = fuzz_byte(drawing->bytes);
    const double distance = (steps & 127) * drawing->quantum;
    double coordinate = steps & 128 ? length - distance : distance;
    for (unsigned k = 0; k < (drawing->off & 1); k++)
        coordinate = nextafter(coordinate, drawing->off & 2 ? length : 0);
    return coordinate < 1e-100 ? 0 : fmin(coordinate, length); /* as the reader does */
}

static void take_vertex(struct drawing *drawing, double vertex[2])
{
    vertex[0] = take_coordinate(drawing, drawing->boundary->width);
    vertex[1] = take_coordinate(drawing, drawing->boundary->height);
}

static void put(struct group *group, double x, double y)
{
    group->vertices[group->count][0] = x;
    group->vertices[group->count++][1] = y;
}

/* A rectangle between two corners, perhaps with a quarter, or little more than a corner, missing.
 */
static void take_rectangle(struct drawing *drawing, struct group *group, double missing)
{
    double a[2], b[2];
    take_vertex(drawing, a);
    take_vertex(drawing, b);
    put(group, a[0], a[1]);
    put(group, b[0], a[1]);
    if (missing > 0) {
        put(group, b[0], b[1] - missing * (b[1] - a[1]));
        put(group, b[0] - missing * (b[0] - a[0]), b[1] - missing * (b[1] - a[1]));
        put(group, b[0] - missing * (b[0] - a[0]), b[1]);
    } else {
        put(group, b[0], b[1]);
    }
    put(group, a[0], b[1]);
}

/* A regular hexagon, or a square that stands on a vertex: around a vertex, and with this radius. */
static void take_regular(struct drawing *drawing, struct group *group, unsigned choice)
{
    double middle[2];
    take_vertex(drawing, middle);
    const double radius = (1 + fuzz_byte(drawing->bytes) % 16) * drawing->quantum;
    const double high = choice & 1 ? sqrt(0.75) * radius : radius;
    const double half = choice & 1 ? radius / 2 : 0;
    put(group, middle[0] + radius, middle[1]);
    put(group, middle[0] + half, middle[1] + high);
    if (choice & 1)
        put(group, middle[0] - half, middle[1] + high);
    put(group, middle[0] - radius, middle[1]);
    put(group, middle[0] - half, middle[1] - high);
    if (choice & 1)
        put(group, middle[0] + half, middle[1] - high);
}

/* Moves an obstacle across a seam, or at least half a box on. */
static void move(const struct boundary *boundary, struct group *group, unsigned choice)
{
    const double dx = choice & 1 && boundary->periodic & PERIODIC_X ? boundary->width / 2 : 0;
    const double dy = choice & 2 && boundary->periodic & PERIODIC_Y ? boundary->height / 2 : 0;
    for (size_t k = 0; k < group->count; k++) {
        group->vertices[k][0] += dx;
        group->vertices[k][1] += dy;
    }
}

static void take_group(struct drawing *drawing, struct group *group)
{
    const unsigned choice = fuzz_byte(drawing->bytes);
    const unsigned shape = choice & 7;
    *group = (struct group){.is_domain = choice >> 3 & 1, .is_room = shape == 1};
    drawing->off = choice >> 6;
    if (shape == 4)
        take_rectangle(drawing, group, 0);
    else if (shape == 5)
        take_rectangle(drawing, group, choice >> 4 & 1 ? 0.5 : 0.125);
    else if (shape >= 6)
        take_regular(drawing, group, shape);
    else
        for (unsigned k = 0; k < (shape < 2 ? 2 + shape : shape + 1); k++) {
            take_vertex(drawing, group->vertices[group->count]);
            group->count++;
        }
    if (!group->is_domain)
        move(drawing->boundary, group, choice >> 4);
}

/* Whether an axis of the box has room for the vertices as the reader would put them. */
static int has_room(const struct group *group, int axis, double length, int is_seam)
{
    double least = (double)INFINITY;
    double most = -(double)INFINITY;
    for (size_t k = 0; k < group->count; k++) {
        least = fmin(least, group->vertices[k][axis]);
        most = fmax(most, group->vertices[k][axis]);
    }
    if (is_seam)
        return least >= 0 && least < length && most - least <= length;
    return least >= 0 && most <= length;
}

static int is_in_place(const struct group *group, const struct boundary *boundary)
{
    for (size_t k = 0; k < group->count; k++) {
        const double *a = group->vertices[k];
        const double *b = group->vertices[(k + 1) % group->count];
        if (a[0] == b[0] && a[1] == b[1])
            return 0;
    }
    const unsigned seams = group->is_domain ? 0 : boundary->periodic;
    return has_room(group, 0, boundary->width, seams & PERIODIC_X) &&
           has_room(group, 1, boundary->height, seams & PERIODIC_Y);
}

static void add(struct polygons *polygons, const double (*vertices)[2], size_t count, int is_domain)
{
    fuzz_expect(!polygons_add(polygons, vertices, count, is_domain, is_domain, &failure),
                "no memory for a test");
}

/* Makes the polygons; NULL if they are not sound. */
static struct polygons *make(const struct group *groups, size_t count,
                             const struct boundary *boundary)
{
    struct polygon_fault fault;
    struct polygons *polygons = memory_allocate(1, sizeof *polygons, "a test", &failure);
    fuzz_expect(polygons != NULL, "no memory for a test");
    *polygons = (struct polygons){0};
    for (size_t k = 0; k < count; k++) {
        const struct group *group = &groups[k];
        for (size_t m = 0; group->is_room && m < group->count; m++) {
            const double *next = group->vertices[(m + 1) % group->count];
            const double wall[2][2] = {{group->vertices[m][0], group->vertices[m][1]},
                                       {next[0], next[1]}};
            add(polygons, wall, 2, group->is_domain);
        }
        if (!group->is_room)
            add(polygons, group->vertices, group->count, group->is_domain);
    }
    fuzz_expect(!polygons_check(polygons, boundary, &fault, &failure), "no memory for a test");
    if (fault.kind == POLYGON_SOUND)
        return polygons;
    polygons_free(polygons);
    return NULL;
}

void byte_polygons(struct fuzz_bytes *bytes, unsigned most, double quantum, struct system *system)
{
    struct drawing drawing = {.bytes = bytes, .boundary = &system->boundary, .quantum = quantum};
    struct group groups[MAX_GROUPS];
    struct polygons *polygons = NULL;
    size_t count = 0;
    for (unsigned k = 0; k < most && k < MAX_GROUPS; k++) {
        take_group(&drawing, &groups[count]);
        struct polygons *more = is_in_place(&groups[count], &system->boundary)
                                    ? make(groups, count + 1, &system->boundary)
                                    : NULL;
        if (!more)
            continue;
        polygons_free(polygons);
        polygons = more;
        count++;
    }
    if (polygons)
        fuzz_expect(!system_attach_polygons(system, polygons, &failure), "no memory for a test");
}

int byte_polygons_leave(const struct system *system, const struct particle *particle)
{
    struct region_fault fault;
    struct particle copy = *particle;
    struct system alone = *system;
    alone.particles = &copy;
    alone.count = 1;
    fuzz_expect(!region_check(&alone, &fault, &failure), "no memory for a test");
    return fault.kind == REGION_FREE;
}
