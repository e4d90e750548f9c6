/*
 * messages.c: see messages.h. A message of clang's is a line "FILE:LINE:COLUMN: error: …", the
 * lines of source below it, and notes of the same form. translate.c has the words for some errors.
 */
#define _GNU_SOURCE
#include "gpu/cc/messages.h"

#include "gpu/cc/names.h"
#include "gpu/cc/translate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char KNOWS_NOT[] = "the simulated GPU does not know ";

const char *messages_file(const struct options *options, const char *path)
{
    size_t bytes = strlen(options->folder);
    while (text_begins(path, "./"))
        path += 2;
    return text_begins(path, options->folder) && path[bytes] == '/' ? path + bytes + 1 : path;
}

/* Is it a file of the lab or of the system? */
static bool is_foreign(const struct options *options, const char *path)
{
    if (path[0] == '<') return true; /* <built-in>, <scratch space> */
    if (messages_file(options, path)[0] != '/') return false;
    for (size_t i = 0; i < options->folders.count; i++)
        if (text_begins(path, options->folders.items[i])) return false;
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *source = options->sources.items[i];
        size_t folder = (size_t)(strrchr(source, '/') - source) + 1;
        if (strncmp(path, source, folder) == 0) return false;
    }
    return true;
}

/* ---- reading a log -------------------------------------------------------------------------- */

/* Takes the next line of the text; NULL at its end. */
static char *next_line(char **rest)
{
    if (*rest == NULL || **rest == '\0') return NULL;
    return strsep(rest, "\n");
}

/* Reads "FILE:LINE:COLUMN: kind: text", also without a column, and nvcc's "FILE(LINE): kind: text".
 */
static bool read_head(char *line, struct message *message)
{
    static const char *const kinds[] = {"fatal error", "error", "warning", "note"};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        char *mark = strstr(line, text_of(": %s", kinds[kind]));
        if (mark == NULL || mark == line) continue;
        char *text = mark + strlen(kinds[kind]) + 2;
        if (*text == ' ' && text[1] == '#')
            text = strchr(text, ':'); /* nvcc numbers its messages */
        if (text == NULL || *text != ':') continue;
        char *location = text_of("%.*s", (int)(mark - line), line), *end = strrchr(location, ')');
        *message =
            (struct message){.fatal = kind == 0,
                             .kind = kind == 0 ? MESSAGE_ERROR : (enum message_kind)(kind - 1),
                             .text = text + 2};
        if (end != NULL && end[1] == '\0') {
            char *open = strrchr(location, '(');
            if (open == NULL) return false;
            *open = '\0';
            message->line = atoi(open + 1);
        } else {
            char *last = strrchr(location, ':'), *before;
            if (last == NULL || !isdigit((unsigned char)last[1])) return false;
            *last = '\0';
            before = strrchr(location, ':');
            message->line = atoi(last + 1);
            if (before != NULL && isdigit((unsigned char)before[1])) {
                message->column = message->line;
                message->line = atoi(before + 1);
                *before = '\0';
            }
        }
        message->file = location;
        return true;
    }
    return false;
}

/* "In file included from axpy.cu:3:" and the like: the student's line that led to a header. */
static void note_include(const struct options *options, const char *line, struct message *from)
{
    const char *at = strstr(line, "from ");
    if (at == NULL) return;
    char *location = text_of("%s", at + 5), *colon = strrchr(location, ':');
    if (colon != NULL && (colon[1] == '\0' || colon[1] == ',')) *colon = '\0';
    colon = strrchr(location, ':');
    if (colon == NULL) return;
    *colon = '\0';
    if (is_foreign(options, location)) return;
    from->file = location;
    from->line = atoi(colon + 1);
}

static bool is_include(const char *line)
{
    return text_begins(line, "In file included from") ||
           text_begins(line, "                 from ");
}

static void add_body(struct message *message, const char *line)
{
    message->body = text_of("%s%s\n", message->body == NULL ? "" : message->body, line);
}

/* Does the line of a log belong to no message? "3 errors generated." */
static bool is_chatter(const char *line)
{
    return line[0] == '\0' ||
           (isdigit((unsigned char)line[0]) && strstr(line, " generated") != NULL) ||
           (isdigit((unsigned char)line[0]) &&
            strstr(line, " detected in the compilation") != NULL);
}

