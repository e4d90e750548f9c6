/*
 * generations-of-copies.mjs: what a block does itself, and what newer GPUs do for it: the copy of a tile into shared
 * memory, the product of two tiles, and the threads that share one of them.
 */
import { Drawing } from "../lib/draw.mjs";

const COLUMNS = [230, 535, 840], WIDTH = 290, ROW = 82, TOP = 50;
const HEADS = ["this course: any GPU", "Hopper, 2022", "Blackwell, 2024"];
const ROWS = [
    ["copy a tile", ["shared", "each thread loads\nan element"], ["cache", "TMA: one thread\nrequests a tile"], ["cache", "TMA, also with\nscatter and gather"]],
    ["wait for it", ["waiting", "__syncthreads()"], ["waiting", "mbarrier: counts\nbytes that arrive"], ["waiting", "mbarrier"]],
    ["multiply tiles", ["computing", "mma: a warp, from\nregisters; TF32: 8.0"], ["computing", "wgmma: 4 warps, from\nshared memory"], ["computing", "tcgen05: one thread,\nin tensor memory"]],
    ["share it", ["plain", "a block"], ["plain", "a cluster of up\nto 8 or 16 blocks"], ["plain", "a cluster; pairs of\nblocks multiply"]],
];

export function draw() {
    const d = new Drawing({
        height: TOP + ROWS.length * ROW,
        title: `What moves and multiplies tiles. ${ROWS.map(([what, ...cells]) => `${what}: ${cells.map(([, text], i) => `${HEADS[i]}: ${text.replace("\n", " ")}`).join(", ")}`).join("; ")}.`,
    });
    HEADS.forEach((head, i) => d.text(COLUMNS[i] + WIDTH / 2, 30, head, { anchor: "middle", soft: true }));
    ROWS.forEach(([what, ...cells], row) => {
        const y = TOP + row * ROW;
        d.text(0, y + 42, what, { bold: true });
        cells.forEach(([kind, text], i) => d.step(i, () => d.box(COLUMNS[i], y, WIDTH, ROW - 10, kind, text)));
    });
    return d.lines("");
}
