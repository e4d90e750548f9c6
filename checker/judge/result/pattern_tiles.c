/* pattern_tiles.c: see pattern_tiles.h. Kernels make matrices by tiles, so a mistake repeats in
 * each tile, at the same rows and columns. */
#include "judge/result/pattern_tiles.h"

#include <string.h>

enum {
    SIDE_MAX = 64,    /* of a tile */
    BY_CHANCE = 1000, /* of the wrong elements, 1 in 1000 may be right by chance */
    SAMPLES = 16,     /* wrong elements whose value is looked for in their tile */
    PIECE = 16,       /* the side of what a warp makes with the tensor cores */
};

/* The elements of a matrix at each row and column of a tile, counted over all tiles. */
struct tiles {
    size_t side;
    struct {
        uint32_t wrong, all;
    } at[SIDE_MAX][SIDE_MAX];
    bool row[SIDE_MAX], column[SIDE_MAX]; /* has a wrong element */
    size_t rows, columns, places;         /* rows and columns of that kind; wrong places */
};

static bool is_matrix(const struct subject *s, size_t side)
{
    size_t columns = s->problem->columns;
    return columns >= 2 * side && s->n / columns >= 2 * side;
}

/* True if each place of a tile is always wrong, or always right. */
static bool count_places(const struct subject *s, const bool *wrong, struct tiles *tiles)
{
    size_t columns = s->problem->columns, side = tiles->side;
    memset(tiles, 0, sizeof *tiles);
    tiles->side = side;
    for (size_t i = 0; i < s->n; i++) {
        size_t y = i / columns % side, x = i % columns % side;
        tiles->at[y][x].all++;
        tiles->at[y][x].wrong += wrong[i];
    }
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            uint32_t bad = tiles->at[y][x].wrong, all = tiles->at[y][x].all;
            if (bad == 0) continue;
            if ((all - bad) * BY_CHANCE > all) return false;
            tiles->rows += !tiles->row[y];
            tiles->columns += !tiles->column[x];
            tiles->row[y] = tiles->column[x] = true;
            tiles->places++;
        }
    return tiles->places > 0 && tiles->places < side * side;
}

static size_t first_of(const bool *set)
{
    size_t i = 0;
    while (!set[i])
        i++;
    return i;
}

/* "rows 1 to 6, 9 to 14 and so on" if they follow each other; else the first of them */
static const char *lines_of(const struct subject *s, const char *kind, const bool *set,
                            size_t count, size_t side)
{
    size_t from = first_of(set), to = from + count - 1;
    for (size_t i = from; i <= to; i++)
        if (i >= side || !set[i]) to = 0;
    if (count == 1)
        return arena_format(s->arena, "one %s in %zu is wrong: %ss %zu, %zu, %zu and so on", kind,
                            side, kind, from, from + side, from + 2 * side);
    if (to == 0)
        return arena_format(s->arena,
                            "in every %zu %ss, the same %zu are wrong: the first is %s %zu", side,
                            kind, count, kind, from);
    return arena_format(s->arena,
                        "in every %zu %ss, %zu are wrong: %ss %zu to %zu, %zu to %zu and so on",
                        side, kind, count, kind, from, to, from + side, to + side);
}

struct pattern pattern_tile_places(const struct subject *s)
{
    if (!is_matrix(s, 2)) return pattern_none();
    bool *wrong = arena_alloc(s->arena, s->n * sizeof *wrong);
    struct tiles *tiles = arena_alloc(s->arena, sizeof *tiles);
    for (size_t i = 0; i < s->n; i++)
        wrong[i] = !subject_fits(s, i);
    for (size_t side = 2; side <= SIDE_MAX && is_matrix(s, side); side *= 2) {
        tiles->side = side;
        if (!count_places(s, wrong, tiles)) continue;
        if (tiles->places == side * tiles->columns)
            return pattern_found(s, "every-kth", NULL, "%s",
                                 lines_of(s, "column", tiles->column, tiles->columns, side));
        if (tiles->places == side * tiles->rows)
            return pattern_found(s, "every-kth", NULL, "%s",
                                 lines_of(s, "row", tiles->row, tiles->rows, side));
        size_t y = first_of(tiles->row), x = 0;
        while (tiles->at[y][x].wrong == 0)
            x++;
        return pattern_found(s, "every-kth", NULL,
                             "in every tile of %zu x %zu elements, the same %zu are wrong: the "
                             "first is in row %zu, column %zu",
                             side, side, tiles->places, y, x);
    }
    return pattern_none();
}

/* The element of the same tile whose right value element i has; `n` when there is none. */
static size_t source_of(const struct subject *s, size_t i, size_t side)
{
    size_t columns = s->problem->columns, rows = s->n / columns;
    size_t y = i / columns / side * side, x = i % columns / side * side;
    for (size_t row = y; row < y + side && row < rows; row++)
        for (size_t column = x; column < x + side && column < columns; column++)
            if (compare_fits(s->problem, subject_got(s, i), row * columns + column))
                return row * columns + column;
    return s->n;
}

struct pattern pattern_tile_moved(const struct subject *s)
{
    size_t columns = s->problem->columns, looked = 0, first = s->n, from = 0;
    if (!is_matrix(s, PIECE)) return pattern_none();
    for (size_t i = s->difference->first; i < s->n && looked < SAMPLES; i++) {
        if (subject_fits(s, i)) continue;
        size_t source = source_of(s, i, PIECE);
        if (source == s->n) return pattern_none();
        if (looked++ > 0) continue;
        first = i;
        from = source;
    }
    if (looked < SAMPLES) return pattern_none();
    return pattern_found(s, "blocks-moved", NULL,
                         "the right values are in other places of their tile: the element in row "
                         "%zu, column %zu holds the value of row %zu, column %zu",
                         first / columns, first % columns, from / columns, from % columns);
}
