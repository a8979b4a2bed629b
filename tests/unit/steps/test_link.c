/* Tests of links and pins: what theory knows of hanging weights, links that break and stay broken,
 * files that are refused, and checkpoints. */
#include "check.h"
#include "observe/tally.h"
#include "resumed.h"
#include "stepped.h"

/* A weight on a link stretches it by alpha m g, whatever the step. In a chain each link bears all
 * that hangs below it. */
TEST(a_chain_stretches)
{
    static const double steps[] = {0.05, 0.01};
    scratch_write("chain1", "0 1 3");
    scratch_write("chain4", "# a chain\n0 1 3\n\n1 2 3 # the second\n2 3 3\n3 4 3\n");
    for (size_t k = 0; k < 4; k++) {
        const size_t weights = k < 2 ? 1 : 4;
        const double dt = steps[k % 2];
        OWNED(system, system) = stepped_disks(weights + 1, 20, 40);
        for (size_t j = 0; j <= weights; j++)
            set_particle(&system, j, 10, 35 - 3 * (double)j, 0, 0);
        stepped_check_scene(&system,
                            k < 2 ? "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                                    "constraint link file=chain1 compliance=0.01 damping=8"
                                  : "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                                    "constraint link file=chain4 compliance=0.01 damping=8",
                            dt, 60);
        double height = 35;
        for (size_t j = 0; j <= weights; j++) {
            CHECK(fabs(system.particles[j].y - height) < 1e-9);
            CHECK(system.particles[j].x == 10);
            height -= 3 + 0.01 * 9.81 * (double)(weights - j);
        }
    }
}

/* So does a chain of any masses and compliance, however long the step, and a tree: the strain is
 * right to a small part of itself. */
TEST(stiff_chains_and_trees_stretch)
{
    struct random_generator random;
    random_seed(&random, 1);
    for (int trial = 0; trial < (check_is_thorough() ? 300 : 30); trial++) {
        const size_t count = 2 + random_next(&random) % 20;
        double compliance = pow(10, -3 - 3 * random_unit(&random));
        const int is_tree = trial % 3 == 0;
        double weight[32] = {0}, place[32] = {0};
        size_t above[32] = {0};
        char text[32 * 40] = "", scene[300];
        OWNED(system, system) = stepped_disks(count, 100, 100);
        arranged_kinds(&system, count);
        system.radius = 0;
        set_particle(&system, 0, 50, 90, 0, 0);
        for (size_t k = 0; k < count; k++) {
            weight[k] = pow(10, (trial % 2 ? 6 : 1) * random_unit(&random));
            system.kinds[k] = (struct particle_kind){.mass = weight[k]};
            system.particles[k].kind = (uint32_t)k;
            if (k > 0) {
                above[k] = is_tree ? random_next(&random) % k : k - 1;
                set_particle(&system, k, 50, system.particles[above[k]].y - 1, 0, 0);
                snprintf(text + strlen(text), sizeof text - strlen(text), "%zu %zu 1\n", k,
                         above[k]);
            }
        }
        for (size_t k = count - 1; k > 0; k--)
            weight[above[k]] += weight[k];
        compliance /= weight[0];
        for (size_t k = 1; k < count; k++)
            place[k] = place[above[k]] + compliance * weight[k] * 1e-3;
        scratch_write("links", text);
        snprintf(scene, sizeof scene,
                 "interaction gravity g=-1e-3\nconstraint pin particles=0\n"
                 "constraint link file=links compliance=%.17g",
                 compliance);
        stepped_check_scene(&system, scene, 0.5, 200);
        for (size_t k = 1; k < count; k++)
            CHECK(fabs(system.particles[above[k]].y - 1 - system.particles[k].y -
                       (place[k] - place[above[k]])) < 1e-6 * (place[k] - place[above[k]]) + 1e-13);
    }
}

/* Loops are solved, too: rings, ladders, and frames with more links than they need swing with their
 * lengths and energy. */
