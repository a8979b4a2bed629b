/* Random systems; see random_system.h. */
#include "random_system.h"

#include "generate/generate.h"
#include "model/boundary_law.h"
#include "model/polygons.h"

struct random_generator random_from(uint64_t seed)
{
    struct random_generator generator;
    random_seed(&generator, seed);
    return generator;
}

size_t random_below(struct random_generator *random, size_t limit)
{
    return (size_t)(random_unit(random) * (double)limit);
}

static void *allocate(size_t count, size_t size)
{
    void *block = memory_allocate(count, size, "a test", &failure);
    if (!block) {
        error_print(&failure);
        exit(EXIT_FAILURE);
    }
    return block;
}

static void allocate_particles(struct system *system, size_t count)
{
    if (system_reserve(system, count, &failure)) {
        error_print(&failure);
        exit(EXIT_FAILURE);
    }
}

static int overlaps(const struct system *system, size_t index)
{
    const struct particle *p = &system->particles[index];
    for (size_t k = 0; k < index; k++) {
        const struct particle *q = &system->particles[k];
        if (hypot(q->x - p->x, q->y - p->y) < 2 * system->radius)
            return 1;
    }
    return 0;
}

struct system random_system(struct random_generator *random, size_t count, double area_fraction,
                            double aspect)
{
    const double pi = 3.14159265358979323846;
    const double growth = 1e-7;
    double area = (double)count * pi / area_fraction;
    struct system system = {.count = count, .radius = 1};
    system.boundary.height = fmax(sqrt(area / aspect), 2.5);
    system.boundary.width = fmax(area / system.boundary.height, 2.5);
    allocate_particles(&system, count);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        p->u = 2 * random_unit(random) - 1;
        p->v = 2 * random_unit(random) - 1;
        do {
            p->x = 1 + (system.boundary.width - 2) * random_unit(random);
            p->y = 1 + (system.boundary.height - 2) * random_unit(random);
            system.boundary.width *= 1 + growth; /* so that there will be a place in the end */
            system.boundary.height *= 1 + growth;
        } while (overlaps(&system, k));
    }
    return system;
}

static struct system generate(const struct generate_request *request)
{
    struct system system;
    must(generate_system(request, &system, &failure));
    return system;
}

struct system generated_system(size_t count, double area_fraction, double radius, double aspect,
                               uint64_t seed)
{
    return generate(&(struct generate_request){.count = count,
                                               .area_fraction = area_fraction,
                                               .radius = radius,
                                               .aspect = aspect,
                                               .speed = 1,
                                               .seed = seed});
}

struct system generated_gas(size_t count, double area_fraction, uint64_t seed, unsigned periodic)
{
    return generate(&(struct generate_request){.count = count,
                                               .area_fraction = area_fraction,
                                               .radius = 1,
                                               .aspect = 1,
                                               .speed = 1,
                                               .seed = seed,
                                               .periodic = periodic});
}

struct system random_lattice(struct random_generator *random, size_t columns, size_t rows,
                             double gap)
{
    struct system system = {.count = columns * rows, .radius = 1};
    double pitch = 2 + gap;
    system.boundary.width = (double)columns * pitch + gap;
    system.boundary.height = (double)rows * pitch + gap;
    allocate_particles(&system, system.count);
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = gap + 1 + (double)(k % columns) * pitch;
        p->y = gap + 1 + (double)(k / columns) * pitch;
        p->u = (double)random_below(random, 3) - 1;
        p->v = (double)random_below(random, 3) - 1;
    }
    return system;
}

/* A number whose logarithm is uniform. */
static double random_scale(struct random_generator *random, double least, double largest)
{
    return least * pow(largest / least, random_unit(random));
}

/* The kind of particle `index` of a mixed system. */
static struct particle_kind mixed_particle(struct random_generator *random, enum mixed_kind kind,
                                           size_t index)
{
    double radius = 0.2 + 1.6 * random_unit(random);
    switch (kind) {
    case MIXED_TWO:
        return index % 2 ? (struct particle_kind){0.5, 0.25, 1} : (struct particle_kind){1, 1, 0};
    case MIXED_MASSES:
        return (struct particle_kind){1, random_scale(random, 1e-3, 1e3), (int32_t)(index % 3)};
    case MIXED_FEW_LARGE:
        return index % 50 == 7 ? (struct particle_kind){10, 100, 9}
                               : (struct particle_kind){0.5, 1, 0};
    case MIXED_SCALES:
        radius = random_scale(random, 0.01, 1);
        return (struct particle_kind){radius, random_scale(random, 1e-3, 1e3),
                                      (int32_t)(index % 2)};
    case MIXED_TENTH:
        return (struct particle_kind){index % 10 == 7 ? 1 : 0.1, 1, index % 10 == 7};
    case MIXED_POINTS:
        return random_below(random, 2) ? (struct particle_kind){0, 0.1, 1}
                                       : (struct particle_kind){1, 1, 0};
    default:
        return (struct particle_kind){radius, radius * radius, (int32_t)random_below(random, 3)};
    }
}

