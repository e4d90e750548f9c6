/* layouts.mjs: where the members of two structures are, in pieces of 4 bytes, and how many loads they need. */
import { Drawing } from "../lib/draw.mjs";

const ROWS = [
    { name: "struct { float a, b; int k; }", members: ["a", "b", "k"], padding: 0, loads: "3 loads of 4 bytes" },
    { name: "the same, __align__(16)", members: ["a", "b", "k"], padding: 1, loads: "1 load of 16 bytes" },
];
const CELL = 92;

export function draw() {
    const d = new Drawing({
        height: 150,
        title: "A structure of two floats and an int has 12 bytes and needs three loads of 4 bytes. Aligned to 16, it has 4 bytes of " +
            "padding, and one load of 16 bytes gets it.",
    });
    ROWS.forEach(({ name, members, padding, loads }, i) =>
        d.step(i, () => {
            const y = 4 + i * 74;
            d.text(0, y + 38, name, { mono: false });
            d.cells(380, y, 1, members.length, [CELL, 58], () => "global", (_, column) => members[column]);
            if (padding) d.box(380 + members.length * CELL, y, CELL - 2, 56, "waiting", "");
            d.text(780, y + 38, loads, { bold: true });
        }),
    );
    return d.lines("");
}