TEST(loops_swing)
{
    struct random_generator random;
    random_seed(&random, 2);
    for (int trial = 0; trial < 9; trial++) {
        const int is_ring = trial % 3 == 0, has_braces = trial % 3 == 1;
        char text[40 * 80] = "", *end = text;
        OWNED(system, system) = stepped_disks(40, 100, 100);
        struct stepped stepped = STEPPED(1e-3, 1,
                                         .parts = "interaction gravity g=-1\n"
                                                  "constraint pin particles=0\n"
                                                  "constraint link file=links",
                                         .end_time = 0.3);
        system.radius = 0;
        arranged_kinds(&system, 40);
        for (uint32_t k = 0; k < 40; k++) {
            const double angle = 0.05 * 3.14159265358979 * k;
            system.kinds[k] = (struct particle_kind){.mass = pow(10, 2 * random_unit(&random))};
            system.particles[k].kind = k;
            if (is_ring)
                set_particle(&system, k, 50 + 6 * cos(angle), 50 + 6 * sin(angle), 0, 0);
            else
                set_particle(&system, k, 50 + k / 2, 50 + k % 2, 0, 0);
        }
        for (int k = 0; k < 40; k++) {
            if (is_ring)
                end +=
                    sprintf(end, "%d %d %.17g\n", k, (k + 1) % 40, 12 * sin(3.14159265358979 / 40));
            else if (k % 2 == 0)
                end += sprintf(end, "%d %d 1\n", k, k + 1);
            if (!is_ring && k < 38)
                end += sprintf(end, "%d %d 1\n", k, k + 2);
            if (has_braces && k < 37)
                end += sprintf(end, "%d %d 1.41421356237309505\n", k, k % 2 ? k + 1 : k + 3);
        }
        scratch_write("links", text);
        CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
        CHECK(stepped.end.deviation < 1e-11);
        double start = 0;
        for (uint32_t k = 0; k < 40; k++)
            start += system.kinds[k].mass *
                     (is_ring ? 50 + 6 * sin(0.05 * 3.14159265358979 * k) : 50 + k % 2);
        CHECK(stepped.end.kinetic > 0.1 && fabs(stepped.end.kinetic + stepped.end.potential -
                                                start) < 1e-3 * stepped.end.kinetic);
    }
}

/* A weight of a million pieces stretches no rigid chain, and its links break by what they bear. */
TEST(rigid_chains)
{
    char links[200] = "", scene[200];
    for (int k = 0; k < 10; k++)
        snprintf(links + strlen(links), sizeof links - strlen(links), "%d %d 0.95\n", k, k + 1);
    scratch_write("links", links);
    for (int is_weak = 0; is_weak < 2; is_weak++) {
        OWNED(system, system) = stepped_disks(11, 30, 30);
        arranged_kinds(&system, 2);
        system.kinds[0] = (struct particle_kind){.mass = 1};
        system.kinds[1] = (struct particle_kind){.mass = 1e6};
        for (size_t k = 0; k < 11; k++)
            set_particle(&system, k, 15, 25 - 0.95 * (double)k, 0, 0);
        system.particles[10].kind = 1;
        snprintf(scene, sizeof scene,
                 "interaction gravity g=-1\nconstraint pin particles=0\n"
                 "constraint link file=links strength=%.17g",
                 1e6 + (is_weak ? 8.5 : 9.5));
        stepped_check_scene(&system, scene, 0.02, 1);
        CHECK(fabs(system.particles[1].y - (is_weak ? 23.55 : 24.05)) < 0.02);
        CHECK(fabs(system.particles[10].y - (is_weak ? 15 : 15.5)) < 0.02);
    }
}

/* Drag changes nothing of that, whatever the step: it acts on what moves. */
TEST(drag_lifts_no_weight)
{
    scratch_write("link", "0 1 3");
    for (double dt = 0.001; dt < 2; dt *= 10) {
        OWNED(system, system) = STEPPED_DISKS(20, 20, {10, 15, 0, 0}, {10, 11.9019, 0, 0});
        stepped_check_scene(
            &system,
            "interaction gravity g=-9.81\ninteraction drag c=5\nconstraint pin particles=0\n"
            "constraint link file=link compliance=0.01",
            dt, 10);
        CHECK(fabs(system.particles[1].y - 11.9019) < 1e-9);
    }
}

