/*
 * replay.c: runs a fuzz target on the files that it is given, a line each. Any compiler builds it,
 * so that what a fuzzer found stays a test where there is none.
 */
#include "target.h"

static void replay(const char *path)
{
    FILE *stream = fopen(path, "rb");
    MUST(stream != NULL);
    MUST(fseek(stream, 0, SEEK_END) == 0);
    long size = ftell(stream);
    MUST(size >= 0);
    rewind(stream);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1); /* its end is the input's */
    MUST(data != NULL && fread(data, 1, (size_t)size, stream) == (size_t)size);
    fclose(stream);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

int main(int argc, char *argv[])
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    return 0;
}
