/*
 * waves.mjs: blocks run in waves, and the last wave may leave places idle: the tail. Four SMs have room for two blocks each, and
 * there are 18 blocks. Below, a block of four warps: its place is free when its slowest warp has finished.
 */
import { Drawing } from "../lib/draw.mjs";

const SMS = 4, PLACES = 2, BLOCKS = 18, LENGTH = 10;
const X = 130, WIDTH = 1020, ENDS = 42;
const WARPS = [14, 17, 13, 28]; // when each warp of a block has finished

/* Equal blocks, dealt to the places of all SMs: a row per place, and a wave per step. */
function waves() {
    const rows = Array.from({ length: SMS * PLACES }, (_, i) => ({ name: i % PLACES ? "" : `SM ${i / PLACES}`, spans: [] }));
    for (let block = 0; block < BLOCKS; block++) {
        const wave = Math.floor(block / rows.length);
        rows[block % rows.length].spans.push([wave * LENGTH, (wave + 1) * LENGTH, "computing", String(block), wave]);
    }
    return rows;
}

export function draw() {
    const places = SMS * PLACES, count = Math.ceil(BLOCKS / places), idle = count * places - BLOCKS;
    const slowest = Math.max(...WARPS);
    const d = new Drawing({
        height: 460,
        title: `${SMS} SMs with room for ${PLACES} blocks each run ${BLOCKS} equal blocks in ${count} waves. In the last wave ${idle} places are ` +
            "idle: the tail. A block of four warps keeps its place until its slowest warp has finished.",
    });
    const at = d.timeline({ x: X, y: 2, width: WIDTH, ends: ENDS, rows: waves(), row: 28, gap: 4, axis: "" });
    d.step(count - 1, () => d.text(at(count * LENGTH) + 12, 128, `the tail: ${idle} of`, { bold: true }));
    d.step(count - 1, () => d.text(at(count * LENGTH) + 12, 160, `${places} places idle`, { bold: true }));
    d.step(count, () => {
        d.line(0, 270, 1150, 270, "grid");
        const rows = WARPS.map((end, warp) => ({
            name: warp ? `warp ${warp}` : "warp 0",
            spans: [[0, end, "computing", ""], ...(end < slowest ? [[end, slowest, "waiting", end < slowest - 12 ? "finished, keeps its place" : ""]] : [])],
        }));
        d.timeline({ x: X, y: 284, width: WIDTH, ends: ENDS, rows, row: 36, gap: 6, axis: "" });
        d.text(at(slowest) + 12, 358, "the block frees", {});
        d.text(at(slowest) + 12, 390, "its place here", {});
    });
    return d.lines("");
}
