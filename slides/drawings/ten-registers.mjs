/* ten-registers.mjs: the 8192 registers of an SM of 2007 with blocks of 256 threads that need 10 registers each. */
import { Drawing } from "../lib/draw.mjs";

const ALL = 8192, THREADS = 256, REGISTERS = 10;

export function draw() {
    const block = THREADS * REGISTERS, blocks = Math.floor(ALL / block);
    const d = new Drawing({
        height: 150,
        title: `${ALL} registers, divided between blocks ${Array.from({ length: blocks }, (_, i) => i).join(", ")} of ${THREADS} threads with ${REGISTERS} registers each. ${ALL - blocks * block} registers are left.`,
    });
    const width = (registers) => (registers / ALL) * 1150;
    d.text(0, 28, `${ALL} registers; a block of ${THREADS} threads with ${REGISTERS} registers each needs ${block}`);
    d.box(0, 48, 1150, 64, "plain");
    for (let i = 0; i < blocks; i++) d.box(i * width(block), 48, width(block) - 3, 64, "registers", `block ${i}`);
    d.text(1150, 142, `${ALL - blocks * block} left`, { anchor: "end" });
    return d.lines("");
}
