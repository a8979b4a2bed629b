/* Tests of trajectories: by a strict reader of extended XYZ, written from its specification, and by
 * runs that end where a frame stands. */
#include "check.h"
#include "observed.h"

/* Runs a system up to its end, with a trajectory in a file if there is an interval. */
static enum status run_file(struct system *system, enum schedule_kind kind, double end_time,
                            double interval, const char *name, unsigned columns,
                            struct error *error)
{
    const struct trajectory_settings frames = {{.name = name}, columns};
    return interval > 0 ? observed_create_and_run(
                              &trajectory_operations,
                              &(struct run_settings){.interval = interval, .to = end_time},
                              &frames.output, system, kind, end_time, error)
                        : observed_run(system, kind, end_time, NULL, error);
}

static enum status run(struct system *system, enum schedule_kind kind, double end_time,
                       double interval, struct error *error)
{
    return run_file(system, kind, end_time, interval, "frames", 0, error);
}

TEST(what_it_looks_like)
{
    struct particle particles[2] = {{.x = 1.5, .y = 5, .u = -1}, {.x = 6.5, .y = 0.1, .id = 1}};
    struct particle_kind kinds[2] = {{.radius = 1, .mass = 1},
                                     {.radius = 0.1, .mass = 2, .species = 7}};
    struct system system =
        SYSTEM(2, 8, 12.5, .particles = particles, .counts = (struct particle_counts[2]){{0}},
               .kind_count = 2, .kinds = kinds);
    particles[1].kind = 1;
    CHECK(run(&system, SCHEDULE_ARRAY, 1.4, 0.5, &failure) == STATUS_DONE);
#define HEAD                                                                                       \
    "2\nLattice=\"8 0 0 0 12.5 0 0 0 1\" Origin=\"0 0 0\" pbc=\"F F F\" "                          \
    "Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1:masses:R:1:momenta:R:3:mass:R:1 Time="
    CHECK(scratch_has("frames",
                      HEAD "0\n"
                           "0 1.5 5 0.0 -1 0 0 1 0 1 -1 0 0 1\n"
                           "7 6.5 0.1 0.0 0 0 0 0.1 1 2 0 0 0 2\n" HEAD "0.5\n"
                           "0 1 5 0.0 1 0 0 1 0 1 1 0 0 1\n" /* the collision has happened */
                           "7 6.5 0.1 0.0 0 0 0 0.1 1 2 0 0 0 2\n" HEAD "1\n"
                           "0 1.5 5 0.0 1 0 0 1 0 1 1 0 0 1\n"
                           "7 6.5 0.1 0.0 0 0 0 0.1 1 2 0 0 0 2\n" HEAD "1.4\n"
                           "0 1.9 5 0.0 1 0 0 1 0 1 1 0 0 1\n"
                           "7 6.5 0.1 0.0 0 0 0 0.1 1 2 0 0 0 2\n"));
}

/* One point leaves to the left, the other to the right and down, where y has a wall or a seam. */
TEST(periodic_axes)
{
    static const struct {
        unsigned periodic;
        const char *pbc, *last_lines;
    } cases[] = {
        {PERIODIC_X, "T F F",
         "0 7 5 0.0 -1 0 0 0 0 -9 5 0.0 1 -1 0 0 1\n0 3 8.5 0.0 2 1 0 0 1 27 8.5 0.0 1 2 1 0 1\n"},
        {PERIODIC_Y, "F T F",
         "0 7 5 0.0 -1 0 0 0 0 7 5 0.0 1 -1 0 0 1\n0 5 4 0.0 -2 -1 0 0 1 5 -8.5 0.0 1 -2 -1 0 1\n"},
        {PERIODIC_X | PERIODIC_Y, "T T F",
         "0 7 5 0.0 -1 0 0 0 0 -9 5 0.0 1 -1 0 0 1\n0 3 4 0.0 2 -1 0 0 1 27 -8.5 0.0 1 2 -1 0 1\n"},
    };
    for (size_t k = 0; k < LENGTH(cases); k++) {
        struct particle points[2] = {{.x = 1, .y = 5, .u = -1},
                                     {.x = 7, .y = 1.5, .u = 2, .v = -1, .id = 1}};
        struct system system =
            SYSTEM(2, 8, 12.5, .boundary.periodic = cases[k].periodic, .particles = points,
                   .counts = (struct particle_counts[2]){{0}});
        char head[250];
        char expected[900];
        snprintf(
            head, sizeof head,
            "2\nLattice=\"8 0 0 0 12.5 0 0 0 1\" Origin=\"0 0 0\" pbc=\"%s\" Properties=type:I:"
            "1:pos:R:3:velo:R:3:radius:R:1:id:I:1:unwrapped_position:R:3:masses:R:1:momenta:R:3:"
            "mass:R:1",
            cases[k].pbc);
        snprintf(expected, sizeof expected,
                 "%s Time=0\n0 1 5 0.0 -1 0 0 0 0 1 5 0.0 1 -1 0 0 1\n0 7 1.5 0.0 2 -1 0 0 1 7 1.5 "
                 "0.0 1 2 -1 0 1\n"
                 "%s Time=10\n%s",
                 head, head, cases[k].last_lines);
        CHECK(run(&system, SCHEDULE_ARRAY, 10, 10, &failure) == STATUS_DONE);
        CHECK(scratch_has("frames", expected));
    }
}

