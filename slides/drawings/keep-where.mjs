/*
 * keep-where.mjs: a value that the same thread needs again stays in its register; one that others need goes to shared memory.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

export function draw() {
    const wait = `${inline("demo", ["latency", "shared", "2"], {})} ns`;
    const d = new Drawing({
        height: 360,
        title: "Left: a thread loads a value into its own register and uses it again, at once. Right: all threads of a block fill shared " +
            `memory together, and each can read what another one has loaded, after ${wait}.`,
    });
    const half = 564, panel = (x, name) => (d.box(x, 2, half, 354, "waiting"), d.text(x + 20, 36, name, { bold: true }));
    panel(2, "needed again by the same thread");
    d.box(40, 90, 200, 60, "computing", "thread 5");
    d.box(40, 214, 200, 60, "registers", "its register");
    d.arrow(110, 212, 110, 152, "registers");
    d.arrow(170, 152, 170, 212, "registers");
    ["filled by its own load", "read immediately", "seen by nobody else"].forEach((line, i) => d.text(266, 130 + 50 * i, line));
    panel(586, "needed by others of the block");
    d.cells(606, 60, 1, 4, [132, 60], () => "computing", (_, i) => `thread ${i + 4}`);
    d.box(606, 184, 526, 60, "shared", "shared memory");
    for (let i = 0; i < 4; i++) d.arrow(650 + 132 * i, 122, 650 + 132 * i, 182, "shared");
    d.arrow(692, 182, 832, 124, "shared", { strong: true });
    ["filled by all together, then a barrier", `read by every thread, in ${wait} (H100)`].forEach((line, i) => d.text(606, 288 + 40 * i, line));
    return d.lines("");
}
