/* local-memory.mjs: a thread's registers are in the SM. Its local memory is in the GPU's memory, with the L1 and the L2 between. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 170,
        title: "A thread's registers are in its SM. Its array w is in local memory, which is in the GPU's memory. Its accesses go through L1 " +
            "and L2.",
    });
    d.box(0, 4, 430, 160, "plain");
    d.text(20, 38, "the SM", { bold: true });
    d.box(20, 58, 180, 84, "registers", "registers\nof a thread");
    d.box(240, 58, 160, 84, "cache", "L1");
    d.box(520, 58, 160, 84, "cache", "L2");
    d.box(800, 4, 352, 160, "global");
    d.text(820, 38, "GPU memory", { bold: true });
    d.box(820, 58, 312, 84, "plain", "local memory\nof the thread: w[64]");
    d.arrow(202, 100, 238, 100, "soft");
    d.arrow(402, 100, 518, 100, "soft");
    d.arrow(682, 100, 798, 100, "soft");
    return d.lines("");
}
