/*
 * padding.mjs: the banks of a tile's column, without and with one float more per row. Four banks stand for 32.
 */
import { Drawing } from "../lib/draw.mjs";

const BANKS = 4, CELL = 58, TOP = 78;

function tile(d, left, columns, title) {
    d.text(left, 28, title, { mono: true });
    d.text(left, 64, "bank of each element", { soft: true });
    d.cells(left, TOP, BANKS, columns, CELL, (row, column) => (column === 0 ? "shared strong" : column < BANKS ? "shared" : "waiting"),
        (row, column) => (row * columns + column) % BANKS);
    for (let row = 0; row < BANKS; row++) d.text(left + columns * CELL + 14, TOP + row * CELL + 37, `row ${row}`, { soft: true });
}

export function draw() {
    const d = new Drawing({
        height: 318,
        title: "A tile of 4 x 4 floats with four banks. Its first column lies in bank 0 alone. With a fifth float in each row, the column " +
            "lies in banks 0, 1, 2 and 3.",
    });
    tile(d, 20, BANKS, "tile[4][4]");
    d.step(1, () => tile(d, 600, BANKS + 1, "tile[4][4 + 1]"));
    return d.lines("");
}
