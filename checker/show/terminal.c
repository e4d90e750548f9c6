/* terminal.c: which colours and symbols the user wants, by the environment; see terminal.h. */
#define _POSIX_C_SOURCE 200809L
#include "show/terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A variable of the environment; "" when it is not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

/* True when a variable is set to anything but 0. */
static bool is_on(const char *name)
{
    const char *value = variable(name);
    return value[0] != '\0' && strcmp(value, "0") != 0;
}

/* True when the locale that the environment names is one of UTF-8. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (size_t i = 0; i < 3 && locale[0] == '\0'; i++)
        locale = variable(names[i]);
    for (; *locale != '\0'; locale++)
        if (tolower((unsigned char)locale[0]) == 'u' && tolower((unsigned char)locale[1]) == 't' &&
            tolower((unsigned char)locale[2]) == 'f')
            return strchr(locale, '8') != NULL;
    return false;
}

static bool wants_colour(void)
{
    if (variable("NO_COLOR")[0] != '\0' || is_on("WARPUP_PLAIN")) return false;
    if (is_on("CLICOLOR_FORCE")) return true;
    return isatty(STDOUT_FILENO) && strcmp(variable("TERM"), "dumb") != 0;
}

void find_terminal(struct view *view)
{
    view->unicode = locale_is_utf8();
    view->plain = is_on("WARPUP_PLAIN") || !view->unicode;
    view->colour = wants_colour();
}
