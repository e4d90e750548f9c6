/* inside-a-gpu.mjs: from the outside to the inside: global memory, L2, SMs; one SM with its four parts and what they share. */
import { Drawing } from "../lib/draw.mjs";

const LANE = 13; // pixels, with its gap

export function draw() {
    const d = new Drawing({
        height: 470,
        title: "A GPU has many SMs, one L2 cache for all of them, and global memory. An SM has four parts. Each part has a warp scheduler, " +
            "32 lanes and 64 KB of registers. The parts share 256 KB of shared memory and L1 cache.",
    });
    d.text(0, 28, "the GPU", { bold: true });
    d.cells(0, 44, 4, 8, [62, 48], () => "computing", (row, column) => (row === 0 && column === 7 ? "SM" : ""));
    d.text(248, 264, "… 132 SMs on an H200", { anchor: "middle" });
    for (const x of [100, 248, 396]) d.arrow(x, 276, x, 302, "soft");
    d.box(0, 306, 494, 58, "cache", "L2 cache: 60 MB, for all");
    for (const x of [100, 248, 396]) d.arrow(x, 366, x, 392, "soft");
    d.box(0, 396, 494, 62, "global", "global memory: 141 GB");
    d.line(496, 44, 560, 4, "soft", { dashed: true });
    d.line(496, 90, 560, 458, "soft", { dashed: true });
    d.step(1, () => {
        d.box(564, 4, 586, 454, "plain");
        d.text(588, 40, "one SM (streaming multiprocessor)", { bold: true });
        for (let part = 0; part < 4; part++) onePart(d, 588 + part * 138);
    });
    d.step(2, () => {
        d.box(588, 300, 538, 62, "shared", "shared memory and L1: 256 KB");
        d.text(588, 408, "room for 2048 threads: 64 warps of 32,", {});
        d.text(588, 440, "in at most 32 blocks", {});
    });
    return d.lines("");
}

function onePart(d, x) {
    d.box(x, 58, 128, 50, "plain", "scheduler");
    d.cells(x + 12, 122, 4, 8, LANE, () => "computing strong");
    d.text(x + 64, 204, "32 lanes", { anchor: "middle" });
    d.box(x, 218, 128, 70, "registers", "registers\n64 KB");
}
