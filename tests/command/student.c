/*
 * student: a program as a student may hand it in, for tests/command/grade.sh: right, or with one of
 * the faults below if it is compiled with -DFAULT=NAME. It looks at all pairs before each
 * collision. REAL is the type of its numbers.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAULT
#define FAULT NONE
#endif
#ifndef REAL
#define REAL double
#endif
#ifndef OUTLIVE_SECONDS
#define OUTLIVE_SECONDS "1000"
#endif

enum fault {
    NONE,
    WRONG_ROOT,    /* takes the later contact */
    ONE_AT_A_TIME, /* loses the second of two collisions at the same time */
    WRONG_WALL,    /* the centre reaches the right wall */
    COUNT_MORE,    /* the counts of the first particle are too large by 1 */
    CHATTY,        /* prints more than it should */
    PRINT_FOREVER,
    LOOP,
    FORK,
    LEAK,
    BEYOND, /* reads beyond an array */
    NO_END, /* ignores END_TIME */
    CRASH,
    SLEEP,
    READS,   /* its standard input, to the end */
    OUTSIDE, /* writes outside its folder */
    FILL,    /* fills the disk */
    CARRIAGE,
    NO_LINE_FEED,
    ZERO_BYTES,
    OUTLIVE, /* leaves a process that goes on and has nothing of its environment */
    MEMORY,
    SPOOF,        /* says on standard error what valgrind would, with commands of sed in it */
    FREE_TWICE,   /* under valgrind only, without which it would be a crash */
    STATUS,       /* ends with the status by which valgrind tells of faults */
    IGNORE_LIMIT, /* of processor time, and never ends */
    STOP_PARENT   /* stops what started it, and never ends */
};

struct particle {
    REAL x, y, u, v;
    int walls, pairs;
};

/* How long until the two touch; INFINITY if they do not. */
static REAL until_contact(const struct particle *a, const struct particle *b, REAL radius)
{
    REAL x = b->x - a->x, y = b->y - a->y, u = b->u - a->u, v = b->v - a->v;
    REAL p = x * u + y * v, speed = u * u + v * v;
    REAL root = p * p - speed * (x * x + y * y - 4 * radius * radius);
    if (p >= 0 || root < 0)
        return (REAL)INFINITY;
    return ((FAULT == WRONG_ROOT ? (REAL)sqrt((double)root) : -(REAL)sqrt((double)root)) - p) /
           speed;
}

/* How long until a coordinate comes within the radius of the wall that it moves to. */
static REAL until_wall(REAL x, REAL u, REAL length, REAL radius)
{
    if (u > 0)
        return (length - (FAULT == WRONG_WALL ? 0 : radius) - x) / u;
    return u < 0 ? (radius - x) / u : (REAL)INFINITY;
}

static void move_all(struct particle *all, int count, REAL time)
{
    for (int i = 0; i < count; i++) {
        all[i].x += all[i].u * time;
        all[i].y += all[i].v * time;
    }
}

/* Finds the next collision: of particle *a with *b, or -1 or -2 for walls in x and y. */
static REAL next_collision(const struct particle *all, int count, REAL radius, const REAL box[2],
                           int *a, int *b)
{
    REAL first = (REAL)INFINITY;
    for (int i = 0; i < count; i++) {
        REAL times[2] = {until_wall(all[i].x, all[i].u, box[0], radius),
                         until_wall(all[i].y, all[i].v, box[1], radius)};
        for (int k = -2; k < count; k++) {
            if (k >= 0 && k <= i)
                continue;
            REAL time = k < 0 ? times[-1 - k] : until_contact(&all[i], &all[k], radius);
            if (time < first) {
                first = time;
                *a = i;
                *b = k;
            }
        }
    }
    return first;
}

static void collide(struct particle *a, struct particle *b, int wall)
{
    if (wall == -1) {
        a->u = -a->u;
        a->walls++;
    } else if (wall == -2) {
        a->v = -a->v;
        a->walls++;
    } else {
        struct particle old = *a;
        a->u = b->u;
        a->v = b->v;
        b->u = old.u;
        b->v = old.v;
        a->pairs++;
        b->pairs++;
    }
}

