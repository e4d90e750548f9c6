/*
 * rewrite.c: turns CUDA's additions to C++ that a preprocessor cannot express into plain C++:
 *
 *   k<<<g, b>>>(x)              ->  WARPUP_LAUNCH(0, k)(g, b)(x)    the number counts launches
 *   #define C <<<g, b>>>        ->  #define C ->* WARPUP_SHAPE(g, b)
 *   extern __shared__ T s[];    ->  extern __thread T s[] __asm__("warpup_dynamic_shared");
 *                                   in a function  T (&s)[] = warpup_dynamic_shared_array();
 *   __shared__ T s = …;         ->  an attribute that the compiler refuses
 *   __device__ int v;           ->  __device__ WARPUP_ZEROED int v;
 *   cudaLaunchKernel((void *)k  ->  cudaLaunchKernel(k               its type tells its parameters
 *   p.func = (void *)k          ->  p.func = (void *)warpup::address(k)
 *   __global__ int k()          ->  an attribute that the compiler refuses
 *   return; in a kernel         ->  return warpup_return();         where a thread ended early
 *   { of a kernel, of main      ->  { WARPUP_KERNEL, { WARPUP_MAIN  only one of the images needs it
 *   __noinline__                ->  WARPUP_NOINLINE                 g++ has an attribute called so
 *   asm("mov.u32 …" : "=r"(x))  ->  ::warpup::ptx("mov.u32 …", ::warpup::put<'r'>(x))
 *
 * Everything else, and everything incomplete, stays unchanged: the compiler reports what is wrong
 * with it.
 */
#include "sim/translate/rewrite.h"
#include "sim/translate/rewrite_asm.h"
#include "sim/translate/rewrite_edits.h"
#include "sim/translate/rewrite_tokens.h"

#include <stdlib.h>
#include <string.h>

static struct {
    struct tokens tokens;
    struct edits edits;
    size_t *kernels; /* tokens: names that are declared as kernels */
    size_t kernel_count;
    long launches;
    bool no_memory;
} file;

static void replace(size_t begin, size_t end, const char *text, long number)
{
    edits_add(&file.edits, (struct edit){begin, end, text, number});
}

static void replace_token(size_t index, const char *text)
{
    replace(file.tokens.list[index].begin, file.tokens.list[index].end, text, -1);
}

static void insert_before(size_t index, const char *text)
{
    replace(file.tokens.list[index].begin, file.tokens.list[index].begin, text, -1);
}

static bool is(size_t index, const char *spelling)
{
    return token_is(&file.tokens, index, spelling);
}

static bool is_word(size_t index)
{
    return index < file.tokens.count && file.tokens.list[index].kind == TOKEN_WORD;
}

static bool is_any(size_t index, const char *const words[])
{
    for (int i = 0; words[i] != NULL; i++)
        if (is(index, words[i])) return true;
    return false;
}

/* A statement ends here, or the text stops making sense. */
static bool is_boundary(size_t index)
{
    static const char *const ends[] = {";", "{", "}", "<<<", NULL};
    return index >= file.tokens.count || file.tokens.list[index].kind == TOKEN_EDGE ||
           is_any(index, ends);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* From the last `>` of a template's arguments back to the name before its `<`. */
static bool template_name(size_t close, size_t *name)
{
    size_t depth = 0;
    for (size_t i = close; i < file.tokens.count; i--) {
        if (is(i, ")") || is(i, "]") || is(i, "}")) {
            i = file.tokens.list[i].partner;
            if (i == NO_PARTNER) return false;
        } else if (is(i, ">")) {
            depth++;
        } else if (is(i, "<") && --depth == 0) {
            *name = i - 1;
            return is_word(*name);
        } else if (is_boundary(i)) {
            return false;
        }
    }
    return false;
}

/* From a closing bracket back over all groups, f(a)[i](b), to the first token of the expression. A
 * statement's own brackets, if (…), are not part of it. */
static bool start_of_groups(size_t close, size_t *start, bool *has_name)
{
    static const char *const statements[] = {"if", "while", "for", "switch", NULL};
    static const char *const keywords[] = {"return", "else", "do", "case", "throw", NULL};
    size_t i = close, open = NO_PARTNER, after_first = NO_PARTNER;
    while (is(i, ")") || is(i, "]")) {
        after_first = open;
        open = file.tokens.list[i].partner;
        if (open == NO_PARTNER) return false;
        i = open - 1;
    }
    *start = open;
    *has_name = is_word(i) && !is_any(i, keywords);
    if (*has_name && is_any(i, statements)) {
        *has_name = false;
        *start = after_first;
        return after_first != NO_PARTNER;
    }
    return true;
}

/* The first token of the expression that ends before the `<<<` at `chevron`. */
static bool kernel_start(size_t chevron, size_t *start)
{
    size_t i = chevron - 1;
    *start = NO_PARTNER;
    while (i < file.tokens.count) {
        bool has_name = true;
        if (is(i, ">") && !template_name(i, &i)) return false;
        if (is(i, ")") || is(i, "]")) {
            if (!start_of_groups(i, start, &has_name)) return false;
            i = has_name ? *start - 1 : *start;
        } else if (!is_word(i)) {
            return false;
        }
        *start = i;
        if (has_name && is(i - 1, "template")) *start = --i;
        if (is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "##")) {
            i -= 2;
        } else if (is(i - 1, "::")) {
            *start = i - 1;
            if (!is_word(i - 2) && !is(i - 2, ">")) return true;
            i -= 2;
        } else {
            return true;
        }
    }
    return false;
}

