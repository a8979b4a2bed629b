/*
 * Tests of the equations of links: for random graphs against elimination with pivoting of the whole
 * matrix; of frames with more links than are needed; and which groups are too expensive.
 */
#include "steps/link_solver.h"

#include "base/memory.h"
#include "base/random.h"
#include "check.h"

#include <math.h>
#include <string.h>

enum { PARTICLES = 12, LINKS = 24 };

/* Links of particles with random positions and masses. */
struct graph {
    struct chosen_pair list[LINKS];
    struct chosen_pairs pairs;
    double inverse_mass[PARTICLES], mobility[PARTICLES];
    struct link_solver solver;
};

static void create_solver(struct graph *graph)
{
    struct error error;
    graph->pairs.list = graph->list;
    graph->solver = (struct link_solver){0};
    CHECK(link_solver_create(&graph->solver, &graph->pairs, graph->inverse_mass, PARTICLES,
                             &error) == STATUS_DONE);
}

static struct vector direction(double angle)
{
    return (struct vector){cos(angle), sin(angle)};
}

/* A graph of `links` random links, and an equation for each. */
static void create_graph(struct graph *graph, struct random_generator *random, size_t links)
{
    for (size_t k = 0; k < PARTICLES; k++) {
        graph->inverse_mass[k] = random_next(random) % 6 ? pow(10, 4 * random_unit(random) - 2) : 0;
        graph->mobility[k] = graph->inverse_mass[k] * 0.9;
    }
    graph->pairs = (struct chosen_pairs){.count = links};
    for (size_t k = 0; k < links; k++) {
        struct chosen_pair *pair = &graph->list[k];
        pair->i = (uint32_t)(random_next(random) % PARTICLES);
        do
            pair->j = (uint32_t)(random_next(random) % PARTICLES);
        while (pair->j == pair->i);
    }
    create_solver(graph);
    for (size_t k = 0; k < links; k++) {
        const double angle = 6.3 * random_unit(random);
        const int is_void = random_next(random) % 8 == 0;
        graph->solver.equations[k] =
            is_void ? (struct link_equation){.weight = 1}
                    : (struct link_equation){.normal = direction(angle),
                                             .pull = direction(angle + 0.2 * random_unit(random)),
                                             .weight = 1 + random_unit(random),
                                             .softness = 0.01 + random_unit(random),
                                             .right = random_unit(random) - 0.5};
    }
}

/* The left side of an equation: what the multipliers of all links do to it. */
static double left_side(const struct graph *graph, size_t k)
{
    const struct link_equation *own = &graph->solver.equations[k];
    struct vector moves[PARTICLES] = {{0, 0}};
    for (size_t n = 0; n < graph->pairs.count; n++) {
        const struct chosen_pair *pair = &graph->list[n];
        const struct link_equation *other = &graph->solver.equations[n];
        moves[pair->i].x -= graph->mobility[pair->i] * other->multiplier * other->pull.x;
        moves[pair->i].y -= graph->mobility[pair->i] * other->multiplier * other->pull.y;
        moves[pair->j].x += graph->mobility[pair->j] * other->multiplier * other->pull.x;
        moves[pair->j].y += graph->mobility[pair->j] * other->multiplier * other->pull.y;
    }
    const struct vector *a = &moves[graph->list[k].i], *b = &moves[graph->list[k].j];
    return own->weight * ((b->x - a->x) * own->normal.x + (b->y - a->y) * own->normal.y) +
           own->softness * own->multiplier;
}

static void solve_all(struct graph *graph)
{
    for (size_t n = 0; n < graph->solver.group_count; n++) {
        CHECK(isfinite(graph->solver.groups[n].cost));
        link_solver_factorise(&graph->solver, &graph->solver.groups[n], graph->mobility);
        link_solver_solve(&graph->solver, &graph->solver.groups[n]);
    }
}

TEST(random_graphs_are_solved)
{
    struct random_generator random;
    struct graph graph;
    random_seed(&random, 1);
    for (int trial = 0; trial < (check_is_thorough() ? 20000 : 1000); trial++) {
        const size_t links = 1 + random_next(&random) % LINKS;
        create_graph(&graph, &random, links);
        solve_all(&graph);
        size_t in_groups = 0;
        for (size_t n = 0; n < graph.solver.group_count; n++)
            in_groups += graph.solver.groups[n].end - graph.solver.groups[n].first;
        CHECK(in_groups == links);
        for (size_t k = 0; k < links; k++) {
            const struct link_equation *equation = &graph.solver.equations[k];
            if (equation->softness == 0)
                CHECK(equation->multiplier == 0);
            else
                CHECK(fabs(left_side(&graph, k) - equation->right) < 1e-9);
        }
        link_solver_free(&graph.solver);
    }
}

/* A square with both diagonals: one rigid link of six follows from the others. */
TEST(a_frame_is_solved)
{
    static const double x[] = {0, 1, 1, 0}, y[] = {0, 0, 1, 1};
    struct graph graph = {.pairs.count = 6};
    size_t count = 0;
    double sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = i + 1; j < 4; j++)
            graph.list[count++] = (struct chosen_pair){.i = i, .j = j};
    for (size_t k = 0; k < PARTICLES; k++)
        graph.inverse_mass[k] = graph.mobility[k] = 1;
    create_solver(&graph);
    for (size_t k = 0; k < 6; k++) { /* it grows by a thousandth */
        const struct chosen_pair *pair = &graph.list[k];
        const double dx = x[pair->j] - x[pair->i], dy = y[pair->j] - y[pair->i];
        const struct vector normal = {dx / hypot(dx, dy), dy / hypot(dx, dy)};
        graph.solver.equations[k] = (struct link_equation){
            .normal = normal, .pull = normal, .weight = 1, .right = 0.001 * hypot(dx, dy)};
    }
    solve_all(&graph);
    for (size_t k = 0; k < 6; k++) {
        CHECK(fabs(left_side(&graph, k) - graph.solver.equations[k].right) < 1e-12);
        sum += fabs(graph.solver.equations[k].multiplier);
    }
    CHECK(sum < 0.1);
    link_solver_free(&graph.solver);
}

/* The cost of a link in a net of `columns` by `rows`. */
static double cost_of_net(uint32_t columns, uint32_t rows)
{
    struct error error;
    struct link_solver solver = {0};
    struct chosen_pairs pairs = {0};
    const size_t count = (size_t)columns * rows;
    double *masses = memory_allocate(count, sizeof *masses, "masses", &error);
    pairs.list = memory_allocate(2 * count, sizeof *pairs.list, "links", &error);
    for (uint32_t k = 0; k < columns * rows; k++) {
        masses[k] = 1;
        if (k % columns > 0)
            pairs.list[pairs.count++] = (struct chosen_pair){.i = k - 1, .j = k};
        if (k >= columns)
            pairs.list[pairs.count++] = (struct chosen_pair){.i = k, .j = k - columns};
    }
    CHECK(link_solver_create(&solver, &pairs, masses, count, &error) == STATUS_DONE);
    CHECK(solver.group_count == 1);
    const double cost = solver.groups[0].cost;
    link_solver_free(&solver);
    memory_free(pairs.list);
    memory_free(masses);
    return cost;
}

TEST(costs)
{
    CHECK(cost_of_net(10000, 1) < 3); /* a chain */
    CHECK(cost_of_net(2, 1000) < 32); /* a ladder */
    CHECK(cost_of_net(15, 25) > 100 && isfinite(cost_of_net(15, 25)));
    CHECK(cost_of_net(100, 100) == (double)INFINITY);
}
