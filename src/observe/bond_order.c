/*
 * Voronoi cells and psi6; see bond_order.h.
 *
 * The cell of a particle begins as what walls, and along a periodic axis the particle's own images,
 * leave of the plane. Then the perpendicular bisector of each particle near by cuts something off,
 * until all that are left are more than twice as far away as the farthest corner. The result does
 * not depend on the order but for rounding, and the order is that of the grid.
 */
#include "bond_order.h"

#include "base/memory.h"

#include <math.h>

enum { USUAL_CORNERS = 32 };

static const double SHORTEST_SIDE = 1e-6; /* that counts, in distances of the neighbours */

static enum status reserve(struct bond_order *order, size_t capacity, struct error *error)
{
    static const char what[] = "the neighbours of a particle";
    struct corner *corners = memory_resize(order->corners, capacity, sizeof *corners, what, error);
    if (!corners)
        return STATUS_NO_MEMORY;
    order->corners = corners;
    struct corner *next = memory_resize(order->next, capacity, sizeof *next, what, error);
    if (!next)
        return STATUS_NO_MEMORY;
    order->next = next;
    order->capacity = capacity;
    return STATUS_DONE;
}

enum status bond_order_create(struct bond_order *order, struct error *error)
{
    *order = (struct bond_order){0};
    return reserve(order, USUAL_CORNERS, error);
}

void bond_order_free(struct bond_order *order)
{
    memory_free(order->corners);
    memory_free(order->next);
    *order = (struct bond_order){0};
}

static void find_reach(struct bond_order *order)
{
    order->reach_2 = 0;
    for (size_t k = 0; k < order->count; k++) {
        const struct corner *c = &order->corners[k];
        order->reach_2 = fmax(order->reach_2, c->x * c->x + c->y * c->y);
    }
}

/* The cell of a particle that is alone; corners go round anticlockwise. */
static void begin_cell(struct bond_order *order, const struct boundary *box, double x, double y)
{
    const int is_x = (box->periodic & PERIODIC_X) != 0;
    const int is_y = (box->periodic & PERIODIC_Y) != 0;
    const double left = is_x ? -box->width / 2 : -x;
    const double right = is_x ? box->width / 2 : box->width - x;
    const double bottom = is_y ? -box->height / 2 : -y;
    const double top = is_y ? box->height / 2 : box->height - y;
    order->corners[0] = (struct corner){left, bottom, 0, is_y ? -box->height : 0};
    order->corners[1] = (struct corner){right, bottom, is_x ? box->width : 0, 0};
    order->corners[2] = (struct corner){right, top, 0, is_y ? box->height : 0};
    order->corners[3] = (struct corner){left, top, is_x ? -box->width : 0, 0};
    order->count = 4;
    find_reach(order);
}

/* How far a corner is beyond the bisector of a neighbour, times its distance. */
static double beyond(const struct corner *c, double dx, double dy, double half)
{
    return c->x * dx + c->y * dy - half;
}

/* Cuts off what is nearer to a neighbour at (dx, dy). */
static enum status cut(struct bond_order *order, double dx, double dy, struct error *error)
{
    const double half = (dx * dx + dy * dy) / 2;
    size_t count = 0;
    int is_cut = 0;
    for (size_t k = 0; k < order->count; k++)
        is_cut |= beyond(&order->corners[k], dx, dy, half) > 0;
    if (!is_cut || half == 0)
        return STATUS_DONE;
    if (order->count + 2 > order->capacity && reserve(order, 2 * order->capacity, error))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < order->count; k++) {
        const struct corner *c = &order->corners[k];
        const struct corner *d = &order->corners[k + 1 < order->count ? k + 1 : 0];
        const double c_beyond = beyond(c, dx, dy, half);
        const double d_beyond = beyond(d, dx, dy, half);
        if (c_beyond <= 0)
            order->next[count++] = *c;
        if ((c_beyond <= 0) == (d_beyond <= 0))
            continue;
        const double part = c_beyond / (c_beyond - d_beyond);
        struct corner crossing = {c->x + part * (d->x - c->x), c->y + part * (d->y - c->y), c->dx,
                                  c->dy};
        if (c_beyond <= 0) { /* the new side begins here */
            crossing.dx = dx;
            crossing.dy = dy;
        }
        order->next[count++] = crossing;
    }
    struct corner *swapped = order->corners;
    order->corners = order->next;
    order->next = swapped;
    order->count = count;
    find_reach(order);
    return STATUS_DONE;
}

