/*
 * view.c: writes one page that shows what a check saw, or its data alone.
 *
 *   view page|json CHECK --pages DIRECTORY --parts DIRECTORY [--title TEXT] [--stages FILE]
 *        [--before CHECK] [--before-title TEXT]
 *
 * CHECK is the folder that a check has kept, --parts the folder with page.html, page.css and the
 * scripts. --stages is a table of `make roofline`. The page is complete in itself: it asks for no
 * other file. Exit code: 0, or 2 with one line on stderr.
 */
#define _POSIX_C_SOURCE 200809L
#include "view/check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page's scripts, in the order in which they need each other. */
static const char *const scripts[] = {"model.js", "draw.js",  "warp.js",
                                      "time.js",  "fault.js", "page.js"};

struct wanted {
    const char *check, *pages, *parts, *title, *stages, *before, *before_title;
};

static int usage(void)
{
    fputs("usage: view page|json CHECK --pages DIRECTORY --parts DIRECTORY [--title TEXT] "
          "[--stages FILE] [--before CHECK] [--before-title TEXT]\n",
          stderr);
    return 2;
}

static bool read_options(int argc, char *argv[], struct wanted *wanted)
{
    const struct {
        const char *name, **value;
    } options[] = {{"--pages", &wanted->pages},   {"--parts", &wanted->parts},
                   {"--title", &wanted->title},   {"--stages", &wanted->stages},
                   {"--before", &wanted->before}, {"--before-title", &wanted->before_title}};
    for (int i = 0; i < argc; i += 2) {
        bool valid = false;
        for (size_t o = 0; o < sizeof options / sizeof options[0]; o++)
            if (i + 1 < argc && strcmp(argv[i], options[o].name) == 0) {
                *options[o].value = argv[i + 1];
                valid = true;
            }
        if (!valid) return false;
    }
    return wanted->pages != NULL && wanted->parts != NULL;
}

static json_t *read_all(const struct wanted *wanted)
{
    json_t *after = check_read(wanted->check, wanted->pages, wanted->title);
    if (after == NULL) return NULL;
    json_t *data = json_pack("{s:i, s:o}", "version", 1, "check", after);
    if (wanted->before != NULL) {
        json_t *before = check_read(wanted->before, wanted->pages, wanted->before_title);
        if (before == NULL) {
            json_decref(data);
            return NULL;
        }
        json_object_set_new(data, "before", before);
    }
    char *stages = wanted->stages != NULL ? check_file(wanted->stages) : NULL;
    if (stages != NULL) json_object_set_new(data, "stages", json_string(stages));
    free(stages);
    return data;
}

/* Writes JSON that may be between tags of HTML: without "</" and "<!". */
static void write_data(const char *json)
{
    for (const char *c = json; *c != '\0'; c++)
        if (*c == '<')
            fputs("\\u003c", stdout);
        else
            putchar(*c);
}

/* Writes a file of the page. False, with one line on stderr, if it is missing. */
static bool write_part(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *part = check_file(path);
    if (part == NULL) {
        fprintf(stderr, "view: there is no %s\n", path);
        return false;
    }
    fputs(part, stdout);
    free(part);
    return true;
}

/* Writes what the mark stands for. */
static bool write_marked(const struct wanted *wanted, const char *mark, const char *json)
{
    if (strncmp(mark, "style", 5) == 0) return write_part(wanted->parts, "page.css");
    if (strncmp(mark, "data", 4) == 0) {
        write_data(json);
        return true;
    }
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (!write_part(wanted->parts, scripts[i])) return false;
    return true;
}

/* page.html, with the other parts where it has marks: {{style}}, {{data}}, {{scripts}}. */
static bool write_page(const struct wanted *wanted, const char *json)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/page.html", wanted->parts);
    char *page = check_file(path), *at = page, *mark;
    if (page == NULL) fprintf(stderr, "view: there is no %s\n", path);
    bool good = page != NULL;
    while (good && (mark = strstr(at, "{{")) != NULL) {
        fwrite(at, 1, (size_t)(mark - at), stdout);
        good = write_marked(wanted, mark + 2, json);
        at = mark + strcspn(mark, "}") + 2;
    }
    if (good) fputs(at, stdout);
    free(page);
    return good;
}

int main(int argc, char *argv[])
{
    struct wanted wanted = {.title = "", .before_title = ""};
    if (argc < 3 || !read_options(argc - 3, argv + 3, &wanted)) return usage();
    bool as_page = strcmp(argv[1], "page") == 0;
    if (!as_page && strcmp(argv[1], "json") != 0) return usage();
    wanted.check = argv[2];
    json_t *data = read_all(&wanted);
    char *json = data != NULL ? json_dumps(data, JSON_COMPACT) : NULL;
    bool good = json != NULL;
    if (good && as_page) good = write_page(&wanted, json);
    if (good && !as_page) puts(json);
    free(json);
    json_decref(data);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("view: the page cannot be written\n", stderr);
        good = false;
    }
    return good ? 0 : 2;
}
