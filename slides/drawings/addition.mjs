/*
 * addition.mjs: P = M + N, element by element: each is used once, by one thread.
 */
import { Drawing } from "../lib/draw.mjs";

const SIZE = 4, CELL = 52;

export function draw() {
    const d = new Drawing({
        height: SIZE * CELL + 44,
        title: "Three matrices. One element of M and one of N make one element of P, and nothing else needs them.",
    });
    [["M", 60, "+"], ["N", 440, "="], ["P", 820, ""]].forEach(([name, x, sign]) => {
        d.text(x, 26, name, { bold: true });
        d.cells(x, 40, SIZE, SIZE, CELL, (r, c) => `${name === "P" ? "registers" : "global"}${r === 1 && c === 2 ? " strong" : ""}`);
        d.text(x + SIZE * CELL + 78, 40 + 2 * CELL + 8, sign, { anchor: "middle", bold: true });
    });
    return d.lines("");
}