/* A stiff link keeps its length, and across a seam, too; its particles turn about their middle. */
TEST(a_rod_turns)
{
    scratch_write("rod", "1 0 3\n");
    OWNED(system, system) = STEPPED_DISKS(20, 20, {0.5, 10, 0, 1}, {17.5, 10, 0, -1});
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    stepped_check_scene(&system, "constraint link file=rod", 0.001, 10);
    const double dx = system.particles[0].x - system.particles[1].x;
    const double dy = system.particles[0].y - system.particles[1].y;
    const double across = dx - 20 * floor(dx / 20 + 0.5);
    CHECK(fabs(sqrt(across * across + dy * dy) - 3) < 1e-6);
    CHECK(fabs(across - 3 * cos(10 / 1.5)) < 1e-4 && fabs(dy - 3 * sin(10 / 1.5)) < 1e-4);
}

/* A link that bears a weight breaks if it is a little heavier, and then it falls. */
TEST(links_break)
{
    static const char parts[] = "interaction gravity g=-10\nconstraint pin particles=0\n"
                                "constraint link file=link strength=";
    scratch_write("link", "0 1 3");
    for (int is_weak = 0; is_weak < 2; is_weak++) {
        char scene[200];
        OWNED(system, system) = STEPPED_DISKS(20, 40, {10, 30, 0, 0}, {10, 27, 0, 0});
        strcpy(scene, parts);
        strcat(scene, is_weak ? "9.9" : "10.1");
        stepped_check_scene(&system, scene, 0.001, 1);
        CHECK(fabs(system.particles[1].y - (is_weak ? 22 : 27)) < 0.01);
    }
}

/* Nothing happens between pinned particles, nor to particles in one place but for a push along x.
 */
TEST(odd_links)
{
    scratch_write("links", "0 1 3\n2 3 1");
    OWNED(system, system) =
        STEPPED_DISKS(40, 40, {10, 10, 1, 1}, {12, 10, -1, 1}, {20, 20, 0, 0}, {20, 20, 0, 0});
    stepped_check_scene(&system, "constraint pin particles=0,1\nconstraint link file=links", 0.01,
                        0.01);
    CHECK(system.particles[0].x == 10 && system.particles[1].x == 12);
    CHECK(system.particles[0].u == 0 && system.particles[1].v == 0);
    CHECK(system.particles[2].x == 19.5 && system.particles[3].x == 20.5);
    CHECK(system.particles[2].y == 20);
}

/* The energy of a stretched link is that of a spring; a rigid or broken one has none. */
TEST(energy_and_deviation)
{
    static const char *const scenes[] = {"constraint link file=link compliance=1e9",
                                         "constraint pin particles=0,1\nconstraint link file=link",
                                         "constraint link file=link strength=0"};
    scratch_write("link", "0 1 3");
    for (size_t k = 0; k < 3; k++) {
        OWNED(system, system) = STEPPED_DISKS(20, 20, {5, 5, 0, 0}, {8.5, 5, 0, 0});
        struct stepped stepped = STEPPED(0.01, 1, .parts = scenes[k], .end_time = 0.01);
        CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
        CHECK(fabs(stepped.end.potential * 2e9 - (k == 0 ? 0.25 : 0)) < 1e-9);
        CHECK(fabs(stepped.end.deviation - (k == 2 ? 0 : 0.5)) < 1e-9);
        CHECK(stepped.end.kinetic < 1e-9); /* a link that breaks does not pull */
    }
}

/* A pinned particle has no freedom, and a rigid link takes one, until it breaks. */
TEST(constraints_take_freedoms)
{
    static const struct {
        const char *parts;
        double half_freedom;
    } cases[] = {
        {"constraint link file=links", 2},
        {"constraint link file=links compliance=1", 3},
        {"constraint link file=links strength=0", 3},
        {"constraint link file=links\nconstraint pin particles=0,0", 1},
        {"constraint pin particles=1,0\nconstraint link file=links", 0.5},
        {"constraint pin particles=0,1,2\nconstraint link file=links", 0.5}, /* and no energy */
        {"constraint pin particles=0-1\nconstraint link file=links", 0.5},
        {"constraint pin particles=2,0-2\nconstraint link file=links", 0.5},
    };
    scratch_write("links", "0 1 3\n1 2 3\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        OWNED(system, system) = stepped_disks(3, 20, 20);
        for (size_t n = 0; n < 3; n++)
            set_particle(&system, n, 5 + 3 * (double)n, 5, 0, (double)n);
        stepped_check_scene(&system, cases[k].parts, 0.001, 0.01);
        CHECK(tally_half_freedom(&system, 3) == cases[k].half_freedom);
    }
}

