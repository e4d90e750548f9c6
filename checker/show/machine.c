/*
 * machine.c: a check for other programs: TAP and JUnit, one test for each criterion, and the same
 * tests as a check.bats, which bats can run.
 */
#define _POSIX_C_SOURCE 200809L
#include "show/machine.h"

#include "show/print.h"
#include "show/words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How a format writes a text. */
typedef void writer(const struct view *view, const char *text);

static void write_plain(const struct view *view, const char *text)
{
    put(view, text, INT_MAX);
}

static void write_xml(const struct view *view, const char *text)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    put_replacing(view, text, "&<>\"'", names);
}

/* Inside single quotes of the shell. */
static void write_quoted(const struct view *view, const char *text)
{
    static const char *const names[] = {"'\\''"};
    put_replacing(view, text, "'", names);
}

/* Why a criterion was skipped. */
static void put_reason(const struct view *view, const json_t *criterion, writer *write)
{
    const char *after = text_of(criterion, "after");
    if (!undecided(criterion))
        fputs(after[0] != '\0' ? "waits for: " : "could not check: ", stdout);
    write(view,
          after[0] != '\0' ? text_of_criterion(view->verdict, after) : text_of(criterion, "seen"));
}

/* Why a criterion failed, a line for each thing that is fields; `begin` and `end` surround a line.
 */
static void put_causes(const struct view *view, const json_t *criterion, writer *write,
                       const char *first, const char *begin, const char *end)
{
    static const char *const fields[] = {"seen", "needed"};
    size_t index = 0;
    json_t *diagnosis;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (is_null(criterion, fields[i])) continue;
        printf("%s%s: ", first, fields[i]);
        first = begin;
        write(view, text_of(criterion, fields[i]));
        fputs(end, stdout);
    }
    while ((diagnosis = next_diagnosis(view->verdict, criterion, &index)) != NULL) {
        const char *file = text_of(diagnosis, "file");
        int line = number_of(diagnosis, "line");
        fputs(first, stdout);
        first = begin;
        write(view, file);
        if (file[0] != '\0' && line > 0) printf(":%d", line);
        fputs(file[0] != '\0' ? ": " : "", stdout);
        write(view, text_of(diagnosis, "text"));
        fputs(end, stdout);
    }
}

void show_tap(const struct view *view)
{
    const json_t *criteria = json_object_get(view->verdict, "criteria");
    size_t i;
    json_t *criterion;
    printf("1..%zu\n", json_array_size(criteria));
    json_array_foreach (criteria, i, criterion) {
        printf("%sok %zu ", failed(criterion) ? "not " : "", i + 1);
        write_plain(view, text_of(criterion, "text"));
        if (!failed(criterion) && !passed(criterion)) {
            fputs(" # skip ", stdout);
            put_reason(view, criterion, write_plain);
        }
        putchar('\n');
        if (failed(criterion)) put_causes(view, criterion, write_plain, "# ", "# ", "\n");
    }
}

static void put_testcase(const struct view *view, const json_t *criterion)
{
    printf("    <testcase classname=\"check.bats\" name=\"");
    write_xml(view, text_of(criterion, "text"));
    if (passed(criterion)) {
        printf("\" time=\"0\" />\n");
    } else if (failed(criterion)) {
        printf("\" time=\"0\">\n        <failure type=\"failure\">");
        put_causes(view, criterion, write_xml, "", "\n", "");
        printf("</failure>\n    </testcase>\n");
    } else {
        printf("\" time=\"0\">\n        <skipped>");
        put_reason(view, criterion, write_xml);
        printf("</skipped>\n    </testcase>\n");
    }
}

/* Prints JUnit's XML by Windy Road's schema of Ant's format, and by Jenkins' schema too. */
void show_junit(const struct view *view)
{
    const json_t *criteria = json_object_get(view->verdict, "criteria");
    size_t i, failures = 0, skipped = 0;
    json_t *criterion;
    char host[256] = "", now[32] = "";
    time_t seconds = time(NULL);
    json_array_foreach (criteria, i, criterion) {
        failures += failed(criterion);
        skipped += !failed(criterion) && !passed(criterion);
    }
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') strcpy(host, "localhost");
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", localtime(&seconds));
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    printf("<testsuite name=\"check.bats\" package=\"check.bats\" id=\"0\" tests=\"%zu\" "
           "failures=\"%zu\" errors=\"0\" ",
           json_array_size(criteria), failures);
    printf("skipped=\"%zu\" time=\"0\" timestamp=\"%s\" hostname=\"", skipped, now);
    write_xml(view, host);
    printf("\">\n    <properties />\n");
    json_array_foreach (criteria, i, criterion)
        put_testcase(view, criterion);
    printf("    <system-out />\n    <system-err />\n</testsuite>\n</testsuites>\n");
}

void show_bats(const struct view *view)
{
    size_t i;
    json_t *criterion;
    json_array_foreach (json_object_get(view->verdict, "criteria"), i, criterion) {
        printf("@test \"");
        write_plain(view, text_of(criterion, "text"));
        printf("\" {\n");
        if (passed(criterion)) {
            printf("    true\n");
        } else if (failed(criterion)) {
            put_causes(view, criterion, write_quoted, "    printf '%s\\n' '",
                       "    printf '%s\\n' '", "'\n");
            printf("    false\n");
        } else {
            printf("    skip '");
            put_reason(view, criterion, write_quoted);
            printf("'\n");
        }
        printf("}\n");
    }
}
