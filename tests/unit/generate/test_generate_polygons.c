/* Tests of systems that are generated among polygons: in the region of particles, clear of all
 * sides, everywhere as likely, and with the area fraction that was asked for. */
#include "check.h"
#include "generate/generate.h"
#include "model/overlap.h"
#include "model/region.h"

#include "base/elementary.h"

static struct generate_request request_of(size_t count, double area_fraction, double radius)
{
    return (struct generate_request){.count = count,
                                     .area_fraction = area_fraction,
                                     .radius = radius,
                                     .aspect = 1,
                                     .speed = 1,
                                     .seed = 1};
}

static struct polygons *no_polygons(void)
{
    struct polygons *polygons = memory_allocate(1, sizeof *polygons, "polygons", &failure);
    if (!polygons)
        exit(EXIT_FAILURE);
    *polygons = (struct polygons){0};
    return polygons;
}

static void add(struct polygons *polygons, const double (*vertices)[2], size_t count, int is_domain)
{
    must(polygons_add(polygons, vertices, count, is_domain, is_domain, &failure));
}

/* Adds a star-shaped polygon of 5 to 12 vertices, from a third of the radius around a point. */
static void add_star(struct polygons *polygons, struct random_generator *random, double x, double y,
                     double radius, int is_domain)
{
    double vertices[12][2];
    const size_t count = 5 + random_below(random, 8);
    for (size_t k = 0; k < count; k++) {
        const double angle = 2 * PI * ((double)k + 0.8 * random_unit(random)) / (double)count;
        const double distance = radius * (1 + 2 * random_unit(random)) / 3;
        vertices[k][0] = x + distance * cos(angle);
        vertices[k][1] = y + distance * sin(angle);
    }
    add(polygons, (const double(*)[2])vertices, count, is_domain);
}

/* Moves the first polygon, which is at the origin: onto seams, or away from walls. */
static void move_first(struct polygons *polygons, const struct boundary *box, double away)
{
    double vertices[12][2];
    for (size_t k = 0; k < polygons->list[0].side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        vertices[k][0] = side->corner_x + (box->periodic & PERIODIC_X ? box->width : away);
        vertices[k][1] = side->corner_y + (box->periodic & PERIODIC_Y ? box->height : away);
    }
    polygons_set_vertices(polygons, 0, (const double(*)[2])vertices);
}

/* Completes the request and makes the system. Returns the status. */
static enum status generate(struct generate_request *request, struct polygons *polygons,
                            struct system *system, struct error *error)
{
    struct polygon_fault fault;
    enum status status = generate_choose_box(request, polygons, error);
    if (!polygons->list[0].is_domain && polygons->count > 1)
        move_first(polygons, &request->box, request->box.width / 10);
    if (!status)
        status = polygons_check(polygons, &request->box, &fault, error);
    CHECK(status || fault.kind == POLYGON_SOUND);
    if (!status)
        status = generate_take_polygons(request, polygons, error);
    if (!status)
        return generate_system(request, system, error);
    polygons_free(polygons);
    return status;
}

static double shift(double distance, double length, unsigned is_periodic)
{
    return is_periodic ? distance - length * floor(distance / length + 0.5) : distance;
}

/* How far a place is from a side, or the nearest image of it. */
static double distance_to(const struct polygon_side *side, const struct boundary *box, double x,
                          double y)
{
    double least = (double)INFINITY;
    for (int image = 0; image < (box->periodic ? 9 : 1); image++) {
        const int column = box->periodic & PERIODIC_X ? image % 3 - 1 : 0;
        const int row = box->periodic & PERIODIC_Y ? image / 3 - 1 : 0;
        const double dx = x - side->x + column * box->width;
        const double dy = y - side->y + row * box->height;
        const double part = (dx * side->lx + dy * side->ly) / (side->length * side->length);
        const double nearest = fmin(fmax(part, 0), 1);
        least = fmin(least, hypot(dx - nearest * side->lx, dy - nearest * side->ly));
    }
    return least;
}

