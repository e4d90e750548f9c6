/*
 * pixels.mjs: a picture covered by blocks of threads, x across and y down.
 */
import { Drawing } from "../lib/draw.mjs";

const ACROSS = 4, DOWN = 4, WIDE = 100, HIGH = 46;

export function draw() {
    const d = new Drawing({
        width: 460, height: 262,
        title: "A picture covered by 4 x 4 blocks. blockIdx.x grows to the right, blockIdx.y downwards. A warp of a block is a part of one row.",
    });
    d.cells(40, 30, DOWN, ACROSS, [WIDE, HIGH], (r, c) => (r === 1 && c === 2 ? "computing strong" : "computing"), (r, c) => `${c}, ${r}`);
    d.text(40, 20, "blockIdx.x →", { soft: true, small: true });
    d.text(0, 52, "y ↓", { soft: true, small: true });
    d.box(40 + 2 * WIDE, 30 + HIGH, WIDE - 2, 7, "registers", "", { strong: true });
    d.text(40, 246, "a warp of block (2, 1): neighbours in x", { kind: "registers", small: true });
    return d.lines("");
}
