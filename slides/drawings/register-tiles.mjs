/*
 * register-tiles.mjs: a tile in shared memory is for the block, and a smaller one in registers is for the thread: from 8
 * floats of M and 8 of N come 64 products.
 */
import { Drawing } from "../lib/draw.mjs";

const T = 8, CELL = 30;

export function draw() {
    const d = new Drawing({
        height: 430,
        title: "Left: one element per thread. From one float of M and one of N comes one product: two reads per product. Right: 8 x 8 elements " +
            "per thread. From 8 floats of M and 8 of N come 64 products: a quarter of a read per product.",
    });
    d.text(40, 28, "one element per thread", { bold: true });
    d.box(146, 70, 40, 40, "shared", "", { strong: true });
    d.box(60, 152, 40, 40, "shared", "", { strong: true });
    d.box(146, 152, 40, 40, "registers", "", { strong: true });
    d.text(146, 60, "N", { soft: true });
    d.text(40, 180, "M", { anchor: "end", soft: true });
    d.step(1, () => {
        d.text(40, 250, "2 reads, 1 product");
        d.text(40, 284, "0.25 flop per byte", { bold: true, kind: "shared" });
    });
    const x = 640, y = 44;
    d.text(x - 60, 28, "8 × 8 elements per thread", { bold: true });
    d.step(2, () => {
        d.cells(x, y, 1, T, CELL, () => "shared strong");
        d.cells(x - 46, y + 46, T, 1, CELL, () => "shared strong");
        d.text(x + T * CELL + 12, y + 24, "8 floats of N", { kind: "shared" });
        d.text(x - 60, y + 46 + 24, "8 of M", { anchor: "end", kind: "shared" });
    });
    d.step(3, () => {
        d.cells(x, y + 46, T, T, CELL, () => "registers strong");
        d.text(x + T * CELL + 12, y + 130, "64 sums", { kind: "registers" });
        d.text(x + T * CELL + 12, y + 164, "in registers", { kind: "registers" });
        d.text(x, y + 46 + T * CELL + 34, "16 reads, 64 products: 2 flop per byte", { bold: true, kind: "shared" });
    });
    d.says(0, 420, [
        "A tile in shared memory is for the block. A smaller one is for the thread.",
        "A plain tile: for each product, a thread reads two floats from shared memory.",
        "Now a thread reads 8 floats of a column of M's tile, and 8 of a row of N's.",
        "It multiplies each with each: 64 products. Eight times the flop per byte.",
    ]);
    return d.lines("");
}
