/* pipe.mjs: latency is the length of a pipe, bandwidth its width, and what is in it are the bytes in flight. */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const ROWS = 6, COLUMNS = 24;

export function draw() {
    const latency = Number(inline("demo", ["latency", "262144", "2"], {}));
    const rate = Number(inline("rate", ["ex01_axpy", "copy"], { plain: "1" }));
    const d = new Drawing({
        height: 330,
        title: `A pipe from global memory to an SM. Its length is the latency, ${latency} ns. Its width is the bandwidth, ${rate} GB/s. Bytes in ` +
            `flight are what is in the pipe: ${((latency * rate) / 1e6).toFixed(1)} MB when it is full.`,
    });
    d.box(0, 60, 170, 180, "global", "global\nmemory");
    d.box(982, 60, 170, 180, "computing", "132 SMs");
    d.box(180, 60, 792, 180, "open", "");
    /* One load at a time fills one place of the pipe. */
    d.cells(186, 66, 1, 1, [33, 29], () => "global strong");
    d.step(1, () => d.cells(186, 66, 1, COLUMNS, [32.6, 29], () => "global strong"));
    d.step(2, () => d.cells(186, 95, ROWS - 1, COLUMNS, [32.6, 29], () => "global strong"));
    d.arrow(180, 36, 972, 36, "ink");
    d.text(576, 24, `latency: ${latency} ns, measured on an H100`, { anchor: "middle" });
    d.text(196, 272, `bandwidth: ${(rate / 1000).toFixed(1)} TB/s through the whole width`, { soft: true });
    d.says(0, 318, [
        "One load in flight: the pipe is nearly empty.",
        "One load after the other, without waiting: a row is full.",
        `Many threads do so: ${((latency * rate) / 1e6).toFixed(1)} MB in flight, and the pipe is full.`,
    ]);
    return d.lines("", "latency: an H100, which has the same chip as the H200; bandwidth: the copy rate of an H200");
}
