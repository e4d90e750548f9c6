/*
 * blocks-share.mjs: who sees which memory: every block has its own copy of a shared array, and all see global memory.
 */
import { Drawing } from "../lib/draw.mjs";

export function draw({ width = 1152 }) {
    const d = new Drawing({
        width, height: 232,
        title: "Two blocks. Each has its own copy of the shared array part, which only its own threads see. Global memory is one for all.",
    });
    const half = width / 2;
    for (const block of [0, 1]) {
        const x = block * half;
        d.box(x + 2, 2, half - 24, 150, "waiting");
        d.text(x + 16, 34, `block ${block}`);
        d.cells(x + 16, 46, 1, 4, [(half - 52) / 4, 42], () => "computing", (_, thread) => `thread ${thread}`);
        d.box(x + 16, 98, half - 54, 44, "shared", `part of block ${block}`);
        d.arrow(x + half / 2 - 12, 152, x + half / 2 - 12, 184, "global");
    }
    d.box(2, 186, width - 24, 44, "global", "global memory: one for all blocks, kept between kernels");
    return d.lines("");
}
