/*
 * overlap.mjs: the whole job of axpy, from the host's arrays to the host's arrays. First one copy after another, then in pieces that
 * overlap. The times are computed from the measured rates of the bus in one direction and in both, and from the kernel's time.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const PIECES = 4, ELEMENTS = 67108864;
const STREAMS = 3, KINDS = ["host", "computing", "host"];

const figure = (name) => Number(inline("figure", ["h200", name], {}));
const milliseconds = (bytes, rate) => bytes / rate / 1e6; // bytes, GB/s

export function draw() {
    const kernel = parseFloat(inline("time", ["ex01_axpy", "6"], {})) / 1000;
    const alone = figure("pinned_gbs"), both = figure("pinned_both_gbs");
    const down = milliseconds(8 * ELEMENTS, alone), up = milliseconds(4 * ELEMENTS, alone);
    const whole = down + kernel + up;
    const lastly = overlapped(milliseconds(8 * ELEMENTS, both) / PIECES, kernel / PIECES, milliseconds(4 * ELEMENTS, both) / PIECES);
    const d = new Drawing({
        height: 450,
        title: `One after another, the copies to the GPU take ${ms(down)}, the kernel ${ms(kernel)}, the copy to the host ${ms(up)}: ${ms(whole)} in all. In ` +
            `${PIECES} pieces, copies to the GPU, kernels and copies to the host overlap, and the job takes ${ms(lastly.end)}.`,
    });
    const geometry = { x: 150, width: 1000, ends: 16, row: 40, gap: 8, axis: "" };
    const names = ["to the GPU", "kernel", "to the host"];
    const first = [[0, down, "host", `x and y: ${ms(down)}`], [down, down + kernel, "computing", ""], [down + kernel, whole, "host", `y: ${ms(up)}`]];
    d.text(0, 24, "one after another", { bold: true });
    const at = d.timeline({ ...geometry, y: 38, rows: names.map((name, i) => ({ name, spans: [first[i]] })) });
    d.text(at(down + kernel) + 12, 116, `kernel: ${ms(kernel)}`);
    d.step(1, () => d.text(0, 226, `in ${PIECES} pieces, ${STREAMS} streams`, { bold: true }));
    const spans = lastly.pieces.map((times, piece) => times.map(([from, to], i) => [from, to, KINDS[i], "", piece + 1]));
    d.timeline({ ...geometry, y: 240, rows: names.map((name, i) => ({ name, spans: spans.map((one) => one[i]) })) });
    for (const [piece, times] of lastly.pieces.entries())
        d.step(piece + 1, () => {
            d.text((at(times[0][0]) + at(times[0][1])) / 2, 268, `piece ${piece}`, { anchor: "middle" });
            d.text((at(times[2][0]) + at(times[2][1])) / 2, 364, String(piece), { anchor: "middle" });
        });
    d.step(PIECES, () => {
        d.line(at(lastly.end), 226, at(lastly.end), 392, "ink", { dashed: true });
        d.text(at(lastly.end) + 12, 316, ms(lastly.end), { bold: true });
    });
    for (const time of [0, 5, 10, 15]) d.text(at(time), 430, `${time} ms`, { anchor: "middle", soft: true });
    d.line(at(0), 398, at(16), 398, "soft");
    return d.lines("plot", "computed from the rates of pinned memory in checker/gpu/profiles/h200.tsv and the kernel’s time in solutions/measured/nvidia-h200.tsv; 64 Mi elements");
}

/* Each engine takes the pieces in their order, and a piece goes through the three of them. */
function overlapped(down, kernel, up) {
    const free = [0, 0, 0];
    const pieces = Array.from({ length: PIECES }, (_, piece) => {
        let ready = 0;
        return [down, kernel, up].map((length, engine) => {
            const from = Math.max(ready, free[engine]);
            ready = free[engine] = from + length;
            return [from, ready];
        });
    });
    return { pieces, end: Math.max(...free) };
}

function ms(time) {
    return `${time < 1 ? time.toFixed(2) : time.toFixed(1)} ms`;
}
