/* rewrite_edits.c: see rewrite_edits.h. */
#include "sim/translate/rewrite_edits.h"

#include <stdlib.h>

void edits_add(struct edits *edits, struct edit edit)
{
    if (edits->count == edits->room) {
        size_t room = edits->room == 0 ? 64 : 2 * edits->room;
        struct edit *list = realloc(edits->list, room * sizeof *list);
        if (list == NULL) {
            edits->no_memory = true;
            return;
        }
        edits->list = list;
        edits->room = room;
    }
    edits->list[edits->count++] = edit;
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Writes the ends of lines of text[begin, end), those of a macro or a literal with their backslash:
 * every line keeps its number. */
static void write_line_ends(FILE *out, const char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] == '\n') fputs(i > begin && text[i - 1] == '\\' ? "\\\n" : "\n", out);
}

void edits_write(struct edits *edits, FILE *out, const char *text, size_t length)
{
    size_t at = 0;
    if (edits->count > 0) qsort(edits->list, edits->count, sizeof *edits->list, by_place);
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->list[i];
        if (edit->begin < at) continue; /* another edit has taken this text */
        fwrite(text + at, 1, edit->begin - at, out);
        fputs(edit->text, out);
        if (edit->number >= 0) fprintf(out, "%ld, ", edit->number);
        write_line_ends(out, text, edit->begin, edit->end);
        at = edit->end;
    }
    fwrite(text + at, 1, length - at, out);
}

void edits_free(struct edits *edits)
{
    free(edits->list);
    *edits = (struct edits){0};
}
