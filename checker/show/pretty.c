/*
 * pretty.c: a check as the student sees it, 80 columns wide: the criteria under the number of their
 * rung, below the failed ones where and why, then the rung and what to do next.
 */
#include "show/pretty.h"

#include "show/print.h"
#include "show/words.h"

#include <stdio.h>
#include <string.h>

enum {
    ASIDE = 49, /* the column in which remarks begin */
    TEXT = 6,   /* the column in which a criterion's text begins */
    WIDER = 3,  /* columns that a word takes more than a symbol */
    LOG_LINES = 40,
    DIAGNOSES_SHOWN = 3 /* below one criterion; what explains the most comes first */
};

enum mark { OK, BAD, OPEN, WAITING, UNKNOWN, FULL, MAYBE, EMPTY, AT, AND };

static const char *sign(const struct view *view, enum mark mark)
{
    static const char *const words[] = {"PASS", "FAIL", "OPEN", "WAIT", "SKIP",
                                        "",     "",     "",     "on",   "and"};
    static const char *const symbols[] = {"✓", "✗", "?", "·", "·", "█", "▒", "░", "·", "+"};
    return (view->plain ? words : symbols)[mark];
}

/* The state of the page that is printed. */
struct page {
    int rung;     /* of the latest criterion; -1 before the first */
    bool explain; /* a page was named */
};

static void show_head(const struct view *view)
{
    size_t i;
    json_t *item, *devices = json_object_get(view->verdict, "devices");
    fputs(paint(view, BOLD), stdout);
    put(view, text_of(view->verdict, "source"), WIDTH);
    json_array_foreach (devices, i, item) {
        printf(" %s ", sign(view, i == 0 ? AT : AND));
        put_device(view, item);
    }
    if (json_array_size(devices) == 0 && view->profile != NULL) {
        json_t *planned = json_pack("{s:s, s:s}", "kind", "simulated", "profile", view->profile);
        printf(" %s ", sign(view, AT));
        put_device(view, planned);
        json_decref(planned);
    }
    printf("%s\n", paint(view, PLAIN));
    json_array_foreach (json_object_get(view->verdict, "notes"), i, item) {
        if (json_is_string(item)) put_wrapped(view, 8, "  note: ", json_string_value(item));
    }
    putchar('\n');
}

/* The rung's number where a new one begins, a mark, a text, and a remark beside it where there is
 * room. */
static void show_line_of(const struct view *view, struct page *page, const json_t *criterion,
                         enum mark mark, const char *remark)
{
    const char *colour = mark == OK ? GREEN : mark == BAD ? RED : FAINT;
    const char *text = text_of(criterion, "text");
    int rung = number_of(criterion, "rung"), wide = columns(view, remark);
    int begin = TEXT + (view->plain ? WIDER : 0), aside = ASIDE + (view->plain ? WIDER : 0);
    if (page->rung < 0) printf("  rung\n");
    if (rung != page->rung)
        printf("%3d ", rung);
    else
        printf("    ");
    page->rung = rung;
    printf("%s%s%s ", paint(view, colour), sign(view, mark), paint(view, PLAIN));
    int end = begin + put(view, text, WIDTH - begin);
    if (aside + wide > WIDTH && ASIDE + wide <= WIDTH) aside = WIDTH - wide;
    if (wide > 0 && end + 1 <= aside && aside + wide <= WIDTH) {
        printf("%*s%s", aside - end, "", paint(view, FAINT));
        put(view, remark, wide);
        fputs(paint(view, PLAIN), stdout);
    }
    putchar('\n');
}

/* Where the code has the word that the text of the diagnosis has in quotes; 0: it has none. */
static size_t focus_of(const char *text, const char *code)
{
    char word[100];
    if (sscanf(text, "%*[^']'%99[^']'", word) != 1) return 0;
    const char *at = strstr(code, word);
    return at != NULL ? (size_t)(at - code) : 0;
}

