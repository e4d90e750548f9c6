/*
 * split.mjs: a float of 24 significant bits as two numbers of 11, and the products of the parts that a tensor core computes.
 */
import { Drawing } from "../lib/draw.mjs";

const BIT = 24, LEFT = 110;

function bits(d, y, name, kinds) {
    d.text(LEFT - 16, y + 26, name, { anchor: "end" });
    kinds.forEach((kind, i) => kind && d.box(LEFT + i * BIT, y, BIT - 2, 36, kind.split(" ")[0], "", { strong: kind.endsWith("strong"), fine: true }));
}

export function draw() {
    const d = new Drawing({
        height: 210,
        title: "A float x has 24 significant bits. Its high part has the first 11, its low part 11 of the rest. A product of two floats is " +
            "four products of parts; the one of both low parts is too small to count.",
    });
    const fill = (from, to, kind) => Array.from({ length: 24 }, (_, i) => (i >= from && i < to ? kind : ""));
    bits(d, 4, "x", fill(0, 24, "registers"));
    d.step(1, () => {
        bits(d, 52, "high", fill(0, 11, "one strong"));
        bits(d, 100, "low", fill(11, 22, "one"));
    });
    d.step(2, () => {
        ["high", "low"].forEach((name, i) => {
            d.text(846 + 130 * i, 24, name, { anchor: "middle", soft: true });
            d.text(770, 62 + 56 * i, name, { anchor: "end", soft: true });
        });
        for (const r of [0, 1])
            for (const c of [0, 1]) d.box(786 + 130 * c, 36 + 56 * r, 122, 46, r + c === 2 ? "waiting" : "computing", r + c === 2 ? "left out" : `product`, { strong: r + c === 0 });
    });
    d.says(0, 196, [
        "A float has 24 significant bits. A tensor core takes numbers of 11.",
        "So a float becomes two numbers: its first 11 bits, and the next ones.",
        "x · y: three of the four products keep about 22 of the 24 bits.",
    ]);
    return d.lines("");
}
