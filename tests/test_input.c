/* Tests of the reader of input files. The messages of all faults are in bad_input.sh. */
#include "check.h"
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads `text` as an input file. */
static enum status read_text(const char *text, struct system *system, struct error *error)
{
    char path[] = "/tmp/particles-test-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!CHECK(stream != NULL))
        return STATUS_NO_INPUT;
    fputs(text, stream);
    fclose(stream);
    enum status status = input_read(path, SCHEDULE_AUTO, system, error);
    unlink(path);
    return status;
}

static int is_particle(const struct particle *p, double x, double y, double u, double v)
{
    return p->x == x && p->y == y && p->u == u && p->v == v && p->t == 0 &&
           p->wall_collisions == 0 && p->particle_collisions == 0;
}

static void check_two_particles(const char *text)
{
    struct error error = {""};
    struct system system;
    if (!CHECK(read_text(text, &system, &error) == STATUS_DONE)) {
        printf("    %s\n", error.message);
        return;
    }
    CHECK(system.count == 2 && system.radius == 0.5 && system.width == 10 && system.height == 8);
    CHECK(is_particle(&system.particles[0], 1, 2, -0.25, 3));
    CHECK(is_particle(&system.particles[1], 4, 5, 0.1, -1e-3));
    system_free(&system);
}

static void test_the_plain_format(void)
{
    check_two_particles("2\n0.5\n10 8\n1 2 -0.25 3\n4 5 0.1 -1e-3\n");
}

static void test_white_space_line_ends_and_comments(void)
{
    check_two_particles("2\r\n.5\r\n10 8\r\n1 2 -.25 3\r\n4 5 .1 -0.001");
    check_two_particles("\n\n  2 # N\n\n0.5#R\n\t10\v8 \t\n# here they come\n"
                        "1 2 -0.25 3#one\n\n\f\n   4\t5 0.1\t\t-1e-3   \n\n#end");
    check_two_particles("2 0.5\n10 8\n1 2\n-0.25 3\n4\n5\n0.1\n-1e-3\n");
}

static void test_what_is_refused_leaves_an_empty_system(void)
{
    struct error error;
    struct system system;
    CHECK(read_text("2\n0.5\n10 8\n1 2 -0.25 3\n4 5 0.1\n", &system, &error) == STATUS_BAD_DATA);
    CHECK(system.count == 0 && system.particles == NULL);
    CHECK(input_read("/nonexistent/file", SCHEDULE_AUTO, &system, &error) == STATUS_NO_INPUT);
    CHECK(system.count == 0 && system.particles == NULL);
}

static void test_more_particles_than_fit_at_first(void)
{
    enum { COUNT = 5000 };
    static char text[COUNT * 24];
    size_t used = (size_t)sprintf(text, "%d\n0\n1 %d\n", COUNT, COUNT);
    for (int k = 0; k < COUNT; k++)
        used += (size_t)sprintf(text + used, "0.5 %d 1 0\n", k);
    struct error error;
    struct system system;
    if (!CHECK(read_text(text, &system, &error) == STATUS_DONE))
        return;
    CHECK(system.count == COUNT);
    for (size_t k = 0; k < COUNT; k++)
        CHECK(is_particle(&system.particles[k], 0.5, (double)k, 1, 0));
    system_free(&system);
}

int main(void)
{
    RUN(test_the_plain_format);
    RUN(test_white_space_line_ends_and_comments);
    RUN(test_what_is_refused_leaves_an_empty_system);
    RUN(test_more_particles_than_fit_at_first);
    return check_finish();
}
