/* The main function of tests that have none of their own; apart from check.c, so that the linker
 * takes it from the archive only for these. */
#include "check.h"

int main(void)
{
    return check_run_tests();
}
