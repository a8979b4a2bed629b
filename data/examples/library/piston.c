/*
 * A piston compresses a gas. It is a row of heavy disks across the box, with gaps that are too
 * small for the gas. The program moves it: between advances it sets the velocities of the disks,
 * and what collisions have done to these is gone.
 *
 * If the piston is slow beside the gas, the gas stays near equilibrium. Then in two dimensions its
 * energy grows as the pressure does: dE = -p dA with p = E / A, at low density. So E A stays the
 * same; A is the area that the centres of the gas can reach.
 */
#include <particles.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAS = 400, ROW = 10, ALL = GAS + ROW };

static const double width = 40, height = 10, small = 0.02, large = 0.49;
static const double speed = 0.02; /* of the piston; that of the gas is 1 */

static double x[ALL], y[ALL], u[ALL], v[ALL], radius[ALL], mass[ALL];

static void place(void)
{
    for (int k = 0; k < GAS; k++) {
        const double angle = 2.4 * k; /* all directions, in any order */
        x[k] = 0.5 + k % 40 * 0.95;
        y[k] = 0.5 + k / 40 * 1.0;
        u[k] = cos(angle);
        v[k] = sin(angle);
        radius[k] = small;
        mass[k] = 1;
    }
    for (int k = GAS; k < ALL; k++) {
        x[k] = width - large;
        y[k] = 0.5 + (k - GAS);
        radius[k] = large;
        mass[k] = 1e6;
    }
}

static double energy(void)
{
    double sum = 0;
    for (int k = 0; k < GAS; k++)
        sum += (u[k] * u[k] + v[k] * v[k]) / 2;
    return sum;
}

static double area(void)
{
    return (x[GAS] - large - 2 * small) * (height - 2 * small);
}

int main(void)
{
    const double box[2] = {width, height};
    struct particles *p = particles_create();
    place();
    const double before = energy() * area();
    int status = particles_set(p, "rule", "elastic");
    if (!status)
        status = particles_place(p, ALL, box, x, y, u, v, radius, mass, NULL);
    for (int time = 1; time <= 800 && !status; time++) {
        for (int k = GAS; k < ALL; k++) {
            u[k] = -speed;
            v[k] = 0;
        }
        if (!(status = particles_change(p, NULL, NULL, u, v, NULL, NULL)) &&
            !(status = particles_advance(p, time)))
            status = particles_state(p, x, y, u, v);
        if (!status && time % 100 == 0)
            printf("piston at %.3f, energy %.4f, energy times area %.3f of that at first\n",
                   x[GAS] - large, energy() / GAS, energy() * area() / before);
    }
    if (status)
        fprintf(stderr, "%s\n", particles_error(p));
    particles_free(p);
    return status;
}