struct message_list messages_read(const struct options *options, const char *log)
{
    struct message_list list = {0};
    struct message from = {0}, head;
    char *rest = text_of("%s", log), *line;
    bool is_path = false;
    while ((line = next_line(&rest)) != NULL) {
        if (is_include(line)) {
            if (!is_path) from = (struct message){0};
            is_path = true;
            note_include(options, line, &from);
        } else if (read_head(line, &head)) {
            head.from_file = from.file;
            head.from_line = from.line;
            head.foreign = is_foreign(options, head.file);
            if (!is_path) head.from_file = NULL;
            is_path = false;
            if (list.count % 64 == 0)
                list.items = realloc(list.items, (list.count + 64) * sizeof *list.items);
            if (list.items == NULL) fatal("this machine has no memory left");
            list.items[list.count++] = head;
        } else if (list.count > 0 && !is_chatter(line)) {
            add_body(&list.items[list.count - 1], line);
        }
    }
    return list;
}

/* ---- errors --------------------------------------------------------------------------------- */

/* How many notes follow the error, with their own. */
static size_t notes_of(const struct message_list *list, size_t error)
{
    size_t count = 0;
    while (error + count + 1 < list->count && list->items[error + count + 1].kind == MESSAGE_NOTE)
        count++;
    return count;
}

/* Gives an error about a header the place of the student's line that led there. */
static void move_to_student(const struct options *options, struct message *error,
                            const struct message *notes, size_t count)
{
    if (!error->foreign) return;
    error->body = NULL;
    error->column = 0;
    error->moved = true;
    for (size_t i = 0; i < count; i++) {
        if (notes[i].foreign || strstr(notes[i].text, "declared here") != NULL) continue;
        error->file = notes[i].file;
        error->line = notes[i].line;
        error->column = notes[i].column;
        error->body = notes[i].body;
        return;
    }
    error->file = error->from_file;
    error->line = error->from_line;
    if (error->file == NULL) error->file = messages_file(options, options->sources.items[0]);
}

static void print_location(const struct options *options, const struct message *message)
{
    fprintf(stderr, "%s", messages_file(options, message->file));
    if (message->line > 0) fprintf(stderr, ":%d", message->line);
    if (message->column > 0) fprintf(stderr, ":%d", message->column);
}

static void print_message(const struct options *options, const struct message *message)
{
    static const char *const kinds[] = {"error", "warning", "note"};
    print_location(options, message);
    fprintf(stderr, ": %s%s: %s\n", message->fatal ? "fatal " : "", kinds[message->kind],
            message->text);
    if (message->body != NULL) fputs(message->body, stderr);
}

/* Says in one line what is not known, in the place of everything else. */
static int give_up(const struct options *options, const struct message *error, const char *what)
{
    fprintf(stderr, "%s:%d: %s%s\n", messages_file(options, error->file), error->line, KNOWS_NOT,
            what);
    return UNKNOWN;
}

/* The name that the simulated GPU does not know, if this is the cause of the error; else NULL. */
static const char *unknown_thing(const struct options *options, const struct message *error)
{
    const char *at = strstr(error->text, KNOWS_NOT);
    if (at != NULL) {
        const char *what = at + strlen(KNOWS_NOT);
        size_t bytes = strcspn(what, "\"\n");
        while (bytes > 0 && (what[bytes - 1] == '.' || what[bytes - 1] == '\''))
            bytes--;
        return text_of("%.*s", (int)bytes, what);
    }
    if (text_begins(error->text, "reference to __global__ function") &&
        strstr(error->text, "__host__") == NULL)
        return "a kernel launched by a kernel";
    const char *header = translate_missing_header(error);
    if (header != NULL) return names_cuda_header(header) ? header : NULL;
    const char *name = translate_missing_name(error);
    if (name == NULL) return NULL;
    if (names_are_lacking(options, name)) return name;
    name = text_of("cooperative_groups::%s", name);
    return strstr(name + strlen("cooperative_groups::"), "::") == NULL &&
                   translate_uses_groups(options) && names_are_lacking(options, name)
               ? name
               : NULL;
}

/* Has the same been said about this place? */
static bool is_repeated(struct list *said, const struct message *error)
{
    const char *key = text_of("%s:%d:%d:%s", error->file, error->line,
                              error->moved ? 0 : error->column, error->text);
    for (size_t i = 0; i < said->count; i++)
        if (strcmp(said->items[i], key) == 0) return true;
    list_add(said, key);
    return false;
}

