/*
 * ptx.c: fuzz target: any bytes through the reader of PTX (gpu/ptx/ptx.h). It reports errors, and
 * neither crashes nor writes where it should not. A module without errors can be placed, again and
 * again.
 */
#include "gpu/ptx/ptx.h"
#include "target.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module = ptx_read((const char *)data, size);
    MUST(module != NULL);
    for (uint32_t i = 0; i < module->error_count; i++)
        MUST(memchr(module->errors[i].text, '\0', sizeof module->errors[i].text) != NULL);
    if (module->error_count == 0) {
        ptx_set_addresses(module);
        ptx_set_addresses(module);
    }
    ptx_free(module);
    return 0;
}
