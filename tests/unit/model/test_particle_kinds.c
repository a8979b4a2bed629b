/* Tests of the table of kinds. */
#include "check.h"

#include <unistd.h>

static uint32_t find(struct system_kinds *table, struct system *system, struct particle_kind kind)
{
    uint32_t number = UINT32_MAX;
    CHECK(system_kinds_find(table, system, &kind, &number, &failure) == STATUS_DONE);
    return number;
}

TEST(each_kind_has_one_number)
{
    struct system_kinds table = {0};
    OWNED(system, system) = {0};
    CHECK(find(&table, &system, (struct particle_kind){1, 2, 3}) == 0);
    CHECK(find(&table, &system, (struct particle_kind){1, 2, 4}) == 1);
    CHECK(find(&table, &system, (struct particle_kind){1, 3, 3}) == 2);
    CHECK(find(&table, &system, (struct particle_kind){2, 2, 3}) == 3);
    CHECK(find(&table, &system, (struct particle_kind){2, 1, 3}) == 4);
    CHECK(find(&table, &system, (struct particle_kind){1, 2, 3}) == 0);
    CHECK(find(&table, &system, (struct particle_kind){2, 2, 3}) == 3);
    CHECK(system.kind_count == 5 && system.kinds[4].radius == 2 && system.kinds[4].mass == 1);
    CHECK(system.kinds[1].species == 4);
    system_kinds_free(&table);
}

/* Numbers are given in the order of first appearance, whatever the table does inside. */
RANDOM_TEST(many_kinds, 4)
{
    enum { COUNT = 20000 };
    struct system_kinds table = {0};
    OWNED(system, system) = {0};
    for (size_t k = 0; k < COUNT; k++) {
        struct particle_kind kind = {(double)(k / 100), 1 + (double)(k / 10 % 10),
                                     (int32_t)(k % 10)};
        CHECK(find(&table, &system, kind) == k);
        size_t other = random_below(random, k + 1);
        CHECK(find(&table, &system, system.kinds[other]) == other);
    }
    CHECK(system.kind_count == COUNT);
    system_kinds_free(&table);
}

/* Kinds that differ in a few bits only, anywhere: no chain of them may grow long. */
TEST(alike_kinds_are_found_as_fast)
{
    enum { COUNT = 1 << 18 };
    alarm(60);
    for (int exponent = -130; exponent <= 110; exponent += 40) {
        struct system_kinds table = {0};
        OWNED(system, system) = {0};
        double unit = exponent < 0 ? 1 : 0x1p-10;
        for (int k = 0; k > exponent; k--)
            unit /= 2;
        for (int k = 0; k < exponent; k++)
            unit *= 2;
        for (size_t k = 0; k < COUNT; k++)
            CHECK(find(&table, &system, (struct particle_kind){unit * (double)(k + 1), 1, 0}) == k);
        system_kinds_free(&table);
    }
    alarm(0);
}
