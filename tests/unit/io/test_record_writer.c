/* Tests of writing records. Reading them back is tested in test_record_reader.c. */
#include "check.h"
#include "io/record_writer.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* Everything that can stand in a record; the checksum is from another program. */
static const char expected[] = "particles checkpoint 1\n"
                               "word 0 18446744073709551615\n"
                               "0x1.8p+1 -0x0p+0 : :00ff7f\n"
                               "end\n"
                               "crc-64/xz a772180be0360d73\n";

static void test_every_item(void)
{
    struct record_writer *writer = malloc(sizeof *writer);
    scratch_enter();
    FILE *stream = fopen("record", "w");
    if (CHECK(writer && stream)) {
        record_begin(writer, stream);
        record_put_word(writer, "word");
        record_put_whole(writer, 0);
        record_put_whole(writer, UINT64_MAX);
        record_end_line(writer);
        record_put_number(writer, 3);
        record_put_number(writer, -0.0);
        record_put_bytes(writer, "", 0);
        record_put_bytes(writer, "\0\xff\x7f", 3);
        record_end_line(writer);
        record_finish(writer);
        fclose(stream);
    }
    CHECK(scratch_has("record", expected));
    free(writer);
    scratch_leave();
}

static void test_errors_stay_with_the_stream(void)
{
    struct record_writer *writer = malloc(sizeof *writer);
    FILE *stream = fopen("/dev/full", "w");
    if (CHECK(writer) && stream) {
        record_begin(writer, stream);
        for (int k = 0; k < 100000; k++)
            record_put_whole(writer, 1);
        record_finish(writer);
        CHECK(ferror(stream) || fflush(stream) != 0);
    }
    if (stream)
        fclose(stream);
    free(writer);
}

int main(void)
{
    RUN(test_every_item);
    RUN(test_errors_stay_with_the_stream);
    return check_finish();
}
