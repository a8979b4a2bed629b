/*
 * exact INPUT END_TIME: what the contract's program should print, computed by other means.
 *
 * Nothing is shared with the program but the contract: this one advances all particles to every
 * collision and looks at all pairs each time, solves the contract's quadratic equation by the
 * contract's formula, and computes with about 32 digits. A number is an unevaluated sum of two
 * doubles, high + low (T. J. Dekker, A floating-point technique for extending the available
 * precision, Numerische Mathematik 18, 1971); low is what rounding took from high.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    struct number radius, width, height;
    struct disk disks[MAX_COUNT];
};

/* What happens next: disk i meets disk j, or the wall in x (j = -1) or y (j = -2). */
struct next {
    struct number wait;
    int i, j;
};

static void consider(struct next *next, struct number wait, int i, int j)
{
    if (next->i < 0 || is_less(wait, next->wait))
        *next = (struct next){wait, i, j};
}

/* One coordinate and its two walls. */
static void consider_walls(struct next *next, const struct box *box, struct number x,
                           struct number u, struct number length, int i, int j)
{
    if (u.high > 0)
        consider(next, divide(subtract(subtract(length, box->radius), x), u), i, j);
    else if (u.high < 0)
        consider(next, divide(subtract(box->radius, x), u), i, j);
}

/* a q^2 + 2 b q + c = 0: the contract's equation for the wait q; the smaller root counts. */
static void consider_pair(struct next *next, const struct box *box, int i, int j)
{
    const struct disk *p = &box->disks[i];
    const struct disk *q = &box->disks[j];
    struct number dx = subtract(q->x, p->x);
    struct number dy = subtract(q->y, p->y);
    struct number du = subtract(q->u, p->u);
    struct number dv = subtract(q->v, p->v);
    struct number contact = add(box->radius, box->radius);
    struct number a = add(multiply(du, du), multiply(dv, dv));
    struct number b = add(multiply(dx, du), multiply(dy, dv));
    struct number c = subtract(add(multiply(dx, dx), multiply(dy, dy)), multiply(contact, contact));
    struct number discriminant = subtract(multiply(b, b), multiply(a, c));
    if (b.high < 0 && discriminant.high >= 0)
        consider(next, divide(negative(add(b, square_root(discriminant))), a), i, j);
}

static struct next find_next(const struct box *box)
{
    struct next next = {number(0), -1, -1};
    for (int i = 0; i < box->count; i++) {
        const struct disk *disk = &box->disks[i];
        consider_walls(&next, box, disk->x, disk->u, box->width, i, -1);
        consider_walls(&next, box, disk->y, disk->v, box->height, i, -2);
        for (int j = i + 1; j < box->count; j++)
            consider_pair(&next, box, i, j);
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
        struct number u = disk->u;
        struct number v = disk->v;
        disk->u = other->u;
        disk->v = other->v;
        other->u = u;
        other->v = v;
        disk->others++;
        other->others++;
    }
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
    if (argc != 3 || !read_box(&box, argv[1]))
        return EXIT_FAILURE;
    struct number left = number(strtod(argv[2], NULL));
    for (;;) {
        struct next next = find_next(&box);
        if (next.i < 0 || is_less(left, next.wait))
            break;
        move_all(&box, next.wait);
        left = subtract(left, next.wait);
        collide(&box, &next);
    }
    move_all(&box, left);
    for (int i = 0; i < box.count; i++)
        printf("%.6f, %.6f, %d, %d\n", box.disks[i].x.high, box.disks[i].y.high, box.disks[i].walls,
               box.disks[i].others);
    return EXIT_SUCCESS;
}
