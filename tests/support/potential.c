/* Boundary elements for a free surface (as of M. S. Longuet-Higgins and E. D. Cokelet, Proc. R.
 * Soc. A 350, 1, 1976). The velocity is the gradient of a potential phi without sources, and on the
 * surface, whose nodes move with the water,
 *
 *     d phi / dt = |velocity|^2 / 2 - g y.
 *
 * From phi on the surface its derivative q along the normal follows by Green's identity,
 *
 *     integral of (phi - phi_i) d(log r)/dn ds = integral of q log r ds
 *
 * for each node i, over the surface and its images in the wall and the floor, which stand for
 * these. Both are linear between two nodes, and integrated exactly. The four stages of Runge and
 * Kutta make a step. After it the nodes are spaced anew, and after some they are smoothed. At the
 * start the acceleration of the front is infinite, as a logarithm, so the front depends on the
 * nodes: where they are 0.01 to 0.04 apart, by 2 % at a time of 0.5, by 1 % until 2, and by 0.2 %
 * later. */
#include "potential.h"

#include "base/elementary.h"
#include "measure.h"

enum { MAX_NODES = 160, SMOOTHING_STEPS = 3 };

static const double GRAVITY = 0.5;
static const double LONGEST_STEP = 0.02;
static const double COARSEST = 0.05;   /* distance between nodes */
static const double GROWTH = 0.12;     /* of that distance, with the distance from the front */
static const double CORNER = 0.05;     /* radius of the column's corner at the start */
static const double LARGE_LENGTH = 20; /* the unit of r, so that the equations have a solution */
static const double SAME_LINE = 1e-12;

/* The nodes of a surface, from the wall to the floor. */
struct surface {
    size_t count;
    double x[MAX_NODES], y[MAX_NODES], phi[MAX_NODES];
};

struct potential_flow {
    struct surface surface;
    double finest; /* distance between nodes, at the front */
    double time;
    size_t steps;
    struct surface stage, end, rates; /* of a step */
    double q[MAX_NODES];              /* where there were the last rates */
    double matrix[MAX_NODES][MAX_NODES];
};

/* The distances of the nodes along the surface from the first one. Returns the whole length. */
static double arc_lengths(const struct surface *surface, double *s)
{
    s[0] = 0;
    for (size_t k = 1; k < surface->count; k++)
        s[k] = s[k - 1] + elementary_length(surface->x[k] - surface->x[k - 1],
                                            surface->y[k] - surface->y[k - 1]);
    return s[surface->count - 1];
}

/* Derivatives along the surface. At the wall those of an even value are 0. */
static void slopes(const double *s, const double *value, size_t count, int is_even, double *slope)
{
    double before = (value[1] - value[0]) / (s[1] - s[0]);
    slope[0] = is_even ? 0 : before;
    for (size_t k = 1; k + 1 < count; k++) {
        const double after = (value[k + 1] - value[k]) / (s[k + 1] - s[k]);
        slope[k] = (before * (s[k + 1] - s[k]) + after * (s[k] - s[k - 1])) / (s[k + 1] - s[k - 1]);
        before = after;
    }
    slope[count - 1] = (3 * before - slope[count - 2]) / 2;
}

/* Adds the integrals over the side from node k, seen from (x, y): of log r, to the matrix, and
 * returns that of phi - phi_i times the derivative of log r. With u along the side and the distance
 * `across` from it, r^2 = u^2 + across^2. */
static double add_side(const struct surface *surface, size_t k, double x, double y, double phi_i,
                       double *row)
{
    const double lx = surface->x[k + 1] - surface->x[k], ly = surface->y[k + 1] - surface->y[k];
    const double length = elementary_length(lx, ly);
    const double dx = surface->x[k] - x, dy = surface->y[k] - y;
    const double from = (dx * lx + dy * ly) / length, to = from + length;
    const double across = (dx * ly - dy * lx) / length;
    const double from_square = fmax(from * from + across * across, 1e-300);
    const double to_square = fmax(to * to + across * across, 1e-300);
    const double unit = 2 * log(LARGE_LENGTH);
    const double from_log = (log(from_square) - unit) / 2, to_log = (log(to_square) - unit) / 2;
    const double angle =
        fabs(across) < SAME_LINE ? 0 : atan2(across * length, across * across + from * to);
    const double single = to * to_log - from * from_log - length + across * angle;
    const double single_u =
        (to_square * to_log - from_square * from_log) / 2 - (to * to - from * from) / 4;
    const double second = (single_u - from * single) / length;
    const double doubled_u = -across * (to_log - from_log);
    const double doubled_second = (doubled_u + from * angle) / length;
    row[k] += single - second;
    row[k + 1] += second;
    return (surface->phi[k] - phi_i) * (-angle - doubled_second) +
           (surface->phi[k + 1] - phi_i) * doubled_second;
}