/* Whether a particle overlaps one of those before it in `order`. */
static int overlaps_larger(const struct system *system, const size_t *order, size_t place)
{
    const struct particle *p = &system->particles[order[place]];
    for (size_t k = 0; k < place; k++) {
        const struct particle *q = &system->particles[order[k]];
        if (hypot(q->x - p->x, q->y - p->y) < system_contact(system, p, q))
            return 1;
    }
    return 0;
}

/* Gives all particles places; `order` is that of their radii, the largest first. */
static void place_all(struct random_generator *random, struct system *system, const size_t *order)
{
    const double growth = 1 + 1e-4;
    for (size_t place = 0; place < system->count; place++) {
        struct particle *p = &system->particles[order[place]];
        double radius = system_radius(system, p);
        do {
            system->boundary.width *= growth; /* so that there will be a place in the end */
            system->boundary.height = system->boundary.width;
            p->x = radius + (system->boundary.width - 2 * radius) * random_unit(random);
            p->y = radius + (system->boundary.height - 2 * radius) * random_unit(random);
        } while (overlaps_larger(system, order, place));
    }
}

struct system mixed_system(struct random_generator *random, enum mixed_kind kind, size_t count,
                           double area_fraction)
{
    const double pi = 3.14159265358979323846;
    struct system system = {.count = count, .radius = 123}; /* which no particle has */
    double area = 0, largest = 0;
    size_t *order = allocate(count, sizeof *order);
    allocate_particles(&system, count);
    system.kinds = allocate(count, sizeof *system.kinds);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        const struct particle_kind its = mixed_particle(random, kind, k);
        while (p->kind < system.kind_count &&
               memcmp(&system.kinds[p->kind].radius, &its.radius, sizeof its.radius) != 0)
            p->kind++;
        if (p->kind == system.kind_count || kind == MIXED_MASSES) {
            p->kind = (uint32_t)system.kind_count++;
            system.kinds[p->kind] = its;
        }
        p->u = 2 * random_unit(random) - 1;
        p->v = 2 * random_unit(random) - 1;
        area += pi * its.radius * its.radius;
        largest = fmax(largest, its.radius);
        size_t place = k;
        for (;
             place > 0 && system_radius(&system, &system.particles[order[place - 1]]) < its.radius;
             place--)
            order[place] = order[place - 1];
        order[place] = k;
    }
    system.boundary.width = system.boundary.height =
        fmax(sqrt(area / area_fraction), 2.5 * largest + 1);
    place_all(random, &system, order);
    memory_free(order);
    return system;
}

/* Adds a polygon that does not count before it is attached, which takes a time for each that there
 * is. */
static void add_polygon(struct system *system, const double (*vertices)[2], size_t count,
                        int is_inside)
{
    struct boundary *boundary = &system->boundary;
    if (!boundary->polygons) {
        boundary->polygons = allocate(1, sizeof *boundary->polygons);
        *boundary->polygons = (struct polygons){0};
    }
    must(polygons_add(boundary->polygons, vertices, count, is_inside, is_inside, &failure));
}

static void attach_polygons(struct system *system)
{
    must(system_attach_polygons(system, system->boundary.polygons, &failure));
}

void system_add_polygon(struct system *system, const double (*vertices)[2], size_t count,
                        int is_inside)
{
    add_polygon(system, vertices, count, is_inside);
    attach_polygons(system);
}

static void copy_polygons(struct system *copy, const struct polygons *polygons)
{
    copy->boundary.polygons = NULL;
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        double(*vertices)[2] = allocate(polygon->side_count, sizeof *vertices);
        for (size_t m = 0; m < polygon->side_count; m++) {
            vertices[m][0] = polygons->sides[polygon->first_side + m].corner_x;
            vertices[m][1] = polygons->sides[polygon->first_side + m].corner_y;
        }
        add_polygon(copy, (const double(*)[2])vertices, polygon->side_count, polygon->is_inside);
        copy->boundary.polygons->list[k] = *polygon; /* what the check has found, too */
        memory_free(vertices);
    }
    if (!copy->boundary.polygons)
        return;
    memcpy(copy->boundary.polygons->sides, polygons->sides,
           polygons->side_count * sizeof *polygons->sides);
    attach_polygons(copy);
}

static double largest_radius(const struct system *system)
{
    double largest = 0;
    for (size_t k = 0; k < system->count; k++)
        largest = fmax(largest, system_radius(system, &system->particles[k]));
    return largest;
}

/* Moves a coordinate along an axis of this period. */
static double move_around(double x, double way, double period)
{
    x += way;
    if (x < 0)
        x += period;
    return x < period ? x : x - period;
}

unsigned random_axes(struct random_generator *random)
{
    return 1 + (unsigned)random_below(random, 3);
}

double random_aspect(struct random_generator *random)
{
    return 0.02 * pow(2500, random_unit(random));
}

