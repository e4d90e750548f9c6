#include "gpu/warp/arithmetic.h"
ptx_execute *select_matrix(const struct ptx_function *f, struct ptx_instruction *i){(void)f;(void)i;return NULL;}
ptx_execute *select_matrix_memory(const struct ptx_function *f, struct ptx_instruction *i){(void)f;(void)i;return NULL;}
ptx_execute *select_texture(const struct ptx_function *f, struct ptx_instruction *i){(void)f;(void)i;return NULL;}