/* Whether the region check of INPUT accepts all, and brute force does. */
static void check_places(const struct system *system)
{
    const struct boundary *box = &system->boundary;
    const struct polygons *polygons = box->polygons;
    struct region_fault fault;
    struct overlap overlap;
    CHECK(region_check(system, &fault, &failure) == STATUS_DONE && fault.kind == REGION_FREE);
    CHECK(overlap_find(system, NULL, &overlap, &failure) == STATUS_DONE && !overlap.found);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        CHECK(system_check_particle(system, k, &failure) == STATUS_DONE);
        for (size_t m = 0; m < polygons->side_count; m++)
            CHECK(distance_to(&polygons->sides[m], box, p->x, p->y) > radius * (1 - 1e-12));
        for (size_t j = 0; j < k; j++) {
            const struct particle *q = &system->particles[j];
            const double dx = shift(p->x - q->x, box->width, box->periodic & PERIODIC_X);
            const double dy = shift(p->y - q->y, box->height, box->periodic & PERIODIC_Y);
            CHECK(hypot(dx, dy) > system_contact(system, p, q));
        }
    }
}

/* The part of the free area that disks cover. */
static double fraction_of(const struct system *system)
{
    double covered = 0;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        covered += PI * radius * radius;
    }
    return covered / reach_area(&system->boundary);
}

/* A star at the origin, and stars and thin walls in the cells of a checkerboard beside it. */
static void add_obstacles(struct polygons *polygons, struct random_generator *random, double cell,
                          size_t cells)
{
    add_star(polygons, random, 0, 0, 0.4 * cell, 0);
    for (size_t k = 0; k < cells * cells; k++) {
        const double x = cell * (double)(1 + k % cells);
        const double y = cell * (double)(1 + k / cells);
        const double wall[2][2] = {{x, y + cell * random_unit(random)},
                                   {x + 0.9 * cell, y + cell * random_unit(random)}};
        if ((k % cells + k / cells) % 2)
            add_star(polygons, random, x + 0.5 * cell, y + 0.5 * cell,
                     cell * (0.1 + 0.35 * random_unit(random)), 0);
        else
            add(polygons, wall, 2, 0);
    }
}

/* In star-shaped domains, and with stars and thin walls in them. */
RANDOM_TEST(domains, 1)
{
    const int rounds = check_is_thorough() ? 400 : 60;
    int made = 0;
    for (int round = 0; round < rounds; round++) {
        struct system system;
        struct polygons *polygons = no_polygons();
        struct generate_request request =
            request_of(1 + random_below(random, 150), 0.02 + 0.4 * random_unit(random), 0);
        const double size = pow(1e6, random_unit(random) - 0.5);
        request.seed = (uint64_t)round;
        request.aspect = 0;
        add_star(polygons, random, 1.5 * size, 2 * size, size, 1);
        if (round % 2) /* so small that it is inside */
            add_star(polygons, random, 1.5 * size, 2 * size, 0.1 * size, round % 4 == 1);
        if (generate(&request, polygons, &system, &failure)) {
            CHECK(strstr(failure.message, "chance finds room among the polygons for ") != NULL);
            continue;
        }
        check_places(&system);
        CHECK(system.radius == request.radius);
        CHECK(fabs(fraction_of(&system) / request.area_fraction - 1) < 1e-8);
        system_free(&system);
        made++;
    }
    CHECK(made > rounds / 2);
}

/* Around obstacles, also across seams, the box follows. */
RANDOM_TEST(obstacles, 2)
{
    const int rounds = check_is_thorough() ? 300 : 60;
    int made = 0;
    for (int round = 0; round < rounds; round++) {
        struct system system;
        struct polygons *polygons = no_polygons();
        const double fraction = 0.02 + 0.3 * random_unit(random);
        struct generate_request request = request_of(50 + random_below(random, 200), fraction, 1);
        const double side = sqrt(PI * (double)request.count / fraction);
        request.seed = (uint64_t)round;
        request.periodic = (unsigned)round % 4;
        add_obstacles(polygons, random, side / 5, 1 + random_below(random, 3));
        if (generate(&request, polygons, &system, &failure)) {
            if (!CHECK(strstr(failure.message, "chance finds room among the polygons for ") !=
                       NULL))
                printf("    %s\n", failure.message);
            continue;
        }
        check_places(&system);
        CHECK(system.boundary.width > side && system.radius == 1);
        CHECK(fabs(system.boundary.width / system.boundary.height - 1) < 1e-8);
        CHECK(fabs(fraction_of(&system) / fraction - 1) < 1e-8);
        system_free(&system);
        made++;
    }
    CHECK(made > rounds / 2);
}

