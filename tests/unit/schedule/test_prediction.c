/* Tests of predictions: their order is that of events, what a search in a list finds is the first
 * of all events, the quick search finds what the slow one finds, and no border is passed before a
 * crossing. */
#include "schedule/lanes.h"
#include "schedule/predictor.h"

#include "by_ids.h"
#include "check.h"

enum { MAX = 40, SPARE = 2 };

/* A system to look for events in, at rest in a test's own memory. */
struct stage {
    struct system system;
    struct particle particles[MAX];
    struct particle_kind kinds[4];
};

/* Particles on a coarse lattice, so that many meet or touch at the very same time, or anywhere;
 * some of them overlap. Their ids are no indices. */
static void set_stage(struct stage *stage, struct random_generator *random, size_t count,
                      int is_lattice)
{
    stage->system =
        (struct system){.count = count, .radius = 1, .boundary.width = 20, .boundary.height = 20};
    stage->system.particles = stage->particles;
    for (size_t k = 0; k < 4; k++) /* kind 0 is a point */
        stage->kinds[k] = (struct particle_kind){(double)k / (is_lattice ? 2 : 3), 1, 0};
    if (random_below(random, 2)) {
        stage->system.kinds = stage->kinds;
        stage->system.kind_count = 4;
    }
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &stage->particles[k];
        *p = random_particle(random);
        if (is_lattice)
            *p = (struct particle){.x = (double)random_below(random, 19) + 1,
                                   .y = (double)random_below(random, 5) + 8,
                                   .u = (double)random_below(random, 3) - 1,
                                   .v = (double)random_below(random, 6) < 5 ? 0 : 1,
                                   .t = random_below(random, 4) ? 0 : 1};
        p->kind = (uint32_t)random_below(random, 4);
        p->version = (uint32_t)random_below(random, 1000);
        p->id = (int32_t)((k * 7 + 3) % MAX) * (k % 3 ? 1 : 53687091); /* nearly up to 2^31 */
    }
}

/* The event of a prediction, whether prediction_event has handed it out or not. */
static struct event event_of(const struct system *system, uint32_t k,
                             const struct prediction *prediction)
{
    return by_ids(system, (struct event){prediction->time, (int32_t)k, prediction->partner});
}

/* A prediction for particle k, of a wall or another particle, at `time`. */
static struct prediction random_prediction(struct random_generator *random,
                                           const struct system *system, uint32_t k, double time)
{
    struct prediction prediction = {
        .key = time, .time = time, .version = 77, .step = -5, .cell = 1234};
    prediction.partner = (int32_t)random_below(random, system->count + 4) - 4;
    if (prediction.partner == (int32_t)k)
        prediction.partner = FEATURE_TOP;
    if (prediction.partner >= 0)
        prediction.version = system->particles[prediction.partner].version;
    return prediction;
}

RANDOM_TEST(the_rank_is_the_order_of_events, 1)
{
    struct stage stage;
    int equal = 0;
    for (int round = 0; round < 200; round++) {
        set_stage(&stage, random, 2 + random_below(random, round % 2 ? 3 : MAX - 2), 1);
        const struct system *system = &stage.system;
        for (int trial = 0; trial < 200; trial++) {
            uint32_t i = (uint32_t)random_below(random, system->count);
            uint32_t j = (uint32_t)random_below(random, system->count);
            struct prediction prediction = random_prediction(random, system, i, 5);
            struct prediction other = random_prediction(random, system, j, 5);
            struct event event = event_of(system, i, &prediction);
            struct event other_event = event_of(system, j, &other);
            uint64_t rank = prediction_rank(system, i, &prediction);
            uint64_t other_rank = prediction_rank(system, j, &other);
            CHECK((rank < other_rank) == event_before(&event, &other_event));
            CHECK((rank > other_rank) == event_before(&other_event, &event));
            equal += i != j && rank == other_rank; /* the two views of one collision */
            other.key = 4;                         /* it crosses first */
            CHECK(prediction_rank(system, j, &other) < rank &&
                  prediction_rank(system, j, &other) > 0);
            prediction.key = 4; /* and so does that: then their ids decide, wherever they stand */
            CHECK((prediction_rank(system, i, &prediction) < prediction_rank(system, j, &other)) ==
                  (system->particles[i].id < system->particles[j].id));
        }
    }
    CHECK(equal > 100);
}

