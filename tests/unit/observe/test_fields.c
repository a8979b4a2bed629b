/* Tests of the fields of whole runs: by hand, against the statistics, and against looking often. */

#include "check.h"
#include "observe/fields.h"
#include "observe/tally.h"
#include "observed.h"

enum { MAX_CELLS = 400, MAX_SPECIES = 2 };

/* The map that the last run has made; of a series, the last one. */
static struct field_values cells[MAX_CELLS];
static double duration;

/* Sums over all maps of a run, times how long each is. */
static struct {
    size_t maps;
    double end; /* of the last one */
    double counts[MAX_CELLS][MAX_SPECIES], momenta[MAX_CELLS], virials[MAX_CELLS];
} sums;

static enum status keep(const struct field_map *map, FILE *stream, struct error *error)
{
    (void)stream;
    (void)error;
    for (size_t k = 0; k < map->columns * map->rows; k++)
        cells[k] = field_map_values(map, k % map->columns, k / map->columns);
    duration = map->snapshot->time - map->from;
    CHECK(map->is_continued == (sums.maps > 0) && (sums.maps == 0 || map->from == sums.end));
    sums.maps++;
    sums.end = map->snapshot->time;
    for (size_t k = 0; k < map->columns * map->rows; k++) {
        const double time = duration * cells[k].area;
        for (size_t species = 0; species < map->grid->species && species < MAX_SPECIES; species++)
            sums.counts[k][species] += duration * field_map_count(map, k, species);
        sums.momenta[k] += cells[k].density > 0 ? time * cells[k].mass_density * cells[k].u : 0;
        sums.virials[k] += time * cells[k].pressure_collisional;
    }
    return STATUS_DONE;
}

static void run_series(struct system *system, enum schedule_kind kind, size_t columns, size_t rows,
                       double from, double end_time, double interval)
{
    const struct run_settings run = {.from = from, .to = end_time, .interval = interval};
    const struct fields_settings settings = {{.name = "file"}, keep, 1, columns, rows, 0};
    memset(&sums, 0, sizeof sums);
    CHECK(!observed_create_and_run(&fields_operations, &run, &settings.output, system, kind,
                                   end_time, &failure));
    memory_free(observed_read("file"));
}

static void run(struct system *system, enum schedule_kind kind, size_t columns, size_t rows,
                double from, double end_time)
{
    run_series(system, kind, columns, rows, from, end_time, 0);
}

/* The sums over all cells of: particles, mass, momentum, energy; each for the whole time, per time.
 */
struct totals {
    double count, mass, momentum_x, momentum_y, energy;
};

static struct totals add_up(size_t columns, size_t rows)
{
    struct totals totals = {0};
    for (size_t k = 0; k < columns * rows; k++) {
        const struct field_values *cell = &cells[k];
        const double count = cell->density * cell->area;
        const double mass = cell->mass_density * cell->area;
        if (!(count > 0))
            continue;
        totals.count += count;
        totals.mass += mass;
        totals.momentum_x += mass * cell->u;
        totals.momentum_y += mass * cell->v;
        totals.energy +=
            count * cell->temperature + 0.5 * mass * (cell->u * cell->u + cell->v * cell->v);
    }
    return totals;
}

static int is_near(double a, double b)
{
    return fabs(a - b) < 1e-11 * (1 + fabs(b));
}

/* One point between walls, from x = 1 to the right wall and back; cells of 2 x 2. */
TEST(one_point)
{
    struct particle particle = {.x = 1, .y = 1, .u = 2, .collided = -(double)INFINITY};
    struct particle_counts counts = {0};
    struct system system =
        SYSTEM(1, 4, 2, .particles = &particle, .counts = &counts, .law = ELASTIC);
    run(&system, SCHEDULE_ARRAY, 2, 1, 1, 3); /* from 3 to the wall after 0.5, then to 1 */
    CHECK(duration == 2);
    CHECK(cells[1].density == 1.5 / 2 / 4 && cells[0].density == 0.5 / 2 / 4);
    CHECK(cells[1].samples == 1 && cells[0].samples == 1 && cells[1].x == 3 && cells[1].y == 1);
    CHECK(is_near(cells[1].u, (0.5 * 2 - 1 * 2) / 1.5) && cells[1].v == 0 && cells[0].u == -2);
    CHECK(cells[0].temperature == 0);
    CHECK(is_near(cells[1].temperature, 0.5 * (4 - cells[1].u * cells[1].u)));
}

