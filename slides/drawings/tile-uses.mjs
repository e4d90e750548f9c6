/*
 * tile-uses.mjs: one element of a tile, which one thread loads and a whole row of threads uses; without a number, because the
 * question beside it asks for it.
 */
import { Drawing } from "../lib/draw.mjs";

const T = 6, CELL = 40, MINE = 2;

export function draw() {
    const d = new Drawing({
        height: 300,
        title: "On the left a tile of M in shared memory, with one element marked. On the right the block's threads. One thread loads " +
            "the element from global memory. All threads of its row use it.",
    });
    const top = 8, threads = 700;
    d.cells(250, top, T, T, CELL, (r, c) => (r === MINE && c === 3 ? "shared strong" : "shared"));
    d.cells(threads, top, T, T, CELL, (r) => (r === MINE ? "computing strong" : "waiting"));
    d.text(230, top + 26, "a tile of M,", { anchor: "end" });
    d.text(230, top + 58, "T × T elements", { anchor: "end" });
    d.text(threads + T * CELL + 20, top + 26, "the block:");
    d.text(threads + T * CELL + 20, top + 58, "T × T threads");
    const y = top + MINE * CELL + CELL / 2;
    d.arrow(250 + 4 * CELL, y, threads - 6, y, "shared");
    d.says(250, 292, ["One thread loads this element from global memory. Who uses it?", "All threads of one row use it: it was loaded once."]);
    d.step(1, () => d.text((250 + T * CELL + threads) / 2, y - 16, "used by each", { anchor: "middle" }));
    return d.lines("");
}
