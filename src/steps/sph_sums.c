/*
 * Sums over the pairs of a fluid; see sph.h.
 *
 * The partners of a particle are in two spans of the list: the remainder of its own cell with the
 * next cell, and three cells of the row above. Each span is computed in blocks. The loop over the
 * terms of a block has no branch, no sum, and no aliases: so compilers vectorise it, which doubles
 * its speed. (`make bench` shows whether they did.) Then four partial sums of the terms are added
 * in a fixed order.
 */
#include "sph.h"

#include "base/memory.h"

#include <string.h>

enum { BLOCK = 64 }; /* pairs */

static enum status allocate_values(double **array, size_t count, struct error *error)
{
    memory_free(*array);
    *array = memory_allocate(count, sizeof **array, "the fluid", error);
    return *array ? STATUS_DONE : STATUS_NO_MEMORY;
}

enum status sph_list_find(struct sph_list *list, const struct system *system, double reach,
                          struct error *error)
{
    double **arrays[] = {&list->u,       &list->v,     &list->volume, &list->value,
                         &list->x_slope, &list->x_sum, &list->y_sum};
    enum status status = neighbours_find(&list->near, system, reach, error);
    if (status || list->near.count <= list->room)
        return status;
    list->room = 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && !status; k++)
        status = allocate_values(arrays[k], list->near.list_room, error);
    if (!status)
        list->room = list->near.list_room;
    return status;
}

void sph_list_free(struct sph_list *list)
{
    memory_free(list->u);
    memory_free(list->v);
    memory_free(list->volume);
    memory_free(list->value);
    memory_free(list->x_slope);
    memory_free(list->x_sum);
    memory_free(list->y_sum);
    neighbours_free(&list->near);
    *list = (struct sph_list){0};
}

/* The sum of the terms of a block, in a fixed order. */
static double add_up(const double *terms, size_t count)
{
    double sums[4] = {0, 0, 0, 0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sums[lane] += terms[k + lane];
    for (size_t lane = 0; k < count; k++, lane++)
        sums[lane] += terms[k];
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/* Adds the rates of i and the `count` partners from `begin` on, which follow i in the list. */
static void add_rates(struct sph_list *list, size_t i, size_t begin, size_t count,
                      const struct sph_coefficients *coefficients)
{
    const double *x = list->near.x + begin, *y = list->near.y + begin;
    const double *u = list->u + begin, *v = list->v + begin;
    const double *volume = list->volume + begin, *value = list->value + begin;
    const double x_i = list->near.x[i], y_i = list->near.y[i], u_i = list->u[i], v_i = list->v[i];
    const double volume_i = list->volume[i], value_i = list->value[i],
                 per_reach = coefficients->per_reach;
    const double *x_slope = list->x_slope + begin, *y_slope = list->y_slope + begin;
    const double x_slope_i = list->x_slope[i], y_slope_i = list->y_slope[i];
    double terms[BLOCK], others[BLOCK];
    for (size_t k = 0; k < count; k++) {
        const double dx = x_i - x[k], dy = y_i - y[k];
        const double closeness = sph_closeness(dx * dx + dy * dy, per_reach);
        const double weight = closeness * closeness * closeness;
        const double separation_rate = (u_i - u[k]) * dx + (v_i - v[k]) * dy;
        const double excess =
            value_i - value[k] - (x_slope_i + x_slope[k]) * dx - (y_slope_i + y_slope[k]) * dy;
        terms[k] = volume[k] * weight * (separation_rate + excess);
        others[k] = volume_i * weight * (separation_rate - excess);
    }
    for (size_t k = 0; k < count; k++)
        list->x_sum[begin + k] += others[k];
    list->x_sum[i] += add_up(terms, count);
}

/* Adds the forces of i and the `count` partners from `begin` on. */
static void add_forces(struct sph_list *list, size_t i, size_t begin, size_t count,
                       const struct sph_coefficients *coefficients)
{
    const double *x = list->near.x + begin, *y = list->near.y + begin;
    const double *u = list->u + begin, *v = list->v + begin;
    const double *volume = list->volume + begin, *value = list->value + begin;
    const double x_i = list->near.x[i], y_i = list->near.y[i], u_i = list->u[i], v_i = list->v[i];
    const double volume_i = list->volume[i], value_i = list->value[i],
                 per_reach = coefficients->per_reach;
    const double viscous = coefficients->viscous, regularization = coefficients->regularization;
    double x_terms[BLOCK], y_terms[BLOCK];
    for (size_t k = 0; k < count; k++) {
        const double dx = x_i - x[k], dy = y_i - y[k];
        const double square = dx * dx + dy * dy;
        const double closeness = sph_closeness(square, per_reach);
        const double separation_rate = (u_i - u[k]) * dx + (v_i - v[k]) * dy;
        const double push =
            volume_i * volume[k] * (closeness * closeness * closeness) *
            (value_i + value[k] - viscous * separation_rate / (square + regularization));
        x_terms[k] = push * dx;
        y_terms[k] = push * dy;
    }
    for (size_t k = 0; k < count; k++) {
        list->x_sum[begin + k] -= x_terms[k];
        list->y_sum[begin + k] -= y_terms[k];
    }
    list->x_sum[i] += add_up(x_terms, count);
    list->y_sum[i] += add_up(y_terms, count);
}

typedef void add_pairs(struct sph_list *list, size_t i, size_t begin, size_t count,
                       const struct sph_coefficients *coefficients);

/* Adds the pairs of i with a span of the list. */
COMPILER_INLINE void add_span(struct sph_list *list, size_t i, size_t begin, size_t end,
                              const struct sph_coefficients *coefficients, add_pairs *add)
{
    for (; end > begin + BLOCK; begin += BLOCK)
        add(list, i, begin, BLOCK, coefficients);
    add(list, i, begin, end - begin, coefficients);
}

/* Adds all pairs. */
COMPILER_INLINE void add_all(struct sph_list *list, const struct sph_coefficients *coefficients,
                             add_pairs *add)
{
    const struct neighbours *near = &list->near;
    for (uint32_t row = 1; row + 1 < near->rows; row++) {
        for (uint32_t column = 1; column + 1 < near->columns; column++) {
            const uint32_t *cell = near->first + (size_t)row * near->columns + column;
            const uint32_t *above = cell + near->columns;
            for (size_t i = cell[0]; i < cell[1]; i++) {
                add_span(list, i, i + 1, cell[2], coefficients, add);
                add_span(list, i, above[-1], above[2], coefficients, add);
            }
        }
    }
}

void sph_sum_rates(struct sph_list *list, const struct sph_coefficients *coefficients)
{
    memset(list->x_sum, 0, list->near.count * sizeof *list->x_sum);
    add_all(list, coefficients, add_rates);
}

void sph_sum_forces(struct sph_list *list, const struct sph_coefficients *coefficients)
{
    memset(list->x_sum, 0, list->near.count * sizeof *list->x_sum);
    memset(list->y_sum, 0, list->near.count * sizeof *list->y_sum);
    add_all(list, coefficients, add_forces);
}
