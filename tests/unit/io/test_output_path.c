/* Tests of the check that all files can be written without loss. */
#include "check.h"
#include "io/output_path.h"
#include "scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check(const char *first, const char *second, const char *input)
{
    const struct output_name names[] = {
        {"--first", first, ""}, {"--none", NULL, ""}, {"--second", second, ""}};
    struct error error;
    return output_names_check(names, 3, input, &error);
}

static void test_files_of_their_own(void)
{
    scratch_enter();
    scratch_write("old", "");
    scratch_write("input", "");
    CHECK(check(NULL, NULL, "input") == STATUS_DONE);
    CHECK(check("a", NULL, "input") == STATUS_DONE);
    CHECK(check("a", "b", "input") == STATUS_DONE);
    CHECK(check("a", "old", "input") == STATUS_DONE);
    CHECK(check("old", "a", "-") == STATUS_DONE);
    CHECK(check("-", "a", "-") == STATUS_DONE); /* a file of this name; options refuse it */
    CHECK(check("/dev/null", "/dev/null", "/dev/null") == STATUS_DONE);
    CHECK(check("old", "a", "no such input") == STATUS_DONE); /* which others notice */
    scratch_leave();
}

static void test_one_file_twice(void)
{
    scratch_enter();
    scratch_write("old", "");
    CHECK(mkdir("sub", 0777) == 0 && symlink("sub", "door") == 0);
    CHECK(symlink("old", "link") == 0 && symlink("sub/new", "dangling") == 0);
    CHECK(link("old", "same") == 0 && mkfifo("pipe", 0600) == 0);
    CHECK(check("new", "new", "-") == STATUS_USAGE);
    CHECK(check("new", "./new", "-") == STATUS_USAGE);
    CHECK(check("sub/new", "door/new", "-") == STATUS_USAGE);
    CHECK(check("sub/new", "dangling", "-") == STATUS_USAGE);
    CHECK(check("old", "old", "-") == STATUS_USAGE);
    CHECK(check("old", "link", "-") == STATUS_USAGE);
    CHECK(check("old", "same", "-") == STATUS_USAGE);
    CHECK(check("pipe", "pipe", "-") == STATUS_USAGE);
    scratch_leave();
}

/* What is written beside a file stands where the file is, not where a link to it is. */
static void test_files_beside_others(void)
{
    struct error error;
    const struct output_name conflict[] = {{"--first", "sub/new.part", ""},
                                           {"--second", "dangling", ".part"}};
    const struct output_name peace[] = {{"--first", "dangling.part", ""},
                                        {"--second", "dangling", ".part"}};
    scratch_enter();
    CHECK(mkdir("sub", 0777) == 0 && symlink("sub/new", "dangling") == 0);
    CHECK(output_names_check(conflict, 2, "-", &error) == STATUS_USAGE);
    CHECK(strstr(error.message, "'sub/new.part' and 'dangling.part' are the same file") != NULL);
    CHECK(output_names_check(peace, 2, "-", &error) == STATUS_DONE);
    scratch_write("sub/new.part", "");
    CHECK(output_names_check(conflict, 2, "-", &error) == STATUS_USAGE);
    CHECK(output_names_check(conflict + 1, 1, "sub/new.part", &error) == STATUS_USAGE);
    scratch_leave();
}

static void test_the_input_is_not_overwritten(void)
{
    scratch_enter();
    scratch_write("input", "");
    CHECK(symlink("input", "link") == 0);
    CHECK(check("input", NULL, "input") == STATUS_USAGE);
    CHECK(check(NULL, "./link", "input") == STATUS_USAGE);
    CHECK(check("input", NULL, "link") == STATUS_USAGE);
    scratch_leave();
}

/* A file that is open as one of the standard streams. */
static void test_the_standard_streams(void)
{
    scratch_enter();
    scratch_write("file", "");
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        fflush(stdout);
        int saved = dup(descriptor);
        FILE *file = fopen("file", "r+");
        int is_ready = saved >= 0 && file && dup2(fileno(file), descriptor) == descriptor;
        enum status status = check("file", NULL, "-");
        enum status other = check("new", NULL, "-");
        dup2(saved, descriptor);
        close(saved);
        fclose(file);
        CHECK(is_ready && status == STATUS_USAGE && other == STATUS_DONE);
    }
    scratch_leave();
}

static void test_names_that_lead_nowhere(void)
{
    scratch_enter();
    CHECK(check("none/new", NULL, "-") == STATUS_CANNOT_WRITE);
    CHECK(check("new", "none/new", "-") == STATUS_CANNOT_WRITE);
    scratch_leave();
}

int main(void)
{
    RUN(test_files_of_their_own);
    RUN(test_one_file_twice);
    RUN(test_files_beside_others);
    RUN(test_the_input_is_not_overwritten);
    RUN(test_the_standard_streams);
    RUN(test_names_that_lead_nowhere);
    return check_finish();
}