/* Two disks that come towards each other touch after 1 at x 2.5, with d 1 and J 2. */
TEST(a_collision)
{
    struct particle particles[2] = {{.x = 1, .y = 1, .u = 1, .collided = -(double)INFINITY},
                                    {.x = 4, .y = 1, .u = -1, .collided = -(double)INFINITY}};
    struct particle_counts counts[2] = {{0}};
    struct system system =
        SYSTEM(2, 8, 4, .radius = 0.5, .particles = particles, .counts = counts, .law = ELASTIC);
    particles[1].id = 1;
    run(&system, SCHEDULE_ARRAY, 4, 2, 0, 2);
    CHECK(cells[1].pressure_collisional == 2.0 / 2 / 2 / 4 && cells[2].pressure_collisional == 0);
    CHECK(is_near(cells[1].pressure_ideal, cells[1].density * cells[1].temperature));
    CHECK(cells[1].count == 1 && cells[1].is_scarce && isnan(cells[1].mach));
}

/* Mass, momentum and energy of a gas that keeps them, whatever the grid, the kinds and seams. */
RANDOM_TEST(what_is_conserved, 81)
{
    for (int round = 0; round < 6; round++) {
        OWNED(system, system) = mixed_system(random, (enum mixed_kind)(round % 3), 60, 0.2);
        system.law = ELASTIC;
        random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
        const struct snapshot start = snapshot_in_order(&system, 0);
        const struct snapshot_motion motion = tally_motion(&start);
        double mass = 0;
        for (size_t k = 0; k < system.count; k++)
            mass += system_mass(&system, &system.particles[k]);
        const size_t columns = 1 + random_below(random, 20);
        const size_t rows = 1 + random_below(random, 20);
        run(&system, SCHEDULE_CELLS, columns, rows, round % 2 ? 3 : 0, 20);
        const struct totals totals = add_up(columns, rows);
        CHECK(is_near(totals.count, 60) && is_near(totals.mass, mass));
        CHECK(is_near(totals.momentum_x, motion.momentum_x));
        CHECK(is_near(totals.momentum_y, motion.momentum_y));
        CHECK(is_near(totals.energy, motion.energy));
    }
}

/* The maps of a series are together what there is without one, of each species. */
RANDOM_TEST(a_series, 85)
{
    enum { COLUMNS = 3, ROWS = 2 };
    OWNED(system, system) = mixed_system(random, MIXED_TWO, 60, 0.3);
    system.law = ELASTIC;
    random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
    for (size_t k = 0; k < system.kind_count; k++)
        system.kinds[k].species = (int32_t)k;
    OWNED(system, other) = system_copy(&system);
    run(&system, SCHEDULE_CELLS, COLUMNS, ROWS, 3, 20);
    CHECK(sums.maps == 1 && duration == 17);
    const double virials = sums.virials[0];
    double counts[COLUMNS * ROWS][MAX_SPECIES];
    double momenta[COLUMNS * ROWS];
    memcpy(counts, sums.counts, sizeof counts);
    memcpy(momenta, sums.momenta, sizeof momenta);
    for (size_t k = 0; k < COLUMNS * ROWS; k++) {
        const struct field_values *cell = &cells[k];
        const double square = cell->u * cell->u + cell->v * cell->v;
        CHECK(!cell->is_scarce && is_near(counts[k][0] + counts[k][1], 17 * cell->count));
        CHECK(is_near(cell->mach,
                      sqrt(square * cell->mass_density / cell->density / 2 / cell->temperature)));
    }
    run_series(&other, SCHEDULE_ARRAY, COLUMNS, ROWS, 3, 20, 4); /* 3 to 4, 8, 12, 16 and 20 */
    CHECK(sums.maps == 5 && sums.end == 20 && duration == 4);
    CHECK(virials > 0 && is_near(sums.virials[0], virials));
    double samples = 0;
    for (size_t k = 0; k < COLUMNS * ROWS; k++) {
        for (int species = 0; species < MAX_SPECIES; species++)
            CHECK(counts[k][species] > 0 && is_near(sums.counts[k][species], counts[k][species]));
        CHECK(is_near(sums.momenta[k], momenta[k]));
        samples += cells[k].samples;
    }
    CHECK(samples > 60); /* all were there when the last interval began */
}