/* Cuts the cell of a member `k` of the grid by the members of a row of cells. */
static enum status cut_row(struct bond_order *order, const struct frame *frame, size_t k,
                           int64_t row, int64_t first, int64_t last, struct error *error)
{
    struct span span;
    while (frame_span(frame, row, &first, last, &span)) {
        const double x = frame->sorted_x[k] - span.shift.x;
        const double y = frame->sorted_y[k] - span.shift.y;
        for (size_t j = span.begin; j < span.end; j++) {
            const double dx = frame->sorted_x[j] - x;
            const double dy = frame->sorted_y[j] - y;
            if (dx * dx + dy * dy < 4 * order->reach_2 && cut(order, dx, dy, error))
                return STATUS_NO_MEMORY;
        }
    }
    return STATUS_DONE;
}

/* Cuts it by ring `n` of the cells of the grid around the one in this row and column. */
static enum status cut_ring(struct bond_order *order, const struct frame *frame, size_t k,
                            int64_t row, int64_t column, int64_t n, struct error *error)
{
    const int64_t columns = n < frame->columns ? n : frame->columns;
    const int64_t rows = n - 1 < frame->rows ? n - 1 : frame->rows;
    enum status status = STATUS_DONE;
    if (n <= frame->rows) {
        status = cut_row(order, frame, k, row - n, column - columns, column + columns, error);
        if (!status)
            status = cut_row(order, frame, k, row + n, column - columns, column + columns, error);
    }
    for (int64_t m = row - rows; m <= row + rows && n <= frame->columns && !status; m++) {
        status = cut_row(order, frame, k, m, column - n, column - n, error);
        if (!status)
            status = cut_row(order, frame, k, m, column + n, column + n, error);
    }
    return status;
}

/*
 * The cell of a member `k` of the grid, which is in this row and column: cut by the members of its
 * own cell of the grid, then of the rings of cells around it. What is beyond ring n is further away
 * than n cells; or, along an axis that has no more cells, an image further away than a whole box,
 * of which another one is nearer to all that is in the cell.
 */
static enum status find_cell(struct bond_order *order, const struct frame *frame, size_t k,
                             int64_t row, int64_t column, struct error *error)
{
    begin_cell(order, &frame->boundary, frame->sorted_x[k], frame->sorted_y[k]);
    enum status status = cut_row(order, frame, k, row, column, column, error);
    for (int64_t n = 0; !status; n++) {
        const double x_seen = n < frame->columns ? (double)n * frame->side_x : (double)INFINITY;
        const double y_seen = n < frame->rows ? (double)n * frame->side_y : (double)INFINITY;
        const double seen = fmin(x_seen, y_seen);
        if (seen * seen >= 4 * order->reach_2)
            break;
        status = cut_ring(order, frame, k, row, column, n + 1, error);
    }
    return status;
}

/* psi6 of the cell: z^6 for the bond with the direction z. */
static void find_psi6(const struct bond_order *order, double *real, double *imaginary)
{
    double bonds = 0;
    *real = *imaginary = 0;
    for (size_t k = 0; k < order->count; k++) {
        const struct corner *c = &order->corners[k];
        const struct corner *d = &order->corners[k + 1 < order->count ? k + 1 : 0];
        const double side_2 = (d->x - c->x) * (d->x - c->x) + (d->y - c->y) * (d->y - c->y);
        const double distance_2 = c->dx * c->dx + c->dy * c->dy;
        if (distance_2 == 0 || side_2 <= SHORTEST_SIDE * SHORTEST_SIDE * distance_2)
            continue;
        const double x_2 = (c->dx * c->dx - c->dy * c->dy) / distance_2;
        const double y_2 = 2 * c->dx * c->dy / distance_2;
        *real += x_2 * (x_2 * x_2 - 3 * y_2 * y_2);
        *imaginary += y_2 * (3 * x_2 * x_2 - y_2 * y_2);
        bonds++;
    }
    if (bonds > 0) {
        *real /= bonds;
        *imaginary /= bonds;
    }
}

enum status bond_order_find(struct bond_order *order, const struct frame *frame, double *local,
                            double *global, struct error *error)
{
    const double count = (double)frame->count;
    double sizes = 0;
    double real = 0;
    double imaginary = 0;
    enum status status = STATUS_DONE;
    for (int64_t row = 0; row < frame->rows; row++) {
        for (int64_t column = 0; column < frame->columns; column++) {
            const size_t cell = (size_t)(row * frame->columns + column);
            for (size_t k = frame->begins[cell]; k < frame->begins[cell + 1] && !status; k++) {
                double x;
                double y;
                status = find_cell(order, frame, k, row, column, error);
                find_psi6(order, &x, &y);
                sizes += sqrt(x * x + y * y);
                real += x;
                imaginary += y;
            }
        }
    }
    *local = sizes / count;
    *global = sqrt(real * real + imaginary * imaginary) / count;
    return status;
}
