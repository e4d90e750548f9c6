/* texture.mjs: what a texture does that a plain load does not: a value between four elements, and places outside the edges. */
import { Drawing } from "../lib/draw.mjs";

const CELL = [92, 56], TOP = 46;

export function draw() {
    const d = new Drawing({
        height: 300,
        title: "Left: a texture can answer a place between four elements with a value between theirs, weighted by distance. Right: a place outside " +
            "the edge gets the nearest element, or 0, as the program chose.",
    });
    const near = (y, x) => (y === 1 || y === 2) && (x === 1 || x === 2);
    d.text(0, 28, "between the elements", { bold: true });
    d.cells(0, TOP, 4, 4, CELL, (y, x) => (near(y, x) ? "global" : "plain"), (y, x) => (near(y, x) ? ["1", "3", "5", "7"][2 * (y - 1) + x - 1] : ""));
    d.text(398, TOP + 106, "asked: the middle of four");
    d.text(398, TOP + 142, "answer: 4", { bold: true });
    d.text(720, 28, "outside the edges", { bold: true });
    d.cells(720, TOP, 4, 2, CELL, () => "plain", (y, x) => (y === 1 && x === 1 ? "7" : ""));
    d.box(926, TOP + 56, CELL[0] - 2, CELL[1] - 2, "waiting", "asked");
    d.text(926, TOP + 150, "answer: 7, or 0", { bold: true });
    return d.lines("");
}
