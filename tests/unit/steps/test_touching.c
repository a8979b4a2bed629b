/* Tests of the pairs that touch: what counts as a new contact, and what a checkpoint keeps. */
#include "steps/touching.h"

#include "check.h"
#include "random_system.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

enum { PARTICLES = 12 };

static void add(struct contact_list *list, size_t i, size_t j)
{
    struct error error;
    CHECK(contact_list_add(list, i, j, &error) == STATUS_DONE);
}

static void test_a_contact_counts_when_it_begins(void)
{
    struct contact_list list = {0};
    struct counts counts[PARTICLES] = {{0}};
    add(&list, 3, 1);
    add(&list, 0, 1);
    contact_list_end_substep(&list, counts);
    CHECK(counts[0].particles == 1 && counts[1].particles == 2 && counts[3].particles == 1);
    add(&list, 1, 3); /* lasts */
    add(&list, 2, 3);
    CHECK(contact_list_had(&list, 1, 3) && contact_list_had(&list, 1, 0));
    CHECK(!contact_list_had(&list, 2, 3));
    contact_list_end_substep(&list, counts);
    CHECK(counts[1].particles == 2 && counts[2].particles == 1 && counts[3].particles == 2);
    contact_list_end_substep(&list, counts); /* nothing touches, */
    add(&list, 1, 3);                        /* and then again */
    contact_list_end_substep(&list, counts);
    CHECK(counts[1].particles == 3 && counts[0].walls == 0);
    contact_list_free(&list);
}

/* Many pairs, against a table of all. */
static void test_against_a_table(void)
{
    struct random_generator random = random_from(3);
    struct contact_list list = {0};
    struct counts counts[PARTICLES] = {{0}};
    struct counts expected[PARTICLES] = {{0}};
    int touched[PARTICLES][PARTICLES] = {{0}};
    for (int substep = 0; substep < 200; substep++) {
        for (size_t j = PARTICLES; j-- > 0;) {
            for (size_t i = 0; i < j; i++) {
                const int touches = random_below(&random, 3) == 0;
                CHECK(contact_list_had(&list, j, i) == touched[i][j]);
                if (touches)
                    add(&list, j, i);
                expected[i].particles += touches && !touched[i][j];
                expected[j].particles += touches && !touched[i][j];
                touched[i][j] = touches;
            }
        }
        contact_list_end_substep(&list, counts);
        CHECK(memcmp(counts, expected, sizeof counts) == 0);
    }
    contact_list_free(&list);
}

/* Reads pairs of 4 particles from a record with these lines. */
static enum status load_list(const char *lines, struct contact_list *list, struct error *error)
{
    struct record_writer *writer = malloc(sizeof *writer);
    struct record_reader reader;
    FILE *stream = fopen("record", "w");
    if (!CHECK(writer && stream))
        exit(EXIT_FAILURE);
    record_begin(writer, stream);
    for (; *lines; lines++)
        if (*lines == '\n')
            record_end_line(writer);
        else if (*lines != ' ')
            record_put_whole(writer, (uint64_t)(*lines - '0'));
    record_finish(writer);
    free(writer);
    CHECK(fclose(stream) == 0);
    enum status status = record_open(&reader, "record", error);
    if (!status)
        contact_list_load(list, 4, &reader);
    if (!status)
        status = record_expect_end(&reader);
    record_close(&reader);
    return status;
}

static void test_what_is_read(void)
{
    static const char *const refused[] = {"1\n0 4\n",      "1\n2 2\n",      "1\n2 1\n",
                                          "2\n0 1\n0 1\n", "2\n1 2\n0 1\n", "9\n0 1\n1 2\n",
                                          "1\n0 1\n2\n"};
    struct contact_list list = {0};
    struct error error;
    scratch_enter();
    CHECK(load_list("2\n0 3\n1 2\n", &list, &error) == STATUS_DONE);
    CHECK(contact_list_had(&list, 0, 3) && contact_list_had(&list, 1, 2));
    CHECK(!contact_list_had(&list, 0, 2));
    contact_list_free(&list);
    CHECK(load_list("0\n", &list, &error) == STATUS_DONE && list.last_count == 0);
    contact_list_free(&list);
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        CHECK(load_list(refused[k], &list, &error) == STATUS_BAD_DATA);
        contact_list_free(&list);
    }
    scratch_leave();
}

int main(void)
{
    RUN(test_a_contact_counts_when_it_begins);
    RUN(test_against_a_table);
    RUN(test_what_is_read);
    return check_finish();
}
