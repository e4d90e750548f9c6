#include "gpu/ptx/reader.h"

void fold_local(struct reader *reader)
{
    (void)reader;
}
