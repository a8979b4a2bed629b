/* replay FILE...: gives a fuzz target the bytes of each file, as an ordinary test program. A target
 * that finds a fault ends the process; the name of the file stands above what it says. */
#include "fuzz.h"

/* Returns whether it could be read. */
static int replay(const char *name)
{
    enum { LARGEST = 1 << 20 };
    FILE *stream = fopen(name, "rb");
    uint8_t *bytes = stream ? malloc(LARGEST) : NULL;
    size_t size = bytes ? fread(bytes, 1, LARGEST, stream) : 0;
    /* Now exactly as large as it has to be: valgrind and sanitizers see who reads beyond. */
    uint8_t *shrunk = bytes ? realloc(bytes, size > 0 ? size : 1) : NULL;
    if (stream)
        fclose(stream);
    printf("%s\n", name);
    fflush(stdout);
    if (!shrunk)
        return 0;
    LLVMFuzzerTestOneInput(shrunk, size);
    free(shrunk);
    return 1;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    (void)data;
    (void)room;
    return size;
}

int main(int argc, char **argv)
{
    int passed = 0;
    for (int k = 1; k < argc; k++)
        passed += replay(argv[k]);
    int failed = argc - 1 - passed;
    printf("%d passed, %d failed\n", passed, argc > 1 ? failed : 1);
    return passed == 0 || failed > 0;
}