/* A copy of a run is looked at many times, at the middles of short intervals. */
RANDOM_TEST(looking_often, 82)
{
    enum { COLUMNS = 4, ROWS = 3, LOOKS = 20000 };
    OWNED(system, system) = random_system(random, 5, 0.1, 1.5);
    OWNED(system, other) = system_copy(&system);
    double counts[COLUMNS * ROWS] = {0};
    double speeds[COLUMNS * ROWS] = {0};
    run(&system, SCHEDULE_ARRAY, COLUMNS, ROWS, 0, 30);
    const struct boundary *box = &other.boundary;
    for (int look = 0; look < LOOKS; look++) {
        const double time = 30 * (look + 0.5) / LOOKS;
        CHECK(observed_run(&other, SCHEDULE_ARRAY, time, NULL, &failure) == STATUS_DONE);
        for (size_t k = 0; k < other.count; k++) {
            double x, y;
            physics_position(&other, k, time, &x, &y);
            const size_t cell =
                (size_t)(y / box->height * ROWS) * COLUMNS + (size_t)(x / box->width * COLUMNS);
            counts[cell]++;
            speeds[cell] += other.particles[k].u;
        }
    }
    for (size_t k = 0; k < COLUMNS * ROWS; k++) {
        CHECK(fabs(cells[k].density * cells[k].area - counts[k] / LOOKS) < 0.002);
        CHECK(counts[k] == 0 || fabs(cells[k].u - speeds[k] / counts[k]) < 0.01);
    }
}

/* An endless stream: as dense everywhere, as fast and as warm as it should be, within errors; and
 * who comes in is counted as often as it comes. */
RANDOM_TEST(a_stream, 83)
{
    enum { COLUMNS = 5, ROWS = 4, COUNT = 100 };
    OWNED(system, system) = random_system(random, COUNT, 0.02, 1);
    system.law = ELASTIC;
    random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
    system.boundary.stream = stream_make(1, 1.0 / 3, 5);
    for (size_t k = 0; k < COUNT; k++)
        system.particles[k].u += 1;
    const double area = system.boundary.width * system.boundary.height;
    run(&system, SCHEDULE_CELLS, COLUMNS, ROWS, 200, 20200);
    double fewest = (double)INFINITY;
    for (size_t k = 0; k < COLUMNS * ROWS; k++) {
        CHECK(fabs(cells[k].density * area / COUNT - 1) < 0.06);
        CHECK(fabs(cells[k].u - 1) < 0.06 && fabs(cells[k].v) < 0.06);
        CHECK(fabs(cells[k].temperature - 1.0 / 3) < 0.04);
        fewest = fmin(fewest, cells[k].samples);
    }
    const struct totals totals = add_up(COLUMNS, ROWS);
    CHECK(is_near(totals.count, COUNT));
    CHECK(fabs(totals.momentum_x / COUNT - 1) < 0.03 && fabs(totals.momentum_y / COUNT) < 0.03);
    CHECK(fewest > 1000);
}

/* A point in a stream that meets nothing: it comes in each time it goes out. */
TEST(visits_in_a_stream)
{
    struct particle particle = {.x = 0.5, .y = 0.5, .u = 1, .collided = -(double)INFINITY};
    struct particle_counts counts = {0};
    struct system system = SYSTEM(1, 2, 1, .boundary.periodic = PERIODIC_X, .particles = &particle,
                                  .counts = &counts, .law = ELASTIC);
    system.boundary.stream = stream_make(10, 1e-6, 1);
    run(&system, SCHEDULE_ARRAY, 4, 1, 0, 21.5);
    const double passages = (double)counts.x_image;
    CHECK(passages > 90 && is_near(add_up(4, 1).count, 1));
    CHECK(cells[0].samples == passages); /* it was not there at first */
    CHECK(cells[3].samples == passages || cells[3].samples == passages + 1);
    CHECK(cells[1].samples >= passages && cells[1].samples <= passages + 1);
}

