/*
 * any-order.mjs: the same grid of eight blocks on a GPU with two SMs, and on one with four. An SM takes the next block when it
 * has room.
 */
import { Drawing } from "../lib/draw.mjs";

const LENGTHS = [10, 11, 9, 10, 12, 10, 9, 11]; // how long each block runs

/* Each block goes to the SM that is free first: rows of spans. */
function deal(sms, step) {
    const rows = Array.from({ length: sms }, (_, i) => ({ name: `SM ${i}`, spans: [], end: 0 }));
    LENGTHS.forEach((length, block) => {
        const row = rows.reduce((best, one) => (one.end < best.end ? one : best));
        row.spans.push([row.end, row.end + length, "computing", `block ${block}`, step]);
        row.end += length;
    });
    return rows;
}

export function draw() {
    const d = new Drawing({
        height: 330,
        title: "A grid of eight blocks. A GPU with two SMs runs them two by two, a GPU with four SMs four by four. Each SM takes the " +
            "next block when it has room.",
    });
    d.text(0, 30, "the grid", { bold: true });
    LENGTHS.forEach((_, block) => d.box(130 + 127 * block, 4, 119, 42, "plain", `block ${block}`));
    d.timeline({ x: 130, y: 62, width: 1010, ends: 44, rows: deal(2, 1), row: 36, gap: 6, axis: "" });
    d.timeline({ x: 130, y: 162, width: 1010, ends: 44, rows: deal(4, 2), row: 36, gap: 6, axis: "" });
    d.line(0, 153, 1140, 153, "grid");
    return d.lines("");
}
