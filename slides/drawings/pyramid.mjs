/*
 * pyramid.mjs: the memories of an H200 and of its host, from the nearest to the farthest: size, latency, bandwidth. Sizes and
 * rates come from the profile of the H200, which says how each was measured. That of the L1 is a line per clock and SM.
 * Latencies were measured on an H100.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

/* Rings of pointers, in KB, that a memory holds. */
const RINGS = { L1: "16", L2: "4096", DRAM: "262144" };
const latency = (memory) => `${inline("demo", ["latency", RINGS[memory], "2"], {})} ns`;
const figure = (name) => Number(inline("figure", ["h200", name], {}));

/* What a load moves in the L1 of all SMs together, at most: a line of 128 bytes per clock and SM. */
const LINE = 128;

function levels() {
    const sms = figure("sms"), clock = figure("clock_ghz");
    const nearRate = LINE * clock * sms;
    return [
        { name: "registers", kind: "registers", size: `${(figure("registers_per_sm") * 4) / 1024} KB per SM`, time: "no wait", rate: "" },
        { name: "shared memory, L1", kind: "shared", size: `${figure("l1_kb")} KB per SM`, time: latency("L1"), rate: terabytes(nearRate) },
        { name: "L2 cache", kind: "cache", size: `${figure("l2_mb")} MB`, time: latency("L2"), rate: terabytes(figure("l2_gbs")) },
        { name: "global memory", kind: "global", size: `${inline("fact", ["gpus", "H200 SXM", "memory GB"], {})} GB`, time: latency("DRAM"), rate: terabytes(figure("copy_gbs")) },
        { name: "host memory, over the bus", kind: "host", size: "", time: `${figure("pinned_start_us")} µs`, rate: terabytes(figure("pinned_gbs")) },
    ];
}

function terabytes(rate) {
    return rate >= 1000 ? `${(rate / 1000).toFixed(rate >= 1e4 ? 0 : 1)} TB/s` : `${rate.toFixed(0)} GB/s`;
}

const TOP = 48, HEIGHT = 76, MIDDLE = 300;

export function draw() {
    const all = levels();
    const d = new Drawing({
        height: TOP + all.length * HEIGHT + 6,
        title: `From the nearest memory to the farthest. ${all.map(({ name, size, time, rate }) => [name, size, time, rate].filter(Boolean).join(", ")).join("; ")}.`,
    });
    ["size", "latency", "bandwidth"].forEach((text, i) => d.text([660, 860, 1000][i], 30, text, { soft: true }));
    all.forEach(({ name, kind, size, time, rate }, i) =>
        d.step(i, () => {
            const y = TOP + i * HEIGHT, half = 130 + 42 * i;
            d.box(MIDDLE - half, y, 2 * half, HEIGHT - 8, kind, name);
            [size, time, rate].forEach((text, k) => d.text([660, 860, 1000][k], y + 42, text));
            d.line(640, y + HEIGHT - 4, 1150, y + HEIGHT - 4, "grid");
        }),
    );
    return d.lines("plot", "latency: measured on an H100; all else: an H200, checker/gpu/profiles/h200.tsv; L1: 128 bytes per clock and SM");
}
