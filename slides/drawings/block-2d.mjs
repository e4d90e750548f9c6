/*
 * block-2d.mjs: a block of 8 x 8 threads, and its warps: four rows of 8 each.
 */
import { Drawing } from "../lib/draw.mjs";

const COLUMNS = 8, ROWS = 8, CELL = [72, 32], LEFT = 150, TOP = 34;
const KINDS = ["computing strong", "computing"];

export function draw() {
    const d = new Drawing({
        height: TOP + ROWS * CELL[1] + 8,
        title: "A block of 8 threads in x and 8 in y. Threads 0 to 7 are the first row. A warp is four rows: warp 0 has y = 0 to 3, warp 1 has " +
            "y = 4 to 7.",
    });
    d.text(LEFT, 24, "threadIdx.x = 0 … 7", { soft: true });
    d.text(0, TOP + 24, "y = 0", { soft: true });
    d.text(0, TOP + ROWS * CELL[1] - 10, "y = 7", { soft: true });
    for (let row = 0; row < ROWS; row++)
        d.cells(LEFT, TOP + row * CELL[1], 1, COLUMNS, CELL, () => KINDS[row >> 2], (_, column) => row * COLUMNS + column, { small: true });
    for (let warp = 0; warp < 2; warp++) d.text(LEFT + COLUMNS * CELL[0] + 16, TOP + warp * 128 + 72, `warp ${warp}`, { bold: true });
    return d.lines("");
}