/* True if this many `>` follow each other from `index` on. */
static size_t signs_together(size_t index)
{
    const struct token *list = file.tokens.list;
    size_t count = 0;
    while (is(index + count, ">") &&
           (count == 0 || list[index + count].begin == list[index].begin + count))
        count++;
    return count;
}

/* The first of the three `>` that end the launch's configuration. They may be apart, `>> >`, where
 * none are together. */
static bool configuration_end(size_t chevron, bool together, size_t *end)
{
    const struct token *list = file.tokens.list;
    for (size_t i = chevron + 1; i < file.tokens.count; i++) {
        if (is(i, "(") || is(i, "[") || is(i, "{")) {
            i = list[i].partner;
            if (i == NO_PARTNER) return false;
            continue;
        }
        if (is_boundary(i) || is(i, ")") || is(i, "]")) break;
        if (!is(i, ">")) continue;
        size_t run = signs_together(i);
        *end = i + run - 3;
        if (run >= 3) return true;
        *end = i;
        if (!together && run == 2 && is(i + 2, ">")) return true;
        i += run - 1;
    }
    return together && configuration_end(chevron, false, end);
}

/* One of a list's members is 0 alone. */
static bool is_zero(size_t index)
{
    const struct token *token = &file.tokens.list[index];
    bool alone =
        (is(index - 1, "(") || is(index - 1, ",")) && (is(index + 1, ",") || is(index + 1, ")"));
    return alone && token->kind == TOKEN_LITERAL && token->end == token->begin + 1 &&
           file.tokens.text[token->begin] == '0';
}

/* In a launch's arguments NULL is a pointer, not the integer that g++ takes it for, and 0 may be
 * one; but a template's arguments among them are left alone. */
static void mend_null(size_t open)
{
    size_t close = is(open, "(") ? file.tokens.list[open].partner : NO_PARTNER;
    bool has_template = false;
    if (close == NO_PARTNER) return;
    for (size_t i = open + 1; i < close; i++) {
        has_template = has_template || is(i, "<");
        if (is(i, "NULL")) replace_token(i, "nullptr");
        if (!has_template && is_zero(i)) replace_token(i, "warpup::zero()");
        bool opens = is(i, "(") || is(i, "[") || is(i, "{");
        if (opens && file.tokens.list[i].partner != NO_PARTNER) i = file.tokens.list[i].partner;
    }
}

/* The `<<<` begins a macro's text: it comes after the macro's name, or after its parameters, which
 * follow the name directly. */
static bool begins_macro(size_t chevron)
{
    const struct token *list = file.tokens.list;
    size_t i = chevron - 1;
    if (is(i, ")")) {
        size_t open = list[i].partner;
        if (open == NO_PARTNER || !is_word(open - 1) || list[open - 1].end != list[open].begin)
            return false;
        i = open - 1;
    }
    return is_word(i) && is(i - 1, "define") && is(i - 2, "#");
}

static void rewrite_launch(size_t chevron)
{
    const struct token *list = file.tokens.list;
    size_t start, end;
    if (begins_macro(chevron)) {
        if (!configuration_end(chevron, true, &end)) return;
        replace_token(chevron, "->* WARPUP_SHAPE(");
        replace(list[end].begin, list[end + 2].end, ")", -1);
        return;
    }
    if (!kernel_start(chevron, &start) || !configuration_end(chevron, true, &end)) return;
    replace(list[start].begin, list[start].begin, "WARPUP_LAUNCH(", file.launches++);
    replace_token(chevron, ")(");
    replace(list[end].begin, list[end + 2].end, ")", -1);
    mend_null(end + 3);
}

