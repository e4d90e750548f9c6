/*
 * two-gpus.mjs: what a thread of rot waits for in rungs 1 and 2, and how busy the memory of two GPUs is meanwhile. The
 * requests follow the kernels: rung 1 needs r and s at the same time, rung 2 loads s after the barrier. The shares
 * of busy time are the rates, as parts of the data sheets' bandwidths.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const LEFT = 250, WIDTH = 880, PERIODS = 8;

const number = (...words) => Number(inline(...words));
const measured = (stage) => number("rate", ["ex02_rot", stage], { size: "256 134217728", plain: "1" });
const published = (threads, column) => number("fact", ["rot-v100", threads, column], {});
const peak = (gpu) => number("fact", ["gpus", gpu, "GB/s"], {});

/* The rungs' shares of the peak, per GPU. */
function shares() {
    const [v100, h200] = [peak("Tesla V100 SXM2"), peak("H200 SXM")];
    return [
        ["V100", published("512", "point GB/s") / v100, published("256", "component GB/s") / v100],
        ["H200", measured("1") / h200, measured("2") / h200],
    ];
}

/* A memory that is busy for this share of the time. */
const busy = (share, step) => Array.from({ length: PERIODS }, (_, i) => [i, i + share, "global strong", "", step]);

export function draw() {
    const all = shares();
    const percent = (share) => `${Math.round(100 * share)} %`;
    const d = new Drawing({
        height: 470,
        title: "A thread of rung 1 requests r and s together, waits once and stores. A thread of rung 2 requests r, waits, meets the others at the " +
            "barrier, requests s and waits again. " +
            all.map(([gpu, one, two]) => `The memory of the ${gpu} is busy for ${percent(one)} of the time in rung 1 and ${percent(two)} in rung 2.`).join(" "),
    });
    const thread = [
        { name: "a thread, rung 1", spans: [[0, 3, "global", "r and s in flight: 12 bytes"], [3, 4.2, "computing strong", "stores"]] },
        { name: "a thread, rung 2", spans: [
            [0, 3, "global", "r in flight: 4 bytes"], [3, 4, "waiting", "barrier"],
            [4, 7, "global", "s in flight: 4 bytes"], [7, 8, "computing strong", "stores"],
        ] },
    ];
    d.timeline({ x: LEFT, y: 8, width: WIDTH, ends: 8.2, rows: thread, row: 42 });
    all.forEach(([gpu, ...rungs], i) =>
        d.step(i + 1, () => {
            d.timeline({ x: LEFT, y: 172 + i * 116, width: WIDTH - 80, ends: PERIODS, row: 42, axis: "",
                rows: rungs.map((share, k) => ({ name: `${gpu}, rung ${k + 1}`, spans: busy(share, 0) })) });
            rungs.forEach((share, k) => d.text(LEFT + WIDTH - 70, 202 + i * 116 + k * 50, percent(share)));
        }));
    d.says(0, 442, [
        "Rung 1 waits for the memory once, rung 2 twice, with a barrier in between.",
        "V100: other warps fill these waits. Its memory (green) is busy, more so in rung 2.",
        "H200: five times the bandwidth. Rung 2 requests too few bytes to keep it busy.",
    ]);
    return d.lines("");
}
