/*
 * modules.c: see modules.h. serve_load() reads what the program registers: the names of its kernels
 * and variables with their addresses in the program, and their PTX.
 */
#define _GNU_SOURCE
#include "gpu/server/modules.h"

#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/server/container.h"
#include "gpu/warp/launch.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_BYTES_MAX = 64 << 20, NAME_BYTES_MAX = 1 << 16, LINE_OF_VARIABLE = -1 };

/* The variable or kernel that an address in the program stands for. */
struct symbol {
    uint64_t address;
    struct loaded *module;
    const struct ptx_function *function;
    const struct ptx_variable *variable;
    bool reported; /* a launch has said that it cannot run */
};

static struct loaded {
    struct ptx_module *ptx; /* NULL: there is no code */
    const char *problem;
    cudaError_t error; /* for launches of any of its kernels */
    struct loaded *next;
} * modules;

static struct {
    struct symbol *list;
    size_t count, room;
} symbols;

static struct symbol *find_symbol(uint64_t address)
{
    for (size_t i = 0; i < symbols.count; i++)
        if (symbols.list[i].address == address) return &symbols.list[i];
    return NULL;
}

/* ---- the list of names ----------------------------------------------------------------------- */

/* One entry of the list that comes with a module. */
struct entry {
    uint64_t address, bytes;
    uint32_t kind, length;
};
enum entry_kind {
    ENTRY_FUNCTION,
    ENTRY_DEVICE,
    ENTRY_CONSTANT,
    ENTRY_MANAGED,
    ENTRY_TEXTURE,
    ENTRY_SURFACE
};

/* The list: of each function and variable an entry, and its name. The program may have written
 * anything. */
struct names {
    const char *at;
    size_t bytes;
};

/* Takes the first entry off the list; its name is not terminated. False: there is none. */
static bool next_entry(struct names *names, struct entry *entry, const char **name)
{
    if (names->bytes < sizeof *entry) return false;
    memcpy(entry, names->at, sizeof *entry);
    if (entry->length > NAME_BYTES_MAX || entry->length > names->bytes - sizeof *entry)
        return false;
    *name = names->at + sizeof *entry;
    names->at = *name + entry->length;
    names->bytes -= sizeof *entry + entry->length;
    return true;
}

