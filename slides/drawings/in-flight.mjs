/*
 * in-flight.mjs: how many bytes must be in flight to keep the memory busy (Little's law), and how many there are with one
 * thread, one block, and a full GPU. The latency was measured on an H100, and the copy rate on an H200. Without `needed`
 * only what there is: for those who are still to measure the latency.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const figure = (name) => Number(inline("figure", ["h200", name], {}));
const PER_THREAD = 8; // rung 5 has two loads of 4 bytes in flight in each thread

export function draw({ needed: isNeeded = true }) {
    const latency = Number(inline("demo", ["latency", "262144", "2"], {})), rate = Number(inline("rate", ["ex01_axpy", "copy"], { plain: "1" }));
    const needed = latency * rate; // ns times GB/s is bytes
    const all = [
        ["one thread", 1], ["one block of 512", 512], [`${figure("sms")} SMs × ${figure("threads_per_sm")}`, figure("sms") * figure("threads_per_sm")],
    ].map(([name, threads]) => ({ name, bytes: threads * PER_THREAD }));
    const d = new Drawing({
        height: 370,
        title: (isNeeded ? `To move ${rate} GB/s with a latency of ${latency} ns, ${size(needed)} must be in flight. ` : "") + `With ${PER_THREAD} bytes per thread, ` +
            `${all.map(({ name, bytes }) => `${name}: ${size(bytes)}`).join(", ")}.`,
    });
    const left = 270, right = 1000, most = Math.log10(needed * 2);
    const at = (bytes) => left + (Math.log10(bytes) / most) * (right - left);
    for (const [bytes, text] of [[1, "1 B"], [1e3, "1 KB"], [1e6, "1 MB"]]) {
        d.line(at(bytes), 84, at(bytes), 320, "grid");
        d.text(at(bytes), 354, text, { anchor: "middle", soft: true });
    }
    const product = isNeeded ? `${latency} ns = ${size(needed)} in flight` : "the latency of a load";
    d.text(0, 30, `needed: ${(rate / 1000).toFixed(1)} TB/s × ${product}`, { bold: true });
    d.text(0, 64, "there are:", { soft: true });
    all.forEach(({ name, bytes }, i) =>
        d.step(i, () => {
            const y = 92 + 78 * i;
            d.text(0, y + 38, name);
            d.box(left, y, at(bytes) - left, 60, "global", "", { strong: true });
            d.text(at(bytes) + 14, y + 38, size(bytes), { kind: "halo" });
        }),
    );
    if (isNeeded) {
        d.line(at(needed), 74, at(needed), 320, "two", { dashed: true });
        d.text(at(needed), 64, "needed", { anchor: "middle", kind: "two" });
    }
    return d.lines("plot", (isNeeded ? "latency: measured on an H100; " : "") + "SMs: checker/gpu/profiles/h200.tsv; copy rate: solutions/measured/nvidia-h200.tsv");
}

function size(bytes) {
    if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
    return bytes >= 1e3 ? `${(bytes / 1024).toFixed(0)} KB` : `${bytes} B`;
}
