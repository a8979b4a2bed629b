/* Tests of where file names lead. */
#include "base/memory.h"
#include "check.h"
#include "io/path.h"
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
    int is_there = path_follow(name, &path, &error) == STATUS_DONE && strcmp(path, wanted) == 0;
    memory_free(path);
    free(here);
    return is_there;
}

/* Whether following `name` fails with a message that names it and contains `reason`. */
static int fails(const char *name, const char *reason)
{
    struct error error = {""};
    char *path = NULL;
    enum status status = path_follow(name, &path, &error);
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

int main(void)
{
    RUN(test_files_that_exist);
    RUN(test_files_that_do_not_exist);
    RUN(test_names_that_lead_nowhere);
    return check_finish();
}
