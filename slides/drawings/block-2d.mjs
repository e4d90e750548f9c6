/*
 * block-2d.mjs: a block of 16 x 8 threads, and its warps: two rows of 16 each.
 */
import { Drawing } from "../lib/draw.mjs";

const COLUMNS = 16, ROWS = 8, CELL = [52, 32], LEFT = 150, TOP = 34;
const KINDS = ["computing strong", "computing", "computing strong", "computing"];

export function draw() {
    const d = new Drawing({
        height: TOP + ROWS * CELL[1] + 8,
        title: "A block of 16 threads in x and 8 in y. Threads 0 to 15 are the first row. A warp is two rows: warp 0 has y = 0 and 1, warp 1 has " +
            "y = 2 and 3, and so on.",
    });
    d.text(LEFT, 24, "threadIdx.x = 0 … 15", { soft: true });
    d.text(0, TOP + 24, "y = 0", { soft: true });
    d.text(0, TOP + ROWS * CELL[1] - 10, "y = 7", { soft: true });
    for (let row = 0; row < ROWS; row++)
        d.cells(LEFT, TOP + row * CELL[1], 1, COLUMNS, CELL, () => KINDS[row >> 1], (_, column) => row * COLUMNS + column, { small: true });
    for (let warp = 0; warp < 4; warp++) d.text(LEFT + COLUMNS * CELL[0] + 16, TOP + warp * 64 + 40, `warp ${warp}`, { bold: true });
    return d.lines("");
}
