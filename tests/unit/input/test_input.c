/* Tests of the reader of input files. The messages of all faults are in bad_input.sh. */
#include "check.h"
#include "input/input.h"

#include <unistd.h>

/* Reads `text` as an input file. */
static enum status read_with(const struct system_law *law, const char *text, struct system *system,
                             struct error *error)
{
    char path[] = "/tmp/particles-test-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!CHECK(stream != NULL))
        return STATUS_NO_INPUT;
    fputs(text, stream);
    fclose(stream);
    *system = (struct system){.law = *law};
    enum status status = input_read(&(struct input_request){.path = path}, system, error);
    unlink(path);
    return status;
}

static enum status read_text(const char *text, struct system *system, struct error *error)
{
    return read_with(&(struct system_law){0}, text, system, error);
}

static int is_particle(const struct particle *p, double x, double y, double u, double v)
{
    return p->x == x && p->y == y && p->u == u && p->v == v && p->t == 0 && isinf(p->collided);
}

static void check_two_particles(const char *text)
{
    struct error error = {""};
    struct system system;
    if (!CHECK(read_text(text, &system, &error) == STATUS_DONE)) {
        printf("    %s\n", error.message);
        return;
    }
    CHECK(system.count == 2 && system.radius == 0.5 && system.boundary.width == 10 &&
          system.boundary.height == 8);
    CHECK(is_particle(&system.particles[0], 1, 2, -0.25, 3));
    CHECK(is_particle(&system.particles[1], 4, 5, 0.1, -1e-3));
    system_free(&system);
}

TEST(the_plain_format)
{
    check_two_particles("2\n0.5\n10 8\n1 2 -0.25 3\n4 5 0.1 -1e-3\n");
}

TEST(white_space_line_ends_and_comments)
{
    check_two_particles("2\r\n.5\r\n10 8\r\n1 2 -.25 3\r\n4 5 .1 -0.001");
    check_two_particles("\n\n  2 # N\n\n0.5#R\n\t10\v8 \t\n# here they come\n"
                        "1 2 -0.25 3#one\n\n\f\n   4\t5 0.1\t\t-1e-3   \n\n#end");
    check_two_particles("2 0.5\n10 8\n1 2\n-0.25 3\n4\n5\n0.1\n-1e-3\n");
}

TEST(what_is_refused_leaves_an_empty_system)
{
    struct system system = {0};
    CHECK(read_text("2\n0.5\n10 8\n1 2 -0.25 3\n4 5 0.1\n", &system, &failure) == STATUS_BAD_DATA);
    CHECK(system.count == 0 && system.particles == NULL);
    CHECK(input_read(&(struct input_request){.path = "/nonexistent/file"}, &system, &failure) ==
          STATUS_NO_INPUT);
    CHECK(system.count == 0 && system.particles == NULL);
}

TEST(more_particles_than_fit_at_first)
{
    enum { COUNT = 5000 };
    static char text[COUNT * 24];
    size_t used = (size_t)sprintf(text, "%d\n0\n1 %d\n", COUNT, COUNT);
    for (int k = 0; k < COUNT; k++)
        used += (size_t)sprintf(text + used, "0.5 %d 1 0\n", k);
    struct system system;
    if (!CHECK(read_text(text, &system, &failure) == STATUS_DONE))
        return;
    CHECK(system.count == COUNT);
    for (size_t k = 0; k < COUNT; k++)
        CHECK(is_particle(&system.particles[k], 0.5, (double)k, 1, 0));
    system_free(&system);
}

/* The system that the test expects; an empty one if the file is refused. */
static struct system read_mixed(const char *text, const struct system_law *law)
{
    struct error error = {""};
    struct system system = {0};
    if (!CHECK(read_with(law, text, &system, &error) == STATUS_DONE))
        printf("    %s\n", error.message);
    return system;
}

static const struct system_law elastic = {RULE_ELASTIC, 1, 0};

static int is_of(const struct system *system, size_t index, double radius, double mass,
                 int32_t species)
{
    const struct particle *p = &system->particles[index];
    return system_radius(system, p) == radius && system_mass(system, p) == mass &&
           system_species(system, p) == species;
}

TEST(optional_columns)
{
    OWNED(system, system) = read_mixed("5 0.5\n10 8\n"
                                       "1 1 1 2\n"
                                       "3 3 3 4 1 # its own radius\n"
                                       "6 3\n3 4\n"
                                       "1 5 5 6 .25 1e-3\n"
                                       "7 6 7 8 0.5 1 2147483647\n",
                                       &elastic);
    CHECK(system.count == 5 && system.radius == 0.5 && system.kind_count == 4);
    CHECK(is_of(&system, 0, 0.5, 1, 0) && system.particles[0].kind == 0);
    CHECK(is_of(&system, 1, 1, 1, 0) && system.particles[1].kind == 1);
    CHECK(is_of(&system, 2, 0.5, 1, 0) && system.particles[2].kind == 0);
    CHECK(is_of(&system, 3, 0.25, 1e-3, 0) && system.particles[3].kind == 2);
    CHECK(is_of(&system, 4, 0.5, 1, INT32_MAX) && system.particles[4].kind == 3);
    CHECK(is_particle(&system.particles[4], 7, 6, 7, 8) && system.law.rule == RULE_ELASTIC);
}

/* Columns that say what is so anyway make no kinds. */
TEST(kinds_only_where_needed)
{
    struct system system = read_mixed("2\n0.5\n10 8\n1 1 0 0 .5\n3 3 0 0 5e-1 1 0\n", &elastic);
    CHECK(system.kind_count == 0 && system.kinds == NULL);
    system_free(&system);
    system = read_mixed("2\n7\n10 8\n1 1 0 0 -0 2\n3 3 0 0 0.0 2 0\n", &elastic);
    CHECK(system.kind_count == 1 && is_of(&system, 0, 0, 2, 0) && is_of(&system, 1, 0, 2, 0));
    CHECK(!signbit(system.kinds[0].radius));
    system_free(&system);
}

TEST(many_kinds)
{
    enum { COUNT = 3000 };
    static char text[COUNT * 40];
    size_t used = (size_t)sprintf(text, "%d\n0\n1 %d\n", COUNT, COUNT);
    for (int k = 0; k < COUNT; k++)
        used += (size_t)sprintf(text + used, "0.5 %d 1 0 0 %d %d\n", k, 1 + k % 1000, k % 2000);
    OWNED(system, system) = read_mixed(text, &elastic);
    CHECK(system.kind_count == 2000);
    for (size_t k = 0; k < system.count; k++)
        CHECK(is_of(&system, k, 0, 1 + (double)(k % 1000), (int32_t)(k % 2000)));
}

TEST(the_contact_time)
{
    const char *text = "2\n0.5\n10 8\n1 1 3 4\n3 3 0 0 1.5\n";
    const struct system_law given = {RULE_ELASTIC, 0.5, 0.25};
    const struct system_law wanted = {RULE_ELASTIC, 0.5, -1};
    struct system system = read_mixed(text, &given);
    CHECK(system.law.contact_time == 0.25 && system.law.restitution == 0.5);
    system_free(&system);
    system = read_mixed(text, &wanted); /* mean diameter 2, speeds 5 and 0 */
    CHECK(fabs(system.law.contact_time / (1e-5 * 2 / sqrt(12.5)) - 1) < 1e-14);
    system_free(&system);
    system = read_mixed(text, &elastic);
    CHECK(system.law.contact_time == 0);
    system_free(&system);
}