/* The entry with this name. */
static bool find_entry(const struct names *names, const char *wanted, struct entry *entry)
{
    struct names rest = *names;
    const char *name;
    while (next_entry(&rest, entry, &name))
        if (strlen(wanted) == entry->length && memcmp(name, wanted, entry->length) == 0)
            return true;
    return false;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Managed memory of a __managed__ variable; its line says that the program has not allocated it. */
static void *managed_memory(const struct ptx_variable *variable)
{
    struct allocation *memory =
        memory_allocate(SPACE_MANAGED, variable->bytes, NULL, LINE_OF_VARIABLE);
    if (memory == NULL) return NULL;
    memset(memory->base, 0, memory->bytes);
    memory_written(memory->base, memory->bytes);
    allocation_show(memory);
    return memory->base;
}

/* Gives the module's variables their memory. clang's code for a __managed__ variable is that for a
 * variable with pages of its own (host_defines.h): kernels use those of its shadow in the program.
 */
static bool location_variables(struct ptx_module *ptx, const struct names *names)
{
    for (uint32_t i = 0; i < ptx->variable_count; i++) {
        struct ptx_variable *one = ptx->variables[i];
        if (one->space != SPACE_GLOBAL && one->space != SPACE_CONST) continue;
        struct entry shadow = {0};
        bool shared = one->align == WARPUP_MANAGED_ALIGN && find_entry(names, one->name, &shadow);
        void *memory = one->managed ? managed_memory(one)
                       : shared     ? registered_variable(shadow.address, one->bytes)
                                    : memory_variable(one->bytes, one->align);
        if (memory == NULL) return false;
        if (one->initial != NULL) memcpy(memory, one->initial, one->bytes);
        one->address = (uint64_t)(uintptr_t)memory;
    }
    return true;
}

/* Fills in the addresses that variables begin with, when all have theirs. */
static void fix_variables(struct ptx_module *ptx)
{
    for (uint32_t i = 0; i < ptx->variable_count; i++) {
        struct ptx_variable *one = ptx->variables[i];
        if (one->address == 0 || (one->space != SPACE_GLOBAL && one->space != SPACE_CONST))
            continue;
        for (uint32_t j = 0; j < one->fixup_count; j++) {
            const struct ptx_fixup *fixup = &one->fixups[j];
            uint64_t value = (uint64_t)fixup->add;
            if (fixup->variable != NULL) value += fixup->variable->address;
            if (fixup->function != NULL)
                value += FUNCTION_WINDOW + 16 * ((uint64_t)fixup->function->index + 1);
            if (fixup->at > one->bytes || fixup->bytes > one->bytes - fixup->at ||
                fixup->bytes > sizeof value)
                continue;
            memcpy((char *)(uintptr_t)one->address + fixup->at, &value, fixup->bytes);
        }
        if (one->space == SPACE_CONST)
            memory_make_constant((void *)(uintptr_t)one->address, one->bytes);
    }
}

/* ---- loading -------------------------------------------------------------------------------- */

static void set_problem(struct loaded *module, const char *problem, cudaError_t error)
{
    char what[200];
    snprintf(what, sizeof what, "device code that %s", problem);
    fprintf(stderr, "warp-up: the program %s\n", problem);
    trace_begin("unknown");
    trace_string("what", what);
    trace_end();
    module->problem = problem;
    module->error = error;
}

/* PTX that ptxas would refuse too: the driver of a real GPU would not load it. */
static bool is_valid(const struct ptx_module *ptx)
{
    for (uint32_t i = 0; i < ptx->error_count; i++) {
        const struct ptx_error *error = &ptx->errors[i];
        const struct ptx_location *location = &ptx->locations[error->location];
        if (error->unknown) continue;
        if (error->location != 0 && location->file != NULL)
            fprintf(stderr, "%s:%d: %s\n", location->file, location->line, error->text);
        else
            fprintf(stderr, "PTX line %u: %s\n", error->text_line, error->text);
        return false;
    }
    return true;
}

static void read_code(struct loaded *module, uint64_t address, const struct names *names)
{
    struct code code = container_read(address);
    if (code.text == NULL) {
        set_problem(module, code.problem, cudaErrorNoKernelImageForDevice);
        return;
    }
    module->ptx = ptx_read(code.text, code.bytes);
    free(code.text);
    if (module->ptx == NULL) {
        set_problem(module, "has too much device code for this machine's memory",
                    cudaErrorMemoryAllocation);
        return;
    }
    if (code.source_build) module->ptx->source_build = true;
    if (!is_valid(module->ptx)) {
        set_problem(module, "has device code that no GPU would accept", cudaErrorInvalidPtx);
        return;
    }
    module_prepare(module->ptx);
    if (!location_variables(module->ptx, names)) {
        set_problem(module, "has variables that do not fit into the GPU's memory",
                    cudaErrorMemoryAllocation);
        return;
    }
    ptx_set_addresses(module->ptx);
    fix_variables(module->ptx);
}

static bool add_symbol(struct loaded *module, const struct entry *entry, const char *name)
{
    if (symbols.count == symbols.room) {
        size_t room = symbols.room == 0 ? 64 : symbols.room * 2;
        struct symbol *list = realloc(symbols.list, room * sizeof *list);
        if (list == NULL) return false;
        symbols.list = list;
        symbols.room = room;
    }
    struct symbol *new = &symbols.list[symbols.count];
    *new = (struct symbol){.address = entry->address, .module = module};
    if (module->ptx != NULL && entry->kind == ENTRY_FUNCTION)
        new->function = ptx_function(module->ptx, name);
    if (module->ptx != NULL && entry->kind != ENTRY_FUNCTION)
        new->variable = ptx_variable(module->ptx, name);
    if (entry->kind != ENTRY_FUNCTION && new->variable == NULL) return false;
    symbols.count++;
    /* The program reaches a managed variable through a pointer, which gets its value now. */
    return entry->kind != ENTRY_MANAGED ||
           call_write(entry->address, &new->variable->address, sizeof new->variable->address);
}

static uint32_t add_symbols(struct loaded *module, struct names names)
{
    uint32_t found = 0;
    struct entry entry;
    const char *at;
    while (next_entry(&names, &entry, &at)) {
        char *name = strndup(at, entry.length);
        if (name != NULL && add_symbol(module, &entry, name)) found++;
        free(name);
    }
    return found;
}

cudaError_t serve_load(struct call *call)
{
    uint64_t code = call->argument[0], bytes = call->argument[1], names_at = call->argument[2];
    struct loaded *module = calloc(1, sizeof *module);
    char *names = bytes > NAMES_BYTES_MAX ? NULL : malloc(bytes + 1);
    if (module == NULL || names == NULL || !call_read(names_at, names, bytes)) {
        free(module);
        free(names);
        return cudaErrorMemoryAllocation;
    }
    module->next = modules;
    modules = module;
    struct names list = {names, bytes};
    read_code(module, code, &list);
    call->reply->result[0] = add_symbols(module, list);
    free(names);
    return cudaSuccess;
}

cudaError_t serve_parameters(struct call *call)
{
    const struct symbol *symbol = find_symbol(call->argument[0]);
    if (symbol == NULL) return cudaErrorInvalidDeviceFunction;
    if (symbol->function == NULL) return cudaSuccess; /* the launch says why */
    const struct ptx_function *function = symbol->function;
    call->reply->result[0] = function->param_bytes;
    call->reply->result[1] = function->param_count;
    for (uint32_t i = 0; i < function->param_count; i++) {
        uint32_t location[2] = {function->params[i].at, function->params[i].bytes};
        call_answer(location, sizeof location);
    }
    return cudaSuccess;
}

/* ---- questions ------------------------------------------------------------------------------ */

/* The instructions of a function are at these lines of the module's text. */
static bool holds_line(const struct ptx_function *function, uint32_t line)
{
    return function->defined && function->code_count > 0 && line >= function->code[0].text_line &&
           line <= function->code[function->code_count - 1].text_line;
}

/* May the kernel meet this error? Functions that it may call are not followed: any may be called.
 */
static bool concerns(const struct ptx_error *error, const struct ptx_function *kernel)
{
    const struct ptx_module *ptx = kernel->module;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (ptx->functions[i]->entry && ptx->functions[i] != kernel &&
            holds_line(ptx->functions[i], error->text_line))
            return false;
    return true;
}

/* Says what the simulated GPU does not know of the kernel. True if there is something. */
static bool report_unknown(struct symbol *symbol)
{
    const struct ptx_module *ptx = symbol->module->ptx;
    bool any = false;
    for (uint32_t i = 0; i < ptx->error_count; i++) {
        const struct ptx_error *error = &ptx->errors[i];
        if (!error->unknown || !concerns(error, symbol->function)) continue;
        const struct ptx_location *location = &ptx->locations[error->location];
        bool located = error->location != 0 && location->file != NULL;
        any = true;
        if (symbol->reported) continue;
        if (located) fprintf(stderr, "%s:%d: ", location->file, location->line);
        fprintf(stderr, "%s%s\n", located ? "" : "warp-up: ", error->text);
        trace_begin("unknown");
        trace_fields("what:%s", error->text);
        if (located) trace_source(location->file, location->line);
        trace_end();
    }
    symbol->reported = true;
    return any;
}

const struct ptx_function *module_kernel(uint64_t stub, cudaError_t *error)
{
    struct symbol *symbol = find_symbol(stub);
    *error = cudaErrorInvalidDeviceFunction;
    if (symbol == NULL || symbol->variable != NULL) return NULL;
    *error = symbol->module->error;
    if (*error != cudaSuccess) return NULL;
    *error = symbol->function == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess;
    if (symbol->function != NULL && report_unknown(symbol)) *error = cudaErrorNotSupported;
    return *error == cudaSuccess ? symbol->function : NULL;
}

const struct ptx_variable *module_variable(uint64_t shadow)
{
    const struct symbol *symbol = find_symbol(shadow);
    return symbol == NULL ? NULL : symbol->variable;
}

const struct ptx_variable *module_variable_at(uint64_t address)
{
    for (size_t i = 0; i < symbols.count; i++) {
        const struct ptx_variable *one = symbols.list[i].variable;
        if (one != NULL && address >= one->address && address - one->address < one->bytes)
            return one;
    }
    return NULL;
}
