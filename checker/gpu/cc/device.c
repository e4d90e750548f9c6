/* device.c: see device.h. */
#define _GNU_SOURCE
#include "gpu/cc/device.h"

#include "gpu/cc/messages.h"
#include "gpu/cc/source.h"
#include "gpu/ptx/ptx.h"
#include "gpu/warp/launch.h"
#include "gpu/cc/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "tile" of "_ZZ6kernelPfE4tile": of several functions' variables of one name, clang numbers the
 * later ones, and it numbers the parts of an array that it has split. */
static const char *source_name(const char *mangled)
{
    const char *end = mangled + strlen(mangled), *at;
    while ((at = memrchr(mangled, '_', (size_t)(end - mangled))) != NULL && at > mangled &&
           strspn(at + 1, "0123456789") == (size_t)(end - at - 1))
        end = at - (at[-1] == '$' ? 2 : 0);
    for (at = end; at > mangled && !(at[-1] >= '0' && at[-1] <= '9');)
        at--;
    return text_of("%.*s", (int)(end - at), at);
}

/* The headers align each __shared__ variable to 16 bytes, because clang then loads and stores a
 * float4 there in one piece, as nvcc does. Gives the variables their own alignment back, by which
 * ptxas places them: an access that this makes misaligned is a fault on a GPU. */
static void align_shared(const struct options *options, char *text)
{
    static const char BEFORE[] = ".shared .align 16 .";
    for (char *at = text; (at = strstr(at, BEFORE)) != NULL; at += sizeof BEFORE - 1) {
        const char *from = at + sizeof BEFORE - 1;
        from += strcspn(from, " \n") + 1;
        const char *mangled = text_of("%.*s", (int)strcspn(from, "[;\n"), from);
        unsigned own = source_shared_alignment(options, source_name(mangled));
        if (own > 0 && own < 16) memcpy(strchr(at, '1'), text_of("%u ", own), 2);
    }
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
    if (to == NULL) return NULL;
    *to = '\0';
    align_shared(options, text);
    return options->max_registers == 0 ? text : limit_registers(options, text);
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

/* ---- what a check wants to know of the numbers ----------------------------------------------- */

/* A conversion from an integer to float, such as `cvt.rn.f32.u32`. Floats hold all numbers of 16
 * bits, so those do not count. */
static bool is_conversion(const struct ptx_instruction *one)
{
    return one->opcode == OP_cvt && one->types[0] == TYPE_f32 && !ptx_is_real(one->types[1]) &&
           ptx_type_bytes(one->types[1]) >= 4;
}

static bool is_product(const struct ptx_instruction *one)
{
    return (one->opcode == OP_mul || one->opcode == OP_mad) && one->types[0] == TYPE_s32 &&
           ptx_has(one, M_lo);
}

/* A parameter or constant variable of 32 bits, in a register. */
static bool is_given(const struct ptx_instruction *one)
{
    return one->opcode == OP_ld && one->bytes == 4 && one->vector == 1 &&
           (one->space == SPACE_PARAM || one->space == SPACE_CONST);
}

/* Is one of the factors what the function was given, and the other one no constant? `given`: by the
 * place of a register in the frame. */
static bool multiplies_given(const struct ptx_function *function, unsigned char *given)
{
    memset(given, 0, function->frame_bytes);
    for (uint32_t k = 0; k < function->code_count; k++) {
        const struct ptx_instruction *one = &function->code[k];
        const struct ptx_operand *d = &one->operand[0], *a = &one->operand[1],
                                 *b = &one->operand[2];
        if (is_product(one) && ptx_is_register(a) && ptx_is_register(b) &&
            (given[a->at] || given[b->at]))
            return true;
        if (one->results > 0 && ptx_is_register(d)) given[d->at] = is_given(one);
    }
    return false;
}

static void note_numbers(const struct ptx_module *module, struct numbers *numbers)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        unsigned char *given = malloc(function->frame_bytes + 1);
        if (given == NULL) fatal("this machine has no memory left");
        for (uint32_t k = 0; k < function->code_count && module->source_build; k++)
            numbers->converts |= is_conversion(&function->code[k]);
        if (!module->source_build) numbers->multiplies |= multiplies_given(function, given);
        free(given);
    }
}

/* ---- errors --------------------------------------------------------------------------------- */

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

/* Reports device code that ptxas would refuse, or, with `unknown`, the first that only the
 * simulated GPU refuses. */
