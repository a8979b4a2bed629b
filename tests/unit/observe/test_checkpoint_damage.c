/* Tests of reading damaged checkpoints: a file that has changed in any way is refused, and a forged
 * one, whose checksum fits, does no harm. */
#include "check.h"
#include "io/record.h"
#include "observe/writers.h"
#include "resumed.h"

#include <sys/stat.h>
#include <unistd.h>

/* There is no power cut in a test: nothing has to wait for the disk. */
int fsync(int descriptor)
{
    (void)descriptor;
    return 0;
}

/* A file in memory. */
struct content {
    char text[100000];
    size_t size;
};

static void read_content(const char *name, struct content *content)
{
    FILE *stream = fopen(name, "rb");
    content->size = stream ? fread(content->text, 1, sizeof content->text, stream) : 0;
    CHECK(content->size < sizeof content->text);
    if (stream)
        fclose(stream);
}

static void write_content(const char *name, const struct content *content)
{
    unlink(name); /* some systems wait for the disk when a file is written anew */
    FILE *stream = fopen(name, "wb");
    if (CHECK(stream != NULL)) {
        CHECK(fwrite(content->text, 1, content->size, stream) == content->size);
        fclose(stream);
    }
}

/* Makes a checkpoint in a directory of its own: three disks of two kinds in a row, which collide at
 * time 0; END_TIME is 0, too, which makes the page one of a single frame. */
static void make_checkpoint(struct content *content)
{
    struct particle row[3] = {{.x = 1, .y = 1, .u = 1},
                              {.x = 3, .y = 1, .id = 1, .kind = 1},
                              {.x = 5, .y = 1, .u = -1, .id = 2}};
    struct particle_kind kinds[2] = {{1, 1, 0}, {1, 3, 7}};
    const struct system system =
        SYSTEM(3, 6, 2.5, .radius = 1, .particles = row, .counts = (struct particle_counts[3]){{0}},
               .kind_count = 2, .kinds = kinds, .law = ELASTIC);
    struct options options = resumed_options(SCHEDULE_ARRAY, 0, 1);
    struct resumed run;
    options.picture.output.name = NULL;
    resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, 2, SIZE_MAX});
    CHECK(run.status == STATUS_INTERRUPTED);
    resumed_free(&run);
    read_content("saved", content);
}

/* Reads the file as far as it is about the system. */
static enum status read_system(struct system *system, struct error *error)
{
    double time, end_time;
    struct record reader;
    OWNED(steps_settings, steps) = {0};
    struct lattice_settings lattice = {0};
    enum status status =
        checkpoint_read_system(&reader, "saved", system, &time, &end_time, &steps, &lattice, error);
    record_close(&reader);
    return status;
}

static enum status try(const struct content *content, struct error *error)
{
    OWNED(system, system);
    write_content("saved", content);
    enum status status = read_system(&system, error);
    CHECK(!status || !system.particles);
    return status;
}

TEST(any_length_but_its_own_is_refused)
{
    static struct content content;
    make_checkpoint(&content);
    CHECK(try(&content, &failure) == STATUS_DONE);
    size_t size = content.size;
    const size_t step = check_is_thorough() ? 2 : check_is_quick() ? 23 : 5;
    for (content.size = size % step; content.size < size; content.size += step) {
        CHECK(try(&content, &failure) == STATUS_BAD_DATA);
        CHECK(strstr(failure.message, "saved: is "));
    }
    CHECK(strstr(failure.message, "cut short"));
    content.text[content.size++] = '\n';
    CHECK(try(&content, &failure) == STATUS_BAD_DATA);
}

TEST(any_other_byte_is_refused)
{
    static struct content content;
    make_checkpoint(&content);
    size_t step = check_is_thorough() ? 2 : check_is_quick() ? 97 : 23;
    for (size_t k = 0; k < content.size; k += step) {
        char byte = content.text[k];
        for (int bit = 0; bit < 9; bit++) {
            content.text[k] = (char)(bit < 8 ? byte ^ (1 << bit) : 0);
            CHECK(try(&content, &failure) == STATUS_BAD_DATA);
        }
        content.text[k] = byte;
    }
    CHECK(try(&content, &failure) == STATUS_DONE);
}

