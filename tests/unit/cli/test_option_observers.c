/* Tests of which observers the options ask for, in which order, and what becomes of signals and
 * checkpoints. */
#include "cli/options.h"

#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nothing but a run. */
static const struct options plain = {.input = "input", .run.to = 1, .checkpoint.every = 60};

static int is_caught(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
           action.sa_handler != SIG_IGN;
}

/* The options that those observers have which remember something, and '?' for others. */
static const char *list(const struct observers *observers)
{
    static char text[200];
    text[0] = '\0';
    for (size_t k = 0; k < observers->count; k++) {
        strcat(text, observers->list[k]->option);
        strcat(text, " ");
    }
    return text;
}

/* Whether these options lead to these observers, which nothing has begun yet. */
static int leads_to(const struct options *given, const char *expected)
{
    struct options completed = *given;
    struct options *options = &completed;
    struct observers observers = {0};
    struct error error = {""};
    int is_resumable = options->checkpoint.output.name || options->resume;
    int files = scratch_count();
    int is_so = CHECK(option_observers_create(options, &(struct system){0}, &observers, &error) ==
                      STATUS_DONE) &&
                strcmp(list(&observers), expected) == 0;
    if (!is_so)
        printf("observers: %s%s\n", list(&observers), error.message);
    for (size_t k = 0; k < observers.count; k++)
        CHECK(observers.list[k]->is_resumable == is_resumable && !observers.list[k]->has_begun);
    CHECK((observers.interrupt != NULL) == (observers.count > 0));
    CHECK(is_caught(SIGTERM) == (observers.count > 0));
    CHECK(!observers.interrupt || *observers.interrupt == 0);
    option_observers_free(&observers);
    CHECK(observers.count == 0 && !is_caught(SIGTERM) && !is_caught(SIGPIPE));
    CHECK(scratch_count() == files); /* what has not begun has left nothing behind */
    return is_so;
}

TEST(each_option)
{
    struct options options = plain;
    CHECK(leads_to(&options, ""));
    options.events.name = "e";
    CHECK(leads_to(&options, "--events "));
    options.trajectory.output.name = "t";
    options.run.interval = 0.5;
    CHECK(leads_to(&options, "--events --trajectory "));
    options.picture.output.name = "p";
    CHECK(leads_to(&options, "--events --trajectory --picture "));
    options.final_state.name = "f";
    CHECK(leads_to(&options, "--events --trajectory --picture --final "));
    options.final_state.name = NULL;
    options.animation.name = "a";
    CHECK(leads_to(&options, "--events --trajectory --picture --animate "));
    options.progress.is_wanted = 1;
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress "));
    options.stats.output.is_wanted = 1;
    options.stats.output.name = "s";
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress --stats "));
    options.sensitivity.runs = 1;
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress "
                             "--stats --sensitivity-file "));
    options.checkpoint.output.name = "c";
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress "
                             "--stats --sensitivity-file --checkpoint "));
    options.report.output.name = "r";
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress "
                             "--stats --report --sensitivity-file --checkpoint "));
    options.stats.output.is_wanted = 0; /* the report has its figures */
    CHECK(leads_to(&options, "--events --trajectory --picture --animate --progress "
                             "--stats --report --sensitivity-file --checkpoint "));
    options.report.output.name = NULL;
    options.stats.output.is_wanted = 1;
    options.events.name = NULL;
    CHECK(leads_to(&options, "--trajectory --picture --animate --progress "
                             "--stats --sensitivity-file --checkpoint "));
}

/* Standard error is for errors then, and for what was asked for. */
TEST(quiet)
{
    struct options options = plain;
    options.is_quiet = options.progress.is_wanted = 1;
    CHECK(leads_to(&options, ""));
    options.stats.output.is_wanted = 1;
    CHECK(leads_to(&options, "--stats "));
    options.stats.output.name = "s";
    CHECK(leads_to(&options, "--stats "));
    options.sensitivity.runs = 3;
    options.checkpoint.output.name = "c";
    CHECK(leads_to(&options, "--stats --sensitivity-file --checkpoint "));
    options.is_quiet = 0;
    options.stats.output.name = NULL;
    CHECK(leads_to(&options, "--progress --stats --sensitivity-file --checkpoint "));
}

/* A resumed run writes files that can be resumed again, with or without another checkpoint. */
TEST(resumed_runs)
{
    struct options options = plain;
    options.input = NULL;
    options.resume = "r";
    options.events.name = "e";
    options.animation.name = "a";
    scratch_write("r", "");
    CHECK(leads_to(&options, "--events --animate "));
    options.checkpoint.output.name = "r"; /* itself */
    CHECK(leads_to(&options, "--events --animate --checkpoint "));
    CHECK(symlink("r", "link") == 0);
    options.checkpoint.output.name = "link";
    CHECK(leads_to(&options, "--events --animate --checkpoint "));
}

