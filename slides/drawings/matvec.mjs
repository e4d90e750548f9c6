/*
 * matvec.mjs: y = A x, row by row. Each row of A is used once, and x for every row.
 */
import { Drawing } from "../lib/draw.mjs";

const ROWS = 4, COLUMNS = 8, TOP = 40;

export function draw({ says: isBuild = false }) {
    const CELL = 38;
    const d = new Drawing({
        height: TOP + ROWS * CELL + (isBuild ? 60 : 4),
        title: "A matrix A of 4 rows and 8 columns, the vector x of 8 elements and y of 4. Element i of y is row i of A times x. " +
            "Each element of A is used once, and each element of x four times.",
    });
    const [a, x, y] = [90, 560, 1000];
    d.text(a, 28, "A, M × N");
    d.text(x, 28, "x, N");
    d.text(y - 20, 28, "y, M");
    const row = (i) => {
        d.cells(a, TOP, ROWS, COLUMNS, CELL, (r) => (r === i ? "global strong" : isBuild && r < i ? "waiting" : "global"));
        d.cells(x, TOP + 1.5 * CELL, 1, COLUMNS, CELL, () => "global strong");
        d.cells(y, TOP, ROWS, 1, CELL, (r) => (r === i ? "registers strong" : r < i ? "global" : "plain"));
        d.text(a - 16, TOP + i * CELL + 27, `row ${i}`, { anchor: "end" });
        d.text(x - 42, TOP + 2 * CELL + 8, "·", { bold: true });
        d.arrow(x + COLUMNS * CELL + 6, TOP + 2 * CELL, y - 8, TOP + i * CELL + 19, "registers");
    };
    if (!isBuild) row(1);
    for (let i = 0; isBuild && i < ROWS; i++) d.step(i, () => row(i), i + 1 < ROWS ? i + 1 : null);
    if (isBuild)
        d.says(0, TOP + ROWS * CELL + 46, [
            "y₀ needs row 0 of A, and all of x.",
            "y₁ needs row 1. Nobody needs row 0 again, but x is needed again.",
            "y₂: the third row, and x for the third time.",
            "In the end each element of A was used once, and each of x M times.",
        ]);
    return d.lines("");
}
