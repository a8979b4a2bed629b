/* Tests of checkpoints and of what is made of them: runs that are interrupted after any of their
 * collisions, and resumed, leave the same bytes as those that are not. */
#include "agreement.h"
#include "check.h"
#include "observed.h"
#include "odd_system.h"
#include "resumed.h"

#include <sys/stat.h>
#include <unistd.h>

/* There is no power cut in a test: nothing has to wait for the disk. */
static int syncs;

int fsync(int descriptor)
{
    (void)descriptor;
    syncs++;
    return 0;
}

static const char *const files[] = {"events", "frames",  "structure", "fields.csv", "forces",
                                    "stats",  "picture", "page",      "report",     "final"};

/* The files of a run. */
struct files {
    char *content[LENGTH(files)];
};

/* Takes the files of a run away; of the figures without the two that depend on the clock. */
static struct files take_files(void)
{
    struct files taken;
    for (size_t k = 0; k < LENGTH(files); k++) {
        taken.content[k] = observed_read(files[k]);
        char *clock = taken.content[k] ? strstr(taken.content[k], "\nseconds = ") : NULL;
        char *rest = clock ? strstr(clock, "\nstats_from = ") : NULL;
        if (rest)
            memmove(clock, rest, strlen(rest) + 1);
        if (strcmp(files[k], "report") == 0)
            observed_remove_run(taken.content[k]);
    }
    return taken;
}

/* The content of the file with this name. */
static const char *find_content(const struct files *taken, const char *name)
{
    size_t k = 0;
    while (strcmp(files[k], name) != 0)
        k++;
    return taken->content[k];
}

static void free_files(struct files *taken)
{
    for (size_t k = 0; k < LENGTH(files); k++)
        memory_free(taken->content[k]);
}

static void check_same_files(const struct files *left, const struct files *right)
{
    for (size_t k = 0; k < LENGTH(files); k++)
        CHECK(left->content[k] && right->content[k]
                  ? strcmp(left->content[k], right->content[k]) == 0
                  : left->content[k] == right->content[k]);
}

/* Compares two systems that have reached their ends, to the bit. */
static void check_same_systems(const struct system *left, const struct system *right)
{
    if (!CHECK(left->count == right->count))
        return;
    for (size_t k = 0; k < left->count; k++) {
        const struct particle *a = &left->particles[k];
        const struct particle *b = &right->particles[k];
        const double numbers[2][5] = {{a->x, a->y, a->u, a->v, a->t},
                                      {b->x, b->y, b->u, b->v, b->t}};
        CHECK(memcmp(numbers[0], numbers[1], sizeof numbers[0]) == 0);
        CHECK(memcmp(&left->counts[k], &right->counts[k], sizeof left->counts[k]) == 0);
        CHECK(a->id == b->id && a->kind == b->kind);
    }
}

/* Interrupts a run after `stop` collisions, and again `later`, goes on, and compares. */
static void interrupt_at(const struct options *options, const struct system *system, size_t stop,
                         size_t later, const struct resumed *plain, const struct files *expected)
{
    struct options other = *options;
    struct resumed run;
    resumed_run(&run, options, system, (struct notifications){SIZE_MAX, stop, SIZE_MAX});
    CHECK(run.status == STATUS_INTERRUPTED && run.notified.collisions == stop);
    resumed_free(&run);
    resumed_run(&run, &other, NULL, (struct notifications){SIZE_MAX, SIZE_MAX, later});
    if (run.status == STATUS_INTERRUPTED) {
        resumed_free(&run);
        if (system->kind_count == 0 || options->run.schedule == SCHEDULE_CELLS)
            other.run.schedule =
                options->run.schedule == SCHEDULE_ARRAY ? SCHEDULE_CELLS : SCHEDULE_ARRAY;
        resumed_run(&run, &other, NULL, NEVER);
    }
    CHECK(run.status == STATUS_DONE);
    check_same_systems(&run.system, &plain->system);
    struct files taken = take_files();
    check_same_files(&taken, expected);
    CHECK(scratch_count() == 0);
    free_files(&taken);
    resumed_free(&run);
}

/* Interrupts runs of a system of some twenty events after collisions: after each, or, where there
 * are more, after some of them. */
static void interrupt_everywhere(struct random_generator *random, const struct system *system,
                                 enum schedule_kind schedule)
{
    const double end_time = fmax(0.01, fmin(64, agreement_time(system, 20)));
    struct options options = resumed_options(schedule, end_time, end_time / 4);
    struct resumed plain;
    options.run.from = end_time / 3;
    options.picture.has_paths = 1;
    resumed_run(&plain, &options, system, NEVER);
    CHECK(plain.status == STATUS_DONE);
    struct files expected = take_files();
    for (size_t k = 0; k < LENGTH(files); k++)
        CHECK(expected.content[k] != NULL);
    const size_t step = check_is_thorough() ? 1 : 1 + plain.notified.collisions / 3;
    for (size_t stop = 0; stop <= plain.notified.collisions; stop += step)
        interrupt_at(&options, system, stop, random_below(random, plain.notified.quiescent_points),
                     &plain, &expected);
    free_files(&expected);
    resumed_free(&plain);
    scratch_empty();
}