static int is_refused(const struct options *given, const char *word)
{
    struct options options = *given;
    struct observers observers = {0};
    struct error error = {""};
    enum status status = option_observers_create(&options, &(struct system){0}, &observers, &error);
    int is_so = CHECK(status == STATUS_USAGE) && observers.count == 0 && !is_caught(SIGTERM) &&
                strstr(error.message, word);
    if (!is_so)
        printf("%s\n", error.message);
    option_observers_free(&observers);
    return is_so;
}

/* Of two that would write one file, or over INPUT, nothing is begun. */
TEST(one_file_twice)
{
    scratch_write("input", "");
    for (size_t k = 0; k < 7; k++) {
        struct options options = plain;
        const char **const files[] = {&options.events.name,         &options.trajectory.output.name,
                                      &options.animation.name,      &options.stats.output.name,
                                      &options.picture.output.name, &options.checkpoint.output.name,
                                      &options.final_state.name};
        options.run.interval = 1;
        options.stats.output.is_wanted = 1;
        *files[k] = "input";
        CHECK(is_refused(&options, "input"));
        *files[k] = "same";
        *files[(k + 1) % 7] = "./same";
        CHECK(is_refused(&options, "same"));
    }
    struct options options = plain; /* the part of a file that is not yet complete */
    options.events.name = "log";
    options.picture.output.name = "log.part";
    CHECK(leads_to(&options, "--events --picture "));
    options.checkpoint.output.name = "c";
    CHECK(is_refused(&options, "log.part"));
    options.checkpoint.output.name = NULL;
    options.resume = "r";
    CHECK(is_refused(&options, "log.part"));
    scratch_write("r", "");
    scratch_write("log", "");
    options.checkpoint.output.name =
        "log"; /* that there is a file is not enough to be the one resumed */
    options.picture.output.name = NULL;
    CHECK(is_refused(&options, "log"));
}

/* No observer writes over a file that looks like an INPUT, but over all that observers write. */
TEST(another_input)
{
    static const char *const inputs[] = {"1\n1\n9 9\n5 5 0 0\n",
                                         "\xEF\xBB\xBF# a\n2 .5 9 9 1 1\n-1e3 0 cut off",
                                         "1 1 9 9 5 5 0 0 1 1 0"};
    static const char *const others[] = {"",
                                         "# a\n",
                                         "8\n",
                                         "1\n1\n9 9\n5 5 0\n",
                                         "1\n1\n9 9\n5 5 0 v\n",
                                         "0.5 1 9 9 5 5 0 0\n",
                                         "1\nLattice=\"9 0 0\" Time=0\n1 5 5 0 0\n",
                                         "5.000000, 5.000000, 0, 0\n",
                                         "time,type\n1,2\n",
                                         "particles = 8\n"};
    struct options options = plain;
    options.animation.name = "page";
    for (size_t k = 0; k < LENGTH(inputs); k++) {
        scratch_write("page", inputs[k]);
        CHECK(is_refused(&options, "--animate would overwrite 'page', which looks like an INPUT"));
    }
    for (size_t k = 0; k < LENGTH(others); k++) {
        scratch_write("page", others[k]);
        CHECK(leads_to(&options, "--animate "));
    }
    scratch_write("other", inputs[0]);
    options.final_state.name = "other"; /* of an earlier run, perhaps */
    CHECK(leads_to(&options, "--final --animate "));
    options.final_state.name = NULL;
    options.stats.output.is_wanted = 1;
    options.stats.output.name = "other";
    CHECK(is_refused(&options, "--stats would overwrite"));
    CHECK(unlink("other") == 0 && mkfifo("other", 0600) == 0); /* is not opened: that would wait */
    CHECK(leads_to(&options, "--animate --stats "));
}

/* When the answer has been written, the checkpoint goes; the link that named it stays. */
TEST(the_checkpoint_goes_in_the_end)
{
    struct options options = plain;
    scratch_write("c", "");
    scratch_write("r", "");
    CHECK(symlink("c", "door") == 0);
    options.resume = "r";
    options.events.name = "input";
    int files = scratch_count();
    option_observers_end(&options, &failure);
    CHECK(scratch_count() == files);
    options.checkpoint.output.name = "door";
    option_observers_end(&options, &failure);
    CHECK(scratch_count() == files - 1 && access("c", F_OK) != 0 && access("r", F_OK) == 0);
    option_observers_end(&options, &failure); /* there is none any more */
    CHECK(scratch_count() == files - 1);
}

/* Standard error is no terminal, wherever this is run. */
int main(void)
{
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    return check_run_tests();
}