RANDOM_TEST(the_event_of_a_prediction, 2)
{
    struct stage stage;
    for (int round = 0; round < 1000; round++) {
        set_stage(&stage, random, 2 + random_below(random, 10), 1);
        uint32_t k = (uint32_t)random_below(random, stage.system.count);
        struct prediction prediction = random_prediction(random, &stage.system, k, 3);
        struct event event = prediction_event(&stage.system, k, &prediction);
        CHECK(event.time == 3);
        if (prediction.partner < 0) {
            CHECK(event.a == (int32_t)k && event.b == prediction.partner);
        } else {
            CHECK(stage.particles[event.a].id < stage.particles[event.b].id);
            CHECK(event.a == (int32_t)k || event.b == (int32_t)k);
            CHECK(event.a == prediction.partner || event.b == prediction.partner);
        }
    }
}

static int same_predictions(const struct prediction *left, const struct prediction *right)
{
    return memcmp(left, right, sizeof *left) == 0;
}

/* Whether `result` is what `start` becomes that considers all on a list: it has the event of one of
 * them, or the one that it had, and none of these is before it. Counts how many of these are at its
 * time. */
static int is_first_of_all(const struct system *system, uint32_t k, const struct prediction *start,
                           const struct prediction *result, const uint32_t *list, size_t count,
                           int *ties)
{
    const struct particle *self = &system->particles[k];
    const struct event event = event_of(system, k, result);
    const struct event before = event_of(system, k, start);
    int is_one_of_them = same_predictions(start, result);
    int is_first = !event_before(&before, &event);
    *ties = start->time == event.time;
    for (size_t m = 0; m < count; m++) {
        const struct particle *other = &system->particles[list[m]];
        double time = pair_time(self, other, system_contact(system, self, other), NULL);
        if (time == (double)INFINITY)
            continue;
        const struct event its = by_ids(system, (struct event){time, (int32_t)k, (int32_t)list[m]});
        struct prediction taken = *start;
        taken.time = time;
        taken.partner = (int32_t)list[m];
        taken.version = other->version;
        is_one_of_them |= same_predictions(&taken, result);
        is_first &= !event_before(&its, &event);
        *ties += time == event.time;
    }
    return is_one_of_them && is_first;
}

/* A prediction for particle k from before it considers the list. */
static struct prediction earlier_prediction(struct random_generator *random,
                                            const struct system *system, uint32_t k,
                                            const uint32_t *list, size_t count)
{
    struct prediction prediction = {.key = 17, .version = 77, .step = -5, .cell = 1234};
    prediction_clear(&prediction);
    switch (random_below(random, 5)) {
    case 0: /* the very event that the list has, with which a tie changes nothing */
        prediction_consider_each(system, k, &prediction, list, count, LIST_HAS_NO_IMAGES);
        return prediction;
    case 1: /* something else at that time: the ids decide */
        prediction_consider_each(system, k, &prediction, list, count, LIST_HAS_NO_IMAGES);
        if (prediction.time < (double)INFINITY)
            prediction = random_prediction(random, system, k, prediction.time);
        return prediction;
    case 2: /* at a time when many meet */
        return random_prediction(random, system, k, (double)random_below(random, 6));
    default:
        return prediction;
    }
}

