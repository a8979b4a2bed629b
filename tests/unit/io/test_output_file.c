/* Tests of output files, which are complete or absent, and of those that another run continues. */
#include "check.h"
#include "io/output_file.h"
#include "io/record.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes `content` to a file, in the way that is tested here. */
static enum status write_file(const char *name, const char *content, struct error *error)
{
    struct output_file file;
    enum status status = output_file_open(&file, name, error);
    if (status)
        return status;
    fputs(content, file.stream);
    return output_file_complete(&file, error);
}

static int rights_of(const char *name)
{
    struct stat state;
    return stat(name, &state) == 0 ? (int)(state.st_mode & 07777) : -1;
}

TEST(nothing_is_seen_before_it_is_complete)
{
    struct output_file file;
    scratch_write("old", "old");
    CHECK(output_file_open(&file, "old", &failure) == STATUS_DONE);
    fputs("new", file.stream);
    CHECK(fflush(file.stream) == 0 && scratch_has("old", "old") && scratch_count() == 2);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE);
    CHECK(file.stream == NULL && scratch_has("old", "new") && scratch_count() == 1);
    output_file_abandon(&file); /* nothing is left to do */
    CHECK(scratch_has("old", "new"));
}

TEST(what_is_abandoned_leaves_nothing)
{
    struct output_file file;
    scratch_write("old", "old");
    CHECK(output_file_open(&file, "old", &failure) == STATUS_DONE);
    fputs("new", file.stream);
    output_file_abandon(&file);
    CHECK(scratch_has("old", "old") && scratch_count() == 1);
    CHECK(output_file_open(&file, "new", &failure) == STATUS_DONE);
    output_file_abandon(&file);
    CHECK(scratch_count() == 1);
}

TEST(access_rights)
{
    mode_t mask = umask(027);
    CHECK(write_file("new", "new", &failure) == STATUS_DONE && rights_of("new") == 0640);
    scratch_write("old", "old");
    CHECK(chmod("old", 0606) == 0);
    CHECK(write_file("old", "new", &failure) == STATUS_DONE && rights_of("old") == 0606);
    CHECK(umask(mask) == 027); /* as it was */
}

TEST(a_read_only_file_stays_as_it_is)
{
    scratch_write("old", "old");
    CHECK(chmod("old", 0444) == 0);
    if (access("old", W_OK) == 0) { /* root may */
        CHECK(write_file("old", "new", &failure) == STATUS_DONE && rights_of("old") == 0444);
    } else {
        CHECK(write_file("old", "new", &failure) == STATUS_CANNOT_WRITE);
        CHECK(scratch_has("old", "old") && scratch_count() == 1);
    }
}

TEST(links_are_followed)
{
    struct stat state;
    CHECK(mkdir("sub", 0777) == 0);
    scratch_write("sub/old", "old");
    CHECK(symlink("sub/old", "link") == 0 && symlink("sub/new", "dangling") == 0);
    CHECK(write_file("link", "1", &failure) == STATUS_DONE && scratch_has("sub/old", "1"));
    CHECK(write_file("dangling", "2", &failure) == STATUS_DONE && scratch_has("sub/new", "2"));
    CHECK(lstat("link", &state) == 0 && S_ISLNK(state.st_mode));
    CHECK(lstat("dangling", &state) == 0 && S_ISLNK(state.st_mode));
}

TEST(names_of_all_lengths)
{
    char name[256];
    for (size_t length = 1; length <= 255; length++) {
        memset(name, 'x', length);
        name[length] = '\0';
        CHECK(write_file(name, name, &failure) == STATUS_DONE && scratch_has(name, name));
        CHECK(unlink(name) == 0);
    }
    CHECK(scratch_count() == 0);
}