/* A frame as it was read. */
enum { MAX = 40, COLUMNS = 14, PERIODIC_COLUMNS = 17 };
struct frame {
    size_t count;
    unsigned periodic;
    double width, height, time, columns[MAX][PERIODIC_COLUMNS];
};

static size_t count_columns(const struct frame *frame)
{
    return frame->periodic ? PERIODIC_COLUMNS : COLUMNS;
}

/* Takes `expected` off the front of `*text`. */
static int skip(const char **text, const char *expected)
{
    size_t length = strlen(expected);
    if (strncmp(*text, expected, length) != 0)
        return 0;
    *text += length;
    return 1;
}

/* Takes a number off the front: a sign, digits without needless zeros before them, a point, digits,
 * an exponent, as far as they are there. */
static int take_number(const char **text, double *value)
{
    const char *digits = *text + (**text == '-');
    char *end;
    if (*digits < '0' || *digits > '9' ||
        (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'))
        return 0;
    *value = strtod(*text, &end);
    *text = end;
    return 1;
}

/* Takes an axis of pbc, with the space after it. */
static int take_axis(const char **text, struct frame *frame, unsigned axis)
{
    if (!skip(text, "T "))
        return skip(text, "F ");
    frame->periodic |= axis;
    return 1;
}

static int take_head(const char *text, struct frame *frame)
{
    frame->periodic = 0;
    return skip(&text, "Lattice=\"") && take_number(&text, &frame->width) &&
           skip(&text, " 0 0 0 ") && take_number(&text, &frame->height) &&
           skip(&text, " 0 0 0 1\" Origin=\"0 0 0\" pbc=\"") &&
           take_axis(&text, frame, PERIODIC_X) && take_axis(&text, frame, PERIODIC_Y) &&
           skip(&text, "F\" Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1") &&
           (!frame->periodic || skip(&text, ":unwrapped_position:R:3")) &&
           skip(&text, ":masses:R:1:momenta:R:3:mass:R:1 Time=") &&
           take_number(&text, &frame->time) && strcmp(text, "\n") == 0;
}

/* Reads one frame: 1; 0 at the end of the file; -1 if it is no extended XYZ as it should be. */
static int read_frame(FILE *file, struct frame *frame)
{
    char line[1000];
    const char *text = line;
    double count = 0;
    if (!fgets(line, sizeof line, file))
        return 0;
    if (!take_number(&text, &count) || strcmp(text, "\n") != 0 || !(count >= 1 && count <= MAX))
        return -1;
    frame->count = (size_t)count;
    if (!fgets(line, sizeof line, file) || !take_head(line, frame))
        return -1;
    for (size_t row = 0; row < frame->count; row++) {
        text = fgets(line, sizeof line, file);
        for (size_t column = 0; column < count_columns(frame); column++)
            if (!text || (column > 0 && !skip(&text, " ")) ||
                !take_number(&text, &frame->columns[row][column]))
                return -1;
        if (strcmp(text, "\n") != 0)
            return -1;
    }
    return 1;
}

/* Whether a frame shows what a run from `start` to that time ends with, to the last bit. */
static int is_true(const struct frame *frame, const struct system *start)
{
    OWNED(system, system) = system_copy(start);
    int holds = run(&system, SCHEDULE_ARRAY, frame->time, 0, &failure) == STATUS_DONE &&
                frame->count == system.count && frame->periodic == system.boundary.periodic &&
                frame->width == system.boundary.width && frame->height == system.boundary.height;
    for (size_t id = 0; id < frame->count && holds; id++) {
        const struct particle *p = &system.particles[id];
        const struct snapshot snapshot = snapshot_in_order(&system, frame->time);
        double x, y, further[2];
        physics_position(&system, id, frame->time, &x, &y);
        snapshot_unwrapped(&snapshot, id, &further[0], &further[1]);
        const double mass = system_mass(&system, p);
        double expected[PERIODIC_COLUMNS] = {
            0,          x,          y,          0, p->u, p->v, 0, system_radius(&system, p),
            (double)id, further[0], further[1], 0};
        double *last = &expected[count_columns(frame) - 5];
        last[0] = last[4] = mass;
        last[1] = mass * p->u;
        last[2] = mass * p->v;
        last[3] = 0;
        for (size_t k = 0; k < count_columns(frame); k++)
            holds = holds && frame->columns[id][k] == expected[k];
    }
    return holds;
}

RANDOM_TEST(frames_are_what_shorter_runs_end_with, 41)
{
    for (int round = 0; round < (check_is_thorough() ? 40 : 8); round++) {
        OWNED(system, start) = random_system(random, 1 + random_below(random, MAX), 0.3, 1.5);
        start.boundary.periodic =
            start.count > 2 ? (unsigned)round / 2 % 4 : 0; /* if there is room */
        OWNED(system, system) = system_copy(&start);
        struct frame frame;
        double interval = 0.05 + random_unit(random);
        double k = 0;
        int read;
        enum schedule_kind kind = round % 2 ? SCHEDULE_ARRAY : SCHEDULE_CELLS;
        CHECK(run(&system, kind, 10, interval, &failure) == STATUS_DONE);
        FILE *file = fopen("frames", "r");
        for (; file && (read = read_frame(file, &frame)) != 0; k++) {
            CHECK(read == 1 && frame.time == fmin(k * interval, 10) && is_true(&frame, &start));
            if (read < 0)
                break;
        }
        CHECK(k == ceil(10 / interval) + 1);
        if (file)
            fclose(file);
    }
}

/* Reads a frame of the file of LAMMPS that has the time and "xu", of as many particles as the frame
 * of XYZ, and compares it: 1 if it has the same numbers, to the last bit. */
static int is_dump_of(FILE *file, unsigned long step, const struct frame *frame)
{
    char head[400], expected[400], line[1000];
    size_t length = 0;
    snprintf(expected, sizeof expected,
             "ITEM: TIME\n%s\nITEM: TIMESTEP\n%lu\nITEM: NUMBER OF ATOMS\n%zu\n"
             "ITEM: BOX BOUNDS %s %s ff\n0 %s\n0 %s\n-0.5 0.5\n"
             "ITEM: ATOMS id type x y z vx vy vz radius mass xu yu zu\n",
             show_exactly(frame->time).text, step, frame->count,
             frame->periodic & PERIODIC_X ? "pp" : "ff", frame->periodic & PERIODIC_Y ? "pp" : "ff",
             show_exactly(frame->width).text, show_exactly(frame->height).text);
    for (int k = 0; k < 11 && fgets(head + length, (int)(sizeof head - length), file); k++)
        length += strlen(head + length);
    int holds = length > 0 && strcmp(head, expected) == 0;
    for (size_t id = 0; id < frame->count && holds; id++) {
        const double *xyz = frame->columns[id];
        const double *unwrapped = frame->periodic ? &xyz[9] : &xyz[1];
        const double values[13] = {
            (double)id + 1, xyz[0] + 1,   xyz[1], xyz[2], 0,
            xyz[4],         xyz[5],       0,      xyz[7], xyz[count_columns(frame) - 1],
            unwrapped[0],   unwrapped[1], 0};
        const char *text = fgets(line, sizeof line, file);
        for (size_t k = 0; k < 13 && holds; k++) {
            double value = -1;
            holds = text && (k == 0 || skip(&text, " ")) && take_number(&text, &value) &&
                    value == values[k];
        }
        holds = holds && strcmp(text, "\n") == 0;
    }
    return holds;
}

/* Other formats and columns have the same numbers as the trajectory without them. */
RANDOM_TEST(other_formats_have_the_same_numbers, 43)
{
    for (int round = 0; round < 8; round++) {
        OWNED(system, start) = random_system(random, 3 + random_below(random, MAX - 3), 0.3, 1.5);
        start.boundary.periodic = (unsigned)round / 2 % 4;
        const char *const names[] = {"frames", "frames.lammpstrj", "unwrapped.xyz"};
        const unsigned columns[] = {0, 1U << COLUMN_UNWRAPPED | 1U << COLUMN_TIME,
                                    1U << COLUMN_UNWRAPPED | 1U << COLUMN_TIME};
        FILE *files[3] = {NULL};
        for (int k = 0; k < 3; k++) {
            OWNED(system, system) = system_copy(&start);
            CHECK(!run_file(&system, round % 2 ? SCHEDULE_ARRAY : SCHEDULE_CELLS, 10, 1.3, names[k],
                            columns[k], &failure));
            files[k] = fopen(names[k], "r");
        }
        struct frame frame;
        unsigned long step = 0;
        for (; files[0] && files[1] && files[2] && read_frame(files[0], &frame) == 1; step++) {
            char line[1000];
            CHECK(is_dump_of(files[1], step, &frame));
            CHECK(fgets(line, sizeof line, files[2]) && fgets(line, sizeof line, files[2]) &&
                  !strstr(line, "unwrapped"));
            for (size_t id = 0; id < frame.count; id++) {
                const double *place = &frame.columns[id][frame.periodic ? 9 : 1];
                const char *text = fgets(line, sizeof line, files[2]);
                double type, x = -1, y = -1;
                CHECK(text && take_number(&text, &type) && skip(&text, " ") &&
                      take_number(&text, &x) && skip(&text, " ") && take_number(&text, &y) &&
                      x == place[0] && y == place[1]);
            }
        }
        CHECK(step == 9);
        for (int k = 0; k < 3; k++)
            CHECK(files[k] && fgetc(files[k]) == EOF && !fclose(files[k]));
    }
}

/* ASE has names for 118 elements. In a file of LAMMPS a species is a number. */
TEST(a_species_is_an_atomic_number)
{
    struct particle particle = {.x = 5, .y = 5};
    struct particle_kind kind = {.radius = 1, .mass = 1, .species = 118};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 9, 9);
    const unsigned column = 1U << COLUMN_SPECIES;
    system.kinds = &kind;
    system.kind_count = 1;
    CHECK(!run_file(&system, SCHEDULE_ARRAY, 1, 1, "frames", column, &failure));
    kind.species = 119;
    CHECK(run_file(&system, SCHEDULE_ARRAY, 1, 1, "frames", column, &failure) == STATUS_BAD_DATA &&
          strstr(failure.message, "the species 119 is no atomic number"));
    CHECK(!run(&system, SCHEDULE_ARRAY, 1, 1, &failure));
    kind.species = INT32_MAX;
    CHECK(!run_file(&system, SCHEDULE_ARRAY, 0, 1, "frames.lammpstrj", column, &failure));
    CHECK(scratch_has("frames.lammpstrj",
                      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n"
                      "0 9\n0 9\n-0.5 0.5\n"
                      "ITEM: ATOMS id type x y z vx vy vz radius mass species\n"
                      "1 2147483648 5 5 0.0 0 0 0 1 1 2147483647\n"));
}

/* How many frames a run has, and when the last of them is; nothing moves. */
static double count_frames(double end_time, double interval, double *last)
{
    struct particle particle = {.x = 5, .y = 5};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 9, 9);
    struct frame frame = {.time = -1};
    double frames = 0;
    CHECK(run(&system, SCHEDULE_ARRAY, end_time, interval, &failure) == STATUS_DONE);
    FILE *file = fopen("frames", "r");
    for (; file && read_frame(file, &frame) == 1; frames++)
        ;
    if (file)
        fclose(file);
    *last = frame.time;
    return frames;
}