void random_periodic(struct random_generator *random, struct system *system, unsigned axes)
{
    struct boundary *boundary = &system->boundary;
    const double least = 4 * largest_radius(system);
    const struct particle *first = &system->particles[random_below(random, system->count)];
    const double rim = random_below(random, 2) ? system_radius(system, first) : 0;
    const double x_way = rim - first->x;
    const double y_way = rim - first->y;
    boundary->periodic = axes;
    for (size_t k = 0; k < system->count && boundary->periodic & PERIODIC_X; k++) {
        boundary->width = fmax(boundary->width, least);
        system->particles[k].x = move_around(system->particles[k].x, x_way, boundary->width);
    }
    for (size_t k = 0; k < system->count && boundary->periodic & PERIODIC_Y; k++) {
        boundary->height = fmax(boundary->height, least);
        system->particles[k].y = move_around(system->particles[k].y, y_way, boundary->height);
    }
}

void random_stream(struct random_generator *random, struct system *system)
{
    static const double ratios[] = {0, 0.3, -1, 3, -20};
    double energy = 0;
    if (!(system->boundary.periodic & PERIODIC_X) || random_below(random, 3) == 0)
        return;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        energy += 0.5 * system_mass(system, p) * (p->u * p->u + p->v * p->v);
    }
    const double temperature = energy > 0 ? energy / (double)system->count : 1;
    const double ratio = ratios[random_below(random, LENGTH(ratios))];
    system->boundary.stream =
        stream_make(ratio * sqrt(temperature), temperature, random_below(random, 1000));
}

static struct wall_laws *allocate_walls(const struct system *system, uint64_t seed)
{
    const struct polygons *polygons = system->boundary.polygons;
    struct wall_laws *walls = wall_laws_create(polygons ? polygons->count : 0, seed, &failure);
    if (!walls)
        abort();
    return walls;
}

void random_walls(struct random_generator *random, struct system *system)
{
    static const double parts[] = {0, 0.5, 1};
    double energy = 0;
    if (random_below(random, 3) == 0)
        return;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        energy += 0.5 * system_mass(system, p) * (p->u * p->u + p->v * p->v);
    }
    const double temperature = energy > 0 ? energy / (double)system->count : 1;
    struct wall_laws *walls = allocate_walls(system, random_below(random, 1000));
    for (size_t k = 0; k < walls->count; k++)
        walls->list[k] = (struct wall_law){
            .temperature = random_below(random, 3) ? temperature * (0.1 + random_unit(random)) : 0,
            .accommodation = parts[random_below(random, 3)],
            .speed = random_below(random, 2) ? sqrt(temperature) * (random_unit(random) - 0.5) : 0,
            .restitution = random_below(random, 2) ? random_unit(random) : 1};
    system->boundary.walls = walls;
    must(wall_laws_complete(walls, system, &failure));
}

void random_rough(struct random_generator *random, struct system *system)
{
    static const double ends[] = {-1, 0, 1};
    const size_t end = random_below(random, 6);
    system->boundary.surfaces = (struct surfaces){
        .are_rough = 1,
        .roughness = end < LENGTH(ends) ? ends[end] : 2 * random_unit(random) - 1,
        .friction = random_below(random, 2) ? SYSTEM_LARGEST : random_unit(random),
        .inertia = random_below(random, 2) ? SURFACES_INERTIA : 1 - 0.99 * random_unit(random)};
    system->spins = allocate(system->count, sizeof *system->spins);
    for (size_t k = 0; k < system->count; k++)
        system->spins[k] =
            (2 * random_unit(random) - 1) / system_radius(system, &system->particles[k]);
}

struct system system_copy(const struct system *system)
{
    struct system copy = *system;
    copy.particles = NULL;
    copy.counts = NULL;
    copy.spins = NULL;
    allocate_particles(&copy, system->count);
    memcpy(copy.particles, system->particles, system->count * sizeof *copy.particles);
    memcpy(copy.counts, system->counts, system->count * sizeof *copy.counts);
    if (system->spins)
        memcpy(copy.spins, system->spins, system->count * sizeof *copy.spins);
    if (system->kinds) {
        copy.kinds = allocate(system->kind_count, sizeof *copy.kinds);
        memcpy(copy.kinds, system->kinds, system->kind_count * sizeof *copy.kinds);
    }
    if (system->boundary.polygons)
        copy_polygons(&copy, system->boundary.polygons);
    if (system->boundary.walls) {
        copy.boundary.walls = allocate_walls(system, 0);
        memcpy(copy.boundary.walls, system->boundary.walls,
               sizeof *copy.boundary.walls +
                   copy.boundary.walls->count * sizeof copy.boundary.walls->list[0]);
    }
    return copy;
}

struct particle random_particle(struct random_generator *random)
{
    struct particle p = {
        .x = 10 * random_unit(random),
        .y = 10 * random_unit(random),
        .u = random_unit(random) - 0.5,
        .v = random_unit(random) - 0.5,
        .t = random_unit(random),
    };
    switch (random_below(random, 8)) {
    case 0:
        p.u = p.v = 0;
        break;
    case 1:
        p.x = floor(p.x);
        p.y = floor(p.y);
        p.t = 0;
        break;
    case 2:
        p.u *= 1e6;
        p.v *= 1e-6;
        break;
    case 3:
        p.u = floor(4 * p.u);
        p.v = floor(4 * p.v);
        p.x = floor(p.x);
        p.y = floor(p.y);
        p.t = 0;
        break;
    default:
        break;
    }
    return p;
}