TEST(devices_are_written_directly)
{
    struct stat state;
    CHECK(write_file("/dev/null", "new", &failure) == STATUS_DONE);
    CHECK(stat("/dev/null", &state) == 0 && S_ISCHR(state.st_mode));
    if (stat("/dev/full", &state) == 0) {
        CHECK(write_file("/dev/full", "new", &failure) == STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "/dev/full: cannot write: No space left") != NULL);
        CHECK(stat("/dev/full", &state) == 0 && S_ISCHR(state.st_mode));
    }
}

TEST(a_pipe_is_written_directly)
{
    struct stat state;
    CHECK(mkfifo("pipe", 0600) == 0);
    pid_t reader = fork();
    if (reader == 0) { /* its status tells whether it could read all that was written */
        char text[8] = "";
        int pipe = open("pipe", O_RDONLY);
        ssize_t length = pipe >= 0 ? read(pipe, text, sizeof text) : -1;
        _exit(length == 3 && memcmp(text, "new", 3) == 0 ? 0 : 1);
    }
    CHECK(write_file("pipe", "new", &failure) == STATUS_DONE);
    int status = -1;
    CHECK(waitpid(reader, &status, 0) == reader && status == 0);
    CHECK(stat("pipe", &state) == 0 && S_ISFIFO(state.st_mode) && scratch_count() == 1);
}

static int fails(const char *name, const char *reason)
{
    struct error error = {""};
    return write_file(name, "new", &error) == STATUS_CANNOT_WRITE &&
           strncmp(error.message, name, strlen(name)) == 0 && strstr(error.message, reason) != NULL;
}

TEST(what_cannot_be_opened)
{
    CHECK(mkdir("sub", 0777) == 0 && symlink("sub", "link") == 0);
    scratch_write("old", "old");
    CHECK(fails("sub", "Is a directory") && fails("link", "Is a directory"));
    CHECK(fails("sub/", "Is a directory") && fails("old/new", "Not a directory"));
    CHECK(fails("none/new", "No such file"));
    CHECK(chmod("sub", 0555) == 0);
    if (access("sub", W_OK) != 0)
        CHECK(fails("sub/new", "cannot create a file in its directory: Permission denied"));
    CHECK(scratch_count() == 3);
}

TEST(a_directory_that_goes_away)
{
    struct output_file file;
    struct error error = {""};
    CHECK(mkdir("sub", 0777) == 0);
    CHECK(output_file_open(&file, "sub/new", &error) == STATUS_DONE);
    fputs("new", file.stream);
    CHECK(unlink(file.temporary) == 0 && rmdir("sub") == 0);
    CHECK(output_file_complete(&file, &error) == STATUS_CANNOT_WRITE);
    CHECK(strstr(error.message, "sub/new: cannot ") == error.message);
    CHECK(scratch_count() == 0);
}

/* A file may be no larger than the limit; as on a full disk, what was there stays. */
TEST(a_file_that_gets_too_large)
{
    struct output_file file;
    struct error error = {""};
    struct rlimit before;
    scratch_write("old", "old");
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit small = {.rlim_cur = 100000, .rlim_max = before.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    CHECK(output_file_open(&file, "old", &error) == STATUS_DONE);
    for (int k = 0; k < 100001; k++)
        fputc('x', file.stream);
    CHECK(output_file_complete(&file, &error) == STATUS_CANNOT_WRITE);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, handler);
    CHECK(strstr(error.message, "old: cannot write: File too large") == error.message);
    CHECK(scratch_has("old", "old") && scratch_count() == 1);
}

/* Opens a resumable file that no checkpoint counts on. */
static enum status open_part(struct output_file *file, const char *name, struct error *error)
{
    static const int is_saved = 0;
    return output_file_open_resumable(file, name, 1, &is_saved, error);
}

/* Saves the state of a file, if there is one, in a record. */
static void save(struct output_file *file)
{
    struct record record = {0};
    FILE *stream = fopen("saved", "w");
    if (CHECK(stream && !record_begin(&record, stream, &failure))) {
        output_file_record(file, "out", &record);
        CHECK(record.status == STATUS_DONE);
        record_finish(&record);
        fclose(stream);
    }
    record_close(&record);
}

