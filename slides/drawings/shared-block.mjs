/* shared-block.mjs: each block has its own shared memory in the SM; threads of other blocks cannot reach it. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 300,
        width: 540,
        title: "One SM with two blocks. The threads of a block reach the block's own shared memory, but not that of the other block.",
    });
    d.box(0, 2, 536, 294, "plain");
    d.text(20, 36, "one SM", { bold: true });
    for (const [i, x] of [20, 280].entries()) {
        d.text(x, 80, `block ${i}`);
        d.cells(x, 92, 2, 8, 29, () => "computing");
        d.arrow(x + 80, 156, x + 80, 206, "shared");
        d.arrow(x + 150, 206, x + 150, 156, "shared");
        d.box(x, 212, 232, 62, "shared", "shared memory");
    }
    return d.lines("");
}
