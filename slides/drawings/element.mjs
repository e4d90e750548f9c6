/*
 * element.mjs: an element of P is a row of M times a column of N. In steps: the next element of the row needs the same row
 * of M again.
 */
import { Drawing } from "../lib/draw.mjs";
import { product } from "../lib/matrices.mjs";

const N = 6, CELL = 31;
const ELEMENTS = [[1, 1], [1, 2], [1, 3]];

export function draw({ width = 460 }) {
    const d = new Drawing({
        width, height: 2 * N * CELL + 100,
        title: "N above P, M left of it. Element (1, 1) of P is row 1 of M times column 1 of N. Elements (1, 2) and (1, 3) need the same row of " +
            "M again, and other columns of N.",
    });
    ELEMENTS.forEach(([row, column], i) =>
        d.step(i, () => {
            product(d, {
                x: 36, y: 4, n: N, cell: CELL,
                kinds: {
                    M: (r) => (r === row ? "global strong" : "global"),
                    N: (r, c) => (c === column ? "global strong" : "global"),
                    P: (r, c) => (r === row && c === column ? "registers strong" : r === row && c < column && c > 0 ? "registers" : "plain"),
                },
            });
        }, i + 1 < ELEMENTS.length ? i + 1 : null));
    d.says(0, 2 * N * CELL + 80, ["A row of M, a column of N.", "The same row again.", "And again: n times in all."]);
    return d.lines("");
}