/* Lets the lanes of this processor, up to `most`, consider a list. */
static void consider_quickly(const struct system *system, uint32_t k, struct prediction *prediction,
                             const uint32_t *list, size_t count, int is_latest, unsigned most,
                             enum prediction_images images)
{
    const struct lanes_search search = lanes_choose(system, most);
    uint32_t entries[MAX + LANES_SLACK + 1];
    memcpy(entries, list, count * sizeof *list);
    entries[count + LANES_SLACK] = 4711;
    lanes_consider(&search, k, prediction, entries, count, images, is_latest);
    CHECK(search.lanes->count <= most && entries[count + LANES_SLACK] == 4711);
}

/* Compares what any number of lanes make of a list with what each of its entries makes. */
static void check_lanes(const struct system *system, uint32_t k, const struct prediction *start,
                        const uint32_t *list, size_t count, int is_latest,
                        enum prediction_images images)
{
    struct prediction each = *start;
    prediction_consider_each(system, k, &each, list, count, images);
    for (unsigned most = 2; most <= LANES_MAX; most += 2) {
        struct prediction quick = *start;
        consider_quickly(system, k, &quick, list, count, is_latest, most, images);
        CHECK(same_predictions(&quick, &each));
    }
}

/* One list: the particles around k in any order, now and then with k among them. */
static int check_list(struct random_generator *random, struct stage *stage, int is_latest)
{
    struct system *system = &stage->system;
    uint32_t list[MAX];
    uint32_t k = (uint32_t)random_below(random, system->count);
    size_t count = 0;
    int ties = 0;
    int has_self = random_below(random, 8) == 0;
    for (uint32_t m = 0; m < system->count; m++)
        if (random_below(random, 3) > 0 && (m != k || has_self))
            list[count++] = m;
    for (size_t m = count; m > 1; m--) {
        size_t other = random_below(random, m);
        uint32_t swap = list[m - 1];
        list[m - 1] = list[other];
        list[other] = swap;
    }
    for (uint32_t m = 0; m < system->count && is_latest; m++)
        system->particles[k].t = fmax(system->particles[k].t, system->particles[m].t);
    struct prediction start = earlier_prediction(random, system, k, list, count);
    struct prediction each = start;
    prediction_consider_each(system, k, &each, list, count, LIST_HAS_NO_IMAGES);
    CHECK(is_first_of_all(system, k, &start, &each, list, count, &ties));
    check_lanes(system, k, &start, list, count, is_latest, LIST_HAS_NO_IMAGES);
    check_lanes(system, k, &start, list, count, is_latest, LIST_HAS_ALL_IMAGES);
    for (size_t m = 0; m < count; m++)
        list[m] |= (uint32_t)random_below(random, 3) * PREDICTION_LEFT +
                   (uint32_t)random_below(random, 3) * PREDICTION_BELOW;
    check_lanes(system, k, &start, list, count, is_latest, LIST_HAS_IMAGES);
    return ties;
}

RANDOM_TEST(lists, 3)
{
    struct stage stage;
    int tied = 0;
    int rounds = check_is_thorough() ? 100000 : 10000;
    for (int round = 0; round < rounds; round++) {
        set_stage(&stage, random, 1 + random_below(random, round % 4 ? 12 : MAX), round % 3 != 0);
        tied += check_list(random, &stage, round % 2) > 1;
    }
    CHECK(tied > rounds / 10);
}

/* When one particle meets each of all, with any number of lanes, and of particles left over. */
RANDOM_TEST(times, 7)
{
    struct stage stage;
    int met = 0;
    for (int round = 0; round < 5000; round++) {
        set_stage(&stage, random, 1 + random_below(random, MAX), round % 2);
        const struct system *system = &stage.system;
        const uint32_t k = (uint32_t)random_below(random, system->count);
        struct particle *self = &stage.particles[k];
        for (size_t m = 0; m < system->count; m++)
            self->t = fmax(self->t, stage.particles[m].t);
        for (unsigned most = 2; most <= LANES_MAX; most += 2) {
            double times[MAX];
            const struct lanes_search search = lanes_choose(system, most);
            search.lanes->times(&search, k, times);
            for (size_t m = 0; m < system->count; m++) {
                const struct particle *other = &stage.particles[m];
                const double contact = system_contact(system, self, other);
                CHECK(times[m] == pair_time(self, other, contact, NULL));
                met += times[m] < (double)INFINITY;
            }
            CHECK(times[k] == (double)INFINITY);
        }
    }
    CHECK(met > 1000);
}

