/* register.c: see register.h. Compilers make the calls of these functions, before main() runs. */
#include "gpu/cudart/register.h"

#include "gpu/cudart/client.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LAYOUTS = 256 /* slots of the table, a power of two */, PARAMETERS_MAX = WIRE_PAYLOAD / 8 };

/* The structure in which compilers give device code, which is at `code`. */
struct wrapper {
    int32_t magic, version;
    const void *code;
    void *more;
};

enum kind { FUNCTION, DEVICE, CONSTANT, MANAGED, TEXTURE, SURFACE };

/* A module, and the list of its names as it is sent. */
struct module {
    const void *code;
    unsigned char *names;
    size_t bytes, room;
    bool sent, managed;
    struct module *next;
};

static struct {
    pthread_mutex_t lock;
    struct module *first, **end;
    bool any; /* that were not sent */
    struct layout_slot {
        const void *stub;
        const struct layout *layout;
    } layouts[LAYOUTS];
} registered = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = &registered.first};

void **__cudaRegisterFatBinary(void *fat)
{
    const struct wrapper *wrapper = fat;
    struct module *module = calloc(1, sizeof *module);
    if (module == NULL) return NULL;
    module->code = wrapper->code;
    pthread_mutex_lock(&registered.lock);
    *registered.end = module;
    registered.end = &module->next;
    pthread_mutex_unlock(&registered.lock);
    __atomic_store_n(&registered.any, true, __ATOMIC_RELEASE);
    return (void **)module;
}

/* clang's code for a __managed__ variable is that for one with pages of its own (host_defines.h).
 * It has to have its first value before main() begins. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    const struct module *module = (const struct module *)handle;
    if (module != NULL && module->managed) register_load();
}

/* The program is about to end, or a library of it is unloaded; its kernels stay known. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static void add(void **handle, const void *address, const char *name, size_t size, enum kind kind)
{
    struct {
        uint64_t address, bytes;
        uint32_t kind, length;
    } entry = {AT(address), size, kind, (uint32_t)strlen(name)};
    struct module *module = (struct module *)handle;
    size_t needed = sizeof entry + entry.length;
    if (module == NULL) return;
    if (module->bytes + needed > module->room) {
        size_t room = 2 * module->room + needed + 1024;
        unsigned char *names = realloc(module->names, room);
        if (names == NULL) return;
        module->names = names;
        module->room = room;
    }
    module->managed |= kind == DEVICE && entry.address % WARPUP_MANAGED_ALIGN == 0;
    memcpy(module->names + module->bytes, &entry, sizeof entry);
    memcpy(module->names + module->bytes + sizeof entry, name, entry.length);
    module->bytes += needed;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *plain, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)plain, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    add(handle, stub, name, 0, FUNCTION);
}

void __cudaRegisterVar(void **handle, char *shadow, char *plain, const char *name, int external,
                       size_t bytes, int constant, int global)
{
    (void)plain, (void)external, (void)global;
    add(handle, shadow, name, bytes, constant ? CONSTANT : DEVICE);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *plain, const char *name,
                              int external, size_t bytes, int constant, int global)
{
    (void)plain, (void)external, (void)constant, (void)global;
    add(handle, pointer, name, bytes, MANAGED);
}

void __cudaRegisterTexture(void **handle, const void *texture, const void **plain, const char *name,
                           int dimensions, int normalized, int external)
{
    (void)plain, (void)dimensions, (void)normalized, (void)external;
    add(handle, texture, name, 0, TEXTURE);
}

void __cudaRegisterSurface(void **handle, const void *surface, const void **plain, const char *name,
                           int dimensions, int external)
{
    (void)plain, (void)dimensions, (void)external;
    add(handle, surface, name, 0, SURFACE);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *address, size_t bytes)
{
    (void)handle, (void)name, (void)address, (void)bytes;
}

/* Code that uses managed variables calls it before the first use. */
char __cudaInitModule(void **handle)
{
    (void)handle;
    register_load();
    return 1;
}

/* ---- sending -------------------------------------------------------------------------------- */

void register_load(void)
{
    if (!__atomic_load_n(&registered.any, __ATOMIC_ACQUIRE)) return;
    pthread_mutex_lock(&registered.lock);
    for (struct module *one = registered.first; one != NULL; one = one->next) {
        struct remote remote = {.request.argument = {AT(one->code), one->bytes, AT(one->names)}};
        if (!one->sent) client_call(&remote, WIRE_load, NULL);
        one->sent = true;
    }
    registered.any = false;
    pthread_mutex_unlock(&registered.lock);
}

/* Asks the GPU. */
static const struct layout *ask_layout(const void *stub)
{
    const struct layout *layout = NULL;
    size_t room = PARAMETERS_MAX * sizeof layout->parameter[0];
    struct layout *new = malloc(sizeof *new + room);
    if (new == NULL) return NULL;
    struct remote remote = {.request.argument = {AT(stub)}, .answer = {{new->parameter, room}}};
    if (client_call(&remote, WIRE_parameters, NULL) != cudaSuccess) {
        free(new);
        return NULL;
    }
    new->bytes = (uint32_t)remote.result[0];
    new->count = (uint32_t)remote.result[1];
    layout = realloc(new, sizeof *new + new->count * sizeof new->parameter[0]);
    return layout != NULL ? layout : new;
}

const struct layout *register_layout(const void *stub)
{
    register_load();
    pthread_mutex_lock(&registered.lock);
    size_t slot = ((uintptr_t)stub >> 4) & (LAYOUTS - 1), tries = 0;
    while (tries < LAYOUTS && registered.layouts[slot].stub != NULL &&
           registered.layouts[slot].stub != stub)
        slot = (slot + 1) & (LAYOUTS - 1), tries++;
    struct layout_slot *slot_of_stub = tries < LAYOUTS ? &registered.layouts[slot] : NULL;
    const struct layout *layout = slot_of_stub == NULL ? NULL : slot_of_stub->layout;
    if (layout == NULL) layout = ask_layout(stub);
    if (slot_of_stub != NULL && layout != NULL) *slot_of_stub = (struct layout_slot){stub, layout};
    pthread_mutex_unlock(&registered.lock);
    return layout;
}