/* Links that break do not pull, either, where they have turned over while they held. */
TEST(links_break_in_a_knot)
{
    scratch_write("knot", "0 1 1\n2 3 1\n1 2 0.5\n");
    OWNED(system, system) = stepped_disks(4, 20, 20);
    for (size_t k = 0; k < 4; k++)
        set_particle(&system, k, 5, 5, 0, 0);
    stepped_check_scene(&system, "constraint link file=knot strength=0", 0.01, 1);
    for (size_t k = 0; k < 4; k++)
        CHECK(fabs(system.particles[k].x - 5) < 1e-9 && system.particles[k].y == 5);
}

/* Links that are off at the start get their lengths, and no energy; the centre of mass stays. */
TEST(errors_of_the_start_become_no_velocity)
{
    enum { COUNT = 10 };
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    static const char *const scenes[] = {"constraint link file=links",
                                         "constraint link file=links strength=1e-6"};
    char links[COUNT * 20] = "";
    for (int k = 0; k + 1 < COUNT; k++)
        snprintf(links + strlen(links), sizeof links - strlen(links), "%d %d 0.97\n", k, k + 1);
    scratch_write("links", links);
    for (size_t at = 0; at < 6; at++) {
        const double dt = steps[at / 2];
        OWNED(system, system) = stepped_disks(COUNT, 100, 100);
        struct stepped stepped = STEPPED(dt, 1, .parts = scenes[at % 2], .end_time = 10 * dt);
        double x = 0;
        for (size_t k = 0; k < COUNT; k++)
            set_particle(&system, k, 50 + (double)k, k % 2 ? 50.2 : 50, 0, 0);
        CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
        CHECK(stepped.end.kinetic < 1e-18 && stepped.end.deviation < 1e-12);
        for (size_t k = 0; k + 1 < COUNT; k++)
            CHECK(fabs(hypot(system.particles[k + 1].x - system.particles[k].x,
                             system.particles[k + 1].y - system.particles[k].y) -
                       0.97) < 1e-12);
        for (size_t k = 0; k < COUNT; k++)
            x += system.particles[k].x / COUNT;
        CHECK(fabs(x - 54.5) < 1e-9);
    }
}

/* Lengths that contradict each other end the run. */
TEST(contradictory_links_are_refused)
{
    scratch_write("links", "0 1 1\n1 2 1\n0 2 5\n");
    OWNED(system, system) = stepped_disks(3, 20, 20);
    struct stepped stepped =
        STEPPED(0.01, 1, .parts = "constraint link file=links", .end_time = 0.01);
    for (size_t k = 0; k < 3; k++)
        set_particle(&system, k, 5 + (double)k, 10 + (double)(k % 2), 0, 0);
    CHECK(stepped_run(&stepped, &system) == STATUS_BAD_DATA);
    CHECK(strstr(stepped.error.message, "would begin with a length of"));
}

/* Walls hold a particle that would get through when links get their lengths. */
TEST(walls_hold_at_the_start)
{
    scratch_write("link", "0 1 4");
    OWNED(system, system) = STEPPED_DISKS(20, 20, {1.5, 10, 0, 0}, {4.5, 10, 0, 0});
    stepped_check_scene(&system, "constraint pin particles=1\nconstraint link file=link", 0.01,
                        0.01);
    CHECK(system.particles[0].x >= 1 && system.particles[0].x < 1 + 1e-9);
    CHECK(system.particles[0].u == 0 && system.particles[0].y == 10);
}

/* A rod that turns by more than half of its length in a substep ends the run. */
TEST(links_limit_moves)
{
    scratch_write("rod", "0 1 1");
    for (int is_fast = 0; is_fast < 2; is_fast++) {
        OWNED(system, system) = stepped_disks(2, 1000, 1000);
        struct stepped stepped =
            STEPPED(0.01, 1, .parts = "constraint link file=rod", .end_time = 1);
        set_particle(&system, 0, 500, 500, 200, 0); /* a common velocity does not count */
        set_particle(&system, 1, 501, 500, 200, is_fast ? 51 : 49);
        CHECK(stepped_run(&stepped, &system) == (is_fast ? STATUS_BAD_DATA : STATUS_DONE));
        if (is_fast)
            CHECK(strstr(stepped.error.message, "particles 0 and 1 of a link move by 0.51 "));
    }
}

