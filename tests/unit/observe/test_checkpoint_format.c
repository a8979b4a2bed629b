/* Test of the format of checkpoints: the checkpoint of one small run, which all observers watch,
 * must be the file checkpoint.VERSION beside this one, byte for byte; and that of a time-stepped
 * run stepped.VERSION, and of one on a lattice lattice.VERSION. So a change of what `save`
 * writes, anywhere, cannot be forgotten: a program that reads the old format would misread it. */
#include "check.h"
#include "io/record.h"
#include "observed.h"
#include "resumed.h"

#include <time.h>
#include <unistd.h>

/* The statistics save how long the run took: here no time passes. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    *now = (struct timespec){0};
    return 0;
}

/* Takes the length and the checksum of the page out of a checkpoint, which change with each change
 * of data/embedded/animation_template.html, and the last line, the checksum of all. */
static void remove_page(char *text, const char *page)
{
    char line[100];
    char sum[CRC64_TEXT_SIZE];
    struct crc64 crc64;
    crc64_begin(&crc64);
    crc64_add(&crc64, page, strlen(page));
    snprintf(line, sizeof line, "\n%zu %s\n", strlen(page), crc64_text(&crc64, sum));
    char *place = strstr(text, line);
    char *last = strstr(text, "\n" RECORD_CHECKSUM);
    if (!CHECK(place && last))
        return;
    last[1] = '\0';
    memmove(place, place + strlen(line) - 1, strlen(place + strlen(line) - 1) + 1);
}

/* The checkpoint of a run of two kinds of particles in a stream past a thin wall, after 8
 * collisions; owned by the caller. */
static char *make_checkpoint(void)
{
    static const double wall[][2] = {{2.5, 1}, {2.5, 2.5}};
    struct random_generator random = random_from(7);
    OWNED(system, system) = mixed_system(&random, MIXED_TWO, 4, 0.2);
    struct options options = resumed_options(SCHEDULE_ARRAY, 1000, 2);
    OWNED(resumed, run);
    options.picture.has_paths = 1;
    system.law = (struct system_law){RULE_ELASTIC, 0.9, 0.001};
    random_periodic(&random, &system, PERIODIC_X);
    system.boundary.stream = stream_make(1, 0.5, 3);
    system_add_polygon(&system, wall, 2, 0);
    resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, 8, SIZE_MAX});
    CHECK(run.status == STATUS_INTERRUPTED);
    char *text = observed_read("saved");
    OWNED_TEXT(page) = observed_read("page.part");
    if (CHECK(text && page))
        remove_page(text, page);
    scratch_empty();
    return text;
}

/* The checkpoint of a run in steps, or on a lattice past a thin wall, at the third moment at which
 * there could be one; owned by the caller. */
static char *make_stepped_checkpoint(int is_lattice)
{
    static const double wall[][2] = {{2.5, 0.9}, {2.5, 5.2}};
    struct random_generator random = random_from(7);
    OWNED(system, system) = mixed_system(&random, MIXED_TWO, 4, 0.2);
    struct options options = {.is_quiet = 1,
                              .input = "input.txt",
                              .run.to = 1,
                              .stats.output = {.name = "stats", .is_wanted = 1},
                              .checkpoint.output.name = "saved"};
    OWNED(resumed, run);
    options.checkpoint.every = 1e9;
    if (is_lattice) {
        options.lattice = (struct lattice_settings){.columns = 6, .viscosity = 2};
        options.forces.name = "forces";
        options.fields.output.name = "fields.csv";
        options.fields.columns = 2;
        options.fields.rows = 1;
        system.boundary.width = system.boundary.height =
            fmax(system.boundary.width, system.boundary.height);
        system_add_polygon(&system, wall, 2, 0);
    } else {
        options.steps = (struct steps_settings){.step = 0.01, .substeps = 5};
        CHECK(steps_settings_add(&options.steps, 0, "gravity g=-9.81", &failure) == STATUS_DONE);
    }
    resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, SIZE_MAX, 3});
    CHECK(run.status == STATUS_INTERRUPTED);
    char *text = observed_read("saved");
    scratch_empty();
    steps_settings_free(&options.steps);
    return text;
}

/* Compares a checkpoint, which it frees, with the file that is kept. */
static void compare(char *text, const char *kept)
{
    static char expected[100000];
    char path[5000];
    snprintf(path, sizeof path, "%s/tests/unit/observe/%s." RECORD_VERSION, scratch_origin(), kept);
    const int is_kept = access(path, F_OK) == 0;
    FILE *file = fopen(path, is_kept ? "r" : "w");
    if (!CHECK(text && file))
        return;
    if (is_kept)
        expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    else
        fputs(text, file);
    fclose(file);
    if (!CHECK(is_kept))
        printf("there was no %s; it has been written: commit it\n", path);
    else if (!CHECK(strcmp(text, expected) == 0))
        printf("the format of checkpoints has changed: raise RECORD_VERSION in include/io/record.h,"
               " run this test, which writes the new file, and remove %s\n",
               path);
    memory_free(text);
}

TEST(the_format_is_that_of_its_version)
{
    compare(make_checkpoint(), "checkpoint");
    compare(make_stepped_checkpoint(0), "stepped");
    compare(make_stepped_checkpoint(1), "lattice");
}
