/* Two disks that meet, and where they are after each unit of time. */
#include <particles.h>
#include <stdio.h>

int main(void)
{
    const double box[2] = {10, 5}, radius[2] = {0.5, 0.5};
    double x[2] = {2, 8}, y[2] = {2.4, 2.6}, u[2] = {1, -1}, v[2] = {0, 0};
    struct particles *p = particles_create();
    int status = particles_set(p, "rule", "elastic");
    if (!status)
        status = particles_place(p, 2, box, x, y, u, v, radius, NULL, NULL);
    for (int time = 1; time <= 10 && !status; time++) {
        status = particles_advance(p, time);
        if (!status && !(status = particles_state(p, x, y, u, v)))
            printf("%d: %.3f %.3f, %.3f %.3f\n", time, x[0], y[0], x[1], y[1]);
    }
    if (status)
        fprintf(stderr, "%s\n", particles_error(p));
    particles_free(p);
    return status;
}