static enum status load_as(const char *name, struct output_file *file, struct error *error)
{
    struct record record;
    CHECK(record_open(&record, "saved", error) == STATUS_DONE);
    output_file_record(file, name, &record);
    const enum status status = record.status;
    record_close(&record);
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
    int is_saved = 0;
    CHECK(output_file_open_resumable(&file, "out", 1, &is_saved, &failure) == STATUS_DONE);
    fputs("one ", file.stream);
    save(&file);
    fputs("two ", file.stream);
    save(&file);
    fputs("three", file.stream);
    is_saved = 1;
    output_file_abandon(&file);
    CHECK(scratch_has("out.part", "one two three"));
}

TEST(a_part_goes_on)
{
    struct output_file file;
    scratch_write("out", "old");
    chmod("out", 0640);
    interrupt();
    CHECK(scratch_has("out", "old"));
    CHECK(load(&file, &failure) == STATUS_DONE && scratch_has("out.part", "one two "));
    fputs("four ", file.stream);
    save(&file); /* the CRC goes on, too */
    fputs("five", file.stream);
    output_file_abandon(&file);
    CHECK(scratch_has("out.part", "one two four five"));
    CHECK(load(&file, &failure) == STATUS_DONE);
    fputs("six", file.stream);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE);
    struct stat state;
    CHECK(scratch_has("out", "one two four six") && scratch_count() == 2);
    CHECK(stat("out", &state) == 0 && (state.st_mode & 0777) == 0640);
}

TEST(a_part_that_is_not_saved_goes)
{
    struct output_file file;
    CHECK(open_part(&file, "out", &failure) == STATUS_DONE && scratch_count() == 1);
    output_file_abandon(&file);
    CHECK(scratch_count() == 0);
    CHECK(open_part(&file, "out", &failure) == STATUS_DONE);
    fputs("all", file.stream);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE && scratch_has("out", "all"));
    CHECK(scratch_count() == 1);
}

/* Whether the part is refused, and stays. */
static int is_refused(enum status expected, const char *message, int files)
{
    struct output_file file;
    enum status status = load(&file, &failure);
    return status == expected && strstr(failure.message, message) && !file.stream &&
           scratch_count() == files;
}

TEST(other_parts_are_refused)
{
    interrupt();
    scratch_write("out.part", "one two");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is too short: it is 7 bytes long, and was 8", 2));
    scratch_write("out.part", "");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is too short", 2));
    scratch_write("out.part", "one tvo three");
    CHECK(is_refused(STATUS_BAD_DATA, "out.part: is not what it was", 2));
    CHECK(scratch_has("out.part", "one tvo three"));
    unlink("out.part");
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is missing", 1));
    scratch_write("out", "one tvo three");
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is missing", 2));
    unlink("out");
    mkdir("out.part", 0700);
    CHECK(is_refused(STATUS_CANNOT_WRITE, "out.part: cannot open", 2));
    rmdir("out.part");
    scratch_write("other", "one two three");
    CHECK(symlink("other", "out.part") == 0);
    CHECK(is_refused(STATUS_CANNOT_WRITE, "out.part: cannot open", 3));
    CHECK(scratch_has("other", "one two three"));
    CHECK(unlink("out.part") == 0 && mkfifo("out.part", 0600) == 0);
    CHECK(is_refused(STATUS_NO_INPUT, "out.part: is missing", 3));
}

TEST(a_complete_file_becomes_a_part)
{
    struct output_file file;
    interrupt();
    CHECK(rename("out.part", "out") == 0);
    CHECK(load(&file, &failure) == STATUS_DONE);
    CHECK(scratch_has("out", "one two three") && scratch_has("out.part", "one two "));
    fputs("four", file.stream);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE);
    CHECK(scratch_has("out", "one two four") && scratch_count() == 2);
}

