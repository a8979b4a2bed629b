/*
 * exact INPUT END_TIME [RULE AXES [LOG]]: what the program should print, computed by other means.
 * RULE is swap (the contract's) or elastic, AXES which are periodic (none, x, y, xy); to the file
 * LOG each collision goes, as 'time,a,b,a_x,a_y' with b = -1 for a wall in x and -2 for one in y.
 *
 * Nothing is shared with the program but the contract: this one advances all particles to every
 * collision and looks at all pairs each time, solves the contract's quadratic equation by the
 * contract's formula, and computes with about 32 digits. Where the box is periodic it knows no
 * seams: particles go on for ever in a plane full of images of all others, and only what is printed
 * is moved into the box. A number is an unevaluated sum of two
 * doubles, high + low (T. J. Dekker, A floating-point technique for extending the available
 * precision, Numerische Mathematik 18, 1971); low is what rounding took from high.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    double high, low;
};

static struct number number(double value)
{
    return (struct number){value, 0};
}

/* a + b without error. */
static struct number exact_sum(double a, double b)
{
    double sum = a + b;
    double part = sum - a;
    return (struct number){sum, (a - (sum - part)) + (b - part)};
}

/* a * b without error, by splitting both into halves of 26 bits. */
static struct number exact_product(double a, double b)
{
    double product = a * b;
    double shifted_a = 134217729 * a;
    double shifted_b = 134217729 * b;
    double a_high = shifted_a - (shifted_a - a);
    double b_high = shifted_b - (shifted_b - b);
    double a_low = a - a_high;
    double b_low = b - b_high;
    return (struct number){
        product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

static struct number add(struct number a, struct number b)
{
    struct number sum = exact_sum(a.high, b.high);
    struct number rest = exact_sum(a.low, b.low);
    sum = exact_sum(sum.high, sum.low + rest.high);
    return exact_sum(sum.high, sum.low + rest.low);
}

static struct number negative(struct number a)
{
    return (struct number){-a.high, -a.low};
}

static struct number subtract(struct number a, struct number b)
{
    return add(a, negative(b));
}

static struct number multiply(struct number a, struct number b)
{
    struct number product = exact_product(a.high, b.high);
    return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* Three rounds of long division, each with what the last one left. */
static struct number divide(struct number a, struct number b)
{
    struct number quotient = number(0);
    for (int round = 0; round < 3; round++) {
        struct number digits = number(a.high / b.high);
        quotient = add(quotient, digits);
        a = subtract(a, multiply(digits, b));
    }
    return quotient;
}

/* Newton's method from the root of the high part. */
static struct number square_root(struct number a)
{
    if (a.high <= 0)
        return number(0);
    struct number root = number(sqrt(a.high));
    for (int round = 0; round < 2; round++)
        root = multiply(number(0.5), add(root, divide(a, root)));
    return root;
}

static int is_less(struct number a, struct number b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

enum { MAX_COUNT = 100 };

struct disk {
    struct number x, y, u, v;
    int walls, others;
};

struct box {
    int count;
    int is_elastic, x_wraps, y_wraps;
    struct number radius, width, height;
    struct disk disks[MAX_COUNT];
};

/*
 * What happens next: disk i meets disk j, whose image is (dx, dy) from it now, or the wall in x
 * (j = -1) or y (j = -2); or, where i < 0, nothing.
 */
struct next {
    struct number wait;
    int i, j;
    struct number dx, dy;
};

static void consider(struct next *next, struct next other)
{
    if (!is_less(next->wait, other.wait))
        *next = other;
}

/* One coordinate and its two walls. */
static void consider_walls(struct next *next, const struct box *box, struct number x,
                           struct number u, struct number length, int i, int j)
{
    struct next wall = {.i = i, .j = j};
    if (u.high == 0)
        return;
    if (u.high > 0)
        wall.wait = divide(subtract(subtract(length, box->radius), x), u);
    else
        wall.wait = divide(subtract(box->radius, x), u);
    consider(next, wall);
}

/* a q^2 + 2 b q + c = 0: the contract's equation for the wait q; the smaller root counts. */
static void consider_pair(struct next *next, const struct box *box, struct next pair)
{
    const struct disk *p = &box->disks[pair.i];
    const struct disk *q = &box->disks[pair.j];
    struct number du = subtract(q->u, p->u);
    struct number dv = subtract(q->v, p->v);
    struct number contact = add(box->radius, box->radius);
    struct number a = add(multiply(du, du), multiply(dv, dv));
    struct number b = add(multiply(pair.dx, du), multiply(pair.dy, dv));
    struct number c = subtract(add(multiply(pair.dx, pair.dx), multiply(pair.dy, pair.dy)),
                               multiply(contact, contact));
    struct number discriminant = subtract(multiply(b, b), multiply(a, c));
    if (b.high < 0 && discriminant.high >= 0) {
        pair.wait = divide(negative(add(b, square_root(discriminant))), a);
        consider(next, pair);
    }
}

/* A distance along an axis, between the nearest images where that wraps. */
static struct number nearest(struct number d, struct number length, int wraps)
{
    return wraps ? subtract(d, multiply(length, number(round(d.high / length.high)))) : d;
}

static void consider_images(struct next *next, const struct box *box, int i, int j)
{
    const struct disk *p = &box->disks[i];
    const struct disk *q = &box->disks[j];
    struct number x = nearest(subtract(q->x, p->x), box->width, box->x_wraps);
    struct number y = nearest(subtract(q->y, p->y), box->height, box->y_wraps);
    for (int m = -box->x_wraps; m <= box->x_wraps; m++)
        for (int n = -box->y_wraps; n <= box->y_wraps; n++)
            consider_pair(next, box,
                          (struct next){.i = i,
                                        .j = j,
                                        .dx = add(x, multiply(number(m), box->width)),
                                        .dy = add(y, multiply(number(n), box->height))});
}

/*
 * For so long no two particles move by more than a quarter of the box against each other: so of
 * images that are more than one and a half sides away none is met.
 */
static struct number longest_wait(const struct box *box)
{
    double speed = 0;
    for (int i = 0; i < box->count; i++)
        speed = fmax(speed, fmax(fabs(box->disks[i].u.high), fabs(box->disks[i].v.high)));
    return number(fmin(box->width.high, box->height.high) / (8 * speed));
}

static struct next find_next(const struct box *box, struct number left)
{
    struct next next = {longest_wait(box), -1, -1, number(0), number(0)};
    if (is_less(left, next.wait))
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

static void move_all(struct box *box, struct number wait)
{
    for (int i = 0; i < box->count; i++) {
        struct disk *disk = &box->disks[i];
        disk->x = add(disk->x, multiply(disk->u, wait));
        disk->y = add(disk->y, multiply(disk->v, wait));
    }
}

/* Two disks of equal mass exchange what their velocities have along the line of their centres, */
static void exchange(struct disk *p, struct disk *q, struct number dx, struct number dy)
{
    struct number closing =
        add(multiply(dx, subtract(q->u, p->u)), multiply(dy, subtract(q->v, p->v)));
    struct number part = divide(closing, add(multiply(dx, dx), multiply(dy, dy)));
    p->u = add(p->u, multiply(part, dx));
    p->v = add(p->v, multiply(part, dy));
    q->u = subtract(q->u, multiply(part, dx));
    q->v = subtract(q->v, multiply(part, dy));
}

/* or all of them. */
static void switch_velocities(struct disk *p, struct disk *q)
{
    struct number u = p->u;
    struct number v = p->v;
    p->u = q->u;
    p->v = q->v;
    q->u = u;
    q->v = v;
}

static void collide(struct box *box, const struct next *next)
{
    struct disk *disk = &box->disks[next->i];
    if (next->j == -1) {
        disk->u = negative(disk->u);
        disk->walls++;
    } else if (next->j == -2) {
        disk->v = negative(disk->v);
        disk->walls++;
    } else {
        struct disk *other = &box->disks[next->j];
        struct number du = subtract(other->u, disk->u);
        struct number dv = subtract(other->v, disk->v);
        if (box->is_elastic)
            exchange(disk, other, add(next->dx, multiply(du, next->wait)),
                     add(next->dy, multiply(dv, next->wait)));
        else
            switch_velocities(disk, other);
        disk->others++;
        other->others++;
    }
}

/* A coordinate as it is printed: in the box. */
static double printed(struct number x, struct number length, int wraps)
{
    return wraps ? subtract(x, multiply(length, number(floor(x.high / length.high)))).high : x.high;
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
        box->radius = number(u);
        box->width = number(x);
        box->height = number(y);
    }
    for (int i = 0; complete && i < box->count; i++) {
        complete = fscanf(file, "%lf %lf %lf %lf", &x, &y, &u, &v) == 4;
        if (complete)
            box->disks[i] = (struct disk){number(x), number(y), number(u), number(v), 0, 0};
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
    struct number end = number(strtod(argv[2], NULL));
    struct number left = end;
    for (;;) {
        struct next next = find_next(&box, left);
        move_all(&box, next.wait);
        left = subtract(left, next.wait);
        if (next.i < 0 && left.high == 0)
            break;
        if (next.i < 0)
            continue;
        collide(&box, &next);
        if (log) {
            fprintf(log, "%.9f,%d,%d,", subtract(end, left).high, next.i, next.j);
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
