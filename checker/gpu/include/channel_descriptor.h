/* channel_descriptor.h: nothing of its own; its contents are in cuda_runtime.h. */
#include "cuda_runtime.h"
