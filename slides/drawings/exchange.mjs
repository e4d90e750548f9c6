/*
 * exchange.mjs: a thread per component. Each thread loads one float into shared memory, and reads two from there.
 */
import { Drawing } from "../lib/draw.mjs";

const NAMES = ["x₀", "y₀", "x₁", "y₁", "x₂", "y₂"];
const CELL = 150, LEFT = 230;

/** `still` is without steps, and without what they say. */
export function draw({ still = false }) {
    const d = new Drawing({
        height: still ? 214 : 372,
        title: "Six threads for three points. Thread t loads float t of r into shared memory. After that it reads both components of " +
            "its point there: its own one, and that of its neighbour.",
    });
    const ROW = still ? [0, 82, 166] : [0, 120, 250];
    const middle = (column) => LEFT + column * CELL + CELL / 2 - 10;
    const row = (y, kind, text) => NAMES.forEach((name, column) => d.box(LEFT + column * CELL, y, CELL - 20, 46, kind, text(name, column)));
    d.text(0, ROW[0] + 32, "r, global");
    row(ROW[0], "global", (name) => name);
    d.text(0, ROW[2] + 32, "threads");
    row(ROW[2], "computing", (_, column) => `thread ${column}`);
    d.text(0, ROW[1] + 32, "rr, shared");
    row(ROW[1], "shared", () => "");
    d.step(still ? 0 : 1, () => {
        NAMES.forEach((_, column) => d.arrow(middle(column), ROW[0] + 48, middle(column), ROW[1] - 2, "global"));
        row(ROW[1], "shared", (name) => name);
    });
    d.step(still ? 0 : 2, () =>
        NAMES.forEach((_, column) => {
            d.arrow(middle(column), ROW[1] + 48, middle(column), ROW[2] - 2, "shared");
            d.arrow(middle(column ^ 1), ROW[1] + 48, middle(column) + (column % 2 ? -14 : 14), ROW[2] - 2, "shared", { dashed: true });
        }));
    if (!still) d.says(0, 350, [
        "Threads 0 and 1 both need x₀ and y₀: two threads per point.",
        "Each thread loads one float, next to its neighbour's.",
        "Each thread reads two: its own float, and its neighbour's (dashed).",
    ]);
    return d.lines("");
}