/* ---- declarations --------------------------------------------------------------------------- */

/* The `extern` of the declaration that `__shared__` at `index` belongs to. */
static bool extern_of(size_t index, size_t *found)
{
    *found = index + 1;
    if (is(index + 1, "extern")) return true;
    for (size_t i = index - 1; i + 8 > index && !is_boundary(i); i--) {
        *found = i;
        if (is(i, "extern")) return true;
    }
    return false;
}

/* Inside the brackets of a function: those come after its parameters. */
static bool is_in_function(size_t index)
{
    const struct token *list = file.tokens.list;
    static const char *const marks[] = {")", "const", "noexcept", "override", "final", NULL};
    size_t brace = list[index].brace;
    while (brace != NO_PARTNER && !is_any(brace - 1, marks))
        brace = list[brace].brace;
    return brace != NO_PARTNER;
}

/* The declared name of `T name[…]` when the first of its brackets opens at `i`. */
static bool is_array_name(size_t i)
{
    return is(i, "[") && is_word(i - 1);
}

/* For nvcc __shared__ is an attribute, so that alignas may follow it; not so a storage class. */
static void move_behind_alignas(size_t index)
{
    size_t close = is(index + 2, "(") ? file.tokens.list[index + 2].partner : NO_PARTNER;
    if (close == NO_PARTNER || !is_word(close + 1)) return;
    replace_token(index, "");
    insert_before(close + 1, "__shared__ ");
}

/* nvcc refuses `__shared__ T s = …;` and g++ would not: the compiler is given a name that is not
 * there, which messages.awk knows. */
static void refuse_initialiser(size_t index)
{
    for (size_t i = index + 1; !is_boundary(i) && !is(i, "__shared__") && !is(i, ")"); i++) {
        if (is(i, "=")) {
            insert_before(index + 1, "__attribute__((aligned(WARPUP_SHARED_INITIALISER))) ");
            return;
        }
        if (!is(i, "(") && !is(i, "[")) continue;
        i = file.tokens.list[i].partner;
        if (i == NO_PARTNER) return;
    }
}

/* Dynamic shared memory is one array of the runtime under as many names as the program likes: in a
 * function as references to it, for g++ forgets an assembler name in a template; elsewhere as
 * other names, for a reference would be one thread's. */
static void rewrite_shared(size_t index)
{
    size_t keyword;
    if (is(index - 1, "static")) replace_token(index - 1, "");
    if (!extern_of(index, &keyword)) {
        if (is(index + 1, "alignas")) move_behind_alignas(index);
        refuse_initialiser(index);
        return;
    }
    bool local = is_in_function(index);
    replace_token(keyword, local ? "" : "extern __thread");
    replace_token(index, "");
    for (size_t i = index + 1; i < file.tokens.count; i++) {
        bool separates = is(i, ",") && is(i - 1, "]");
        if (local && is_array_name(i)) {
            insert_before(i - 1, "(&");
            insert_before(i, ")");
        }
        if (separates || is(i, ";"))
            insert_before(i, local ? " = warpup_dynamic_shared_array()"
                                   : " __asm__(\"warpup_dynamic_shared\")");
        if (is_boundary(i) || is(i, "__shared__")) return;
    }
}

/* ---- kernels that nvcc refuses --------------------------------------------------------------- */

/* g++ takes these. It is given a name that is not there, which messages.awk knows. */
static void refuse_kernel(size_t index, const char *name)
{
    insert_before(index, "__attribute__((aligned(");
    insert_before(index, name);
    insert_before(index, "))) ");
}

/* The bracket that opens the kernel's parameters; `index` is its `__global__`. */
static bool parameters_of(size_t index, size_t *open)
{
    static const char *const with_brackets[] = {
        "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__attribute__",
        "alignas",           "__align__",        "decltype",    NULL};
    for (size_t i = index + 1; !is_boundary(i); i++) {
        if (!is(i, "(")) continue;
        *open = i;
        if (file.tokens.list[i].partner == NO_PARTNER) return false;
        if (!is_any(i - 1, with_brackets)) return is_word(i - 1) || is(i - 1, ">");
        i = file.tokens.list[i].partner;
    }
    return false;
}

/* Does the declaration around `index` have one of these words before `end`? */
static bool declares(size_t index, size_t end, const char *const words[])
{
    for (size_t i = index - 1; !is_boundary(i) && !is(i, ">") && !is(i, ":"); i--)
        if (is_any(i, words)) return true;
    for (size_t i = index + 1; i < end; i++)
        if (is_any(i, words)) return true;
    return false;
}

