/* cuda_pipeline.h: what is known of it is in the other one. */
#include "cuda_pipeline_primitives.h"
