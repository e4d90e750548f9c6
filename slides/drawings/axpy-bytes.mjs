/* axpy-bytes.mjs: one element of axpy: two loads, two operations, one store. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 250,
        width: 620,
        title: "For each element, axpy loads 4 bytes of x and 4 bytes of y, multiplies once, adds once, and stores 4 bytes of y: 2 operations " +
            "for 12 bytes.",
    });
    d.box(0, 4, 170, 60, "global", "x[i]: 4 bytes");
    d.box(0, 90, 170, 60, "global", "y[i]: 4 bytes");
    d.arrow(174, 34, 226, 66, "global");
    d.arrow(174, 120, 226, 94, "global");
    d.box(230, 44, 160, 70, "computing", "a * x + y");
    d.arrow(394, 79, 446, 79, "global");
    d.box(450, 49, 170, 60, "global", "y[i]: 4 bytes");
    d.step(1, () => d.text(310, 210, "2 operations for 12 bytes", { anchor: "middle", bold: true }));
    return d.lines("");
}
