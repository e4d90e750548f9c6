/*
 * show.c: shows a verdict: reads verdict.json and prints it in one format.
 *
 *   show FORMAT VERDICT [--log FILE] [--hints FILE] [--pages DIRECTORY] [--profile NAME]
 *        [--next-exercise NAME] [--name NAME] [--with devices|next] [--file FILE]
 *
 * FORMAT is pretty, tap, junit, bats, gcc, sarif, hint or line; VERDICT is a file, or - for stdin.
 * terminal.h says which colours and symbols people see. Exit code: 0, or 2 when there is no verdict
 * to show.
 */
#define _POSIX_C_SOURCE 200809L
#include "show/editor.h"
#include "show/hint.h"
#include "show/line.h"
#include "show/machine.h"
#include "show/pretty.h"
#include "show/terminal.h"
#include "show/view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct format {
    const char *name;
    void (*show)(const struct view *view);
    bool read_by_people;
} formats[] = {{"pretty", show_pretty, true}, {"hint", show_hint, true},
               {"line", show_line, true},     {"tap", show_tap, false},
               {"junit", show_junit, false},  {"bats", show_bats, false},
               {"gcc", show_gcc, true},       {"sarif", show_sarif, false}};

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

/* Reads the options after FORMAT and VERDICT; an empty value counts as none. */
static bool read_options(int argc, char *argv[], struct view *view)
{
    const struct {
        const char *name, **value;
    } options[] = {{"--log", &view->log},     {"--hints", &view->hints},
                   {"--pages", &view->pages}, {"--profile", &view->profile},
                   {"--name", &view->name},   {"--next-exercise", &view->next_exercise},
                   {"--with", &view->with},   {"--file", &view->file}};
    for (int i = 0; i < argc; i += 2) {
        bool valid = false;
        for (size_t o = 0; o < sizeof options / sizeof options[0]; o++)
            if (i + 1 < argc && strcmp(argv[i], options[o].name) == 0) {
                if (argv[i + 1][0] != '\0') *options[o].value = argv[i + 1];
                valid = true;
            }
        if (!valid) return false;
    }
    return true;
}

int main(int argc, char *argv[])
{
    struct view view = {.hints = "", .pages = "", .name = "", .with = ""};
    const struct format *format = argc > 2 ? find_format(argv[1]) : NULL;
    if (format == NULL || !read_options(argc - 3, argv + 3, &view)) {
        fprintf(
            stderr,
            "usage: show pretty|hint|line|tap|junit|bats|gcc|sarif VERDICT [OPTION VALUE]...\n");
        return 2;
    }
    json_error_t error;
    view.verdict = strcmp(argv[2], "-") == 0 ? json_loadf(stdin, 0, &error)
                                             : json_load_file(argv[2], 0, &error);
    if (!json_is_object(view.verdict)) {
        fprintf(stderr, "show: %s: there is no verdict: %s\n", argv[2], error.text);
        return 2;
    }
    if (format->read_by_people)
        find_terminal(&view);
    else
        view.unicode = true;
    format->show(&view);
    json_decref(view.verdict);
    if ((fflush(stdout) != 0 || ferror(stdout)) && errno != EPIPE) {
        fprintf(stderr, "could not check: the verdict cannot be printed: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}