TEST(other_files)
{
    static const struct {
        const char *text, *message;
    } others[] = {
        {"", "is empty"},
        {"3\n0.1\n10 8\n", "is not a checkpoint"},
        {"particles checkpoint 1\nend\n", "a format that this version"},
        {RECORD_FIRST, "cut short"},
        {RECORD_FIRST RECORD_END RECORD_CHECKSUM "0000000000000000\n", "is altered"},
    };
    struct system system;
    CHECK(read_system(&system, &failure) == STATUS_NO_INPUT &&
          strstr(failure.message, "cannot open"));
    mkdir("saved", 0700);
    CHECK(read_system(&system, &failure) == STATUS_NO_INPUT &&
          strstr(failure.message, "not a file"));
    rmdir("saved");
    CHECK(mkfifo("saved", 0600) == 0);
    CHECK(read_system(&system, &failure) == STATUS_NO_INPUT &&
          strstr(failure.message, "not a file"));
    unlink("saved");
    for (size_t k = 0; k < LENGTH(others); k++) {
        scratch_write("saved", others[k].text);
        CHECK(read_system(&system, &failure) == STATUS_BAD_DATA);
        CHECK(strstr(failure.message, others[k].message));
    }
}

/* Puts `word` for `length` bytes at `place`, and the checksum that makes it look right. */
static void forge(const struct content *content, size_t place, size_t length, const char *word)
{
    static struct content forged;
    char text[CRC64_TEXT_SIZE];
    struct crc64 crc64;
    size_t word_length = strlen(word);
    size_t end = content->size - strlen(RECORD_CHECKSUM) - CRC64_TEXT_SIZE;
    size_t rest = end - place - length;
    memcpy(forged.text, content->text, place);
    memcpy(forged.text + place, word, word_length);
    memcpy(forged.text + place + word_length, content->text + place + length, rest);
    forged.size = place + word_length + rest;
    crc64_begin(&crc64);
    crc64_add(&crc64, forged.text, forged.size);
    forged.size += (size_t)sprintf(forged.text + forged.size, RECORD_CHECKSUM "%s\n",
                                   crc64_text(&crc64, text));
    write_content("saved", &forged);
}

static const char *const files[] = {"events", "frames", "page"};
static const char *const parts[] = {"events.part", "frames.part", "page.part"};

/* Resumes what has been forged, though not for ever. */
static void resume_forged(void)
{
    struct options options = resumed_options(SCHEDULE_ARRAY, 0, 1);
    struct resumed run;
    options.checkpoint.output.name = NULL;
    options.picture.output.name = NULL;
    resumed_run(&run, &options, NULL, (struct notifications){SIZE_MAX, 1000, 2000});
    CHECK(run.status == STATUS_DONE || run.status == STATUS_BAD_DATA ||
          run.status == STATUS_INTERRUPTED || run.status == STATUS_USAGE);
    resumed_free(&run);
    for (size_t k = 0; k < LENGTH(parts); k++)
        unlink(files[k]); /* the run has come to its end, which leaves no parts */
}

TEST(forged_items_do_no_harm)
{
    static const char *const words[] = {"",
                                        "x",
                                        "-1",
                                        "0",
                                        "1",
                                        "7",
                                        "99999",
                                        "2147483647",
                                        "9223372036854775807",
                                        "18446744073709551615",
                                        "0000000000000000",
                                        "bff0000000000000",
                                        "3ff0000000000000",
                                        "0000000000000001",
                                        "7fefffffffffffff",
                                        "44f0000000000000",
                                        "7ff0000000000000",
                                        "7ff8000000000000",
                                        ":",
                                        ":00",
                                        "/etc/passwd",
                                        "x\ny",
                                        "\n"};
    static struct content content;
    static struct content copies[LENGTH(parts)];
    make_checkpoint(&content);
    for (size_t k = 0; k < LENGTH(parts); k++)
        read_content(parts[k], &copies[k]);
    /* Two words of five: of rows of 12 items, three particles have all in each column. */
    const size_t chosen = check_is_thorough() ? 2 : 1, of = check_is_thorough() ? 5 : 40;
    size_t items = 0;
    size_t end = content.size - strlen(RECORD_CHECKSUM) - CRC64_TEXT_SIZE;
    for (size_t place = strlen(RECORD_FIRST); place < end; items++) {
        size_t length = strcspn(content.text + place, " \n");
        for (size_t k = 0; k < LENGTH(words); k++) {
            if ((items + k) % of >= chosen)
                continue;
            for (size_t part = 0; part < LENGTH(parts); part++)
                write_content(parts[part], &copies[part]);
            forge(&content, place, length, words[k]);
            resume_forged();
        }
        place += length + 1;
    }
    CHECK(items > 50);
}

