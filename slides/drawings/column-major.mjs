/*
 * column-major.mjs: six numbers in memory, read as rows by us and as columns by cuBLAS: the same memory, the transpose.
 */
import { Drawing } from "../lib/draw.mjs";

const LETTERS = ["a", "b", "c", "d", "e", "f"], CELL = 52;
const KIND = (i) => (i < 3 ? "one" : "two");

/** `product`: the matrix is called M, as in a product. */
export function draw({ product = false }) {
    const d = new Drawing({
        height: 212,
        title: "Six numbers a b c d e f in memory. Read row by row they are a matrix of 2 rows: a b c and d e f. Read column by column they are a " +
            "matrix of 3 rows and 2 columns, whose columns are a b c and d e f.",
    });
    d.text(0, 28, `our ${product ? "M" : "A"}, 2 × 3: row by row`);
    d.cells(0, 44, 2, 3, CELL, (r, c) => KIND(3 * r + c), (r, c) => LETTERS[3 * r + c]);
    d.step(1, () => {
        d.text(400, 28, "memory");
        d.cells(400, 44, 1, 6, CELL, (_, c) => KIND(c), (_, c) => LETTERS[c]);
        d.arrow(190, 100, 388, 76, "soft");
    });
    d.step(2, () => {
        d.text(800, 28, product ? "cuBLAS: Mᵀ, 3 × 2, by columns" : "cuBLAS, 3 × 2: by columns");
        d.cells(900, 44, 3, 2, CELL, (r, c) => KIND(3 * c + r), (r, c) => LETTERS[3 * c + r]);
        d.arrow(760, 76, 888, 110, "soft");
    });
    return d.lines("");
}
