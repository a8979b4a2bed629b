/* Tests of the report on whether the printed answer is determined by the input. */
#include "check.h"
#include "observed.h"

#include <float.h>
#include <inttypes.h>

/* Observes a run of `system`, and puts the report into `report`. */
static enum status observe(struct system *system, enum schedule_kind kind, uint32_t runs,
                           double end_time, char report[2000], struct error *error)
{
    FILE *stream = tmpfile();
    struct observer *observer = NULL;
    const struct run_settings run = {.schedule = kind, .to = end_time, .errors = stream};
    const struct sensitivity_settings settings = {.runs = runs};
    report[0] = '\0';
    if (!CHECK(stream != NULL))
        return STATUS_CANNOT_WRITE;
    enum status status =
        observer_create(&sensitivity_operations, &run, &settings.output, &observer, error);
    if (!status)
        status = observed_run(system, kind, end_time, observer, error);
    rewind(stream);
    report[fread(report, 1, 1999, stream)] = '\0';
    fclose(stream);
    return status;
}

/* Whether a report has this line, its beginning "particles: sensitivity: " left out. */
static int has_line(const char *report, const char *line)
{
    char whole[500];
    snprintf(whole, sizeof whole, "particles: sensitivity: %s\n", line);
    const char *found = strstr(report, whole);
    if (!found || (found > report && found[-1] != '\n'))
        printf("%sdoes not have\n%s", report, whole);
    return found && (found == report || found[-1] == '\n');
}

/* Whether two lines of the report on `count` particles of radius 1, in a box of side 10,
 * are these. */
static int prints(const struct particle *particles, size_t count, uint32_t runs, double end_time,
                  const char *first, const char *second)
{
    char report[2000];
    struct particle copies[4];
    struct system system = arranged_few(copies, (struct particle_counts[4]){{0}}, count, 1, 10, 10);
    memcpy(copies, particles, count * sizeof *copies);
    for (size_t k = 0; k < count; k++) {
        copies[k].id = (int32_t)k;
    }
    CHECK(observe(&system, SCHEDULE_ARRAY, runs, end_time, report, &failure) == STATUS_DONE);
    return has_line(report, first) && has_line(report, second);
}