TEST(the_longest_name_can_be_completed_and_continued)
{
    char name[256 - sizeof OUTPUT_FILE_PART + 1]; /* with the end it has 255 bytes */
    struct output_file file;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    interrupt();
    CHECK(rename("out.part", name) == 0);
    if (CHECK(load_as(name, &file, &failure) == STATUS_DONE))
        CHECK(output_file_complete(&file, &failure) == STATUS_DONE);
    CHECK(scratch_has(name, "one two ") && scratch_count() == 2);
}

TEST(what_cannot_be_continued)
{
    struct output_file file;
    CHECK(open_part(&file, "/dev/null", &failure) == STATUS_CANNOT_WRITE);
    CHECK(strstr(failure.message, "leave out --checkpoint"));
    CHECK(open_part(&file, "none/out", &failure) == STATUS_CANNOT_WRITE);
    mkdir("out", 0700);
    CHECK(open_part(&file, "out", &failure) == STATUS_CANNOT_WRITE);
    rmdir("out");
    scratch_write("out.part", "mine");
    CHECK(open_part(&file, "out", &failure) == STATUS_CANNOT_WRITE);
    CHECK(strstr(failure.message, "is there already") && scratch_has("out.part", "mine"));
    unlink("out.part");
    CHECK(symlink("other", "out.part") == 0);
    CHECK(open_part(&file, "out", &failure) == STATUS_CANNOT_WRITE && scratch_count() == 1);
}

TEST(no_other_run_goes_on_with_it)
{
    struct output_file file;
    int status = 0;
    interrupt();
    CHECK(load(&file, &failure) == STATUS_DONE);
    fputs("mine", file.stream);
    fflush(file.stream);
    pid_t other = fork();
    if (other == 0) { /* a lock is that of a process */
        struct output_file second;
        enum status loaded = load(&second, &failure);
        output_file_abandon(&file);
        _exit(loaded == STATUS_CANNOT_WRITE && strstr(failure.message, "another run") ? 0 : 1);
    }
    CHECK(waitpid(other, &status, 0) == other && status == 0);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE &&
          scratch_has("out", "one two mine"));
}

/* Another process has removed, replaced or cut off the part: nothing gets the name, and what is
 * there stays. */
TEST(a_part_of_another_run_is_left)
{
    enum { REMOVED, REPLACED, CUT, WAYS };
    static const int lives[2] = {0, 1};
    for (int way = 0; way < 2 * WAYS; way++) {
        struct output_file file;
        CHECK(!output_file_open_resumable(&file, "out", 1, &lives[way / WAYS], &failure));
        fputs("mine", file.stream);
        fflush(file.stream);
        int status = 0;
        pid_t other = fork();
        if (other == 0) {
            struct output_file second;
            const int is_saved = 1;
            if (way % WAYS == CUT) {
                CHECK(truncate("out.part", 2) == 0);
            } else {
                CHECK(unlink("out.part") == 0);
            }
            if (way % WAYS == REPLACED) {
                CHECK(!output_file_open_resumable(&second, "out", 1, &is_saved, &failure));
                fputs("its", second.stream);
                fflush(second.stream);
            }
            _exit(check_has_failed());
        }
        CHECK(waitpid(other, &status, 0) == other && status == 0);
        CHECK(output_file_complete(&file, &failure) == STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "out: cannot be completed") == failure.message);
        CHECK(strstr(failure.message, "out.part was removed, replaced or cut off"));
        CHECK(!scratch_has("out", "mine"));
        CHECK(way % WAYS != REPLACED || scratch_has("out.part", "its"));
        unlink("out.part");
        CHECK(scratch_count() == 0);
    }
}

/* Ends without a word in a process of its own, after so many checkpoints. */
static void be_killed_after(int checkpoints)
{
    int status = 0;
    pid_t process = fork();
    if (process == 0) {
        struct output_file file;
        int is_saved = 0;
        CHECK(output_file_open_resumable(&file, "out", 1, &is_saved, &failure) == STATUS_DONE);
        fputs("one ", file.stream);
        fflush(file.stream);
        for (int k = 0; k < checkpoints; k++, is_saved = 1)
            save(&file);
        _exit(check_has_failed());
    }
    CHECK(waitpid(process, &status, 0) == process && status == 0);
}