static void simulate(struct particle *all, int count, REAL radius, const REAL box[2], REAL end)
{
    REAL now = 0, last = -1;
    int a = 0, b = 0;
    for (;;) {
        REAL time = next_collision(all, count, radius, box, &a, &b);
        if (now + time > (FAULT == NO_END ? 2 * end : end))
            break;
        move_all(all, count, time);
        now += time;
        collide(&all[a], b < 0 ? NULL : &all[b], b);
        if (FAULT == ONE_AT_A_TIME && b < 0 && now - last < (REAL)1e-9)
            all[a].walls--;
        last = now;
    }
    move_all(all, count, end - now);
}

static void print(const struct particle *all, int count)
{
    for (int i = 0; i < count; i++) {
        const char *end = FAULT == CARRIAGE                         ? "\r\n"
                          : FAULT == NO_LINE_FEED && i == count - 1 ? ""
                                                                    : "\n";
        printf("%.6f, %.6f, %d, %d%s", (double)all[i].x, (double)all[i].y,
               all[i].walls + (FAULT == COUNT_MORE && i == 0), all[i].pairs, end);
        if (FAULT == ZERO_BYTES)
            putchar(0);
    }
}

/* What is harmful. */
static void misbehave(int fault, struct particle *all, int count)
{
    if (fault == CHATTY)
        printf("%d particles\n", count);
    while (fault == PRINT_FOREVER)
        puts("still running");
    for (volatile long k = 0; fault == LOOP;)
        k++;
    while (fault == FORK)
        (void)!fork();
    if (fault == SLEEP)
        sleep(1000);
    if (fault == CRASH)
        abort();
    if (fault == READS)
        while (getchar() != EOF)
            continue;
    if (fault == BEYOND && all[count].walls > 1000)
        puts("far");
    char *const nothing[] = {NULL};
    if (fault == OUTLIVE && fork() == 0) {
        setsid();
        execle("/bin/sleep", "sleep", OUTLIVE_SECONDS, (char *)NULL, nothing);
    }
    if (fault == SPOOF)
        fputs("==1== Invalid read/e touch spoofed\n==1== Invalid read\tof\t<b>size</b>\n"
              "==1==    at 0x1: f (f.c:1)\n",
              stderr);
    if (fault == IGNORE_LIMIT)
        signal(SIGXCPU, SIG_IGN);
    if (fault == STOP_PARENT)
        kill(getppid(), SIGSTOP);
    while (fault == IGNORE_LIMIT || fault == STOP_PARENT)
        continue;
    while (fault == MEMORY)
        memset(malloc(1 << 20), 1, 1 << 20);
    const char *names[] = {"../../outside", "/tmp/particles_outside", "../outside",
                           "/var/tmp/particles_outside"};
    for (int k = 0; k < 4 && fault == OUTSIDE; k++) {
        FILE *file = fopen(names[k], "w");
        if (file != NULL)
            fclose(file);
    }
    for (int k = 0; k < 3000 && fault == FILL; k++) {
        char name[32];
        snprintf(name, sizeof name, "big%d", k);
        FILE *file = fopen(name, "w");
        if (file == NULL)
            break;
        for (int i = 0; i < 1000000 / (int)sizeof name; i++)
            fwrite(name, 1, sizeof name, file);
        if (fclose(file) != 0)
            break;
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
    int count = 0;
    double radius = 0, box[2] = {0, 0};
    if (file == NULL || fscanf(file, "%d %lf %lf %lf", &count, &radius, &box[0], &box[1]) != 4 ||
        count < 1)
        return 1;
    struct particle *all = calloc((size_t)count, sizeof *all);
    if (all == NULL)
        return 1;
    for (int i = 0; i < count; i++) {
        double p[4] = {0, 0, 0, 0};
        if (fscanf(file, "%lf %lf %lf %lf", &p[0], &p[1], &p[2], &p[3]) != 4)
            break;
        all[i] = (struct particle){(REAL)p[0], (REAL)p[1], (REAL)p[2], (REAL)p[3], 0, 0};
    }
    misbehave(FAULT, all, count);
    const REAL lengths[2] = {(REAL)box[0], (REAL)box[1]};
    simulate(all, count, (REAL)radius, lengths, (REAL)atof(argv[2]));
    print(all, count);
    if (FAULT != LEAK)
        free(all);
    if (FAULT == FREE_TWICE && getenv("LD_PRELOAD") != NULL)
        free(all);
    return FAULT == STATUS ? 99 : 0;
}