/* Two that come from either side at once, and touch at once: the lower id is first, in any lane. */
TEST(a_tie_in_one_lane_and_in_two)
{
    for (uint32_t first = 1; first < 5; first++) {
        for (uint32_t second = 1; second < 5; second++) {
            struct stage stage = {.particles = {{.x = 10, .y = 10}}};
            const uint32_t list[] = {1, 2, 3, 4};
            struct prediction prediction = {.key = 1};
            if (first == second)
                continue;
            stage.system =
                arranged_few(stage.particles, (struct particle_counts[5]){{0}}, 5, 1, 20, 20);
            for (int32_t k = 1; k < 5; k++)
                stage.particles[k] = (struct particle){.x = 3, .y = 3, .id = k};
            stage.particles[first] = (struct particle){.x = 8, .y = 10, .u = 1, .id = 8};
            stage.particles[second] = (struct particle){.x = 12, .y = 10, .u = -1, .id = 7};
            for (unsigned most = 2; most <= LANES_MAX; most += 2) {
                prediction_clear(&prediction);
                consider_quickly(&stage.system, 0, &prediction, list, 4, 0, most,
                                 LIST_HAS_NO_IMAGES);
                CHECK(prediction.time == 0 && prediction.partner == (int32_t)second);
            }
        }
    }
}

RANDOM_TEST(walls, 4)
{
    struct stage stage;
    int chosen = 0;
    for (int round = 0; round < 20000; round++) {
        set_stage(&stage, random, 1 + random_below(random, 6), round % 3 != 0);
        uint32_t k = (uint32_t)random_below(random, stage.system.count);
        struct event wall = physics_boundary_event(&stage.system, k);
        double time = random_below(random, 3) ? wall.time : (double)random_below(random, 12);
        struct prediction start = random_prediction(random, &stage.system, k, time);
        struct prediction prediction = start;
        struct event before = event_of(&stage.system, k, &start);
        struct event its = by_ids(&stage.system, wall);
        prediction_consider_wall(&stage.system, k, &prediction);
        /* Of several features at one time a particle meets the first, which has the highest code.
         */
        int is_tie = wall.time == start.time && event_partner(start.partner) == PARTNER_BOUNDARY;
        int is_first = is_tie ? wall.b > start.partner : event_before(&its, &before);
        int is_wall = wall.time < (double)INFINITY && is_first;
        CHECK(prediction.time == (is_wall ? wall.time : start.time));
        CHECK(prediction.partner == (is_wall ? wall.b : start.partner));
        CHECK(prediction.key == (is_wall ? fmin(start.key, wall.time) : start.key) &&
              prediction.step == start.step && prediction.cell == start.cell);
        chosen += is_wall && wall.time == start.time;
    }
    CHECK(chosen > 1000);
}

/* How far it is from a coordinate to the end of its column or row that is ahead, if there is
 * another one. */
static double find_room(double at, double speed, double begin, double side, uint32_t place,
                        uint32_t count)
{
    if (speed == 0 || (speed > 0 ? place + 1 == count : place == 0))
        return (double)INFINITY;
    return speed > 0 ? begin + side * (place + 1) - at : at - (begin + side * place);
}

/* The room of particle p in its cell at a time, sideways and upright. */
static void find_rooms(const struct particle *p, const struct cell_list_shape *shape,
                       uint32_t column, uint32_t row, double time, double room[2])
{
    room[0] = find_room(p->x + p->u * (time - p->t), p->u, shape->left, shape->width, column,
                        shape->columns);
    room[1] = find_room(p->y + p->v * (time - p->t), p->v, shape->bottom, shape->height, row,
                        shape->rows);
}