static bool continues(char c) /* a character of several bytes */
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Code in at most `most` columns: what is left out at its sides is "…". */
static void put_code(const struct view *view, const char *code, size_t focus, int most)
{
    const int before = most / 2, dots = columns(view, "…");
    bool is_cut = columns(view, code) > most;
    if (is_cut && (int)focus > most - before) {
        code += focus - (size_t)before;
        while (continues(*code))
            code++;
        put(view, "…", dots);
        most -= dots;
    }
    bool more = columns(view, code) > most;
    put(view, code, more ? most - dots : most);
    if (more) put(view, "…", dots);
}

void put_location(const struct view *view, const char *indent, const json_t *diagnosis)
{
    char location[300], line[16] = "";
    const char *file = text_of(diagnosis, "file"), *code = text_of(diagnosis, "code");
    if (file[0] == '\0') return;
    if (number_of(diagnosis, "line") > 0)
        snprintf(line, sizeof line, ":%d", number_of(diagnosis, "line"));
    snprintf(location, sizeof location, "%s%s%s", file, line, code[0] != '\0' ? "   " : "");
    printf("%s%s", indent, paint(view, BOLD));
    int left = WIDTH - (int)strlen(indent);
    left -= put(view, location, left);
    put_code(view, code, focus_of(text_of(diagnosis, "text"), code), left);
    printf("%s\n", paint(view, PLAIN));
}

static void show_diagnosis(const struct view *view, struct page *page, const json_t *diagnosis)
{
    put_location(view, "        ", diagnosis);
    put_wrapped(view, 8, "        ", text_of(diagnosis, "text"));
    if (is_null(diagnosis, "explain") || page->explain) return;
    printf("        %smake explain %s says more%s\n", paint(view, FAINT),
           text_of(diagnosis, "name"), paint(view, PLAIN));
    page->explain = true;
}

/* Below a failed criterion: the compiler's own words, or where in the source the cause is, or else
 * what was seen and needed. */
static void show_causes(const struct view *view, struct page *page, const json_t *criterion)
{
    int count = 0;
    size_t index = 0;
    json_t *diagnosis;
    const char *needed = needed_of(criterion);
    if (view->log != NULL && put_file(view, view->log, LOG_LINES)) return;
    while ((diagnosis = next_diagnosis(view->verdict, criterion, &index)) != NULL)
        if (++count <= DIAGNOSES_SHOWN) show_diagnosis(view, page, diagnosis);
    if (count > DIAGNOSES_SHOWN)
        printf("        and %d more; make check FORMAT=json lists them\n", count - DIAGNOSES_SHOWN);
    if (count > 0) return;
    char text[600];
    snprintf(text, sizeof text, "%s%s%s", text_of(criterion, "seen"),
             needed[0] != '\0' ? "; needed: " : "", needed);
    put_wrapped(view, 8, "        ", text);
}

/* A criterion that waits: what it would say now, where that says anything. */
static void show_waiting(const struct view *view, struct page *page, const json_t *criterion)
{
    static const char *const nothing[] = {"", "no", "yes", "none"};
    char now[120];
    const char *seen = text_of(criterion, "seen"), *modelled = strstr(seen, ", modelled");
    size_t length = modelled != NULL ? (size_t)(modelled - seen) : strlen(seen);
    bool says = length < sizeof now - 5 && strncmp(seen, "0 ", 2) != 0;
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (strcmp(seen, nothing[i]) == 0) says = false;
    if (says) snprintf(now, sizeof now, "%.*s now", (int)length, seen);
    says = says && ASIDE + (view->plain ? WIDER : 0) + columns(view, now) <= WIDTH;
    show_line_of(view, page, criterion, WAITING, says ? now : "waits for the one above");
}