/* Each kind with both rules, or one of them, and with one schedule for each. */
RANDOM_TEST(ties, 1)
{
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        for (int rule = 0; rule < 2; rule++) {
            if (!check_is_thorough() && rule != kind / 2 % 2)
                continue;
            OWNED(system, system) = tied_system(random, (enum tied_kind)kind);
            system.law = (struct system_law){rule ? RULE_ELASTIC : RULE_SWAP, 1, 0};
            interrupt_everywhere(random, &system,
                                 (kind + rule) % 2 ? SCHEDULE_CELLS : SCHEDULE_ARRAY);
        }
    }
}

RANDOM_TEST(unequal_particles, 2)
{
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        OWNED(system, system) = mixed_system(random, (enum mixed_kind)kind, 12, 0.3);
        system.law = (struct system_law){RULE_ELASTIC, kind % 2 ? 1 : 0.7, kind % 2 ? 0 : 0.01};
        interrupt_everywhere(random, &system, SCHEDULE_ARRAY);
    }
}

RANDOM_TEST(rough_disks, 12)
{
    OWNED(system, system) = mixed_system(random, MIXED_RADII, 12, 0.3);
    system.law = (struct system_law){RULE_ELASTIC, 0.9, 0.01};
    random_rough(random, &system);
    system.boundary.surfaces = (struct surfaces){1, 0.4, 0.3, 0.25};
    interrupt_everywhere(random, &system, SCHEDULE_ARRAY);
}

/* Of a periodic box, image counts go on, and with them unwrapped positions and passages; also where
 * particles have passed seams very often already. */
RANDOM_TEST(periodic_boxes, 9)
{
    for (int round = 0; round < (check_is_thorough() ? 4 : 2); round++) {
        OWNED(system, system) = round % 2
                                    ? mixed_system(random, (enum mixed_kind)(round / 2), 12, 0.3)
                                    : tied_system(random, (enum tied_kind)(round / 2 % TIED_KINDS));
        system.law = (struct system_law){round % 4 < 2 ? RULE_ELASTIC : RULE_SWAP, 1, 0};
        random_periodic(random, &system, random_axes(random));
        random_stream(random, &system);
        random_walls(random, &system);
        for (size_t k = 0; k < system.count && round % 4 > 0; k++) {
            system.counts[k].x_image = 900000000000000 - (int64_t)k;
            system.counts[k].y_image = (int64_t)k - 900000000000000;
        }
        interrupt_everywhere(random, &system, round % 4 ? SCHEDULE_ARRAY : SCHEDULE_CELLS);
    }
}

/* Disks that stream past two obstacles, one of them across the seam. */
static struct system make_stream(struct random_generator *random, unsigned axes)
{
    static const double wedge[][2] = {{5, 3}, {7, 4}, {5, 5}};
    static const double plate[][2] = {{11.5, 1}, {12.5, 2}};
    struct system system = random_lattice(random, 4, 2, 2);
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].x = 2 + 2.9 * (double)(k / 2);
        system.particles[k].y = k % 2 ? 1.25 : 6.75;
    }
    system.radius = 0.5;
    system.boundary.width = 12;
    system.boundary.height = 8;
    system.boundary.periodic = axes;
    system.boundary.stream = stream_make(axes == PERIODIC_X ? 2 : -1, 0.5, 4);
    system_add_polygon(&system, wedge, 3, 0);
    system_add_polygon(&system, plate, 2, 0);
    return system;
}

/* Velocities that a stream gives, and forces that pictures show, go on after an interruption. */
RANDOM_TEST(streams, 11)
{
    for (unsigned axes = PERIODIC_X; axes <= (PERIODIC_X | PERIODIC_Y); axes += PERIODIC_Y) {
        OWNED(system, system) = make_stream(random, axes);
        interrupt_everywhere(random, &system, axes == PERIODIC_X ? SCHEDULE_ARRAY : SCHEDULE_CELLS);
    }
}

/* Resumes a run of a stream with or without a picture; returns the status. */
static enum status resume_stream(const char *picture, double from, struct error *error)
{
    struct options options = resumed_options(SCHEDULE_ARRAY, 0, 1);
    OWNED(resumed, run);
    options.stats.output.is_wanted = 0;
    options.structure.name = NULL;
    options.picture.output.name = picture;
    options.run.from = from;
    resumed_run(&run, &options, NULL, NEVER);
    *error = run.error;
    return run.status;
}

