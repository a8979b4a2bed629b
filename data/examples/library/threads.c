/* Ten gases of different density on ten threads, each with a simulation of its own, and their
 * pressures divided by those of an ideal gas. */
#include <particles.h>

#include <pthread.h>
#include <stdio.h>

enum { RUNS = 10 };

struct run {
    int number, status;
    double fraction, ratio, error;
    char message[200];
};

static void *simulate(void *argument)
{
    struct run *run = argument;
    char text[20];
    struct particles *p = particles_create();
    run->fraction = 0.05 * (run->number + 1);
    snprintf(text, sizeof text, "%g", run->fraction);
    int status = particles_set(p, "rule", "elastic");
    if (!status)
        status = particles_set(p, "periodic", "xy");
    if (!status)
        status = particles_set(p, "area-fraction", text);
    if (!status)
        status = particles_set(p, "stats", NULL);
    if (!status)
        status = particles_generate(p, "200");
    if (!status)
        status = particles_advance(p, 100);
    if (!status)
        status = particles_figure(p, "compressibility_virial", &run->ratio, &run->error);
    snprintf(run->message, sizeof run->message, "%s", particles_error(p));
    particles_free(p);
    run->status = status;
    return NULL;
}

int main(void)
{
    struct run runs[RUNS] = {{0}};
    pthread_t threads[RUNS];
    int status = 0;
    for (int k = 0; k < RUNS; k++) {
        runs[k].number = k;
        if (pthread_create(&threads[k], NULL, simulate, &runs[k]) != 0)
            return 1;
    }
    for (int k = 0; k < RUNS; k++) {
        pthread_join(threads[k], NULL);
        if (runs[k].status)
            fprintf(stderr, "%s\n", runs[k].message);
        else
            printf("area fraction %.2f: %.3f(%.3f)\n", runs[k].fraction, runs[k].ratio,
                   runs[k].error);
        status |= runs[k].status;
    }
    return status;
}