/* A mixture with given radii: the area fraction follows, and the species come in order. */
TEST(a_mixture)
{
    static const double square[4][2] = {{0, 0}, {0, 20}, {30, 20}, {30, 0}};
    struct system system;
    struct generate_request request = request_of(60, 0, 2);
    struct polygons *polygons = no_polygons();
    request.aspect = 0;
    request.component_count = 2;
    request.components[0] = (struct generate_component){10, 2, 1};
    request.components[1] = (struct generate_component){50, 0.5, 3};
    add(polygons, square, 4, 1);
    if (!CHECK(generate(&request, polygons, &system, &failure) == STATUS_DONE))
        return;
    check_places(&system);
    CHECK(system.boundary.width == 30 && system.boundary.height == 20);
    CHECK(system.kind_count == 2 && system_radius(&system, &system.particles[9]) == 2 &&
          system_radius(&system, &system.particles[10]) == 0.5);
    CHECK(fabs(fraction_of(&system) - PI * (40 + 12.5) / 600) < 1e-12);
    system_free(&system);
}

/* In an L with a hole, whose unit squares have as many points as others. */
TEST(everywhere_is_as_likely)
{
    enum { COUNT = 20000, SIDE = 10 };
    static const double shape[6][2] = {{0, 0}, {10, 0}, {10, 5}, {5, 5}, {5, 10}, {0, 10}};
    static const double hole[4][2] = {{2, 2}, {2, 4}, {3, 4}, {3, 2}};
    struct system system;
    struct generate_request request = request_of(COUNT, 0, 1e-6);
    struct polygons *polygons = no_polygons();
    double found[SIDE * SIDE] = {0};
    double sum = 0;
    size_t squares = 0;
    request.aspect = 0;
    add(polygons, shape, 6, 1);
    add(polygons, hole, 4, 0);
    if (!CHECK(generate(&request, polygons, &system, &failure) == STATUS_DONE))
        return;
    for (size_t k = 0; k < COUNT; k++)
        found[(size_t)system.particles[k].y * SIDE + (size_t)system.particles[k].x]++;
    for (size_t k = 0; k < SIDE * SIDE; k++) {
        const double expected = COUNT / 73.0;
        if (found[k] > 0) {
            squares++;
            sum += (found[k] - expected) * (found[k] - expected) / expected;
        }
    }
    CHECK(squares == 73);
    CHECK(sum > 30 && sum < 132); /* chi squared: 72, and five standard deviations of 12 */
    system_free(&system);
}

/* A narrow domain is a small part of its box; disks are found room in it all the same. */
TEST(a_narrow_domain)
{
    static const double lane[4][2] = {{0, 0}, {4, 0}, {1004, 1000}, {1000, 1000}};
    struct system system;
    struct generate_request request = request_of(300, 0.3, 0);
    struct polygons *polygons = no_polygons();
    request.aspect = 0;
    add(polygons, lane, 4, 1);
    if (CHECK(generate(&request, polygons, &system, &failure) == STATUS_DONE)) {
        check_places(&system);
        system_free(&system);
    }
}

/* A request that cannot be met is refused, and the message says what is possible. */
TEST(refusals)
{
    static const double square[4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    static const double lengthy[4][2] = {{0, 0}, {50, 1}, {50, 2}, {0, 1}};
    static const double low[3][2] = {{0, 0}, {5, 0}, {5, -3}};
    struct system system;
    struct generate_request request = request_of(500, 0.7, 0);
    struct polygons *polygons = no_polygons();
    request.aspect = 0;
    add(polygons, square, 4, 1);
    CHECK(generate(&request, polygons, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, " of 500 disks, which cover 0.5") != NULL);
    polygons = no_polygons();
    add(polygons, low, 3, 1);
    CHECK(generate(&request, polygons, &system, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "reaches to x = 5 and y = 0") != NULL);
    polygons = no_polygons();
    request = request_of(1, 0.3, 0.1);
    add(polygons, square, 4, 0); /* a strip is left, too narrow for the disk */
    CHECK(generate(&request, polygons, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, " for 0 of 1 disks, which cover 0 ") != NULL);
    polygons = no_polygons();
    add(polygons, lengthy, 4, 0);
    CHECK(generate(&request, polygons, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "the obstacles reach to x = 50 and y = 2, ") != NULL);
    polygons = no_polygons();
    request = request_of(10, 1e-40, 0);
    request.aspect = 0;
    request.count = SYSTEM_MAX_COUNT;
    add(polygons, square, 4, 1);
    CHECK(generate(&request, polygons, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "the radius would be less than ") != NULL);
}
