/* path-of-a-load.mjs: a load asks the L1 of its SM, then the L2, then DRAM; what comes back is kept on the way. */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

/* Rings of pointers, in KB, that a memory holds. */
const RINGS = { L1: "16", L2: "4096", DRAM: "262144" };
const latency = (memory) => inline("demo", ["latency", RINGS[memory], "2"], {});

export function draw() {
    const d = new Drawing({
        height: 260,
        title: `A warp's load asks the L1 of its SM (${latency("L1")} ns), then the L2 of the GPU (${latency("L2")} ns), then DRAM ` +
            `(${latency("DRAM")} ns). The L1 requests sectors of 32 bytes from the L2. The L2 fetches 64 bytes from DRAM.`,
    });
    const places = [
        [0, "computing", "a warp", ""],
        [300, "cache", "L1, per SM", `hit: ${latency("L1")} ns`],
        [610, "cache", "L2, for all", `hit: ${latency("L2")} ns`],
        [922, "global", "DRAM", `${latency("DRAM")} ns`],
    ];
    const said = ["a request", "sectors of 32 bytes", "64 bytes"];
    places.forEach(([x, kind, text, time], i) =>
        d.step(Math.max(0, i - 1), () => {
            d.box(x, 70, 230, 90, kind, text);
            d.text(x + 115, 200, time, { anchor: "middle", bold: true });
            if (!i) return;
            d.arrow(x - 76, 96, x - 4, 96, "soft");
            d.arrow(x - 4, 136, x - 76, 136, "global");
            d.text(x - 40, 50, said[i - 1], { anchor: "middle" });
        }),
    );
    d.text(0, 250, "What comes back stays in the L2 and the L1 until other data need the room.", { soft: true });
    return d.lines("");
}
