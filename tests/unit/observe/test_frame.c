/* Tests of the grid: a walk over its cells meets each image of each particle once, where it is. */
#include "observe/frame.h"

#include "arranged.h"
#include "check.h"
#include "random_system.h"

#include <math.h>

static struct frame take(const struct system *system)
{
    struct error error;
    struct frame frame;
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    CHECK(frame_create(&frame, system, &error) == STATUS_DONE);
    frame_take(&frame, &snapshot);
    return frame;
}

/* Each particle is in the cell where it stands, and those in a cell are in the order of numbers. */
static void check_cells(const struct frame *frame)
{
    size_t found = 0;
    for (int64_t row = 0; row < frame->rows; row++) {
        for (int64_t column = 0; column < frame->columns; column++) {
            const size_t cell = (size_t)(row * frame->columns + column);
            for (size_t k = frame->begins[cell]; k < frame->begins[cell + 1]; k++, found++) {
                const double x = frame->sorted_x[k];
                const double y = frame->sorted_y[k];
                const double margin = 1e-12 * (frame->side_x + frame->side_y);
                CHECK(x == frame->x[frame->numbers[k]] && y == frame->y[frame->numbers[k]]);
                CHECK(fabs(x - ((double)column + 0.5) * frame->side_x) <=
                      frame->side_x / 2 + margin);
                CHECK(fabs(y - ((double)row + 0.5) * frame->side_y) <= frame->side_y / 2 + margin);
                CHECK(k == frame->begins[cell] || frame->numbers[k - 1] < frame->numbers[k]);
            }
        }
    }
    CHECK(found == frame->count);
}

/* How many images of particles are in a rectangle of cells, and how many that must be. */
static void check_spans(const struct frame *frame, struct random_generator *random)
{
    const int64_t first = (int64_t)random_below(random, 40) - 20;
    const int64_t last = first + (int64_t)random_below(random, 30);
    const int64_t row = (int64_t)random_below(random, 40) - 20;
    const int is_x = (frame->boundary.periodic & PERIODIC_X) != 0;
    const int is_y = (frame->boundary.periodic & PERIODIC_Y) != 0;
    size_t expected = 0;
    size_t found = 0;
    struct span span;
    for (int64_t column = first; column <= last; column++) {
        const int64_t c = ((column % frame->columns) + frame->columns) % frame->columns;
        const int64_t r = ((row % frame->rows) + frame->rows) % frame->rows;
        const size_t cell = (size_t)(r * frame->columns + c);
        if ((is_x || c == column) && (is_y || r == row))
            expected += frame->begins[cell + 1] - frame->begins[cell];
    }
    for (int64_t column = first; frame_span(frame, row, &column, last, &span);) {
        found += span.end - span.begin;
        for (size_t k = span.begin; k < span.end; k++) {
            const double x = frame->sorted_x[k] + span.shift.x;
            const double y = frame->sorted_y[k] + span.shift.y;
            CHECK(x >= ((double)first - 1e-9) * frame->side_x);
            CHECK(x <= ((double)last + 1 + 1e-9) * frame->side_x);
            CHECK(fabs(y - ((double)row + 0.5) * frame->side_y) <= 0.5001 * frame->side_y);
        }
    }
    CHECK(found == expected);
}

static void test_cells_and_spans(void)
{
    struct random_generator random = random_from(5);
    for (int round = 0; round < 40; round++) {
        const double width = round % 3 == 0 ? 1000 : 1;
        struct system system = arranged_points(&random, 1 + random_below(&random, 60), width,
                                               1 + random_unit(&random), (unsigned)round % 4);
        system.particles[0].x = 0;
        system.particles[0].y = 0;
        struct frame frame = take(&system);
        check_cells(&frame);
        for (int k = 0; k < 20; k++)
            check_spans(&frame, &random);
        frame_free(&frame);
        system_free(&system);
    }
}

int main(void)
{
    RUN(test_cells_and_spans);
    return check_finish();
}
