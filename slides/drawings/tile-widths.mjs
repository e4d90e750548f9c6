/*
 * tile-widths.mjs: tiles of 16 and of 32, with the rows that the first warp loads, and what follows from the width.
 */
import { Drawing } from "../lib/draw.mjs";

const CELL = 10, LANES = 32, THREADS_PER_SM = 2048;

export function draw() {
    const d = new Drawing({
        height: 366,
        title: "A tile of 16 × 16 and one of 32 × 32 elements. The first warp loads two rows of the small tile, or one row of the large one.",
    });
    [16, 32].forEach((T, i) => {
        const x = i ? 480 : 20, top = 8, text = x + (i ? 345 : 185);
        d.box(x, top, T * CELL, T * CELL, "shared");
        d.box(x, top, T * CELL, (LANES / T) * CELL, "computing", "", { strong: true });
        d.text(x, top + T * CELL + 32, `T = ${T}`, { bold: true });
        [
            `${T * T} threads`,
            `${(8 * T * T) / 1024} KB of shared memory`,
            `${THREADS_PER_SM / T / T} blocks per SM (H200)`,
            `${T / 4} flop per byte`,
        ].forEach((line, n) => d.text(text, top + 24 + 36 * n, line));
    });
    d.legend(20, 340, [["computing strong", "what the first warp loads"]]);
    return d.lines("");
}