TEST(the_whole_report)
{
    char report[2000];
    struct particle particles[2] = {{.x = 2, .y = 5, .u = 1, .v = 0.5, .id = 0},
                                    {.x = 6, .y = 5, .v = 0.5, .id = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
    CHECK(observe(&system, SCHEDULE_ARRAY, 3, 6, report, &failure) == STATUS_DONE);
    /* At 2 they meet, at 5 particle 1 meets the right wall; at 8 they would reach the top. */
    CHECK(strcmp(report,
                 "particles: sensitivity: stable: 3 of 3 perturbed runs print the same lines\n"
                 "particles: sensitivity: agreement: up to END_TIME 6\n"
                 "particles: sensitivity: exceptions: 0\n"
                 "particles: sensitivity: closest call: 3 between collisions of particle 1 with "
                 "particle 0 at 2 and with the right wall at 5\n"
                 "particles: sensitivity: nearest to a miss: cosine 1, particles 0 and 1 at 2\n") ==
          0);
}

TEST(a_single_particle)
{
    const struct particle particle = {.x = 2, .y = 5, .u = 1, .v = 0.37};
    const struct particle still = {.x = 2, .y = 5};
    CHECK(prints(&particle, 1, 1, 0, "stable: 1 of 1 perturbed runs print the same lines",
                 "agreement: up to END_TIME 0"));
    CHECK(prints(&particle, 1, 100, 33.3, "stable: 100 of 100 perturbed runs print the same lines",
                 "agreement: up to END_TIME 33.3"));
    CHECK(prints(&particle, 1, 1, 0, "closest call: none, no particle collides twice",
                 "nearest to a miss: none, no two disks collide"));
    CHECK(prints(&still, 1, 5, 1e40, "stable: 5 of 5 perturbed runs print the same lines",
                 "exceptions: 0"));
}

/* It goes to the right wall, at 1, and to the top, at 1.25; and then to the left, at 9. */
TEST(near_misses_of_one_particle)
{
    const struct particle particle = {.x = 8, .y = 6.5, .u = 1, .v = 2};
    CHECK(prints(&particle, 1, 1, 1, "closest call: none, no particle collides twice",
                 "nearest to a miss: none, no two disks collide"));
    CHECK(prints(&particle, 1, 1, 20,
                 "closest call: 0.25 between collisions of particle 0 with the right wall at 1 and "
                 "with the top wall at 1.25",
                 "nearest to a miss: none, no two disks collide"));
}

/* A thin wall stops it at 5. It starts where it touches another one, at any rounding of that. */
TEST(near_misses_of_polygons)
{
    static const double walls[2][2][2] = {{{1, 4}, {1, 6}}, {{8, 2}, {8, 8}}};
    char report[2000];
    struct particle particle = {.x = 2, .y = 5, .u = 1};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 10);
    system_add_polygon(&system, walls[0], 2, 0);
    system_add_polygon(&system, walls[1], 2, 0);
    CHECK(observe(&system, SCHEDULE_ARRAY, 50, 12, report, &failure) == STATUS_DONE);
    CHECK(has_line(report, "stable: 50 of 50 perturbed runs print the same lines"));
    CHECK(has_line(report, "closest call: 5 between collisions of particle 0 with side 0 of "
                           "polygon 1 at 5 and with side 1 of polygon 0 at 10"));
    polygons_free(system.boundary.polygons);
}

/* Particle 2 meets 0, at 1, which then meets 1, at 1.5; 1 goes to the right wall, at 3. */
TEST(near_misses_of_three_particles)
{
    const struct particle particles[3] = {
        {.x = 5, .y = 5}, {.x = 7.5, .y = 5}, {.x = 2, .y = 5, .u = 1}};
    CHECK(prints(particles, 3, 1, 3,
                 "closest call: 0.5 between collisions of particle 0 with particle 2 at 1 and with "
                 "particle 1 at 1.5",
                 "nearest to a miss: cosine 1, particles 0 and 2 at 1"));
}

/* Centres 1.6 apart across the motion touch at cosine 0.6; points have none. */
TEST(the_cosine)
{
    char report[2000];
    struct particle particles[2] = {{.x = 2, .y = 5, .u = 1}, {.x = 6, .y = 6.6, .id = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
    double cosine = 0, time = 0;
    CHECK(observe(&system, SCHEDULE_ARRAY, 1, 5, report, &failure) == STATUS_DONE);
    const char *line = strstr(report, "cosine");
    CHECK(line && sscanf(line, "cosine %lf, particles 0 and 1 at %lf", &cosine, &time) == 2);
    CHECK(fabs(cosine - 0.6) < 1e-6 && fabs(time - 2.8) < 1e-12);
    particles[0] = (struct particle){.x = 2, .y = 5, .u = 1};
    particles[1] = (struct particle){.x = 6, .y = 5, .id = 1};
    system.radius = 0;
    CHECK(observe(&system, SCHEDULE_ARRAY, 1, 5, report, &failure) == STATUS_DONE);
    CHECK(system.counts[0].particles == 2);
    CHECK(has_line(report, "nearest to a miss: none, no two disks collide"));
}

/* Particle 0 passes particle 1 at a distance of exactly one diameter. */
TEST(a_graze_is_a_coin_toss)
{
    const struct particle particles[2] = {{.x = 2, .y = 5, .u = 1}, {.x = 6, .y = 7}};
    char report[2000];
    struct particle copies[2] = {particles[0], particles[1]};
    struct system system = arranged_few(copies, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
    copies[1].id = 1;
    CHECK(prints(particles, 2, 8, 3.9, "stable: 8 of 8 perturbed runs print the same lines",
                 "agreement: up to END_TIME 3.9"));
    CHECK(observe(&system, SCHEDULE_ARRAY, 100, 5, report, &failure) == STATUS_DONE);
    unsigned same = 0;
    CHECK(sscanf(report, "particles: sensitivity: unstable: %u of 100", &same) == 1);
    CHECK(same > 20 && same < 95);
    CHECK(has_line(report, "agreement: up to END_TIME 3.995, not at 4") ||
          has_line(report, "agreement: up to END_TIME 4, not at 4.005"));
    CHECK(has_line(report, "nearest to a miss: cosine 0, particles 0 and 1 at 4"));
}

/* Two disks hit a third one from two sides at 2: which of them is first changes the counts. */
TEST(a_tie_is_a_coin_toss)
{
    const struct particle particles[3] = {
        {.x = 1.5, .y = 5, .u = 0.5}, {.x = 4.5, .y = 5}, {.x = 7.5, .y = 5, .u = -0.5}};
    CHECK(prints(particles, 3, 20, 1.9, "stable: 20 of 20 perturbed runs print the same lines",
                 "exceptions: 0"));
    CHECK(prints(particles, 3, 20, 2.5, "agreement: up to END_TIME 1.9975, not at 2",
                 "closest call: 0 between collisions of particle 1 with particle 0 at 2 and with "
                 "particle 2 at 2"));
}

/* A collision at exactly END_TIME, and a coordinate half-way between two decimals. */
TEST(what_is_undecided_for_a_moment)
{
    const struct particle hits = {.x = 5, .y = 5, .u = 1};
    const struct particle between = {.x = 5.0078125, .y = 5};
    CHECK(prints(&hits, 1, 30, 4, "agreement: up to END_TIME 3.996, not at 4", "exceptions: 0"));
    CHECK(prints(&hits, 1, 30, 8, "stable: 30 of 30 perturbed runs print the same lines",
                 "agreement: up to END_TIME 8"));
    CHECK(prints(&hits, 1, 30, 8, "exceptions: 1, at 4", "agreement: up to END_TIME 8"));
    CHECK(prints(&between, 1, 30, 0, "agreement: none, not even at END_TIME 0", "exceptions: 0"));
    CHECK(prints(&between, 1, 30, 7, "agreement: none, not even at END_TIME 0", "exceptions: 0"));
}

/* Coordinates two units in the last place from where the printed digits change. */
TEST(coordinates_move_by_no_more_than_the_last_bit)
{
    struct particle particle = {.x = 5.0078125, .y = 5.0078125};
    particle.x += 2 * DBL_EPSILON * 4;
    particle.y -= 2 * DBL_EPSILON * 4;
    CHECK(prints(&particle, 1, 1000, 0, "stable: 1000 of 1000 perturbed runs print the same lines",
                 "agreement: up to END_TIME 0"));
}

/* Particle 1 rests with no room between bottom and top. Particle 0, a smaller one, just misses it;
 * in a perturbed run in which it grazes particle 1, this moves and collides with the walls without
 * end. */
TEST(a_perturbed_run_that_cannot_reach_the_end_is_different)
{
    char report[2000];
    struct particle_kind kinds[2] = {{2, 1, 0}, {0.5, 1, 0}};
    struct particle particles[2] = {
        {.x = 4.5 + 4 * DBL_EPSILON, .y = 0.5, .v = 0.125, .id = 0, .kind = 1},
        {.x = 2, .y = 2, .id = 1}};
    struct system system =
        SYSTEM(2, 10, 4, .particles = particles, .counts = (struct particle_counts[2]){{0}},
               .kind_count = 2, .kinds = kinds);
    CHECK(observe(&system, SCHEDULE_ARRAY, 100, 20, report, &failure) == STATUS_DONE);
    CHECK(system.counts[0].particles == 0);
    CHECK(strstr(report, "unstable: ") && !strstr(report, "unstable: 0 of"));
    CHECK(has_line(report, "agreement: up to END_TIME 11.98, not at 12"));
}

/* Late times have few digits, so each hit of a wall is rounded, often to the same side. */
static int is_stable_late(double width, double u, double end_time)
{
    char report[2000];
    struct particle particle = {.x = 5, .y = 5, .u = u};
    struct system system =
        arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 0.1, width, 8);
    CHECK(observe(&system, SCHEDULE_AUTO, 8, end_time, report, &failure) == STATUS_DONE);
    CHECK(strstr(report, "stable: ") != NULL);
    return strstr(report, " stable: ") != NULL;
}

TEST(late_times)
{
    CHECK(is_stable_late(10, 1, 1e5));
    CHECK(!is_stable_late(10, 1, 1e6));
    CHECK(!is_stable_late(10, 0.0013, 1e9));
    CHECK(!is_stable_late(10, 7.3, 2e5));
    /* It goes 8 to and fro: no time is rounded. */
    CHECK(is_stable_late(8.2, 0.125, 1e6));
    CHECK(is_stable_late(8.2, 1, 4e5));
}

/* Where a point is, by exact arithmetic of lengths in thousandths. */
static double fold(int64_t place, int64_t speed, int64_t time, int64_t length, int is_periodic)
{
    const int64_t way = (place + speed * time) % ((is_periodic ? 1 : 2) * length);
    return (double)(way <= length ? way : 2 * length - way) / 1000;
}

/* A point in a box: up to the time of agreement it is where exact arithmetic has it; and most are
 * not at four times that, so it is not too early. */
RANDOM_TEST(agreement_ends_before_the_answer_is_wrong, 7)
{
    enum { ROUNDS = 6, END = 150000 };
    unsigned wrong = 0;
    for (int k = 0; k < ROUNDS; k++) {
        char report[2000];
        int64_t agreed = 0;
        const int64_t side = 3000 + (int64_t)random_below(random, 9000);
        const int64_t speed = 2000 + (int64_t)random_below(random, 8000);
        const struct particle start = {.x = 1.5, .y = 1, .u = (double)speed / 1000};
        struct particle particle = start;
        struct particle_counts counts = {0};
        struct system system = arranged_few(&particle, &counts, 1, 0, (double)side / 1000, 10);
        system.boundary.periodic = k % 2 ? PERIODIC_X : 0;
        CHECK(observe(&system, SCHEDULE_AUTO, 8, END, report, &failure) == STATUS_DONE);
        const char *line = strstr(report, "up to END_TIME ");
        CHECK(line && sscanf(line, "up to END_TIME %" SCNd64, &agreed) == 1 && agreed > 1000);
        for (int factor = 1; factor <= 4; factor += 3) {
            double x, y;
            particle = start;
            CHECK(!observed_run(&system, SCHEDULE_AUTO, (double)(factor * agreed), NULL, &failure));
            physics_position(&system, 0, (double)(factor * agreed), &x, &y);
            const double off = fabs(x - fold(1500, speed, factor * agreed, side, k % 2));
            CHECK(factor > 1 || off < 1e-6);
            wrong += factor > 1 && off > 1e-6;
        }
    }
    CHECK(wrong >= ROUNDS / 2);
}

/* The same unit of time for all that has one: a run without rounding is like that of the input. */
TEST(walls_and_streams_keep_time)
{
    for (int has_stream = 0; has_stream < 2; has_stream++) {
        char report[2000];
        struct particle particles[2] = {{.x = 2.3, .y = 5.1, .u = 1, .v = 0.4},
                                        {.x = 7.1, .y = 3.3, .u = -0.3, .v = 1.1, .id = 1}};
        struct system system =
            arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
        if (has_stream) {
            system.boundary.periodic = PERIODIC_X;
            system.boundary.stream = stream_make(1.5, 2, 3);
        } else {
            system.law = (struct system_law){RULE_ELASTIC, 0.9, 0.02};
            system.boundary.walls = wall_laws_create(0, 3, &failure);
            system.boundary.walls->list[0] = (struct wall_law){
                .temperature = 2, .accommodation = 0.5, .speed = 0.7, .restitution = 0.8};
            CHECK(wall_laws_complete(system.boundary.walls, &system, &failure) == STATUS_DONE);
        }
        CHECK(observe(&system, SCHEDULE_AUTO, 20, 40, report, &failure) == STATUS_DONE);
        CHECK(has_line(report, "stable: 20 of 20 perturbed runs print the same lines"));
        CHECK(particles[0].draws > 1 && particles[1].draws > 1);
        memory_free(system.boundary.walls);
    }
}

/* A crowd: soon nothing is determined; and with either schedule it is the same report. */
RANDOM_TEST(a_crowd, 5)
{
    char reports[2][2000];
    OWNED(system, system) = random_system(random, 40, 0.45, 1);
    OWNED(system, copy) = system_copy(&system);
    CHECK(observe(&system, SCHEDULE_ARRAY, 4, 100, reports[0], &failure) == STATUS_DONE);
    CHECK(observe(&copy, SCHEDULE_CELLS, 4, 100, reports[1], &failure) == STATUS_DONE);
    CHECK(has_line(reports[0], "unstable: 0 of 4 perturbed runs print the same lines"));
    CHECK(strcmp(reports[0], reports[1]) == 0);
}

static volatile sig_atomic_t caught;

/* A signal when the run itself is over. */
static enum status catch_late(struct observer *observer, const struct snapshot *snapshot,
                              struct error *error)
{
    (void)observer, (void)snapshot, (void)error;
    caught = SIGINT;
    return STATUS_DONE;
}

/* The caller gets what has gone wrong, and nothing is left. */
TEST(an_interrupt_and_a_failed_write)
{
    struct observer *observer = NULL;
    static const struct observer_operations late = {.finish = catch_late};
    struct observer signal = {.operations = &late, .next_sample = (double)INFINITY};
    struct observers observers = {.interrupt = &caught};
    struct schedule *schedule = NULL;
    struct particle particle = {.x = 2, .y = 5, .u = 1};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 10);
    struct run_settings run = {.to = 20, .errors = stderr};
    const struct sensitivity_settings settings = {.runs = 3};
    CHECK(!observer_create(&sensitivity_operations, &run, &settings.output, &observer, &failure));
    observers_add(&observers, &signal);
    observers_add(&observers, observer);
    CHECK(!observers_begin(&observers, &system, &failure));
    CHECK(!schedule_create(SCHEDULE_ARRAY, &system, NULL, &schedule, &failure));
    CHECK(!simulation_run(schedule, 20, &observers, &failure));
    CHECK(observers_finish(&observers, &system, 20, &failure) == STATUS_INTERRUPTED);
    CHECK(strcmp(failure.message, "interrupted in perturbed run 1 of 3") == 0);
    observers_free(&observers);
    schedule_free(schedule);
    run.errors = fopen("/dev/full", "w");
    if (run.errors) {
        particle = (struct particle){.x = 2, .y = 5, .u = 1};
        CHECK(
            !observer_create(&sensitivity_operations, &run, &settings.output, &observer, &failure));
        CHECK(observed_run(&system, SCHEDULE_ARRAY, 20, observer, &failure) == STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "standard error: ") == failure.message);
        fclose(run.errors);
    }
}