/* Forges item `item`, from 0, of what follows `before`. Returns what becomes of reading it. */
static enum status try_forged(const struct content *content, const char *before, size_t item,
                              const char *word, struct error *error)
{
    struct system system;
    const char *place = strstr(content->text, before);
    if (!CHECK(place != NULL))
        return STATUS_DONE;
    place += strlen(before);
    for (; item > 0; item--)
        place += strcspn(place, " ") + 1;
    forge(content, (size_t)(place - content->text), strcspn(place, " \n"), word);
    enum status status = read_system(&system, error);
    system_free(&system);
    return status;
}

static const char particles[] = "\nparticles 3\n";

TEST(no_square_overflows)
{
    static const struct {
        const char *most, *too_much;
    } bounds[] = {
        {"59e0000000000000", "5a20000000000000"}, /* 2^415 and 2^419 */
        {"d190000000000000", "d1a0000000000000"}, /* -2^282 and -2^283 */
    };
    static struct content content;
    make_checkpoint(&content);
    content.text[content.size] = '\0';
    for (size_t item = 0; item < 4; item++) { /* x y u v */
        CHECK(!try_forged(&content, particles, item, bounds[item / 2].most, &failure));
        CHECK(try_forged(&content, particles, item, bounds[item / 2].too_much, &failure) ==
              STATUS_BAD_DATA);
        CHECK(strstr(failure.message, "a number from"));
    }
}

/* The periodic axes are two bits, of sides that are long enough, and there are not more than 10^15
 * passages. */
TEST(seams_are_within_bounds)
{
    static struct content content;
    make_checkpoint(&content);
    content.text[content.size] = '\0';
    CHECK(try_forged(&content, "\nbox ", 2, "1", &failure) == STATUS_DONE);
    CHECK(try_forged(&content, "\nbox ", 2, "2", &failure) == STATUS_BAD_DATA);
    CHECK(try_forged(&content, "\nbox ", 2, "4", &failure) == STATUS_BAD_DATA);
    for (size_t item = 8; item < 10; item++) { /* the image counts */
        CHECK(try_forged(&content, particles, item, "430c6bf526340000", &failure) == STATUS_DONE);
        CHECK(try_forged(&content, particles, item, "430c6bf526340001", &failure) ==
              STATUS_BAD_DATA);
        CHECK(try_forged(&content, particles, item, "c30c6bf526340001", &failure) ==
              STATUS_BAD_DATA);
        CHECK(strstr(failure.message, "a number from"));
    }
}

/* A stream needs a seam, and a temperature that suits the masses; without one nothing is drawn. */
TEST(a_stream_is_within_bounds)
{
    static const char too_fast[] = "7e00000000000000"; /* 3e299 */
    static struct content content;
    make_checkpoint(&content);
    content.text[content.size] = '\0';
    CHECK(try_forged(&content, "\nstream ", 0, too_fast, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "a number from -1e+38 to 1e+38"));
    CHECK(try_forged(&content, "\nstream ", 1, too_fast, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "a number from 0 to 1e+116"));
    CHECK(try_forged(&content, "\nstream ", 1, "3ff0000000000000", &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "no seam through which it flows"));
    CHECK(try_forged(&content, "\nstream ", 2, "-1", &failure) == STATUS_BAD_DATA);
    CHECK(try_forged(&content, particles, 11, "1", &failure) == STATUS_BAD_DATA);
    const char *const box = strstr(content.text, "\nbox ");
    const char *const radius = strstr(content.text, "\nradius ");
    for (int k = 0; k < 2; k++) { /* sides of 6 and 2.5, periodic along x */
        forge(&content, (size_t)(box - content.text), (size_t)(radius - box),
              k ? "\nbox 4018000000000000 4004000000000000 1 0000000000000000 "
                  "0000000000000000\n"
                  "stream 3ff0000000000000 3ff0000000000000 7"
                : "\nbox 4018000000000000 4004000000000000 1 0000000000000000 "
                  "0000000000000000\n"
                  "stream 3ff0000000000000 0000000000000001 7");
        OWNED(system, system);
        CHECK(read_system(&system, &failure) == (k ? STATUS_DONE : STATUS_BAD_DATA));
        CHECK(!k || (system.boundary.stream.draw && system.boundary.stream.seed == 7));
        CHECK(k || strstr(failure.message, "a thermal speed of"));
    }
}
