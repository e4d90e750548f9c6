/* device.c: see device.h. */
#define _GNU_SOURCE
#include "gpu/cc/device.h"

#include "gpu/cc/messages.h"
#include "gpu/cc/source.h"
#include "gpu/ptx/ptx.h"
#include "gpu/warp/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES = 48 << 10 };

/* Says the limit of -maxrregcount in each kernel, before its body, as __maxnreg__() does. */
static char *limit_registers(const struct options *options, const char *text)
{
    char *limited = text_of("%s", "");
    const char *entry, *body;
    while (options->max_registers > 0 && (entry = strstr(text, ".entry ")) != NULL &&
           (body = strstr(entry, "\n{"))) {
        limited = text_of("%s%.*s\n.maxnreg %d", limited, (int)(body - text), text,
                          options->max_registers);
        text = body;
    }
    return text_of("%s%s", limited, text);
}

/* A .file line is `.file 1 "/home/me/axpy.cu"`; nvcc's has more after the name. */
char *device_text(const struct options *options, const char *path)
{
    char *text = text_read(path, NULL), *from = text, *to = text;
    size_t folder = strlen(options->folder);
    while (from != NULL && *from != '\0') {
        size_t bytes = strcspn(from, "\n");
        bytes += from[bytes] == '\n';
        char *name = memchr(from, '"', bytes);
        size_t head = name == NULL ? 0 : (size_t)(name + 1 - from);
        const char *word = from + strspn(from, " \t");
        bool is_inside = head > 0 && text_begins(word, ".file") &&
                         strncmp(name + 1, options->folder, folder) == 0 && name[1 + folder] == '/';
        if (is_inside) {
            memmove(to, from, head);
            to += head;
            from += head + folder + 1;
            bytes -= head + folder + 1;
        }
        memmove(to, from, bytes);
        to += bytes;
        from += bytes;
    }
    if (to != NULL) *to = '\0';
    return text == NULL || options->max_registers == 0 ? text : limit_registers(options, text);
}

/* libstdc++ defines this. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* "a::b" of "_ZN1a12_GLOBAL__N_11bE", which is a::(anonymous namespace)::b; NULL if it is not a
 * plain name. */
static const char *usable_name(const char *mangled)
{
    static const char UNNAMED[] = "(anonymous namespace)::";
    int status;
    char *name = __cxa_demangle(mangled, NULL, NULL, &status), *at;
    while (name != NULL && (at = strstr(name, UNNAMED)) != NULL)
        memmove(at, at + strlen(UNNAMED), strlen(at + strlen(UNNAMED)) + 1);
    return name == NULL || strpbrk(name, "<( ") != NULL ? NULL : name;
}

struct list device_lost_variables(const char *near_source, const char *optimised)
{
    static const char MARK[] = "_GLOBAL__N_";
    struct list lost = {0};
    for (const char *at = near_source; (at = strstr(at, MARK)) != NULL; at += strlen(MARK)) {
        const char *line = at, *from = at;
        while (line > near_source && line[-1] != '\n')
            line--;
        while (from > line && from[-1] != ' ' && from[-1] != '\t')
            from--;
        if (!text_begins(line, ".global") && !text_begins(line, ".visible .global")) continue;
        const char *mangled = text_of("%.*s", (int)strcspn(from, "[;= \n"), from),
                   *name = usable_name(mangled);
        if (name != NULL && strstr(optimised, mangled) == NULL) list_add(&lost, name);
    }
    return lost;
}

/* Finds conversions from integers to float, such as `cvt.rn.f32.u32 %f1, %r1;`. Floats hold all
 * numbers of 16 bits, so those do not count. */
bool device_converts(const char *text)
{
    for (const char *at = text; (at = strstr(at, "cvt.r")) != NULL; at++) {
        const char *types = at + strcspn(at, "f\n");
        if (!text_begins(types, "f32.u") && !text_begins(types, "f32.s")) continue;
        if (strncmp(types + 5, "32", 2) == 0 || strncmp(types + 5, "64", 2) == 0) return true;
    }
    return false;
}

/* The number of the next 32-bit register of a line, and where the text goes on; 0 if the line has
 * no other one. */
static unsigned long next_register(const char **at)
{
    const char *end = *at + strcspn(*at, "\n"), *found = strstr(*at, "%r");
    while (found != NULL && found < end && (found[2] < '0' || found[2] > '9'))
        found = strstr(found + 2, "%r");
    if (found == NULL || found >= end) return 0;
    char *rest;
    unsigned long number = strtoul(found + 2, &rest, 10);
    *at = rest;
    return number;
}

bool device_multiplies(const char *text)
{
    enum { REGISTERS_MAX = 1 << 16 }; /* of a kernel; what has a higher number is left out */
    static unsigned char parameter[REGISTERS_MAX];
    for (const char *line = text; line != NULL && *line != '\0';
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
        const char *at = line + strspn(line, " \t");
        if (text_begins(at, ".visible .entry")) memset(parameter, 0, sizeof parameter);
        bool loads = text_begins(at, "ld.param.u32") || text_begins(at, "ld.param.s32") ||
                     text_begins(at, "ld.param.b32") || text_begins(at, "ld.const.u32");
        bool product = text_begins(at, "mul.lo.s32") || text_begins(at, "mad.lo.s32");
        unsigned long result = loads || product ? next_register(&at) : 0;
        if (loads && result < REGISTERS_MAX) parameter[result] = 1;
        if (!product) continue;
        unsigned long a = next_register(&at), b = a != 0 ? next_register(&at) : 0;
        if (b != 0 && ((a < REGISTERS_MAX && parameter[a]) || (b < REGISTERS_MAX && parameter[b])))
            return true;
    }
    return false;
}

