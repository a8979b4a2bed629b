/* Tests of output files that another run continues. */
#include "check.h"
#include "io/output_part.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Saves the state of a file, if there is one, in a record. */
static void save(struct output_file *file)
{
    struct error error;
    struct record_writer *writer = malloc(sizeof *writer);
    FILE *stream = fopen("saved", "w");
    if (CHECK(writer && stream)) {
        record_begin(writer, stream);
        CHECK(output_part_save(file, writer, &error) == STATUS_DONE);
        record_finish(writer);
        fclose(stream);
    }
    free(writer);
}

static enum status load_as(const char *name, struct output_file *file, struct error *error)
{
    struct record_reader reader;
    CHECK(record_open(&reader, "saved", error) == STATUS_DONE);
    enum status status = output_part_load(file, name, &reader, error);
    record_close(&reader);
    return status;
}

static enum status load(struct output_file *file, struct error *error)
{
    return load_as("out", file, error);
}

/* Leaves a part with "one two three", saved after "two ". */
static void interrupt(void)
{
    struct output_file file;
    struct error error;
    CHECK(output_part_open(&file, "out", &error) == STATUS_DONE);
    fputs("one ", file.stream);
    save(&file);
    fputs("two ", file.stream);
    save(&file);
    fputs("three", file.stream);
    file.is_kept = 1;
    output_file_abandon(&file);
    CHECK(scratch_has("out.part", "one two three"));
}

static void test_a_part_goes_on(void)
{
    struct output_file file;
    struct error error;
    scratch_enter();
    scratch_write("out", "old");
    chmod("out", 0640);
    interrupt();
    CHECK(scratch_has("out", "old"));
    CHECK(load(&file, &error) == STATUS_DONE && scratch_has("out.part", "one two "));
    fputs("four ", file.stream);
    save(&file); /* the checksum goes on, too */
    fputs("five", file.stream);
    output_file_abandon(&file);
    CHECK(scratch_has("out.part", "one two four five"));
    CHECK(load(&file, &error) == STATUS_DONE);
    fputs("six", file.stream);
    CHECK(output_file_complete(&file, &error) == STATUS_DONE);
    struct stat state;
    CHECK(scratch_has("out", "one two four six") && scratch_count() == 2);
    CHECK(stat("out", &state) == 0 && (state.st_mode & 0777) == 0640);
    scratch_leave();
}

static void test_a_part_nobody_saved_goes(void)
{
    struct output_file file;
    struct error error;
    scratch_enter();
    CHECK(output_part_open(&file, "out", &error) == STATUS_DONE && scratch_count() == 1);
    output_file_abandon(&file);
    CHECK(scratch_count() == 0);
    CHECK(output_part_open(&file, "out", &error) == STATUS_DONE);
    fputs("all", file.stream);
    CHECK(output_file_complete(&file, &error) == STATUS_DONE && scratch_has("out", "all"));
    CHECK(scratch_count() == 1);
    scratch_leave();
}

/* Whether the part is refused, and stays. */
static int is_refused(enum status expected, const char *message, int files)
{
    struct output_file file;
    struct error error;
    enum status status = load(&file, &error);
    return status == expected && strstr(error.message, message) && !file.stream &&
           scratch_count() == files;
}

static void test_other_parts_are_refused(void)
{
    scratch_enter();
    interrupt();
    scratch_write("out.part", "one two");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is too short: it is 7 bytes long, and was 8", 2));
    scratch_write("out.part", "");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is too short", 2));
    scratch_write("out.part", "one tvo three");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is not what it was", 2));
    CHECK(scratch_has("out.part", "one tvo three"));
    unlink("out.part");
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is not there", 1));
    scratch_write("out", "one tvo three");
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is not there", 2));
    unlink("out");
    mkdir("out.part", 0700);
    CHECK(is_refused(STATUS_CANNOT_WRITE, "out.part: cannot open", 2));
    rmdir("out.part");
    scratch_write("other", "one two three");
    CHECK(symlink("other", "out.part") == 0);
    CHECK(is_refused(STATUS_CANNOT_WRITE, "out.part: cannot open", 3));
    CHECK(scratch_has("other", "one two three"));
    CHECK(unlink("out.part") == 0 && mkfifo("out.part", 0600) == 0);
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is not there", 3));
    scratch_leave();
}

static void test_a_complete_file_becomes_a_part(void)
{
    struct output_file file;
    struct error error;
    scratch_enter();
    interrupt();
    CHECK(rename("out.part", "out") == 0);
    CHECK(load(&file, &error) == STATUS_DONE);
    CHECK(scratch_has("out", "one two three") && scratch_has("out.part", "one two "));
    fputs("four", file.stream);
    CHECK(output_file_complete(&file, &error) == STATUS_DONE);
    CHECK(scratch_has("out", "one two four") && scratch_count() == 2);
    scratch_leave();
}

static void test_the_longest_name_can_be_completed_and_continued(void)
{
    char name[256 - sizeof OUTPUT_PART_END + 1]; /* with the end it has 255 bytes */
    struct output_file file;
    struct error error;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    scratch_enter();
    interrupt();
    CHECK(rename("out.part", name) == 0);
    if (CHECK(load_as(name, &file, &error) == STATUS_DONE))
        CHECK(output_file_complete(&file, &error) == STATUS_DONE);
    CHECK(scratch_has(name, "one two ") && scratch_count() == 2);
    scratch_leave();
}

static void test_what_cannot_be_continued(void)
{
    struct output_file file;
    struct error error;
    scratch_enter();
    CHECK(output_part_open(&file, "/dev/null", &error) == STATUS_CANNOT_WRITE);
    CHECK(strstr(error.message, "leave out --checkpoint"));
    CHECK(output_part_open(&file, "none/out", &error) == STATUS_CANNOT_WRITE);
    mkdir("out", 0700);
    CHECK(output_part_open(&file, "out", &error) == STATUS_CANNOT_WRITE);
    rmdir("out");
    scratch_write("out.part", "mine");
    CHECK(output_part_open(&file, "out", &error) == STATUS_CANNOT_WRITE);
    CHECK(strstr(error.message, "is there already") && scratch_has("out.part", "mine"));
    unlink("out.part");
    CHECK(symlink("other", "out.part") == 0);
    CHECK(output_part_open(&file, "out", &error) == STATUS_CANNOT_WRITE && scratch_count() == 1);
    scratch_leave();
}

static void test_nobody_else_goes_on_with_it(void)
{
    struct output_file file;
    struct error error;
    int status = 0;
    scratch_enter();
    interrupt();
    CHECK(load(&file, &error) == STATUS_DONE);
    fputs("mine", file.stream);
    fflush(file.stream);
    pid_t other = fork();
    if (other == 0) { /* a lock is that of a process */
        struct output_file second;
        enum status loaded = load(&second, &error);
        output_file_abandon(&file);
        _exit(loaded == STATUS_CANNOT_WRITE && strstr(error.message, "another run") ? 0 : 1);
    }
    CHECK(waitpid(other, &status, 0) == other && status == 0);
    CHECK(output_file_complete(&file, &error) == STATUS_DONE && scratch_has("out", "one two mine"));
    scratch_leave();
}

int main(void)
{
    RUN(test_a_part_goes_on);
    RUN(test_a_part_nobody_saved_goes);
    RUN(test_other_parts_are_refused);
    RUN(test_a_complete_file_becomes_a_part);
    RUN(test_the_longest_name_can_be_completed_and_continued);
    RUN(test_what_cannot_be_continued);
    RUN(test_nobody_else_goes_on_with_it);
    return check_finish();
}
