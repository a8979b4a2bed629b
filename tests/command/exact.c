/* exact INPUT END_TIME [RULE AXES [LOG]]: what the program should print, computed by other means.
 * RULE is swap (the contract's) or elastic, AXES which are periodic (none, x, y, xy); to the file
 * LOG each collision goes, as 'time,a,b,a_x,a_y' with b = -1 for a wall in x and -2 for one in y.
 *
 * Nothing is shared with the program but the contract: this one advances all particles to every
 * collision and looks at all pairs each time, solves the contract's quadratic equation by the
 * contract's formula, and computes with more than 33 digits. Where the box is periodic it knows no
 * seams: particles go on for ever in a plane full of images of all others, and only what is printed
 * is moved into the box. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 113 bits: where long double has fewer, compilers have another type. */
#if defined __SIZEOF_FLOAT128__
__extension__ typedef __float128 number;
#else
typedef long double number;
#endif

/* Newton's method, from the root of the nearest double. */
static number square_root(number a)
{
    if (a <= 0)
        return 0;
    number root = (number)sqrt((double)a);
    for (int round = 0; round < 2; round++)
        root = (root + a / root) / 2;
    return root;
}

enum { MAX_COUNT = 100 };

struct disk {
    number x, y, u, v;
    int walls, others;
};

struct box {
    int count;
    int is_elastic, x_wraps, y_wraps;
    number radius, width, height;
    struct disk disks[MAX_COUNT];
};

/* What happens next: disk i meets disk j, whose image is (dx, dy) from it now, or the wall in x
 * (j = -1) or y (j = -2); or, where i < 0, nothing. */
struct next {
    number wait;
    int i, j;
    number dx, dy;
};

static void consider(struct next *next, struct next other)
{
    if (!(next->wait < other.wait))
        *next = other;
}

/* One coordinate and its two walls. */
static void consider_walls(struct next *next, const struct box *box, number x, number u,
                           number length, int i, int j)
{
    struct next wall = {.i = i, .j = j};
    if (u == 0)
        return;
    if (u > 0)
        wall.wait = (length - box->radius - x) / u;
    else
        wall.wait = (box->radius - x) / u;
    consider(next, wall);
}

/* a q^2 + 2 b q + c = 0: the contract's equation for the wait q; the smaller root counts. */
static void consider_pair(struct next *next, const struct box *box, struct next pair)
{
    const struct disk *p = &box->disks[pair.i];
    const struct disk *q = &box->disks[pair.j];
    number du = q->u - p->u;
    number dv = q->v - p->v;
    number contact = box->radius + box->radius;
    number a = du * du + dv * dv;
    number b = pair.dx * du + pair.dy * dv;
    number c = pair.dx * pair.dx + pair.dy * pair.dy - contact * contact;
    number discriminant = b * b - a * c;
    if (b < 0 && discriminant >= 0) {
        pair.wait = -(b + square_root(discriminant)) / a;
        consider(next, pair);
    }
}

/* A distance along an axis, between the nearest images where that wraps. */
static number nearest(number d, number length, int wraps)
{
    return wraps ? d - length * (number)round((double)(d / length)) : d;
}

static void consider_images(struct next *next, const struct box *box, int i, int j)
{
    const struct disk *p = &box->disks[i];
    const struct disk *q = &box->disks[j];
    number x = nearest(q->x - p->x, box->width, box->x_wraps);
    number y = nearest(q->y - p->y, box->height, box->y_wraps);
    for (int m = -box->x_wraps; m <= box->x_wraps; m++)
        for (int n = -box->y_wraps; n <= box->y_wraps; n++)
            consider_pair(
                next, box,
                (struct next){.i = i, .j = j, .dx = x + m * box->width, .dy = y + n * box->height});
}

/* For so long no two particles move by more than a quarter of the box against each other: so of
 * images that are more than one and a half sides away none is met. */
static number longest_wait(const struct box *box)
{
    double speed = 0;
    for (int i = 0; i < box->count; i++)
        speed = fmax(speed, fmax(fabs((double)box->disks[i].u), fabs((double)box->disks[i].v)));
    return (box->width < box->height ? box->width : box->height) / (8 * (number)speed);
}

