/* Tests of where output files are to be, and of the check that all can be written without loss. */
#include "base/memory.h"
#include "check.h"
#include "io/output_path.h"
#include "scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `name` leads to the file `expected` in the current directory. */
static int leads_to(const char *name, const char *expected)
{
    char wanted[5000];
    char *here = realpath(".", NULL);
    char *path = NULL;
    struct error error;
    snprintf(wanted, sizeof wanted, "%s/%s", here ? here : "?", expected);
    int is_there =
        output_path_follow(name, &path, &error) == STATUS_DONE && strcmp(path, wanted) == 0;
    memory_free(path);
    free(here);
    return is_there;
}

/* Whether following `name` fails with a message that names it and contains `reason`. */
static int fails(const char *name, const char *reason)
{
    struct error error = {""};
    char *path = NULL;
    enum status status = output_path_follow(name, &path, &error);
    int is_right = status == STATUS_CANNOT_WRITE && path == NULL &&
                   strncmp(error.message, name, strlen(name)) == 0 &&
                   strstr(error.message, reason) != NULL;
    memory_free(path);
    return is_right;
}

static void test_files_that_exist(void)
{
    scratch_enter();
    CHECK(mkdir("sub", 0777) == 0);
    scratch_write("file", "");
    scratch_write("sub/inner", "");
    CHECK(symlink("sub/inner", "link") == 0 && symlink("link", "again") == 0);
    CHECK(symlink("sub", "door") == 0);
    CHECK(leads_to("file", "file"));
    CHECK(leads_to("./sub/../file", "file"));
    CHECK(leads_to("again", "sub/inner"));
    CHECK(leads_to("door/inner", "sub/inner"));
    scratch_leave();
}

static void test_files_that_do_not_exist(void)
{
    scratch_enter();
    CHECK(mkdir("sub", 0777) == 0);
    CHECK(symlink("sub", "door") == 0);
    CHECK(symlink("sub/new", "link") == 0 && symlink("../link", "sub/back") == 0);
    char *here = realpath(".", NULL);
    char absolute[5000];
    snprintf(absolute, sizeof absolute, "%s/sub/far", here);
    CHECK(symlink(absolute, "absolute") == 0);
    free(here);
    CHECK(leads_to("new", "new"));
    CHECK(leads_to(".//new", "new"));
    CHECK(leads_to("door/../door/new", "sub/new"));
    CHECK(leads_to("link", "sub/new"));
    CHECK(leads_to("door/back", "sub/new"));
    CHECK(leads_to("absolute", "sub/far"));
    scratch_leave();
}

static void test_names_that_lead_nowhere(void)
{
    scratch_enter();
    scratch_write("file", "");
    CHECK(symlink("one", "two") == 0 && symlink("two", "one") == 0);
    CHECK(symlink("nowhere/file", "link") == 0);
    CHECK(fails("nowhere/file", "No such file"));
    CHECK(fails("link", "No such file"));
    CHECK(fails("file/", "Not a directory"));
    CHECK(fails("file/new", "Not a directory"));
    CHECK(fails("new/", "Is a directory"));
    CHECK(fails("", "No such file"));
    CHECK(fails("one", strerror(ELOOP))); /* which every C library says its own way */
    char longest[400];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(fails(longest, "too long"));
    scratch_leave();
}

static enum status check(const char *first, const char *second, const char *input)
{
    const struct output_name names[] = {
        {"--first", first, ""}, {"--none", NULL, ""}, {"--second", second, ""}};
    struct error error;
    return output_path_check(names, 3, input, &error);
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
    CHECK(output_path_check(conflict, 2, "-", &error) == STATUS_USAGE);
    CHECK(strstr(error.message, "'sub/new.part' and 'dangling.part' are the same file") != NULL);
    CHECK(output_path_check(peace, 2, "-", &error) == STATUS_DONE);
    scratch_write("sub/new.part", "");
    CHECK(output_path_check(conflict, 2, "-", &error) == STATUS_USAGE);
    CHECK(output_path_check(conflict + 1, 1, "sub/new.part", &error) == STATUS_USAGE);
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

static void test_a_name_that_leads_nowhere_is_refused(void)
{
    scratch_enter();
    CHECK(check("none/new", NULL, "-") == STATUS_CANNOT_WRITE);
    CHECK(check("new", "none/new", "-") == STATUS_CANNOT_WRITE);
    scratch_leave();
}

int main(void)
{
    RUN(test_files_that_exist);
    RUN(test_files_that_do_not_exist);
    RUN(test_names_that_lead_nowhere);
    RUN(test_files_of_their_own);
    RUN(test_one_file_twice);
    RUN(test_files_beside_others);
    RUN(test_the_input_is_not_overwritten);
    RUN(test_the_standard_streams);
    RUN(test_a_name_that_leads_nowhere_is_refused);
    return check_finish();
}