/* A part that no checkpoint counts on does not stop the next run; any other does. */
TEST(a_run_that_was_killed_begins_again)
{
    struct output_file file;
    struct stat state;
    be_killed_after(0);
    CHECK(scratch_has("out.part", "one "));
    CHECK(open_part(&file, "out", &failure) == STATUS_DONE);
    CHECK(stat("out.part", &state) == 0 && state.st_size == 0); /* to read it would unlock it */
    pid_t other = fork();
    if (other == 0) { /* a lock is that of a process */
        struct output_file second;
        _exit(open_part(&second, "out", &failure) == STATUS_CANNOT_WRITE &&
                      strstr(failure.message, "is there already")
                  ? 0
                  : 1);
    }
    int status = 0;
    CHECK(waitpid(other, &status, 0) == other && status == 0);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE);
    CHECK(stat("out", &state) == 0 && !(state.st_mode & S_ISVTX) && unlink("out") == 0);

    be_killed_after(1);
    CHECK(load(&file, &failure) == STATUS_DONE); /* its checkpoint is there */
    CHECK(stat("out.part", &state) == 0 && !(state.st_mode & S_ISVTX));
    output_file_abandon(&file);
    CHECK(open_part(&file, "out", &failure) == STATUS_CANNOT_WRITE &&
          scratch_has("out.part", "one "));
    CHECK(unlink("out.part") == 0);

    be_killed_after(2);
    CHECK(open_part(&file, "out", &failure) == STATUS_CANNOT_WRITE &&
          scratch_has("out.part", "one "));
    CHECK(load(&file, &failure) == STATUS_DONE);
    CHECK(output_file_complete(&file, &failure) == STATUS_DONE && scratch_has("out", "one "));
}

/* A process that writes a file until it is killed. */
static pid_t start_writing(const char *name)
{
    int ends[2];
    char byte;
    CHECK(pipe(ends) == 0);
    pid_t process = fork();
    if (process == 0) {
        struct output_file file;
        byte = (char)output_file_open(&file, name, &failure);
        (void)write(ends[1], &byte, 1);
        for (;;)
            pause();
    }
    close(ends[1]);
    CHECK(process > 0 && read(ends[0], &byte, 1) == 1 && byte == STATUS_DONE);
    close(ends[0]);
    return process;
}

/* Nothing else that has such a name is removed: a copy, what another run writes, what is marked by
 * chance. */
TEST(what_was_killed_is_removed)
{
    scratch_write("state", "old");
    scratch_write("state.backup", "old");
    scratch_write("states.AbCd12", "old");
    scratch_write("state.AbCd123", "old");
    CHECK(chmod("states.AbCd12", 01600) == 0 && chmod("state.AbCd123", 01600) == 0);
    const pid_t killed = start_writing("state");
    const pid_t other = start_writing("state");
    CHECK(scratch_count() == 6);
    kill(killed, SIGKILL);
    CHECK(waitpid(killed, NULL, 0) == killed && scratch_count() == 6);
    output_file_remove_stale("none");
    output_file_remove_stale("none/state");
    CHECK(scratch_count() == 6);
    close(open("state.killed", O_WRONLY | O_CREAT | O_EXCL, 0600)); /* as mkstemp creates one */
    close(open("state.emptys", O_WRONLY | O_CREAT | O_EXCL, 0640));
    output_file_remove_stale("state");
    CHECK(scratch_count() == 6 && scratch_has("state.emptys", ""));
    CHECK(unlink("state.emptys") == 0);
    kill(other, SIGKILL);
    CHECK(waitpid(other, NULL, 0) == other);
    CHECK(symlink("state", "link") == 0);
    output_file_remove_stale("link");
    CHECK(scratch_count() == 5 && scratch_has("state", "old") &&
          scratch_has("state.backup", "old"));
}