static struct next find_next(const struct box *box, number left)
{
    struct next next = {longest_wait(box), -1, -1, 0, 0};
    if (left < next.wait)
        next.wait = left;
    for (int i = 0; i < box->count; i++) {
        const struct disk *disk = &box->disks[i];
        if (!box->x_wraps)
            consider_walls(&next, box, disk->x, disk->u, box->width, i, -1);
        if (!box->y_wraps)
            consider_walls(&next, box, disk->y, disk->v, box->height, i, -2);
        for (int j = i + 1; j < box->count; j++)
            consider_images(&next, box, i, j);
    }
    return next;
}

static void move_all(struct box *box, number wait)
{
    for (int i = 0; i < box->count; i++) {
        struct disk *disk = &box->disks[i];
        disk->x += disk->u * wait;
        disk->y += disk->v * wait;
    }
}

/* Two disks of equal mass exchange what their velocities have along the line of their centres, */
static void exchange(struct disk *p, struct disk *q, number dx, number dy)
{
    number part = (dx * (q->u - p->u) + dy * (q->v - p->v)) / (dx * dx + dy * dy);
    p->u += part * dx;
    p->v += part * dy;
    q->u -= part * dx;
    q->v -= part * dy;
}

/* or all of them. */
static void switch_velocities(struct disk *p, struct disk *q)
{
    number u = p->u;
    number v = p->v;
    p->u = q->u;
    p->v = q->v;
    q->u = u;
    q->v = v;
}

static void collide(struct box *box, const struct next *next)
{
    struct disk *disk = &box->disks[next->i];
    if (next->j == -1) {
        disk->u = -disk->u;
        disk->walls++;
    } else if (next->j == -2) {
        disk->v = -disk->v;
        disk->walls++;
    } else {
        struct disk *other = &box->disks[next->j];
        number du = other->u - disk->u;
        number dv = other->v - disk->v;
        if (box->is_elastic)
            exchange(disk, other, next->dx + du * next->wait, next->dy + dv * next->wait);
        else
            switch_velocities(disk, other);
        disk->others++;
        other->others++;
    }
}

/* A coordinate as it is printed: in the box. */
static double printed(number x, number length, int wraps)
{
    return (double)(wraps ? x - length * (number)floor((double)(x / length)) : x);
}

static void print_place(FILE *file, const char *format, const struct box *box, int i)
{
    fprintf(file, format, printed(box->disks[i].x, box->width, box->x_wraps),
            printed(box->disks[i].y, box->height, box->y_wraps));
}

static int read_box(struct box *box, const char *path)
{
    double x, y, u, v;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    int complete =
        fscanf(file, "%d %lf %lf %lf", &box->count, &u, &x, &y) == 4 && box->count <= MAX_COUNT;
    if (complete) {
        box->radius = u;
        box->width = x;
        box->height = y;
    }
    for (int i = 0; complete && i < box->count; i++) {
        complete = fscanf(file, "%lf %lf %lf %lf", &x, &y, &u, &v) == 4;
        if (complete)
            box->disks[i] = (struct disk){x, y, u, v, 0, 0};
    }
    fclose(file);
    return complete;
}

int main(int argc, char **argv)
{
    static struct box box;
    if (argc < 3 || !read_box(&box, argv[1]))
        return EXIT_FAILURE;
    box.is_elastic = argc > 3 && strcmp(argv[3], "elastic") == 0;
    box.x_wraps = argc > 4 && strchr(argv[4], 'x') != NULL;
    box.y_wraps = argc > 4 && strchr(argv[4], 'y') != NULL;
    FILE *log = argc > 5 ? fopen(argv[5], "w") : NULL;
    const number end = strtod(argv[2], NULL);
    number left = end;
    for (;;) {
        struct next next = find_next(&box, left);
        move_all(&box, next.wait);
        left -= next.wait;
        if (next.i < 0 && left == 0)
            break;
        if (next.i < 0)
            continue;
        collide(&box, &next);
        if (log) {
            fprintf(log, "%.9f,%d,%d,", (double)(end - left), next.i, next.j);
            print_place(log, "%.9f,%.9f\n", &box, next.i);
        }
    }
    if (log)
        fclose(log);
    for (int i = 0; i < box.count; i++) {
        print_place(stdout, "%.6f, %.6f, ", &box, i);
        printf("%d, %d\n", box.disks[i].walls, box.disks[i].others);
    }
    return EXIT_SUCCESS;
}
