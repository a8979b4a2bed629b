/* Tests of the library without memory: whichever allocation fails, a call returns that, or has done
 * without; nothing is lost, and what failed before there was a system can be tried again. */
#include "check.h"

#include <particles.h>

#include <stdatomic.h>

static atomic_long allocations_left; /* up to the one that fails, which is the first; or less */

static int is_last(void)
{
    return atomic_fetch_sub(&allocations_left, 1) == 1;
}

static void *failing_realloc(void *block, size_t bytes)
{
    return is_last() ? NULL : realloc(block, bytes);
}

static int failing_memalign(void **block, size_t alignment, size_t bytes)
{
    return is_last() ? 12 : posix_memalign(block, alignment, bytes);
}

#define realloc        failing_realloc
#define posix_memalign failing_memalign
#include "../src/base/memory.c"

static const char *const scenes[][12] = {
    {"rule", "elastic", "obstacle", "pin", "wall", "left temperature=2", "stats", NULL},
    {"step", "0.1", "constraint", "contact restitution=0.5", "interaction", "gravity g=-1", "stats",
     NULL},
    {"lattice", "16", "area-fraction", "0.2", "periodic", "x", "stats", NULL},
    {"rule", "elastic", "schedule", "array", "periodic", "xy", "roughness", "1", "stats", NULL},
};

enum { COUNT = 30 };

static int set_all(struct particles *p, const char *const *options)
{
    int status = p ? PARTICLES_DONE : PARTICLES_NO_MEMORY;
    for (; !status && *options; options += 2)
        status = particles_set(p, options[0], options[1]);
    return status;
}

/* Ends a simulation whose last call has returned `status`. */
static int end(struct particles *p, int status)
{
    double x[COUNT];
    const int is_out = status == PARTICLES_NO_MEMORY;
    CHECK(!status || is_out);
    CHECK(!p || (strstr(particles_error(p), "out of memory: ") != NULL) == is_out);
    if (p && particles_count(p) > 0) /* also after a failure */
        CHECK(particles_state(p, x, NULL, NULL, NULL) == PARTICLES_DONE);
    particles_free(p);
    return status;
}

/* Makes all calls up to the first that fails, whose status it returns; the file has the system. */
static int use(const char *const *options, int is_read)
{
    double x[COUNT], y[COUNT], u[COUNT], v[COUNT], radius[COUNT];
    struct particles *p = particles_create();
    int status = set_all(p, options);
    if (!status)
        status = is_read ? particles_read(p, "input") : particles_generate(p, "30");
    if (!status)
        status = particles_advance(p, 1);
    if (!status)
        status = particles_state(p, x, y, u, v);
    for (int k = 0; k < COUNT && !status; k++) {
        u[k] = -u[k];
        radius[k] = k == 3 ? 0.45 : 0.4;
    }
    if (!status)
        status = particles_change(p, x, y, u, v, is_read ? radius : NULL, NULL);
    if (!status)
        status = particles_advance(p, 1.5);
    if (!status)
        status = particles_figure(p, "seconds", x, y);
    if (!status)
        status = particles_save(p, "saved");
    return end(p, status);
}

static int go_on(void)
{
    struct particles *p = particles_create();
    int status = p ? particles_set(p, "stats", NULL) : PARTICLES_NO_MEMORY;
    if (!status)
        status = particles_load(p, "saved");
    if (!status)
        status = particles_advance(p, 2);
    return end(p, status);
}

static void write_input(void)
{
    FILE *file = fopen("input", "w");
    fprintf(file, "%d\n0.4\n20 20\n", (int)COUNT);
    for (int k = 0; k < COUNT; k++)
        fprintf(file, "%d %d %d 0.5\n", 3 + 2 * (k % 6), 3 + 2 * (k / 6), k % 3 - 1);
    fclose(file);
}

TEST(each_allocation_may_fail)
{
    scratch_write("pin", "1 1\n2 1\n2 2\n");
    write_input();
    for (size_t k = 0; k < LENGTH(scenes); k++) {
        const int is_read = k == 0;
        long failing = 1;
        do {
            atomic_store(&allocations_left, failing++);
            use(scenes[k], is_read);
        } while (allocations_left <= 0 && failing < 2000);
        CHECK(failing > 15 && failing < 2000);
        failing = 1;
        do {
            atomic_store(&allocations_left, failing++);
            go_on();
        } while (allocations_left <= 0 && failing < 2000);
        CHECK(failing > 8 && failing < 2000);
    }
}
