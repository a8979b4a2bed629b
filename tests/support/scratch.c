/* A directory of a test's own; see scratch.h. */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[300];
static char origin[4096];

static void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

void scratch_enter(void)
{
    const char *place = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/particles-test-XXXXXX", place ? place : "/tmp");
    if (!getcwd(origin, sizeof origin) || !mkdtemp(directory) || chdir(directory) != 0)
        fail(directory);
}

static int remove_entry(const char *path, const struct stat *state, int kind, struct FTW *place)
{
    (void)state;
    (void)kind;
    return place->level > 0 && remove(path) != 0;
}

void scratch_empty(void)
{
    if (nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
        fail(directory);
}

void scratch_leave(void)
{
    scratch_empty();
    if (chdir(origin) != 0 || rmdir(directory) != 0)
        fail(directory);
}

const char *scratch_origin(void)
{
    return origin;
}

int scratch_count(void)
{
    int count = 0;
    DIR *list = opendir(".");
    if (!list)
        fail(".");
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(list);
    return count;
}

void scratch_write(const char *name, const char *content)
{
    FILE *file = fopen(name, "w");
    if (!file || fputs(content, file) < 0 || fclose(file) != 0)
        fail(name);
}

int scratch_has(const char *name, const char *content)
{
    char text[1000];
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return strcmp(text, content) == 0;
}
