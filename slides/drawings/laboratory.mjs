/* laboratory.mjs: the five programs that measure a machine, each with the question that it answers. */
import { Drawing } from "../lib/draw.mjs";

const PROGRAMS = [
    ["host", "launch", "What does it cost to start a kernel?"],
    ["cache", "latency", "How long does one load take, and where does it come from?"],
    ["global", "in-flight", "How many bytes must be in flight to keep the memory busy?"],
    ["shared", "bank-conflicts", "When do the lanes of a warp wait for each other?"],
    ["computing", "divergence", "What does a branch cost?"],
];
const ROW = 58;

export function draw() {
    const d = new Drawing({
        height: PROGRAMS.length * ROW,
        title: `Five programs and their questions. ${PROGRAMS.map(([, name, question]) => `${name}: ${question}`).join(" ")}`,
    });
    PROGRAMS.forEach(([kind, name, question], i) => {
        d.box(0, i * ROW, 300, ROW - 10, kind, `${name}.cu`);
        d.text(330, i * ROW + 33, question);
    });
    return d.lines("");
}
