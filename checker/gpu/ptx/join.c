#include "gpu/ptx/reader.h"

void join_loads(struct reader *reader)
{
    (void)reader;
}
