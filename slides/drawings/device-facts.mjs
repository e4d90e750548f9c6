/*
 * device-facts.mjs: what the demo device-facts printed on the GPU, each figure in its place: in the GPU, in an SM, in a block.
 */
import { demoCells } from "../lib/blocks.mjs";
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const { cells, small } = demoCells("device-facts", "1", "2");
    const of = (name) => cells.find(([first]) => first === name)?.[1] ?? missing(name);
    const [threads, blockThreads] = of("threads per SM / per block").split(" / ");
    const [registers] = of("registers per SM / per block").split(" / ");
    const [shared, blockShared] = of("shared memory per SM / per block").split(" / ");
    const [, l2] = of("constant memory, L2").split(" / ");
    const bandwidth = of("bus, memory clock, bandwidth").split(", ").at(-1);
    const sms = of("streaming multiprocessors (SMs)");
    const d = new Drawing({
        height: 400,
        title: `The GPU has ${sms} SMs, ${l2} of L2 and ${of("global memory")} of global memory with ${bandwidth}. An SM has room for ` +
            `${threads} threads, ${registers} registers and ${shared} of shared memory. A block has at most ${blockThreads} threads and ${blockShared} of shared memory.`,
    });
    const list = (x, y, lines) => lines.forEach((line, i) => d.text(x, y + 36 * i, line));
    d.box(0, 2, 1150, 396, "plain");
    d.text(24, 40, "the GPU", { bold: true });
    list(24, 84, [`${sms} SMs`]);
    d.box(24, 250, 330, 56, "cache", `L2: ${l2}`);
    d.box(24, 320, 330, 62, "global", `${of("global memory")}, ${bandwidth}`);
    d.step(1, () => {
        d.box(384, 24, 742, 350, "plain");
        d.text(408, 62, "one SM", { bold: true });
        list(408, 106, [`${threads} threads`]);
        d.box(408, 220, 300, 56, "registers", `${registers} registers`);
        d.box(408, 296, 300, 62, "shared", `shared: ${shared}`);
    });
    d.step(2, () => {
        d.box(738, 60, 366, 290, "computing");
        d.text(762, 98, "one block", { bold: true });
        list(762, 142, [`at most ${blockThreads} threads`, "shared memory:", blockShared.replace(", at most", ", up to"), "if the program asks"]);
    });
    return d.lines("", small);
}

function missing(name) {
    throw new Error(`the demo device-facts has no row "${name}"`);
}
