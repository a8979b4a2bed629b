/* Tests of pairs that several threads work on in their order, against all pairs in a plain loop. */
#include "model/ordered_pairs.h"

#include "check.h"

/* A pair as a user has it. */
struct test_pair {
    struct ordered_pair pair; /* the first member */
    uint64_t salt;
};

struct test_run {
    const struct system *system;
    double range;         /* of the pairs */
    uint64_t seed;        /* of their keys */
    uint64_t *states;     /* of the particles, changed by each pair in a way that shows its place */
    struct test_pair *in; /* all pairs, as they are visited in order */
    size_t visited;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15;
    return a ^ a >> 29;
}

/* First and last ones, equal keys, and others. */
static double key_of(const struct test_run *run, size_t i, size_t j)
{
    const uint64_t bits = mix(mix(run->seed, i), j);
    switch (bits % 4) {
    case 0:
        return (double)INFINITY;
    case 1:
        return (double)-INFINITY;
    case 2:
        return 0.5;
    default:
        return (double)(bits >> 32);
    }
}

static void find_partners(const struct test_run *run, struct ordered_strip *strip, size_t i)
{
    const struct particle *p = run->system->particles;
    for (size_t j = i + 1; j < run->system->count; j++) {
        const double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y;
        if (dx * dx + dy * dy > run->range * run->range)
            continue;
        struct test_pair *pair = ordered_pairs_add(strip, i, j, key_of(run, i, j));
        if (pair)
            pair->salt = mix(i, j);
    }
}

static void find_test_pairs(void *user, struct ordered_strip *strip)
{
    for (size_t k = strip->begin; k < strip->end; k++)
        find_partners(user, strip, strip->pairs->members[k]);
}

static void change_states(void *user, struct ordered_pair *ordered)
{
    const struct test_run *run = user;
    const struct test_pair *pair = (const struct test_pair *)ordered;
    uint64_t *a = &run->states[ordered->i], *b = &run->states[ordered->j];
    *a = mix(*a, *b + pair->salt);
    *b = mix(*b, *a);
}

static void keep_pair(void *user, struct ordered_pair *pair)
{
    struct test_run *run = user;
    run->in[run->visited++] = *(const struct test_pair *)pair;
}

static int compare_test_pairs(const void *a, const void *b)
{
    const struct ordered_pair *p = a, *q = b;
    if (p->key != q->key)
        return p->key > q->key ? -1 : 1;
    return p->i != q->i ? (p->i > q->i) - (p->i < q->i) : (p->j > q->j) - (p->j < q->j);
}

/* Works on the pairs of the present positions twice, and compares with one sorted list of them. */
static void check_pairs(struct ordered_pairs *pairs, struct test_run *run, uint64_t seed)
{
    const size_t count = run->system->count;
    uint64_t *expected = calloc(count, sizeof *expected);
    run->seed = seed;
    run->visited = 0;
    if (!CHECK(expected && !ordered_pairs_find(pairs, find_test_pairs, run, &failure)))
        exit(EXIT_FAILURE);
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            all += hypot(run->system->particles[j].x - run->system->particles[i].x,
                         run->system->particles[j].y - run->system->particles[i].y) <= run->range;
    run->in = calloc(count * count, sizeof *run->in);
    run->states = calloc(count, sizeof *run->states);
    if (!CHECK(run->in && run->states))
        exit(EXIT_FAILURE);
    ordered_pairs_visit(pairs, keep_pair, run);
    CHECK(run->visited == all && all > count / 2);
    for (size_t k = 1; k < run->visited; k++)
        CHECK(compare_test_pairs(&run->in[k - 1], &run->in[k]) < 0);
    for (int round = 0; round < 2; round++) {
        uint64_t *states = run->states;
        ordered_pairs_run(pairs, change_states, run);
        run->states = expected;
        for (size_t k = 0; k < run->visited; k++)
            change_states(run, &run->in[k].pair);
        run->states = states;
        for (size_t k = 0; k < count; k++)
            CHECK(states[k] == expected[k]);
    }
    free(expected);
    free(run->states);
    free(run->in);
}

/* Particles in rows, in columns, at random, and all in one corner. */
static struct system numbered_system(struct random_generator *random, int kind)
{
    enum { SIDE = 20 };
    struct system system = random_lattice(random, SIDE, SIDE, 0.1);
    for (size_t k = 0; k < system.count && kind == 1; k++) {
        const struct particle p = system.particles[k];
        system.particles[k].x = p.y * (system.boundary.width / system.boundary.height);
        system.particles[k].y = p.x * (system.boundary.height / system.boundary.width);
    }
    for (size_t k = 0; k < system.count && kind > 1; k++) {
        system.particles[k].x = random_unit(random) * system.boundary.width / (kind == 3 ? 50 : 1);
        system.particles[k].y = random_unit(random) * system.boundary.height / (kind == 3 ? 50 : 1);
    }
    return system;
}

RANDOM_TEST(any_number_of_threads, 1)
{
    static const unsigned threads[] = {1, 2, 3, 7};
    for (int kind = 0; kind < 4; kind++) {
        for (size_t k = 0; k < 4; k++) {
            struct ordered_pairs pairs;
            OWNED(system, system) = numbered_system(random, kind);
            struct test_run run = {.system = &system, .range = system.boundary.width / 12};
            struct thread_pool *pool = threads[k] > 1 ? thread_pool_create(threads[k]) : NULL;
            if (kind == 3)
                run.range /= 50;
            CHECK(!ordered_pairs_create(&pairs, &system, sizeof(struct test_pair), pool, &failure));
            for (uint64_t seed = 0; seed < 3; seed++) {
                for (size_t n = 0; n < system.count; n++)
                    system.particles[n].x += (random_unit(random) - 0.5) * run.range;
                check_pairs(&pairs, &run, seed);
            }
            ordered_pairs_free(&pairs);
            thread_pool_free(pool);
        }
    }
}