/* In a stream the picture remembers forces, so it must go on with the same ones. */
RANDOM_TEST(pictures_of_streams, 12)
{
    for (int has_picture = 0; has_picture < 2; has_picture++) {
        OWNED(system, system) = make_stream(random, PERIODIC_X);
        struct options options = resumed_options(SCHEDULE_ARRAY, 5, 1);
        struct resumed run;
        options.stats.output.is_wanted = 0;
        options.structure.name = NULL;
        options.picture.output.name = has_picture ? "picture" : NULL;
        options.run.from = 0.5;
        resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, 2, SIZE_MAX});
        CHECK(run.status == STATUS_INTERRUPTED);
        resumed_free(&run);
        CHECK(resume_stream(has_picture ? NULL : "picture", 0.5, &failure) == STATUS_USAGE);
        CHECK(strstr(failure.message, has_picture ? "with --picture" : "without --picture"));
        if (has_picture) {
            CHECK(resume_stream("picture", 1, &failure) == STATUS_USAGE);
            CHECK(strstr(failure.message, "with --stats-from=0.5: give it again"));
        }
        CHECK(resume_stream(has_picture ? "picture" : NULL, 0.5, &failure) == STATUS_DONE);
        scratch_empty();
    }
}

/* Runs in which walls absorb some of the particles. */
RANDOM_TEST(absorbed, 13)
{
    for (int k = 0; k < 2; k++) {
        OWNED(system, system) = random_system(random, 12, 0.2, 1);
        system.boundary.walls = wall_laws_create(0, 1, &failure);
        system.boundary.walls->list[k].absorb = 1;
        must(wall_laws_complete(system.boundary.walls, &system, &failure));
        if (k == 1)
            system.boundary.gravity = acceleration_make((double[2]){0.01, -0.02});
        interrupt_everywhere(random, &system, k ? SCHEDULE_CELLS : SCHEDULE_ARRAY);
    }
}

RANDOM_TEST(without_collisions, 3)
{
    OWNED(system, system) = random_system(random, 3, 0.1, 1);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].v = 0;
    for (int schedule = 0; schedule < 2; schedule++)
        interrupt_everywhere(random, &system, schedule ? SCHEDULE_CELLS : SCHEDULE_ARRAY);
}

/* A long run, which the page keeps as frames only, and in which cells are sorted anew. */
RANDOM_TEST(a_long_run, 4)
{
    OWNED(system, system) = random_system(random, 100, 0.3, 1);
    OWNED(resumed, plain);
    struct resumed run;
    double end_time = check_is_quick() ? 5 : 10000;
    struct options options = resumed_options(SCHEDULE_CELLS, end_time, end_time / 3);
    options.events.name = NULL; /* it would be 70 MB long */
    resumed_run(&plain, &options, &system, NEVER);
    struct files expected = take_files();
    CHECK(check_is_quick() || strstr(find_content(&expected, "page"), "\"exact\": false"));
    const size_t parts = check_is_thorough() ? 7 : 4;
    resumed_run(&run, &options, &system,
                (struct notifications){SIZE_MAX, plain.notified.collisions / parts, SIZE_MAX});
    for (size_t k = 0; k < parts && run.status == STATUS_INTERRUPTED; k++) {
        resumed_free(&run);
        resumed_run(&run, &options, NULL,
                    (struct notifications){SIZE_MAX, SIZE_MAX,
                                           plain.notified.quiescent_points / (parts - 1)});
    }
    CHECK(run.status == STATUS_DONE);
    check_same_systems(&run.system, &plain.system);
    struct files taken = take_files();
    check_same_files(&taken, &expected);
    free_files(&taken);
    free_files(&expected);
    resumed_free(&run);
}

RANDOM_TEST(files_that_must_not_be_replaced, 5)
{
    OWNED(system, system) = random_system(random, 3, 0.1, 1);
    struct options options = resumed_options(SCHEDULE_AUTO, 10, 1);
    struct resumed run;
    scratch_write("saved", "mine");
    resumed_run(&run, &options, &system, NEVER);
    CHECK(run.status == STATUS_USAGE && strstr(run.error.message, "--resume=saved"));
    CHECK(scratch_count() == 1 && scratch_has("saved", "mine"));
    resumed_free(&run);
    unlink("saved");
    scratch_write("frames.part", "yours");
    resumed_run(&run, &options, &system, NEVER);
    CHECK(run.status == STATUS_CANNOT_WRITE && strstr(run.error.message, "frames.part"));
    CHECK(scratch_count() == 1 && scratch_has("frames.part", "yours"));
    resumed_free(&run);
}

