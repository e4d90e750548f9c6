/*
 * few-rows.mjs: 16 long rows on a GPU of 132 SMs. With a warp per row and 8 warps per block there are two blocks. With each
 * row cut into parts there are enough for all SMs, and a second kernel adds up the parts' sums.
 */
import { Drawing } from "../lib/draw.mjs";

const ROWS = 16, SMS = 132, ACROSS = 12, CELL = 27, LEFT = 760, TOP = 44, BAR = 18, WIDTH = 640;

function matrix(d, parts, kind) {
    for (let row = 0; row < ROWS; row++)
        d.cells(0, TOP + row * BAR, 1, parts, [WIDTH / parts, BAR], (_, part) => kind(row, part));
}

const gpu = (d, isBusy) =>
    d.cells(LEFT, TOP, SMS / ACROSS, ACROSS, CELL, (r, c) => (isBusy(r * ACROSS + c) ? "computing strong" : "waiting"));

export function draw() {
    const d = new Drawing({
        height: TOP + ROWS * BAR + 100,
        title: "A matrix of 16 rows and a GPU of 132 SMs. Rung 5 has 16 warps in 2 blocks, so 2 SMs work and 130 wait. Rung 6 cuts each row into " +
            "parts, with a warp per part: all SMs work. A second kernel adds up the sums of each row's parts.",
    });
    d.text(0, 30, "16 rows of 4 194 304 floats");
    d.text(LEFT, 30, "132 SMs");
    d.step(0, () => { matrix(d, 1, () => "global"); gpu(d, () => false); }, 1);
    d.step(1, () => { matrix(d, 1, () => "global strong"); gpu(d, (sm) => sm < 2); }, 2);
    d.step(2, () => { matrix(d, 16, (row, part) => ((row + part) % 2 ? "global" : "global strong")); gpu(d, () => true); }, 3);
    d.step(3, () => {
        matrix(d, 16, () => "global");
        gpu(d, (sm) => sm < 2);
        for (let row = 0; row < ROWS; row++) d.box(WIDTH + 16, TOP + row * BAR, 28, BAR - 2, "registers", "", { strong: true });
        d.text(WIDTH + 30, 30, "y", { anchor: "middle" });
    });
    d.says(0, TOP + ROWS * BAR + 40, [
        "The matrix has as many bytes as one of 8192 × 8192. But it has few rows.",
        "Rung 5: one warp per row, 8 warps per block. 2 blocks, so 2 of 132 SMs work.",
        "Rung 6: a row is cut into 512 parts, with a warp per part. All SMs work.",
        "A second kernel adds up the 512 sums of each row. It is short: 16 warps.",
    ]);
    d.legend(0, TOP + ROWS * BAR + 84, [["global strong", "being read"], ["computing strong", "an SM that works"], ["waiting", "an SM that waits"]]);
    return d.lines("");
}