/* Solves the equations by elimination, with the largest pivot of each column; q is the right side,
 * and becomes the solution. */
static void solve(double (*matrix)[MAX_NODES], double *q, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < count; i++)
            if (fabs(matrix[i][k]) > fabs(matrix[pivot][k]))
                pivot = i;
        for (size_t j = k; j < count; j++) {
            const double other = matrix[pivot][j];
            matrix[pivot][j] = matrix[k][j];
            matrix[k][j] = other;
        }
        const double right = q[pivot];
        q[pivot] = q[k];
        q[k] = right;
        for (size_t i = k + 1; i < count; i++) {
            const double part = matrix[i][k] / matrix[k][k];
            for (size_t j = k; j < count; j++)
                matrix[i][j] -= part * matrix[k][j];
            q[i] -= part * right;
        }
    }
    for (size_t k = count; k-- > 0;) {
        for (size_t j = k + 1; j < count; j++)
            q[k] -= matrix[k][j] * q[j];
        q[k] /= matrix[k][k];
    }
}

/* The rates of change at a surface. */
static void find_rates(struct potential_flow *flow, const struct surface *surface,
                       struct surface *rates)
{
    const size_t count = surface->count;
    double s[MAX_NODES], x_slope[MAX_NODES], y_slope[MAX_NODES], phi_slope[MAX_NODES];
    for (size_t i = 0; i < count; i++) {
        flow->q[i] = 0;
        memset(flow->matrix[i], 0, count * sizeof flow->matrix[i][0]);
        for (int image = 0; image < 4; image++)
            for (size_t k = 0; k + 1 < count; k++)
                flow->q[i] += add_side(surface, k, image & 1 ? -surface->x[i] : surface->x[i],
                                       image & 2 ? -surface->y[i] : surface->y[i], surface->phi[i],
                                       flow->matrix[i]);
    }
    solve(flow->matrix, flow->q, count);
    arc_lengths(surface, s);
    slopes(s, surface->x, count, 0, x_slope);
    slopes(s, surface->y, count, 1, y_slope);
    slopes(s, surface->phi, count, 1, phi_slope);
    for (size_t k = 0; k < count; k++) {
        const double length = elementary_length(x_slope[k], y_slope[k]);
        const double tx = x_slope[k] / length, ty = y_slope[k] / length;
        const double u = k == 0 ? 0 : phi_slope[k] * tx - flow->q[k] * ty;
        const double v = k == count - 1 ? 0 : phi_slope[k] * ty + flow->q[k] * tx;
        rates->x[k] = u;
        rates->y[k] = v;
        rates->phi[k] = (u * u + v * v) / 2 - GRAVITY * surface->y[k];
    }
}

/* Distances between nodes, which grow from the front on, from the first node, at the wall. Returns
 * their number. */
static size_t place_nodes(double length, double finest, double *s)
{
    double back[MAX_NODES] = {0};
    size_t count = 1;
    for (; back[count - 1] < length && count < MAX_NODES; count++)
        back[count] = back[count - 1] + fmin(COARSEST, finest + GROWTH * back[count - 1]);
    if (!(back[count - 1] >= length))
        measure_fail("the surface has too many nodes");
    for (size_t k = 0; k < count; k++)
        s[k] = length * (1 - back[count - 1 - k] / back[count - 1]);
    return count;
}

/* Cubic interpolation at other distances, with the slopes. */
static void interpolate(const struct surface *surface, const double *s, double *value, int is_even,
                        const double *new_s, size_t new_count)
{
    double slope[MAX_NODES], new_value[MAX_NODES];
    slopes(s, value, surface->count, is_even, slope);
    for (size_t n = 0, k = 0; n < new_count; n++) {
        while (k + 2 < surface->count && s[k + 1] <= new_s[n])
            k++;
        const double length = s[k + 1] - s[k], part = (new_s[n] - s[k]) / length;
        const double mean = (value[k + 1] - value[k]) / length;
        const double bend = slope[k] + slope[k + 1] - 2 * mean;
        new_value[n] =
            value[k] + length * part * (slope[k] + part * (mean - slope[k] - bend + part * bend));
    }
    memcpy(value, new_value, new_count * sizeof *value);
}

