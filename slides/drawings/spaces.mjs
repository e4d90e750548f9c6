/*
 * spaces.mjs: all memories of a GPU in one picture: the grid with two blocks and their threads, the memory on the device, and the
 * host. Arrows say who reads and who writes.
 */
import { Drawing } from "../lib/draw.mjs";

const BLOCK = { width: 420, height: 236, top: 6 }, LEFT = [0, 450];
const THREAD = { width: 190, top: 96 };

function block(d, number) {
    const x = LEFT[number];
    d.box(x, BLOCK.top, BLOCK.width, BLOCK.height, "open", "");
    d.text(x + 12, BLOCK.top + 30, `block ${number}`, { bold: true });
    d.step(1, () => d.box(x + 130, BLOCK.top + 8, 276, 44, "shared", "shared memory"));
    for (const thread of [0, 1]) {
        const left = x + 12 + thread * (THREAD.width + 16);
        d.box(left, THREAD.top, THREAD.width, 40, "computing", `thread ${thread}`);
        d.box(left, THREAD.top + 44, THREAD.width, 36, "registers", "registers");
        d.step(3, () => d.box(left, THREAD.top + 88, THREAD.width, 36, "global dashed", "local"));
        d.step(1, () => d.arrow(left + 95, THREAD.top - 4, left + 95, BLOCK.top + 56, "shared"));
    }
}

export function draw() {
    const d = new Drawing({
        height: 446,
        title: "A grid of two blocks. Each thread has registers and local memory of its own, each block has shared memory. All threads read and " +
            "write global memory, and read constant and texture memory. The host reads and writes these three. Local memory is in the GPU's memory, too.",
    });
    for (const number of [0, 1]) block(d, number);
    const rows = [["global", "global memory: read and written by all threads", 2], ["cache", "constant memory: only read by kernels", 4], ["cache", "texture memory: only read by kernels", 4]];
    rows.forEach(([kind, text, step], i) =>
        d.step(step, () => {
            const y = 262 + i * 50;
            d.box(0, y, 870, 42, kind, text);
            d.arrow(946, y + 21, 880, y + 21, "host");
            d.arrow(890, y + 21, 946, y + 21, "host");
        }));
    d.step(2, () => {
        d.arrow(200, 246, 200, 258, "global");
        d.arrow(660, 246, 660, 258, "global");
        d.box(956, 262, 190, 142, "host", "host:\ncopies");
    });
    d.says(0, 440, [
        "Registers belong to one thread.",
        "Shared memory belongs to a block: all its threads read and write it.",
        "Global memory is for everybody. The host reaches it by copies.",
        "Local memory belongs to one thread, but it is in the GPU's memory (dashed).",
        "Kernels only read constant and texture memory. Both have caches.",
    ]);
    return d.lines("");
}
