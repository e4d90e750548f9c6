/*
 * line.c: a verdict in one line, for tables. `with` is "devices": before it a line that names them;
 * or "next": after it what to do next.
 */
#include "show/line.h"

#include "show/print.h"
#include "show/words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 22, RATE_COLUMNS = 14, SHARE_COLUMNS = 22 };

static void show_devices(const struct view *view)
{
    size_t i;
    json_t *device;
    printf("on ");
    json_array_foreach (json_object_get(view->verdict, "devices"), i, device) {
        bool simulated = strcmp(text_of(device, "kind"), "simulated") == 0;
        printf("%s%s", i > 0 ? " and " : "", simulated ? "the " : "");
        put_device(view, device);
    }
    printf("\n\n");
}

/* The rung, the rate and its share of the limit. */
static void show_standing(const struct view *view)
{
    const json_t *rate = json_object_get(view->verdict, "rate");
    const json_t *share = json_object_get(view->verdict, "share");
    char text[80];
    printf("rung %d of %d", number_of(view->verdict, "rung"), number_of(view->verdict, "rungs"));
    if (!is_null(view->verdict, "undecided"))
        printf(", perhaps %d", number_of(view->verdict, "undecided"));
    if (is_null(rate, "value")) return;
    double value = json_number_value(json_object_get(rate, "value"));
    snprintf(text, sizeof text, "%s %s", figure(value), text_of(rate, "unit"));
    printf("%*s", RATE_COLUMNS, text);
    if (json_is_number(share)) {
        snprintf(text, sizeof text, "%s %% of the limit", figure(100 * json_number_value(share)));
        printf("%*s", SHARE_COLUMNS, text);
    }
    printf(", %s", text_of(rate, "how"));
}

void show_line(const struct view *view)
{
    const char *next = text_of(view->verdict, "next");
    bool checked = strcmp(text_of(view->verdict, "status"), "could not check") != 0;
    if (strcmp(view->with, "devices") == 0) show_devices(view);
    int wide = put(view, view->name, INT_MAX);
    printf("%*s", wide < NAME_COLUMNS ? NAME_COLUMNS - wide : 0, "");
    if (checked)
        show_standing(view);
    else
        printf("could not check");
    putchar('\n');
    if (strcmp(view->with, "next") == 0) {
        printf("    next: ");
        put(view, next[0] != '\0' ? next : "nothing, every rung is reached", INT_MAX);
        putchar('\n');
    }
}
