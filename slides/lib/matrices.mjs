/*
 * matrices.mjs: the drawing of a product P = M N, on which the drawings of matmul's deck agree: N above P, M left of it, so
 * that an element of P is where its row of M and its column of N meet.
 */

/** Where the three matrices of n x n elements are, with cells of this size, from (x, y) on. */
export function product(d, { x, y, n, cell, kinds, texts = {}, names = true }) {
    /* The gap has room for the name of P. */
    const gap = 34, side = n * cell;
    const places = { N: [x + side + gap, y], M: [x, y + side + gap], P: [x + side + gap, y + side + gap] };
    for (const [name, [left, top]] of Object.entries(places)) {
        d.cells(left, top, n, n, cell, (row, column) => kinds[name](row, column), (row, column) => texts[name]?.(row, column) ?? "");
        if (names) d.text(left - 14, top + 22, name, { anchor: "end", bold: true });
    }
    return { ...places, side, gap };
}
