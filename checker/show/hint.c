/*
 * hint.c: what `make hint` says: the section of hints.md for the next rung. A program that cannot
 * be judged yet, above all one that does not compile, gets the advice of its first diagnosis's page
 * instead.
 */
#include "show/hint.h"

#include "show/pretty.h"
#include "show/print.h"
#include "show/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first diagnosis of a criterion of rung 0 that failed; NULL when there is none. */
static const json_t *first_obstacle(const json_t *verdict)
{
    const json_t *criterion = first_failed(verdict);
    size_t index = 0;
    if (criterion == NULL || number_of(criterion, "rung") > 0) return NULL;
    return next_diagnosis(verdict, criterion, &index);
}

static void show_advice(const struct view *view, const json_t *diagnosis)
{
    const char *name = text_of(diagnosis, "name");
    char page[4096];
    put_location(view, "", diagnosis);
    put_wrapped(view, 0, "", text_of(diagnosis, "text"));
    if (is_null(diagnosis, "explain")) return;
    putchar('\n');
    snprintf(page, sizeof page, "%s/%s.md", view->pages, name);
    put_section(view, page, "## How to find it", false);
    printf("make explain %s says more\n", name);
}

static void put_hint(const struct view *view, const char *heading)
{
    if (put_section(view, view->hints, heading, true)) return;
    fprintf(stderr, "could not check: %s has no section \"%s\"\n", view->hints, heading);
    exit(2);
}

void show_hint(const struct view *view)
{
    int rung = number_of(view->verdict, "rung"), rungs = number_of(view->verdict, "rungs");
    const json_t *obstacle = first_obstacle(view->verdict);
    char heading[40];
    snprintf(heading, sizeof heading, "## Rung %d", rung + 1);
    if (strcmp(text_of(view->verdict, "status"), "could not check") == 0)
        put_wrapped(view, 2, "could not check: ", text_of(view->verdict, "next"));
    else if (obstacle != NULL)
        show_advice(view, obstacle);
    else if (rung < rungs)
        put_hint(view, heading);
    else
        printf("Every rung is reached: there is no further hint.\n");
}
