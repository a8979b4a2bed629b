/* Tests of files of options: what each line becomes, and which are refused. What the program makes
 * of them is in config.sh. */
#include "check.h"
#include "cli/option_table.h"
#include "cli/options.h"

#include <unistd.h>

/* Reads a file of this text, which fits into a pipe. */
static enum status read_text(const char *text, size_t size, struct config **config,
                             struct error *error)
{
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text, size) != (ssize_t)size)
        exit(EXIT_FAILURE);
    close(ends[1]);
    return config_read("file", fdopen(ends[0], "r"), config, error);
}

/* Whether a text of `size` bytes has these options: their lines and arguments, each in a line. */
static int has(const char *text, size_t size, const char *expected)
{
    struct config *config = NULL;
    struct error error = {""};
    char found[1000] = "";
    if (CHECK(read_text(text, size, &config, &error) == STATUS_DONE))
        for (size_t k = 0; k < config->count; k++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%zu %s\n",
                     config->options[k].line, config->options[k].argument);
    config_free(config);
    int is_so = strcmp(found, expected) == 0;
    if (!is_so)
        printf("    %s%s", error.message, found);
    return is_so;
}

#define HAS(text, expected) has(text, sizeof(text) - 1, expected)

TEST(lines)
{
    CHECK(HAS("", "") && HAS("\n \n\t\r\n", "") && HAS("# a\n  #b", ""));
    CHECK(HAS("quiet", "1 --quiet\n") && HAS("  --quiet  \r\n", "1 --quiet\n"));
    CHECK(HAS("\nrule elastic\n\nstats=a\n", "2 --rule=elastic\n4 --stats=a\n"));
    CHECK(HAS("rule\t=  swap ", "1 --rule=swap\n") && HAS("rule =swap", "1 --rule=swap\n"));
    CHECK(HAS("stats = a b = c\n", "1 --stats=a b = c\n"));
    CHECK(HAS("stats ==", "1 --stats==\n") && HAS("stats=", "1 --stats=\n"));
    CHECK(HAS("\xEF\xBB\xBFquiet\n\xEF\xBB\xBF", "1 --quiet\n2 --\xEF\xBB\xBF\n"));
    CHECK(HAS("\xEF\xBB\xBF", "") && HAS("a\nb\nc", "1 --a\n2 --b\n3 --c\n"));
}

TEST(comments)
{
    CHECK(HAS("quiet # or not\n", "1 --quiet\n") && HAS("rule swap # a", "1 --rule=swap\n"));
    CHECK(HAS("stats a#b", "1 --stats=a#b\n") && HAS("stats=#b", "1 --stats=#b\n"));
    CHECK(HAS("stats= #b", "1 --stats=\n") && HAS("quiet#", "1 --quiet#\n"));
    CHECK(HAS("stats \"a #b\" #c\"", "1 --stats=a #b\n"));
}

TEST(quotation_marks)
{
    CHECK(HAS("stats \" a \"", "1 --stats= a \n") && HAS("stats=\"\"", "1 --stats=\n"));
    CHECK(HAS("stats \"\"", "1 --stats=\n") && HAS("stats a\"b", "1 --stats=a\"b\n"));
    CHECK(HAS("stats \"a\\\"b\\\\c\\d\"", "1 --stats=a\"b\\cd\n"));
    CHECK(HAS("stats a\\b", "1 --stats=a\\b\n"));
}

static void refuse(const char *text, size_t size, const char *message)
{
    struct config *config = NULL;
    struct error error = {""};
    CHECK(read_text(text, size, &config, &error) == STATUS_USAGE);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
    config_free(config);
}

#define REFUSE(text, message) refuse(text, sizeof(text) - 1, message)

TEST(what_is_no_option)
{
    REFUSE("quiet\n\"a\"",
           "file:2: expected the name of an option, without its dashes, not '\"a\"'");
    REFUSE("=3\n", "file:1: expected the name");
    REFUSE("-q\n", "file:1: expected the name");
    REFUSE("--", "file:1: expected the name");
    REFUSE("-- quiet", "file:1: expected the name");
    REFUSE("---quiet", "file:1: expected the name");
    REFUSE("stats \"a", "file:1: the quotation mark that ends the value is missing");
    REFUSE("stats \"a\\\"", "file:1: the quotation mark");
    REFUSE("stats \"", "file:1: the quotation mark");
    REFUSE("\nstats \"a\"b", "file:2: expected the end of the line after the value, not 'b'");
    REFUSE("stats \"a\"#b", "file:1: expected the end of the line after the value, not '#b'");
    REFUSE("quiet\nsta\0ts", "file:2: there is a byte 0");
    REFUSE("\0", "file:1: there is a byte 0");
}