static int report_errors(const struct options *options, const struct ptx_module *module,
                         const char *source, bool unknown)
{
    int code = COMPILED;
    for (uint32_t i = 0; i < module->error_count && code != UNKNOWN; i++) {
        const struct ptx_error *error = &module->errors[i];
        if (error->unknown != unknown) continue;
        code = unknown ? UNKNOWN : REFUSED;
        print_location(options, module, error->location, source);
        fprintf(stderr, "%s%s\n",
                unknown ? "the simulated GPU does not know " : "error: ", error->text);
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

int device_check(const struct options *options, const char *text, const char *source,
                 struct numbers *numbers)
{
    struct ptx_module *module = ptx_read(text, strlen(text));
    if (module == NULL) fatal("this machine has no memory left");
    int code = report_errors(options, module, source, false);
    if (code == COMPILED) {
        module_prepare(module);
        code = report_errors(options, module, source, false);
    }
    if (code == COMPILED) code = report_errors(options, module, source, true);
    if (code == COMPILED && module->source_build) warn_of_twins(options, module, source);
    if (code == COMPILED) note_numbers(module, numbers);
    return code;
}

/* ---- the code that clang optimises ---------------------------------------------------------- */

/* nvcc knows that no other file has device code of this program, so it looks into inline functions,
 * templates and member functions. clang expects another definition of each, and does not look into
 * them before it inlines them. A float2 that is passed by value then loses its alignment, and is
 * loaded as two floats.
 *
 * nvcc also believes a cast: the address of a float4 is a multiple of 16, whatever array it is in.
 * clang only believes the array's declaration, and would load four floats. */

/* A line's local name: "%12" of "%12, i64 8)". */
static const char *name_at(const char *text)
{
    return text_of("%.*s", (int)strcspn(text, " ,)\n"), text);
}

static bool list_has(const struct list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0) return true;
    return false;
}

/* Notes which local names of a function are addresses in shared variables: the headers align these
 * to 16 bytes, which says nothing about the type of their elements. */
static void note_shared(struct list *shared, const char *line)
{
    if (text_begins(line, "define ")) shared->count = 0;
    const char *name = line + strspn(line, " "), *assigned = strstr(line, " = getelementptr ");
    if (*name != '%' || assigned == NULL) return;
    const char *base = strstr(assigned, ", ptr %");
    if (strstr(assigned, "addrspace(3)") != NULL ||
        (base != NULL && list_has(shared, name_at(base + strlen(", ptr ")))))
        list_add(shared, name_at(name));
}

/* Writes a line; in a copy of a structure, both sides get the alignment of the structure: the
 * larger one, if that is all of its bytes. A memcpy() in the program has no tbaa.struct. */
static void write_line(FILE *file, const char *line, int bytes, struct list *shared)
{
    int alignment[2] = {0}, at[2], end[2], size = 0;
    bool is_shared[2] = {false};
    char *copy = text_of("%.*s", bytes, line), *call = strstr(copy, "@llvm.memcpy.");
    bool is_copy = call != NULL && strstr(call, "!tbaa.struct") != NULL;
    note_shared(shared, copy);
    for (int i = 0; i < 2 && is_copy; i++) {
        call = strstr(call, " align ");
        is_copy = call != NULL && sscanf(call, " align %d%n", &alignment[i], &end[i]) == 1;
        if (!is_copy) break;
        at[i] = (int)(call - copy);
        end[i] += at[i];
        call = copy + end[i];
        is_shared[i] = list_has(shared, name_at(call + strspn(call, " ")));
    }
    int larger = alignment[1] > alignment[0], most = alignment[larger];
    if (is_copy && !is_shared[larger] && (call = strstr(call, ", i64 ")) != NULL &&
        sscanf(call, ", i64 %d,", &size) == 1 && size == most)
        fprintf(file, "%.*s align %d%.*s align %d%s", at[0], copy, most, at[1] - end[0],
                copy + end[0], most, copy + end[1]);
    else
        fwrite(line, 1, (size_t)bytes, file);
}

const char *whole_program(const char *path)
{
    static const char shared[] = "define linkonce_odr ";
    struct list shared_names = {0};
    const char *text = text_read(path, NULL);
    FILE *file = text == NULL ? NULL : fopen(path, "we");
    if (file == NULL) return text_of("%s: cannot be changed", path);
    for (const char *line = text, *next; *line != '\0'; line = next) {
        next = strchrnul(line, '\n');
        if (*next != '\0') next++;
        if (text_begins(line, shared)) {
            fputs("define ", file);
            line += strlen(shared);
        }
        write_line(file, line, (int)(next - line), &shared_names);
    }
    return fclose(file) == 0 ? NULL : text_of("%s: cannot be written", path);
}