static void space_nodes(struct surface *surface, double finest)
{
    double s[MAX_NODES], new_s[MAX_NODES];
    const size_t count = place_nodes(arc_lengths(surface, s), finest, new_s);
    interpolate(surface, s, surface->x, 0, new_s, count);
    interpolate(surface, s, surface->y, 1, new_s, count);
    interpolate(surface, s, surface->phi, 1, new_s, count);
    surface->count = count;
    surface->x[0] = surface->y[count - 1] = 0;
}

/* Takes away what changes its sign from node to node, and leaves what is smoother. */
static void smooth(double *value, size_t count)
{
    double before = value[0], here = value[1];
    for (size_t k = 2; k + 2 < count; k++) {
        const double smoothed =
            (10 * value[k] + 4 * (here + value[k + 1]) - before - value[k + 2]) / 16;
        before = here;
        here = value[k];
        value[k] = smoothed;
    }
    value[count - 2] = (here + 2 * value[count - 2] + value[count - 1]) / 4;
}

static void add_rates(struct surface *sum, const struct surface *surface, double time,
                      const struct surface *rates)
{
    for (size_t k = 0; k < surface->count; k++) {
        sum->x[k] = surface->x[k] + time * rates->x[k];
        sum->y[k] = surface->y[k] + time * rates->y[k];
        sum->phi[k] = surface->phi[k] + time * rates->phi[k];
    }
    sum->count = surface->count;
}

static void step(struct potential_flow *flow, double time)
{
    static const double parts[] = {0.5, 0.5, 1}, weights[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    struct surface *surface = &flow->surface;
    flow->stage = flow->end = *surface;
    for (int stage = 0; stage < 4; stage++) {
        find_rates(flow, &flow->stage, &flow->rates);
        add_rates(&flow->end, &flow->end, time * weights[stage], &flow->rates);
        if (stage < 3)
            add_rates(&flow->stage, surface, time * parts[stage], &flow->rates);
    }
    *surface = flow->end;
    for (size_t k = 0; k < surface->count; k++)
        surface->y[k] = fmax(0, surface->y[k]);
    space_nodes(surface, flow->finest);
    if (++flow->steps % SMOOTHING_STEPS == 0) {
        smooth(surface->x, surface->count);
        smooth(surface->y, surface->count);
        smooth(surface->phi, surface->count);
    }
}

struct potential_flow *potential_create(double height, double finest)
{
    struct potential_flow *flow = calloc(1, sizeof *flow);
    double s[MAX_NODES];
    if (!flow)
        measure_fail("out of memory");
    const double arc = PI / 2 * CORNER, top = 1 - CORNER;
    flow->finest = finest;
    flow->surface.count = place_nodes(top + arc + height - CORNER, finest, s);
    for (size_t k = 0; k < flow->surface.count; k++) {
        double cosine, sine; /* of the angle of the normal from above */
        elementary_turn(fmax(0, fmin(arc, s[k] - top)) / (2 * PI * CORNER), &cosine, &sine);
        flow->surface.x[k] = fmin(s[k], top) + CORNER * sine;
        flow->surface.y[k] = height - CORNER * (1 - cosine) - fmax(0, s[k] - top - arc);
    }
    flow->surface.y[flow->surface.count - 1] = 0;
    return flow;
}

void potential_free(struct potential_flow *flow)
{
    free(flow);
}

void potential_advance(struct potential_flow *flow, double time)
{
    const double steps = ceil((time - flow->time) / LONGEST_STEP);
    const double dt = (time - flow->time) / steps;
    for (double k = 0; k < steps; k++)
        step(flow, dt);
    flow->time = time;
    find_rates(flow, &flow->surface, &flow->rates);
}

struct potential_figures potential_figures(const struct potential_flow *flow, double beyond)
{
    const double *x = flow->surface.x, *y = flow->surface.y, *phi = flow->surface.phi;
    const double *q = flow->q;
    const size_t last = flow->surface.count - 1;
    struct potential_figures figures = {.front = x[last], .behind = x[last], .height = y[0]};
    for (size_t k = last; k-- > 0;) {
        const double dx = x[k + 1] - x[k], length = elementary_length(dx, y[k + 1] - y[k]);
        const double depth = (y[k] + y[k + 1]) / 2;
        if (figures.area < beyond)
            figures.behind = x[k + 1] - fmin(dx, (beyond - figures.area) / depth);
        figures.area += depth * dx;
        figures.energy += (phi[k] * q[k] + phi[k + 1] * q[k + 1]) / 4 * length +
                          GRAVITY * (y[k] * y[k] + y[k + 1] * y[k + 1]) / 4 * dx;
    }
    return figures;
}