static const struct ptx_location *location_of(const struct ptx_module *module, uint32_t location)
{
    return location < module->location_count && module->locations[location].file != NULL
               ? &module->locations[location]
               : NULL;
}

/* "axpy.cu:12: ", or the source alone where the line is not known. */
static void print_location(const struct options *options, const struct ptx_module *module,
                           uint32_t number, const char *source)
{
    const struct ptx_location *location = location_of(module, number);
    if (location != NULL)
        fprintf(stderr, "%s:%d: ", messages_file(options, location->file), location->line);
    else
        fprintf(stderr, "%s: ", messages_file(options, source));
}

/* What ptxas would refuse, or, with `unknown`, what only the simulated GPU does. The first is
 * enough. */
static int report_errors(const struct options *options, const struct ptx_module *module,
                         const char *source, bool unknown)
{
    for (uint32_t i = 0; i < module->error_count; i++) {
        const struct ptx_error *error = &module->errors[i];
        if (error->unknown != unknown) continue;
        print_location(options, module, error->location, source);
        fprintf(stderr, "%s%s\n",
                unknown ? "the simulated GPU does not know " : "error: ", error->text);
        return unknown ? UNKNOWN : REFUSED;
    }
    return COMPILED;
}

/* The name of a function as the program declares it: "k(float*)". */
static const char *whole_name(const struct ptx_function *function)
{
    int status;
    const char *name = __cxa_demangle(function->name, NULL, NULL, &status);
    return name != NULL ? name : function->plain_name;
}

/* Functions of the simulated GPU itself have the names of C's library, or the lab's own. */
static bool may_be_native(const struct ptx_function *function)
{
    return !text_begins(function->name, "_Z") && strcmp(function->name, "__dynamic_cast") != 0;
}

static void report_call(const struct ptx_function *callee)
{
    if (strcmp(callee->name, "__dynamic_cast") == 0)
        fprintf(stderr, "error: dynamic_cast is not allowed in device code\n");
    else
        fprintf(stderr, "error: undefined reference to '%s'\n", whole_name(callee));
}

static int report_undefined(const struct options *options, const struct ptx_module *module,
                            const char *source)
{
    int code = COMPILED;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        for (uint32_t k = 0; function->defined && k < function->code_count; k++) {
            const struct ptx_function *callee = function->code[k].callee;
            if (callee == NULL || callee->defined || may_be_native(callee)) continue;
            print_location(options, module, function->code[k].location, source);
            report_call(callee);
            code = REFUSED;
        }
    }
    return code;
}

static int report_shared(const struct options *options, const struct ptx_module *module,
                         const char *source)
{
    int code = COMPILED;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *kernel = module->functions[i];
        if (!kernel->entry || kernel->static_shared <= SHARED_BYTES) continue;
        fprintf(stderr,
                "%s: error: %s declares %u bytes of shared memory; at most %d are possible\n",
                messages_file(options, source), whole_name(kernel), kernel->static_shared,
                SHARED_BYTES);
        code = REFUSED;
    }
    return code;
}

/* All dynamic arrays of a kernel begin at the same byte, which few programs mean. */
static void warn_of_twins(const struct options *options, const struct ptx_module *module,
                          const char *source)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *kernel = module->functions[i];
        const char *first = NULL;
        int first_line = 0;
        for (uint32_t k = 0; kernel->entry && k < kernel->shared_used_count; k++) {
            const struct ptx_variable *variable = module->variables[kernel->shared_used[k]];
            if (!variable->external) continue;
            int line = source_dynamic_array(source, variable->plain_name);
            if (first == NULL || line < first_line) {
                const char *name = first;
                int other = first_line;
                first = variable->plain_name;
                first_line = line;
                if (name == NULL) continue;
                fprintf(stderr,
                        "%s:%d: warning: %s begins at the same byte as %s: a kernel has one "
                        "dynamic array\n",
                        messages_file(options, source), other, name, first);
                return;
            }
            fprintf(stderr,
                    "%s:%d: warning: %s begins at the same byte as %s: a kernel has one dynamic "
                    "array\n",
                    messages_file(options, source), line, variable->plain_name, first);
            return;
        }
    }
}

int device_check(const struct options *options, const char *text, const char *source)
{
    struct ptx_module *module = ptx_read(text, strlen(text));
    if (module == NULL) fatal("this machine has no memory left");
    int code = report_shared(options, module, source);
    if (code == COMPILED) code = report_errors(options, module, source, false);
    if (code == COMPILED) code = report_undefined(options, module, source);
    if (code == COMPILED) {
        module_prepare(module);
        code = report_errors(options, module, source, false);
    }
    if (code == COMPILED) code = report_errors(options, module, source, true);
    if (code == COMPILED && module->source_build) warn_of_twins(options, module, source);
    return code;
}
