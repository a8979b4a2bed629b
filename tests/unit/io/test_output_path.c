/* Tests of where output files are to be, and of the check that all can be written without loss. */
#include "check.h"
#include "io/output_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `name` leads to the file `expected` in the current directory. */
static int leads_to(const char *name, const char *expected)
{
    char wanted[5000];
    char *here = realpath(".", NULL);
    char path[OUTPUT_PATH_SIZE];
    snprintf(wanted, sizeof wanted, "%s/%s", here ? here : "?", expected);
    int is_there =
        output_path_follow(name, path, &failure) == STATUS_DONE && strcmp(path, wanted) == 0;
    free(here);
    return is_there;
}

/* Whether following `name` fails with a message that names it and contains `reason`. */
static int fails(const char *name, const char *reason)
{
    struct error error = {""};
    char path[OUTPUT_PATH_SIZE];
    return output_path_follow(name, path, &error) == STATUS_CANNOT_WRITE &&
           strncmp(error.message, name, strlen(name)) == 0 && strstr(error.message, reason) != NULL;
}

TEST(files_that_exist)
{
    CHECK(mkdir("sub", 0777) == 0);
    scratch_write("file", "");
    scratch_write("sub/inner", "");
    CHECK(symlink("sub/inner", "link") == 0 && symlink("link", "again") == 0);
    CHECK(symlink("sub", "door") == 0);
    CHECK(leads_to("file", "file"));
    CHECK(leads_to("./sub/../file", "file"));
    CHECK(leads_to("again", "sub/inner"));
    CHECK(leads_to("door/inner", "sub/inner"));
}

TEST(files_that_do_not_exist)
{
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
}

TEST(names_that_lead_nowhere)
{
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
}

static enum status check(const char *first, const char *second, const char *input)
{
    struct error error;
    struct output_names names = {.error = &error};
    output_names_add(&names, NULL, input, "", NULL);
    output_names_add(&names, "--first", first, "", NULL);
    output_names_add(&names, "--none", NULL, "", NULL);
    output_names_add(&names, "--second", second, "", NULL);
    return output_names_free(&names);
}

TEST(files_of_their_own)
{
    scratch_write("old", "");
    scratch_write("input", "");
    CHECK(check(NULL, NULL, "input") == STATUS_DONE);
    CHECK(check("a", NULL, "input") == STATUS_DONE);
    CHECK(check("a", "b", "input") == STATUS_DONE);
    CHECK(check("a", "old", "input") == STATUS_DONE);
    CHECK(check("old", "a", NULL) == STATUS_DONE);
    CHECK(check("-", "a", NULL) == STATUS_DONE); /* a file of this name; options refuse it */
    CHECK(check("/dev/null", "/dev/null", "/dev/null") == STATUS_DONE);
    CHECK(check("old", "a", "no such input") == STATUS_DONE); /* which others notice */
}

TEST(one_file_twice)
{
    scratch_write("old", "");
    CHECK(mkdir("sub", 0777) == 0 && symlink("sub", "door") == 0);
    CHECK(symlink("old", "link") == 0 && symlink("sub/new", "dangling") == 0);
    CHECK(link("old", "same") == 0 && mkfifo("pipe", 0600) == 0);
    CHECK(check("new", "new", NULL) == STATUS_USAGE);
    CHECK(check("new", "./new", NULL) == STATUS_USAGE);
    CHECK(check("sub/new", "door/new", NULL) == STATUS_USAGE);
    CHECK(check("sub/new", "dangling", NULL) == STATUS_USAGE);
    CHECK(check("old", "old", NULL) == STATUS_USAGE);
    CHECK(check("old", "link", NULL) == STATUS_USAGE);
    CHECK(check("old", "same", NULL) == STATUS_USAGE);
    CHECK(check("pipe", "pipe", NULL) == STATUS_USAGE);
}

static enum status check_part(const char *first, struct error *error)
{
    struct output_names names = {.error = error};
    output_names_add(&names, "--first", first, "", NULL);
    output_names_add(&names, "--second", "dangling", ".part", NULL);
    return output_names_free(&names);
}

/* A file that is written beside another is in its directory, not in that of a link to it. */
TEST(files_beside_others)
{
    struct error error;
    CHECK(mkdir("sub", 0777) == 0 && symlink("sub/new", "dangling") == 0);
    CHECK(check_part("sub/new.part", &error) == STATUS_USAGE);
    CHECK(strstr(error.message, "'sub/new.part' and 'dangling.part' are the same file") != NULL);
    CHECK(check_part("dangling.part", &error) == STATUS_DONE);
    scratch_write("sub/new.part", "");
    CHECK(check_part("sub/new.part", &error) == STATUS_USAGE);
    struct output_names names = {.error = &error};
    output_names_add(&names, NULL, "sub/new.part", "", "a file of polygons");
    output_names_add(&names, NULL, "sub/../sub/new.part", "", NULL);
    CHECK(names.status == STATUS_DONE); /* both are read */
    output_names_add(&names, "--second", "dangling", ".part", NULL);
    CHECK(output_names_free(&names) == STATUS_USAGE);
    CHECK(strcmp(error.message, "--second would overwrite 'dangling.part', a file of polygons") ==
          0);
}

TEST(the_input_is_not_overwritten)
{
    scratch_write("input", "");
    CHECK(symlink("input", "link") == 0);
    CHECK(check("input", NULL, "input") == STATUS_USAGE);
    CHECK(check(NULL, "./link", "input") == STATUS_USAGE);
    CHECK(check("input", NULL, "link") == STATUS_USAGE);
}

/* A file that is open as one of the standard streams. */
TEST(the_standard_streams)
{
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
}

TEST(a_name_that_leads_nowhere_is_refused)
{
    CHECK(check("none/new", NULL, NULL) == STATUS_CANNOT_WRITE);
    CHECK(check("new", "none/new", NULL) == STATUS_CANNOT_WRITE);
}