static bool is_in_class(size_t index)
{
    static const char *const classes[] = {"struct", "class", NULL};
    size_t brace = file.tokens.list[index].brace;
    if (brace == NO_PARTNER || is(brace - 1, ")")) return false;
    for (size_t i = brace - 1; !is_boundary(i) && !is(i, ")"); i--)
        if (is_any(i, classes)) return true;
    return false;
}

static void note_kernel(size_t name)
{
    size_t *kernels = realloc(file.kernels, (file.kernel_count + 1) * sizeof *kernels);
    if (kernels == NULL) {
        file.no_memory = true;
        return;
    }
    file.kernels = kernels;
    kernels[file.kernel_count++] = name;
}

/* A thread that ends before others reach a barrier may explain what is missing there. Its place has
 * to be known: g++ would join all returns. */
static void mark_returns(size_t close)
{
    size_t end = is(close + 1, "{") ? file.tokens.list[close + 1].partner : NO_PARTNER;
    for (size_t i = close + 2; end != NO_PARTNER && i < end; i++)
        if (is(i, "return") && is(i + 1, ";")) insert_before(i + 1, " warpup_return()");
}

/* Puts a macro after the bracket that opens a function's body, where it moves nothing else of its
 * line; `close` ends the parameters. */
static void begin_body(size_t close, const char *macro)
{
    const struct token *bracket = &file.tokens.list[close + 1];
    if (!is(close + 1, "{") || bracket->partner == NO_PARTNER) return;
    size_t end = bracket->end;
    if (memchr(file.tokens.text + end, '\n', bracket[1].begin - end) != NULL)
        replace(end, end, macro, -1);
}

/* `int main(…) {` outside of everything */
static void rewrite_main(size_t index)
{
    const struct token *list = file.tokens.list;
    size_t close = is(index + 1, "(") ? list[index + 1].partner : NO_PARTNER;
    if (close == NO_PARTNER || !is(index - 1, "int") || list[index].brace != NO_PARTNER) return;
    begin_body(close, " WARPUP_MAIN");
}

static void check_kernel(size_t index)
{
    static const char *const sides[] = {"__device__", "__host__", NULL};
    static const char *const friends[] = {"friend", NULL};
    static const char *const voids[] = {"void", "auto", NULL};
    static const char *const types[] = {"int",  "float", "double",   "char", "bool",
                                        "long", "short", "unsigned", NULL};
    size_t open;
    if (!parameters_of(index, &open)) return;
    note_kernel(open - 1);
    size_t close = file.tokens.list[open].partner;
    if (is(open - 1, "main"))
        refuse_kernel(index, "WARPUP_KERNEL_MAIN");
    else if (declares(index, open, sides))
        refuse_kernel(index, "WARPUP_KERNEL_SIDES");
    else if (declares(index, open, types) && !declares(index, open, voids))
        refuse_kernel(index, "WARPUP_KERNEL_RETURNS");
    else if (is_in_class(index) && !declares(index, open, friends))
        refuse_kernel(index, "WARPUP_KERNEL_MEMBER");
    else if (is(close - 1, ".") && is(close - 2, ".") && is(close - 4, ","))
        refuse_kernel(index, "WARPUP_KERNEL_ELLIPSIS");
    else {
        mark_returns(close);
        begin_body(close, " WARPUP_KERNEL");
    }
}