TEST(the_number_of_frames)
{
    static const struct {
        double end_time, interval, frames;
    } cases[] = {
        {0, 1, 1},
        {0, 1e-40, 1},
        {1, 1, 2},
        {1, 2, 2},
        {0.3, 0.1, 4},
        {0.7, 0.1, 8},
        {1, 0.1, 11},
        {1.1, 0.1, 12},
        {2.1, 0.7, 4},
        {2.8, 0.7, 5},
        {2.2, 0.7, 5},
        {100, 0.7, 144},
        {0.29, 0.1, 4},
        {0.31, 0.1, 5},
        {3, 1e40, 2},
        {1e40, 1e37, 1001},
        {1e-38, 1e-40, 101},
        {123, 0.3, 411},
        {1e6, 1e6 / 7001, 7002},
    };
    for (size_t k = 0; k < LENGTH(cases); k++) {
        double last;
        CHECK(count_frames(cases[k].end_time, cases[k].interval, &last) == cases[k].frames);
        CHECK(last == cases[k].end_time);
    }
}

RANDOM_TEST(faults_are_reported, 42)
{
    OWNED(system, system) = random_system(random, 30, 0.3, 1);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        OWNED(observers, observers) = {0};
        struct observer *observer;
        fclose(full);
        const struct run_settings settings = {.interval = 1, .to = 100};
        const struct trajectory_settings frames = {.output.name = "/dev/full"};
        CHECK(!observer_create(&trajectory_operations, &settings, &frames.output, &observer,
                               &failure));
        observers_add(&observers, observer);
        CHECK(observers_begin(&observers, &system, &failure) == STATUS_DONE);
        CHECK(observers_finish(&observers, &system, 100, &failure) == STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "/dev/full: cannot write: No space") == failure.message);
    }
    CHECK(scratch_count() == 0);
}