/* Whether a particle is still in its cell when its prediction comes due, and, if that is a
 * crossing, at the border to cross. What it is beyond at first counts as its border, which it
 * crosses at once. */
static int is_crossing_right(const struct particle *p, const struct cell_list_shape *shape,
                             uint32_t column, uint32_t row, const struct prediction *prediction,
                             double slack)
{
    double first[2], due[2];
    find_rooms(p, shape, column, row, p->t, first);
    find_rooms(p, shape, column, row, prediction->key, due);
    for (int axis = 0; axis < 2; axis++)
        if (!(due[axis] >= fmin(first[axis], 0) - slack))
            return 0;
    if (prediction->key < p->t || prediction->key == prediction->time)
        return prediction->key >= p->t;
    int is_sideways = prediction->step == 1 || prediction->step == -1;
    int32_t across = is_sideways ? 1 : (int32_t)(shape->columns + 2);
    double speed = is_sideways ? p->u : p->v;
    return prediction->key < prediction->time && due[!is_sideways] <= slack &&
           prediction->step == (speed > 0 ? across : -across);
}

/* Sides that are short in binary, so that it is known where a border is to the last bit. */
RANDOM_TEST(crossings, 6)
{
    OWNED(cell_list, cell_list);
    int crossed[2] = {0};
    CHECK(cell_list_create(&cell_list, 100, MAX, &failure) == STATUS_DONE);
    for (int round = 0; round < 20000; round++) {
        const struct cell_list_shape shape = {(double)random_below(random, 9) / 4,
                                              (double)random_below(random, 9) / 4,
                                              1 + (double)random_below(random, 9) / 4,
                                              1 + (double)random_below(random, 9) / 4,
                                              1 + (uint32_t)random_below(random, 6),
                                              1 + (uint32_t)random_below(random, 6),
                                              0,
                                              0};
        struct particle p = {.t = (double)random_below(random, 3)};
        struct system system = arranged_few(&p, (struct particle_counts[1]){{0}}, 1, 0, 99, 99);
        struct prediction prediction = {.partner = FEATURE_TOP, .cell = 99, .version = 5};
        uint32_t column = (uint32_t)random_below(random, shape.columns);
        uint32_t row = (uint32_t)random_below(random, shape.rows);
        int is_lattice = round % 2; /* on borders, and at times on the wrong side of one */
        cell_list_reset(&cell_list, &shape);
        p.x = shape.left + shape.width * (column + random_unit(random));
        p.y = shape.bottom + shape.height * (row + random_unit(random));
        if (is_lattice) {
            p.x = shape.left + shape.width * ((double)random_below(random, 5) / 2 + column - 0.5);
            p.y = shape.bottom + shape.height * ((double)random_below(random, 3) / 2 + row);
        }
        p.u = is_lattice ? (double)random_below(random, 3) - 1 : random_unit(random) - 0.5;
        p.v = is_lattice ? (double)random_below(random, 3) - 1 : random_unit(random) - 0.5;
        if (random_below(random, 2)) /* -0, too */
            p.u = -p.u;
        if (random_below(random, 2))
            p.v = -p.v;
        prediction.time =
            random_below(random, 2) ? p.t + 4 * random_unit(random) : (double)INFINITY;
        const struct prediction start = prediction;
        crossing_set(&system, 0, &prediction, &cell_list, column, row);
        CHECK(is_crossing_right(&p, &shape, column, row, &prediction, is_lattice ? 0 : 1e-12));
        CHECK(prediction.time == start.time && prediction.partner == start.partner &&
              prediction.cell == start.cell && prediction.version == start.version);
        if (prediction.key < start.time)
            crossed[prediction.step == 1 || prediction.step == -1]++;
    }
    CHECK(crossed[0] > 2000 && crossed[1] > 2000);
}
