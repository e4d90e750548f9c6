/* cuda_pipeline.h: cuda_pipeline_primitives.h has the part that the simulated GPU knows. */
#include "cuda_pipeline_primitives.h"
