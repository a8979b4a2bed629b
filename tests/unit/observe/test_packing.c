/* Tests of contacts of disks that grow, collision by collision; growth.sh has whole runs. */
#include "check.h"
#include "observe/figures.h"
#include "observe/writers.h"
#include "random_system.h"

#include <math.h>

/* A run whose figures read contacts. */
struct reading {
    struct observers observers;
    struct run_settings run;
    struct observer reader;
    const struct packing *packing;
};

static void hit(struct reading *reading, double time, int32_t a, int32_t b)
{
    struct collision_batch *batch = &reading->observers.batch;
    batch->list[batch->count++] =
        (struct collision){.time = time,
                           .partner = b < 0 ? PARTNER_BOUNDARY : PARTNER_PARTICLE,
                           .feature = b,
                           .a = {.number = a, .radius = a == 0 ? 2 : 1},
                           .b = {.number = b, .radius = 1}};
    CHECK(!observers_hand_over(&reading->observers, 1, time, &failure));
}

static void check_contacts(const struct reading *reading, const struct system *system, double mean,
                           double rattlers)
{
    const struct snapshot snapshot = snapshot_in_order(system, 9);
    double values[FIGURES];
    CHECK(!packing_measure(reading->packing, &snapshot, values, &failure));
    CHECK(isnan(mean) ? isnan(values[FIGURE_CONTACTS_MEAN]) : values[FIGURE_CONTACTS_MEAN] == mean);
    CHECK(values[FIGURE_RATTLERS] == rattlers);
    CHECK(isnan(values[FIGURE_JAMMING_FRACTION]));
}

/* Disks 0 to 3 hold each other, 4 is held by two walls and 0, 5 and 6 by one another and one each;
 * then one pair collides until what held 1 and 2 is forgotten, without which all come loose. */
TEST(contacts_are_held_and_forgotten)
{
    struct random_generator random = random_from(5);
    OWNED(system, system) = random_system(&random, 40, 0.1, 1);
    struct reading reading = {.run = {.from = 1, .to = 9}};
    const struct snapshot snapshot = snapshot_in_order(&system, 0);
    reading.reader = (struct observer){.all = &reading.observers, .run = &reading.run};
    CHECK(!packing_record(&reading.reader, 1, &snapshot, &reading.packing, &failure));
    CHECK(!reading.packing);
    system.growth.each = 1; /* its disks grow, or have grown */
    CHECK(!packing_record(&reading.reader, 1, &snapshot, &reading.packing, &failure));
    check_contacts(&reading, &system, (double)NAN, 40);
    for (int32_t a = 0; a < 4; a++)
        for (int32_t b = a + 1; b < 4; b++)
            hit(&reading, 1, a, b);
    check_contacts(&reading, &system, (double)NAN, 40); /* they do not count yet */
    for (int round = 0; round < 2; round++)
        for (int32_t a = 0; a < 4; a++)
            for (int32_t b = a + 1; b < 4; b++)
                hit(&reading, 2, a, b);
    check_contacts(&reading, &system, 3, 36);
    hit(&reading, 3, 0, 4);
    hit(&reading, 3, 4, FEATURE_LEFT);
    hit(&reading, 3, 4, FEATURE_BOTTOM);
    hit(&reading, 3, 5, 6);
    hit(&reading, 3, 0, 5);
    hit(&reading, 3, 3, 6);
    check_contacts(&reading, &system, 16 / 5.0, 35);
    for (int32_t b = 1; b < 40; b++) /* 0 is larger than all others */
        hit(&reading, 4, 0, b);
    check_contacts(&reading, &system, 16 / 5.0, 35);
    for (int k = 57; k < 100 * 40 + 9; k++) /* 1 and 2 have had the 10th collision */
        hit(&reading, 5, 0, 1);
    check_contacts(&reading, &system, 16 / 5.0, 35);
    hit(&reading, 5, 0, 1);
    check_contacts(&reading, &system, (double)NAN, 40);
    observers_free(&reading.observers);
}

/* Of equal disks each remembers 16 in every two others, and the oldest go first. */
TEST(the_oldest_contacts_make_room)
{
    struct random_generator random = random_from(6);
    OWNED(system, system) = random_system(&random, 80, 0.1, 1);
    struct reading reading = {.run = {.to = 9}};
    const struct snapshot snapshot = snapshot_in_order(&system, 0);
    reading.reader = (struct observer){.all = &reading.observers, .run = &reading.run};
    system.growth.each = 1; /* its disks grow, or have grown */
    CHECK(!packing_record(&reading.reader, 0, &snapshot, &reading.packing, &failure));
    for (int32_t b = 2; b < 80; b++)
        hit(&reading, 0, 1, b);
    for (int32_t a = 2; a < 80; a++) {
        hit(&reading, 1, a, FEATURE_LEFT);
        hit(&reading, 1, a, FEATURE_TOP);
    }
    /* 1 keeps 16 even ones; each odd one keeps 1 itself. */
    check_contacts(&reading, &system, (16 + 39) * 4 / 56.0, 80 - 56);
    observers_free(&reading.observers);
}
