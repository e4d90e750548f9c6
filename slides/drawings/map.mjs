/*
 * map.mjs: the course on one page: the four exercises with what they taught, the question that led from each to the next,
 * and where to go from here.
 */
import { Drawing } from "../lib/draw.mjs";

const DONE = [
    ["axpy", ["launch, copy, time", "coalesced access", "enough threads"], "global"],
    ["rot", ["warps, divergence", "shared memory, barriers", "measure on your GPU"], "shared"],
    ["matvec", ["what is used again?", "a warp per row", "bytes in flight"], "registers"],
    ["matmul", ["flop per byte", "tiles, register tiles", "load while computing"], "computing"],
];
const NEXT = [
    ["Before you write a kernel", "cuBLAS, CUB, CUTLASS, Thrust"],
    ["Find the limit", "Nsight Compute, Nsight Systems"],
    ["Keep the GPU busy", "streams, events, CUDA graphs"],
    ["Hopper, Blackwell", "TMA, clusters, tensor cores"],
    ["Large data", "unified memory, L2 residency"],
    ["More GPUs", "NCCL, MPI, NVLink"],
];

export function draw() {
    const d = new Drawing({
        height: 520,
        title: DONE.map(([name, lines]) => `${name}: ${lines.join(", ")}.`).join(" ") + " Where to go: " + NEXT.map((two) => two.join(": ")).join("; ") + ".",
    });
    DONE.forEach(([name, lines, kind], i) => {
        const x = i * 291;
        d.box(x, 2, 278, 46, kind, name, { strong: true, bold: true });
        d.box(x, 48, 278, 118, kind, lines.join("\n"));
        if (i) d.arrow(x - 13, 90, x - 1, 90, "ink");
    });
    d.box(0, 196, 1150, 56, "plain", "Each time: what is the limit? Count its bytes and flop, change one thing, measure again.", { bold: true });
    d.step(1, () => {
        d.text(0, 300, "Where to go from here", { bold: true });
        NEXT.forEach(([title, text], i) => {
            const [x, y] = [(i % 3) * 386, 318 + Math.floor(i / 3) * 102];
            d.box(x, y, 380, 90, "plain", `${title}\n${text}`);
        });
    });
    return d.lines("");
}