RANDOM_TEST(no_time, 84)
{
    OWNED(system, system) = random_system(random, 5, 0.1, 1.5);
    run(&system, SCHEDULE_ARRAY, 3, 2, 10, 10);
    for (int k = 0; k < 6; k++)
        CHECK(isnan(cells[k].density) && isnan(cells[k].u) && cells[k].area > 0);
}

/* An obstacle that fills a cell: nothing is known of it, and the cells beside it are smaller. */
TEST(an_obstacle)
{
    static const double vertices[4][2] = {{2, 2}, {5, 2}, {5, 4}, {2, 4}};
    struct particle particle = {.x = 1, .y = 1, .u = 1, .v = 0.3, .collided = -(double)INFINITY};
    struct particle_counts counts = {0};
    OWNED(system, system) = {.count = 1,
                             .radius = 0.1,
                             .boundary = {.width = 6, .height = 6},
                             .particles = &particle,
                             .counts = &counts,
                             .law = {RULE_ELASTIC, 1, 0}};
    system_add_polygon(&system, vertices, 4, 0);
    run(&system, SCHEDULE_ARRAY, 3, 3, 0, 1000);
    CHECK(cells[4].area == 0 && isnan(cells[4].density) && cells[4].samples == 0);
    CHECK(cells[5].area == 2 && cells[3].area == 4);
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += k == 4 ? 0 : cells[k].density * cells[k].area;
    CHECK(is_near(sum, 1));
    system.particles = NULL; /* they are not to be freed */
    system.counts = NULL;
}

static int has(enum status status, const char *text, const char *part)
{
    return status == STATUS_DONE && strstr(text, part) != NULL;
}

/* A file of three cells, of which one is hidden and one empty. */
TEST(files)
{
    static const double vertices[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    struct particle particle = {.x = 5, .y = 1, .v = 0.5, .collided = -(double)INFINITY};
    struct particle_counts counts = {0};
    struct system system = arranged_few(&particle, &counts, 1, 0, 6, 2);
    system_add_polygon(&system, vertices, 4, 0);
    for (int format = 0; format < 2; format++) {
        const char *name = "file";
        struct observer *observer = NULL;
        struct system copy = system;
        particle = (struct particle){.x = 5, .y = 1, .v = 0.5, .collided = -(double)INFINITY};
        const struct run_settings run = {.to = 1};
        const struct fields_settings settings = {
            {.name = name}, format ? field_file_write_vtk : field_file_write_csv, 0, 3, 1, 0};
        CHECK(!observer_create(&fields_operations, &run, &settings.output, &observer, &failure));
        enum status status = observed_run(&copy, SCHEDULE_ARRAY, 1, observer, &failure);
        OWNED_TEXT(text) = observed_read(name);
        if (!CHECK(text != NULL))
            continue;
        if (format == 0)
            CHECK(has(status, text,
                      "temperature,pressure_ideal,pressure_collisional,mach,count,density_error,"
                      "u_error,v_error,temperature_error\n"
                      "0,0,1,1,0,0,,,,,,,,,0,,,,\n1,0,3,1,4,0,0,0,,,,0,0,,0,0,,,\n"
                      "2,0,5,1,4,1,0.25,0.25,0,0.5,0,0,0,,1,"));
        else
            CHECK(
                has(status, text,
                    "\nDATASET STRUCTURED_GRID\nDIMENSIONS 4 2 1\nPOINTS 8 double\n0 0 0\n2 0 0\n"
                    "4 0 0\n6 0 0\n0 2 0\n2 2 0\n4 2 0\n6 2 0\nCELL_DATA 3\n") &&
                has(status, text,
                    "\n0\n0\n0.25\nVECTORS velocity double\n0 0 0\n0 0 0\n0 0.5 0\n") &&
                has(status, text, "vtkGhostType 1 3 unsigned_char\n32\n0\n0\npressure_ideal 1 3"));
    }
    system.particles = NULL;
    system.counts = NULL;
    system_free(&system);
}