static void show_criterion(const struct view *view, struct page *page, const json_t *criterion)
{
    const char *seen = text_of(criterion, "seen");
    bool reached = number_of(criterion, "rung") <= number_of(view->verdict, "rung");
    if (failed(criterion)) {
        show_line_of(view, page, criterion, BAD, "");
        show_causes(view, page, criterion);
    } else if (undecided(criterion)) {
        show_line_of(view, page, criterion, OPEN, "");
        put_wrapped(view, 8, "        ", seen);
    } else if (passed(criterion) && !reached) {
        show_line_of(view, page, criterion, WAITING, "passes so far");
    } else if (passed(criterion) && strncmp(seen, "not tried", strlen("not tried")) == 0) {
        show_line_of(view, page, criterion, WAITING, "");
        put_wrapped(view, 8, "        ", seen);
    } else if (passed(criterion)) {
        bool said = strcmp(seen, "yes") == 0 || strcmp(seen, "none") == 0; /* by the mark */
        show_line_of(view, page, criterion, OK, said ? "" : seen);
    } else if (view->log != NULL) {
        return; /* after a compiler's message nothing else matters */
    } else if (!is_null(criterion, "after")) {
        show_waiting(view, page, criterion);
    } else if (strcmp(seen, text_of(view->verdict, "next")) != 0) { /* that is said at the end */
        show_line_of(view, page, criterion, UNKNOWN, "");
        put_wrapped(view, 8, "        could not check: ", seen);
    }
}

void put_rung(const struct view *view, int rung, int perhaps, int rungs)
{
    printf("rung %d of %d", rung, rungs);
    for (int i = 1; i <= rungs && !view->plain; i++)
        printf("%s%s", i == 1 ? "  " : "",
               sign(view, i <= rung      ? FULL
                          : i <= perhaps ? MAYBE
                                         : EMPTY));
}

/* The rung, and the rate against the limit. */
static void show_rung(const struct view *view)
{
    const json_t *rate = json_object_get(view->verdict, "rate");
    const json_t *limit = json_object_get(view->verdict, "limit");
    printf("  ");
    put_rung(view, number_of(view->verdict, "rung"), number_of(view->verdict, "undecided"),
             number_of(view->verdict, "rungs"));
    if (!is_null(rate, "value") && !is_null(limit, "value")) {
        const char *unit = text_of(rate, "unit");
        printf("   %s %s", figure(json_number_value(json_object_get(rate, "value"))), unit);
        printf(" of %s %s, %s", figure(json_number_value(json_object_get(limit, "value"))), unit,
               text_of(rate, "how"));
    }
    putchar('\n');
}

static void show_next(const struct view *view, const char *first, const char *next)
{
    int indent = (int)strlen(first);
    if (columns(view, next) + 32 <= WIDTH) {
        fputs(first, stdout);
        put(view, next, WIDTH);
        printf("     make hint says more\n");
    } else {
        put_wrapped(view, indent, first, next);
        printf("%*smake hint says more\n", indent, "");
    }
}

static void show_foot(const struct view *view)
{
    const char *status = text_of(view->verdict, "status"), *next = text_of(view->verdict, "next");
    if (strcmp(status, "could not check") == 0) {
        put_wrapped(view, 6, "  could not check: ", next[0] != '\0' ? next : "the reason is above");
        return;
    }
    show_rung(view);
    bool perhaps = strcmp(status, "undecided") == 0;
    if (strcmp(status, "reached") != 0 && next[0] != '\0') show_next(view, "  next: ", next);
    if (strcmp(status, "reached") != 0 && !perhaps) return;
    printf(perhaps ? "  perhaps complete: " : "  complete: ");
    if (view->next_exercise != NULL) {
        fputs("next is ", stdout);
        put(view, view->next_exercise, WIDTH);
    } else {
        fputs("this is the last exercise", stdout);
    }
    putchar('\n');
    if (next[0] != '\0' && !perhaps) show_next(view, "  bonus: ", next);
}

void show_pretty(const struct view *view)
{
    struct page page = {-1, false};
    size_t i;
    json_t *criterion;
    show_head(view);
    json_array_foreach (json_object_get(view->verdict, "criteria"), i, criterion)
        show_criterion(view, &page, criterion);
    if (page.rung >= 0) putchar('\n');
    show_foot(view);
}