/* Marks a variable. A function has its parameters before anything that a variable could have. */
static void rewrite_device(size_t index)
{
    static const char *const with_brackets[] = {"__align__", "alignas", "__attribute__", "decltype",
                                                NULL};
    static const char *const others[] = {"__constant__", "__managed__", "extern", "__shared__",
                                         "__device__",   "__global__",  NULL};
    bool array = false;
    if (is(index - 1, "extern") || is(index - 1, "__constant__") || is(index - 1, "__managed__"))
        return;
    for (size_t i = index + 1; i < file.tokens.count; i++) {
        size_t partner = file.tokens.list[i].partner;
        bool begins = i == index + 1;
        if (is_any(i, others) || is(i, ")") || (is(i, "(") && !is_any(i - 1, with_brackets)))
            return;
        array = array || is(i, "[");
        if (is(i, "=") || (is(i, "{") && !begins)) {
            insert_before(index + 1, "WARPUP_INITIALISED ");
            return;
        }
        if (is(i, ";") && !begins) insert_before(index + 1, "WARPUP_ZEROED ");
        if (is_boundary(i)) return;
        if ((is(i, "(") || is(i, "[")) && partner == NO_PARTNER) return;
        if (is(i, "(") || is(i, "[")) i = partner;
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* The last token of a cast to void * that begins at `open`, or NO_PARTNER. */
static size_t cast_end(size_t open)
{
    size_t i = open + 1;
    i += is(i, "const");
    bool is_cast = is(open, "(") && is(i, "void") && is(i + 1, "*") && is(i + 2, ")");
    return is_cast ? i + 2 : NO_PARTNER;
}

static void rewrite_launch_call(size_t index)
{
    size_t close = cast_end(index + 2);
    if (!is(index + 1, "(") || close == NO_PARTNER) return;
    replace(file.tokens.list[index + 2].begin, file.tokens.list[close].end, "", -1);
}

/* Is it the name of a kernel that this file declares? */
static bool is_kernel(size_t index)
{
    const struct token *list = file.tokens.list, *name = &list[index];
    for (size_t i = 0; i < file.kernel_count; i++) {
        const struct token *one = &list[file.kernels[i]];
        if (one->end - one->begin == name->end - name->begin &&
            memcmp(file.tokens.text + one->begin, file.tokens.text + name->begin,
                   name->end - name->begin) == 0)
            return true;
    }
    return false;
}

/* The last token of the name, perhaps with a template's arguments, that begins at `index`. */
static size_t name_end(size_t index)
{
    while (is_word(index) && is(index + 1, "::"))
        index += 2;
    if (!is_word(index)) return NO_PARTNER;
    if (!is(index + 1, "<")) return index;
    size_t depth = 0;
    for (size_t i = index + 1; !is_boundary(i); i++) {
        if (is(i, "<")) depth++;
        if (is(i, ">") && --depth == 0) return i;
    }
    return NO_PARTNER;
}

/* A kernel's address without its type: `(void *)kernel`, `(const void *)&kernel<4>`. */
static void rewrite_address(size_t open)
{
    static const char *const more[] = {"(", "[", ".", "->", NULL};
    size_t close = cast_end(open);
    if (close == NO_PARTNER) return;
    size_t name = close + 1 + is(close + 1, "&"), end = name_end(name);
    bool in_node = is(open - 1, "=") && is(open - 2, "func");
    if (end == NO_PARTNER || is_any(end + 1, more)) return;
    if (!in_node && !(is_word(name) && is_kernel(name))) return;
    insert_before(close + 1, "warpup::address(");
    insert_before(end + 1, ")");
}

/* ---- the file ------------------------------------------------------------------------------- */

static void write_name(FILE *out, const char *name)
{
    fprintf(out, "#line 1 \"");
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') putc('\\', out);
        if (*name != '\n') putc(*name, out);
    }
    fprintf(out, "\"\n");
}

/* As a macro it would spoil the C++ library's __attribute__((__noinline__)). */
static void rewrite_noinline(size_t index)
{
    if (!is(index - 1, "(") && !is(index - 1, ",")) replace_token(index, "WARPUP_NOINLINE");
}

static void find_edits(void)
{
    static const char *const launch_calls[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                               NULL};
    for (size_t i = 0; i < file.tokens.count; i++) {
        if (is(i, "<<<")) rewrite_launch(i);
        if (is(i, "__shared__")) rewrite_shared(i);
        if (is(i, "__device__")) rewrite_device(i);
        if (is(i, "__global__")) check_kernel(i);
        if (is(i, "main")) rewrite_main(i);
        if (is_any(i, launch_calls))
            rewrite_launch_call(i);
        else if (is(i, "(") && !is_any(i - 2, launch_calls))
            rewrite_address(i);
        if (is(i, "__noinline__")) rewrite_noinline(i);
        if (!asm_rewrite(&file.tokens, i, replace_token)) file.no_memory = true;
    }
}

bool rewrite(FILE *out, const char *name, const char *text, size_t length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the mark of UTF-8 */
        text += 3;
        length -= 3;
    }
    file.kernel_count = 0;
    file.launches = 0;
    file.no_memory = false;
    bool whole = tokens_read(&file.tokens, text, length);
    if (whole) find_edits();
    whole = whole && !file.no_memory && !file.edits.no_memory;
    if (whole) {
        write_name(out, name);
        edits_write(&file.edits, out, text, length);
    }
    tokens_free(&file.tokens);
    edits_free(&file.edits);
    free(file.kernels);
    asm_forget();
    file.kernels = NULL;
    return whole;
}
