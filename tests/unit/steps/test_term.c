/* Tests of how options name interactions and constraints: what is read, and what each fault is
 * refused with. */
#include "steps/term.h"

#include "check.h"
#include "steps/steps.h"

static void check_refusal(int is_constraint, const char *text, const char *message)
{
    const struct term_kind *kind = NULL;
    struct text_arguments arguments;
    CHECK(term_parse(text, is_constraint, &kind, &arguments, &failure) == STATUS_USAGE);
    if (!CHECK(strcmp(failure.message, message) == 0))
        error_print(&failure);
}

TEST(names_and_keys_are_read)
{
    const struct term_kind *kind = NULL;
    struct text_arguments arguments;
    CHECK(!term_parse("gravity g=-9.81", 0, &kind, &arguments, &failure));
    CHECK(strcmp(kind->name, "gravity") == 0);
    CHECK(arguments.numbers[0] == -9.81 && arguments.numbers[1] == 90); /* the usual direction */
    CHECK(!term_parse(" \tgravity  direction=0x1p3\tg=1e1 ", 0, &kind, &arguments, &failure));
    CHECK(arguments.numbers[0] == 10 && arguments.numbers[1] == 8);
    CHECK(!term_parse("walls", 1, &kind, &arguments, &failure));
    CHECK(strcmp(kind->name, "walls") == 0 && arguments.numbers[0] == 1);
    CHECK(!term_parse("coulomb charges=1,=2 k=3", 0, &kind, &arguments, &failure));
    CHECK(arguments.numbers[0] == 3 && strcmp(arguments.texts[1], "1,=2") == 0);
    CHECK(!term_parse("coulomb k=3", 0, &kind, &arguments, &failure));
    CHECK(!arguments.texts[1]);
    CHECK(!term_parse("drag c=0", 0, &kind, &arguments, &failure)); /* the ends of a range */
    CHECK(!term_parse("drag c=1e40", 0, &kind, &arguments, &failure));
}

/* A message about an unknown name lists all that there are. */
static void check_unknown(int is_constraint, const char *text, const char *name)
{
    const struct term_kind *const *kinds = term_kinds[is_constraint];
    char message[1000];
    int length = snprintf(message, sizeof message, "%s '%s' is unknown: there are ",
                          is_constraint ? "--constraint" : "--interaction", name);
    for (size_t k = 0; kinds[k]; k++)
        length += snprintf(message + length, sizeof message - (size_t)length, "%s%s",
                           k > 0 ? ", " : "", kinds[k]->name);
    check_refusal(is_constraint, text, message);
}

TEST(unknown_names)
{
    check_unknown(0, "", "");
    check_unknown(0, "  \t ", "");
    check_unknown(0, "Gravity g=1", "Gravity");
    check_unknown(0, "gravity,g=1", "gravity,g=1");
    check_unknown(0, "g=1 gravity", "g=1");
    check_unknown(0, "walls", "walls"); /* that is a constraint */
    check_unknown(0, "gravit", "gravit");
    check_unknown(1, "gravity g=1", "gravity");
    check_unknown(1, "", "");
}

TEST(faults_of_keys)
{
    check_refusal(0, "drag", "drag needs c=NUMBER");
    check_refusal(0, "lennard-jones epsilon=1", "lennard-jones needs sigma=NUMBER");
    check_refusal(0, "drag k=1", "drag has no 'k': it has c");
    check_refusal(0, "gravity C=1", "gravity has no 'C': it has g, direction");
    check_refusal(0, "drag c", "drag: 'c' should be KEY=VALUE");
    check_refusal(0, "drag c=", "drag: 'c=' should be KEY=VALUE");
    check_refusal(0, "drag =1", "drag: '=1' should be KEY=VALUE");
    check_refusal(0, "drag =", "drag: '=' should be KEY=VALUE");
    check_refusal(0, "drag c = 1", "drag: 'c' should be KEY=VALUE");
    check_refusal(0, "drag c=1 c=1", "drag: 'c' is given twice");
    check_refusal(0, "drag c=1 c=", "drag: 'c=' should be KEY=VALUE");
    check_refusal(0, "drag c=1 x", "drag: 'x' should be KEY=VALUE");
}

TEST(faults_of_numbers)
{
    static const char takes[] = "drag: c takes a number from 0 to 1e+40, and ";
    static const struct {
        const char *text, *fault;
    } faults[] = {
        {"drag c=1x", "'1x' is not a number"},       {"drag c=one", "'one' is not a number"},
        {"drag c=1,5", "'1,5' is not a number"},     {"drag c=1=2", "'1=2' is not a number"},
        {"drag c=nan", "'nan' is not finite"},       {"drag c=inf", "'inf' is not finite"},
        {"drag c=-inf", "'-inf' is not finite"},     {"drag c=1e999", "'1e999' is not finite"},
        {"drag c=1e41", "'1e41' is too large"},      {"drag c=-1", "'-1' is negative"},
        {"drag c=-1e-300", "'-1e-300' is negative"},
    };
    for (size_t k = 0; k < LENGTH(faults); k++) {
        char message[200];
        snprintf(message, sizeof message, "%s%s", takes, faults[k].fault);
        check_refusal(0, faults[k].text, message);
    }
    check_refusal(0, "gravitation G=0 softening=0",
                  "gravitation: G takes a number from 1e-40 to 1e+40, and '0' is too small");
    check_refusal(0, "spring k=1 restitution=1.5",
                  "spring: restitution takes a number from 0 to 1, and '1.5' is too large");
    check_refusal(0, "lennard-jones epsilon=1 sigma=1 cutoff=0",
                  "lennard-jones: cutoff takes a number from 1e-40 to 1e+40, and '0' is too small");
}

/* A long text is read to its end, and cut off in messages; a longer one is refused. */
TEST(long_texts)
{
    char text[SETTING_SIZE + 1];
    char message[1000];
    memset(text, 'x', SETTING_SIZE);
    memcpy(text, "drag ", 5);
    text[SETTING_SIZE] = '\0';
    snprintf(message, sizeof message, "--interaction: '%.40s...' is too long", text);
    check_refusal(0, text, message);
    text[SETTING_SIZE - 1] = '\0';
    snprintf(message, sizeof message, "drag: '%.100s' should be KEY=VALUE", text + 5);
    check_refusal(0, text, message);
    memset(text + 5, ' ', SETTING_SIZE - 6);
    memcpy(text + SETTING_SIZE - 4, "c=1", 3);
    const struct term_kind *kind = NULL;
    struct text_arguments arguments;
    CHECK(!term_parse(text, 0, &kind, &arguments, &failure) && arguments.numbers[0] == 1);
    check_refusal(0, "drag \"c=1", "--interaction: a double quote in 'drag \"c=1' is not closed");
}

/* The names and tables that the messages of all kinds need. */
TEST(kinds_are_complete)
{
    for (int is_constraint = 0; is_constraint < 2; is_constraint++) {
        const struct term_kind *const *kinds = term_kinds[is_constraint];
        for (size_t k = 0; kinds[k]; k++) {
            CHECK(kinds[k]->name && kinds[k]->create && kinds[k]->size >= sizeof(struct term));
            CHECK(is_constraint || kinds[k] == &drag_kind || kinds[k] == &langevin_kind ||
                  kinds[k]->act[PHASE_FORCES]);
            for (size_t n = 0; n < k; n++)
                CHECK(strcmp(kinds[n]->name, kinds[k]->name) != 0);
        }
    }
}