/* Everything has to be on the disk before a checkpoint counts on it. */
RANDOM_TEST(the_disk_is_waited_for, 6)
{
    OWNED(system, system) = random_system(random, 3, 0.1, 1);
    struct options options = resumed_options(SCHEDULE_AUTO, 10, 1);
    OWNED(resumed, run);
    syncs = 0;
    resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, 0, 0});
    /* For each of two checkpoints the five parts, the file and its directory; and once a
       directory for each part. */
    CHECK(run.status == STATUS_INTERRUPTED && syncs == 2 * 7 + 5);
}

/* Makes the checkpoint of a small run in the present directory. */
static void make_checkpoint(void)
{
    struct random_generator random = random_from(7);
    OWNED(system, system) = mixed_system(&random, MIXED_TWO, 4, 0.2);
    struct options options = resumed_options(SCHEDULE_ARRAY, 10, 5);
    OWNED(resumed, run);
    system.law = ELASTIC;
    options.animation.name = NULL; /* it has 600 frames */
    resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, 8, SIZE_MAX});
    CHECK(run.status == STATUS_INTERRUPTED);
}

/* Resumes the checkpoint without or with some options; returns the status. */
static enum status resume(const char *without, const char *with, struct error *error)
{
    struct options options = resumed_options(SCHEDULE_ARRAY, 0, 5);
    OWNED(resumed, run);
    options.animation.name = strcmp(with, "page") == 0 ? "page" : NULL;
    if (strcmp(without, "events") == 0)
        options.events.name = NULL;
    if (strcmp(without, "frames") == 0)
        options.trajectory.output.name = NULL;
    if (strcmp(without, "report") == 0)
        options.report.output.name = NULL;
    if (strcmp(without, "stats") == 0) {
        options.stats.output.is_wanted = 0;
        options.stats.output.name = NULL;
    }
    if (strcmp(with, "every") == 0)
        options.run.interval = 6;
    options.checkpoint.output.name = NULL;
    resumed_run(&run, &options, NULL, NEVER);
    *error = run.error;
    return run.status;
}

TEST(options_of_the_run)
{
    make_checkpoint();
    CHECK(resume("events", "", &failure) == STATUS_USAGE &&
          strstr(failure.message, "with --events"));
    CHECK(resume("frames", "", &failure) == STATUS_USAGE &&
          strstr(failure.message, "with --trajectory"));
    CHECK(resume("stats", "", &failure) == STATUS_USAGE && strstr(failure.message, "with --stats"));
    CHECK(resume("report", "", &failure) == STATUS_USAGE &&
          strstr(failure.message, "with --report"));
    CHECK(resume("", "page", &failure) == STATUS_USAGE &&
          strstr(failure.message, "without --animate"));
    CHECK(resume("", "every", &failure) == STATUS_USAGE && strstr(failure.message, "--every=5"));
    CHECK(resume("", "", &failure) == STATUS_DONE);
    /* And again, from the files that are complete. */
    CHECK(resume("", "", &failure) == STATUS_DONE);
    unlink("events");
    CHECK(resume("", "", &failure) == STATUS_NO_INPUT && strstr(failure.message, "events.part"));
    scratch_write("events", "other");
    CHECK(resume("", "", &failure) == STATUS_NO_INPUT && scratch_has("events", "other"));
}

static int warnings;

static void count_warning(const struct error *error)
{
    CHECK(strstr(error->message, "the run goes on, and the checkpoint of time 0 stays"));
    warnings++;
}

/* Each look at this clock takes a second. */
static double fake_clock(void)
{
    static double now;
    return now += 1;
}

/* Lets the observers rest long enough for a checkpoint or two. */
static void rest(struct observers *observers, const struct system *system)
{
    for (int k = 0; k < 100; k++)
        CHECK(observers_sample(observers, system, 1, &failure) == STATUS_DONE);
}

RANDOM_TEST(a_checkpoint_that_cannot_be_written_is_warned_of_once, 8)
{
    OWNED(system, system) = random_system(random, 3, 0.1, 1);
    struct observers observers = {.warn = count_warning};
    struct observer *observer = NULL;
    const struct steps_settings steps = {0};
    const struct lattice_settings lattice = {0};
    const struct run_settings run = {.to = 1, .clock = fake_clock};
    const struct checkpoint_settings settings = {
        {.name = "here/saved"}, .every = 2, .steps = &steps, .lattice = &lattice};
    CHECK(mkdir("here", 0700) == 0);
    CHECK(!observer_create(&checkpoint_operations, &run, &settings.output, &observer, &failure));
    observers_add(&observers, observer);
    CHECK(observers_begin(&observers, &system, &failure) == STATUS_DONE);
    for (warnings = 0; warnings < 2;) { /* and again only after one that could be written */
        int before = warnings;
        rest(&observers, &system);
        CHECK(warnings == before && rename("here", "there") == 0);
        rest(&observers, &system);
        CHECK(rename("there", "here") == 0);
        if (!CHECK(warnings == before + 1))
            break;
    }
    observers_free(&observers);
    unlink("here/saved");
    rmdir("here");
}