static int explain_log(const struct options *options, struct message_list *list, struct list *said,
                       bool only_unknown)
{
    int code = COMPILED;
    for (size_t i = 0; i < list->count; i++) {
        struct message error = list->items[i];
        const struct message *notes = &list->items[i + 1];
        size_t count = notes_of(list, i);
        if (error.kind != MESSAGE_ERROR) continue;
        move_to_student(options, &error, notes, count);
        if (only_unknown) {
            const char *what = unknown_thing(options, &error);
            if (what != NULL) return give_up(options, &error, what);
            continue;
        }
        if (translate_repeats(&error)) continue;
        bool is_plain = translate_error(&error, notes, count);
        code = REFUSED;
        if (is_repeated(said, &error)) continue;
        print_message(options, &error);
        for (size_t k = 0; k < count && !is_plain && !error.moved; k++)
            if (!notes[k].foreign) print_message(options, &notes[k]);
    }
    return code;
}

int messages_explain(const struct options *options, const struct list *logs)
{
    struct list said = {0};
    int code = COMPILED;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < logs->count; i++) {
            struct message_list list = messages_read(options, logs->items[i]);
            int one = explain_log(options, &list, &said, pass == 0);
            if (one == UNKNOWN) return UNKNOWN;
            if (one > code) code = one;
        }
    return code;
}

/* ---- warnings and the linker ---------------------------------------------------------------- */

/* The variable that a warning says to be used before it is set: clang's quotes are single, nvcc's
 * double. */
static const char *unset_variable(const struct message *warning)
{
    bool is_clang = strstr(warning->text, "uninitialized") != NULL;
    bool is_nvcc = strstr(warning->text, "used before its value is set") != NULL;
    const char *quote = is_clang || is_nvcc ? strpbrk(warning->text, "'\"") : NULL;
    return quote == NULL ? NULL : text_of("%.*s", (int)strcspn(quote + 1, "'\""), quote + 1);
}

/* A shuffle may take a value that is not set, of lanes that nobody asks. */
static bool is_shuffled(const struct message *warning, size_t notes)
{
    for (size_t i = 0; i <= notes; i++)
        if (warning[i].body != NULL && strstr(warning[i].body, "shfl") != NULL) return true;
    return false;
}

/* clang names the variable's declaration in a note; one that it does not is at the place of the
 * warning. */
void messages_unset(const struct options *options, const struct list *logs)
{
    struct list said = {0};
    for (size_t log = 0; log < logs->count; log++) {
        struct message_list list = messages_read(options, logs->items[log]);
        for (size_t i = 0; i < list.count; i++) {
            const struct message *warning = &list.items[i], *location = warning;
            const char *name = warning->kind == MESSAGE_WARNING ? unset_variable(warning) : NULL;
            if (name == NULL || is_shuffled(warning, notes_of(&list, i))) continue;
            for (size_t k = 1; k <= notes_of(&list, i); k++)
                if (text_begins(warning[k].text, "initialize the variable")) location = &warning[k];
            if (location->foreign) continue;
            const char *line =
                text_of("%s:%d: warning: '%s' is used before it is set",
                        messages_file(options, location->file), location->line, name);
            struct message key = {.file = line, .text = ""};
            if (!is_repeated(&said, &key)) fprintf(stderr, "%s\n", line);
        }
    }
}

/* "axpy.cu:12: undefined reference to …", without what precedes and follows the place in a linker's
 * lines. */
int messages_link(const struct options *options, const char *log)
{
    static const char MISSING[] = ": undefined reference to ";
    char *rest = text_of("%s", log), *line, *at;
    int code = COMPILED;
    while ((line = next_line(&rest)) != NULL) {
        if ((at = strstr(line, MISSING)) == NULL) continue;
        const char *name = messages_file(options, options->sources.items[0]);
        if (strstr(at, "`main'") != NULL) {
            fprintf(stderr, "%s: error: there is no function main\n", name);
            return REFUSED;
        }
        *at = '\0';
        char *section = strstr(line, ":(");
        if (section != NULL) *section = '\0'; /* axpy.cu:2:(.text+0x5), or host.o:(.text+0x5) */
        char *location = strrchr(line, ' ') != NULL ? strrchr(line, ' ') + 1 : line;
        bool is_source =
            strchr(location, ':') != NULL && isdigit((unsigned char)strrchr(location, ':')[1]);
        fprintf(stderr, "%s%s%s\n", is_source ? messages_file(options, location) : name, MISSING,
                at + strlen(MISSING));
        code = REFUSED;
    }
    return code;
}