/* Every text of a few of these characters: there is room for what it becomes. */
TEST(all_short_texts)
{
    static const char letters[] = "a=\" \n#\\-";
    enum { LETTERS = sizeof letters - 1 };
    const int longest = check_is_quick() ? 4 : check_is_thorough() ? 6 : 5;
    for (int length = 0; length <= longest; length++) {
        size_t texts = 1;
        for (int k = 0; k < length; k++)
            texts *= LETTERS;
        for (size_t number = 0; number < texts; number++) {
            struct config *config = NULL;
            struct error error = {""};
            char text[8];
            size_t rest = number;
            for (int k = 0; k < length; k++, rest /= LETTERS)
                text[k] = letters[rest % LETTERS];
            enum status status = read_text(text, (size_t)length, &config, &error);
            CHECK(status == STATUS_DONE || (status == STATUS_USAGE && error.message[0] == 'f'));
            for (size_t k = 0; k < config->count; k++)
                CHECK(!strchr("-=\" ", config->options[k].argument[2])); /* it has a name */
            config_free(config);
        }
    }
}

/* Options of two files, and where they are said to be. */
TEST(files)
{
    struct config *config = NULL;
    struct error error = {"fault"};
    scratch_write("a", "quiet\nrule swap\n");
    scratch_write("b", "\nstats b");
    CHECK(config_read("a", fopen("a", "r"), &config, &error) == STATUS_DONE);
    CHECK(config_read("b", fopen("b", "r"), &config, &error) == STATUS_DONE);
    if (!CHECK(config->count == 1 && config->before->count == 2))
        return;
    config_locate(config, "--quiet", &error); /* of the command line */
    CHECK(strcmp(error.message, "fault") == 0);
    config_locate(config, config->before->options[1].argument, &error);
    CHECK(strcmp(error.message, "a:2: fault") == 0);
    CHECK(config_read("c", fopen("c", "r"), &config, &error) == STATUS_NO_INPUT);
    CHECK(strstr(error.message, "c: cannot open: ") == error.message);
    CHECK(config_read(".", fopen(".", "r"), &config, &error) == STATUS_NO_INPUT);
    CHECK(strstr(error.message, ".: cannot read: ") == error.message);
    config_free(config);
}

TEST(the_longest_file)
{
    static char text[CONFIG_MAX_BYTES + 2];
    struct config *config = NULL;
    struct error error = {""};
    memset(text, '#', CONFIG_MAX_BYTES);
    scratch_write("a", text);
    CHECK(config_read("a", fopen("a", "r"), &config, &error) == STATUS_DONE && config->count == 0);
    text[CONFIG_MAX_BYTES] = '#';
    scratch_write("a", text);
    CHECK(config_read("a", fopen("a", "r"), &config, &error) == STATUS_USAGE);
    CHECK(strstr(error.message, "a: a file of options has up to 65536 bytes") == error.message);
    config_free(config);
}

/* Parses a command line with a file of options, "file", in the middle. */
static enum status parse(struct options *options, const char *before, const char *file,
                         const char *after, struct error *error)
{
    char words[][20] = {"particles", "", "--config=file", "", "input", "1"};
    char *argv[] = {words[0], words[1], words[2], words[3], words[4], words[5], NULL};
    strcpy(words[1], before);
    strcpy(words[3], after);
    scratch_write("file", file);
    return options_parse(6, argv, options, error);
}

/* They count as if they stood in the file's place. */
TEST(their_place)
{
    struct options options;
    CHECK(!parse(&options, "--rule=swap", "rul elastic\nstats", "--stats=a", &failure));
    CHECK(options.law.rule == RULE_ELASTIC && strcmp(options.stats.output.name, "a") == 0);
    CHECK(strcmp(options.input, "input") == 0 && options.run.to == 1);
    options_free(&options);
    CHECK(!parse(&options, "--stats=a", "stats b\nrule elastic", "--rule=swap", &failure));
    CHECK(options.law.rule == RULE_SWAP && strcmp(options.stats.output.name, "b") == 0);
    options_free(&options);
    CHECK(!options.config);
    CHECK(parse(&options, "--quiet", "quiet\nhelp\nno-such", "--no-such", &failure) == STATUS_DONE);
    CHECK(options.help);
    options_free(&options);
}

TEST(faults_have_a_place)
{
    static const char *const faults[][2] = {
        {"\nrule x", "file:2: unknown rule 'x'"},
        {"ruel x", "file:1: unknown option '--ruel=x'; the nearest: --rule"},
        {"s x", "file:1: ambiguous option '--s=x'"},
        {"rule", "file:1: option '--rule' needs a value"},
        {"quiet x", "file:1: option '--quiet' takes no value"},
        {"\n\nconf file", "file:3: a file of options cannot name another one"},
        {"\nrestitution 0.5", "file:2: option '--restitution=0.5' needs --rule=elastic"},
        {"quiet\nseed 3", "file:2: option '--seed=3' is only for --generate"},
        {"picture -", "file:1: --picture takes the name of a file"},
        {"input", "file:1: unknown option '--input'"},
        {"int 5", "file:1: --interaction '5' is unknown: there are gravity, "},
        {"ru x", "file:1: unknown rule 'x': use swap or elastic; 'ru' is read as the option rule, "
                 "for a line is an option and its value, such as 'rule elastic'"},
    };
    struct options options;
    struct error error = {""};
    for (size_t k = 0; k < LENGTH(faults); k++) {
        CHECK(parse(&options, "--quiet", faults[k][0], "--stats", &error) == STATUS_USAGE);
        if (!CHECK(strstr(error.message, faults[k][1]) == error.message))
            printf("    %s\n", error.message);
        options_free(&options);
    }
}