/* Checks the message with which a scene with this file of links is refused. */
static enum status refuse(const char *content, const char *parts, const char *message)
{
    OWNED(system, system) = stepped_disks(3, 20, 20);
    struct stepped stepped = {.step = 1, .substeps = 1, .parts = parts, .end_time = 1};
    if (content)
        scratch_write("links", content);
    for (size_t k = 0; k < 3; k++)
        set_particle(&system, k, 4, 4 + 4 * (double)k, 0, 0);
    system.boundary.periodic = PERIODIC_X;
    const enum status status = stepped_run(&stepped, &system);
    if (!CHECK(strstr(stepped.error.message, message)))
        error_print(&stepped.error);
    return status;
}

TEST(what_is_refused)
{
    static const struct {
        const char *content, *message;
    } files[] = {
        {"0 1", "links:1: expected i j length"},
        {"\n# x\n0 1 2 3\n", "links:3: expected i j length"},
        {"0 1 2\n0 3 2\n", "links:2: link 0 3 2: there is no such particle"},
        {"1 1 2\n", "links:1: link 1 1 2: it joins two particles"},
        {"0 -1 2\n", "links:1: expected i j length"},
        {"0 1 nan\n", "'nan' is not finite"},
        {"0 1 0\n", "the length must be from"},
        {"0 1 -2\n", "the length must be from"},
        {"0 1 1e999\n", "'1e999'"},
        {"0 1 11\n", "more than half of a periodic side"},
        {"0 99999999999999999999 1\n", "'99999999999999999999'"},
        {"0 1 29\n", "more than the diagonal of the box"},
        {"# none\n", "links:2: there is no link"},
        {"0 1 2\n1 2 2\n1 0 3\n", "links: there are two links of particles 0 and 1"},
    };
    static const char link[] = "constraint link file=links";
    for (size_t k = 0; k < LENGTH(files); k++)
        CHECK(refuse(files[k].content, link, files[k].message) == STATUS_BAD_DATA);
    CHECK(refuse(NULL, "constraint link file=none", "none: cannot open: ") == STATUS_NO_INPUT);
    CHECK(refuse("", "constraint link", "link needs file=TEXT") == STATUS_USAGE);
    CHECK(refuse("", "constraint link file=\"links", "is not closed") == STATUS_USAGE);
    CHECK(refuse("", "constraint link file=links compliance=-1", "is negative") == STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=0,3", "no particle 3: the last one is 2") ==
          STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=0,", "'', is not") == STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=1-", "'', is not") == STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=0-3", "no particle 3: the last one is 2") ==
          STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=2-1", "2-1 goes down") == STATUS_USAGE);
    CHECK(refuse("", "constraint pin particles=x", "'x', is not") == STATUS_USAGE);
}

static void write_links(int is_resumed)
{
    scratch_write("links", is_resumed ? "nonsense" : "0 1 2.5\n1 2 2.5\n");
}

/* Interrupted and resumed without the file of links, a run ends as one that is not. */
TEST(interruptions_leave_no_trace)
{
    enum { SUBSTEPS = 120 };
    OWNED(system, system) = stepped_disks(4, 9, 20);
    OWNED(options, options) = resumed_steps(3, 0.5, 0.5, SUBSTEPS / 6);
    OWNED(resumed, whole);
    CHECK(!steps_settings_add(&options.steps, 0, "gravity g=-5", &failure));
    CHECK(!steps_settings_add(&options.steps, 1, "pin particles=0", &failure));
    CHECK(!steps_settings_add(&options.steps, 1, "link file=links strength=12", &failure));
    CHECK(!steps_settings_add(&options.steps, 1, "contact restitution=0.5", &failure));
    for (size_t k = 0; k < 4; k++) /* two links of a chain, and a disk that hits it */
        set_particle(&system, k, k < 3 ? 3 : 5, k < 3 ? 10 - 2.5 * (double)k : 7, k < 3 ? 0 : -3,
                     0);
    for (size_t k = 0; k < 4; k++)
        system.particles[k].id = (int32_t)k;
    write_links(0);
    resumed_run(&whole, &options, &system, NEVER);
    CHECK(whole.system.particles[2].y < 4); /* a link has broken */
    resumed_check_stops(&whole, &system, SUBSTEPS, check_is_thorough() ? 5 : 29, write_links);
}
