/* Tests of the names of frames. What must not be overwritten is tested in frames.sh. */
#include "base/memory.h"
#include "check.h"
#include "picture/frame_names.h"
#include "scratch.h"

#include <stdio.h>
#include <string.h>

static void test_patterns(void)
{
    static const char *const refused[] = {"%",    "a%",   "%%",   "%s",    "%i",   "%6d",
                                          "%-6d", "%0d",  "%00d", "%010d", "%06",  "%ld",
                                          "%d%",  "%d%d", "%%d",  "%d/",   "%d/a", "a/%d/b"};
    struct frame_names names;
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++)
        CHECK(frame_names_parse(&names, refused[k]) != NULL && names.pattern == NULL);
    CHECK(frame_names_parse(&names, "a/b.svg") == NULL && names.pattern == NULL);
    CHECK(frame_names_parse(&names, "") == NULL && names.pattern == NULL);
    CHECK(frame_names_parse(&names, "a/%d") == NULL && names.width == 0);
    CHECK(frame_names_parse(&names, "%09d.svg") == NULL && names.width == 9);
}

static void check_name(const char *pattern, uint64_t number, const char *expected)
{
    struct frame_names names;
    struct error error;
    CHECK(frame_names_parse(&names, pattern) == NULL);
    char *name = frame_names_format(&names, number, &error);
    CHECK(name && strcmp(name, expected) == 0);
    memory_free(name);
}

static void test_names(void)
{
    check_name("out/%06d.svg", 17, "out/000017.svg");
    check_name("%d", 0, "0");
    check_name("%03d", 1234, "1234");
    check_name("a.d/d%dd", 10, "a.d/d10d");
}

/* Whether `other` would be one of ten frames. */
static int is_frame(const char *pattern, const char *other)
{
    struct frame_names names;
    struct error error;
    int answer = -1;
    CHECK(frame_names_parse(&names, pattern) == NULL);
    CHECK(frame_names_include(&names, 10, other, &answer, &error) == STATUS_DONE);
    return answer;
}

static void test_what_is_a_frame(void)
{
    scratch_enter();
    CHECK(is_frame("a%d.svg", "a0.svg") == 1);
    CHECK(is_frame("a%d.svg", "./a9.svg") == 1);
    CHECK(is_frame("./a%02d.svg", "a09.svg") == 1);
    CHECK(is_frame("a%d.svg", "a10.svg") == 0);
    CHECK(is_frame("a%d.svg", "a09.svg") == 0);
    CHECK(is_frame("a%02d.svg", "a9.svg") == 0);
    CHECK(is_frame("a%d.svg", "a.svg") == 0);
    CHECK(is_frame("a%d.svg", "a+1.svg") == 0);
    CHECK(is_frame("a%d.svg", "a1.svg.part") == 0);
    CHECK(is_frame("1%d1", "11") == 0); /* not one 1 for both ends */
    CHECK(is_frame("a%d", "a99999999999999999999999999") == 0);
    CHECK(is_frame("a%d", "../a1") == 0);
    CHECK(is_frame("a%d", "/dev/null") == 0);
    scratch_leave();
}

int main(void)
{
    RUN(test_patterns);
    RUN(test_names);
    RUN(test_what_is_a_frame);
    return check_finish();
}
