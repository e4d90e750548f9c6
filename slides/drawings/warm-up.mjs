/*
 * warm-up.mjs: two calls of a library, and where the timer should be. The lengths are not to scale.
 */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 250,
        title: "The host makes a first call, in which the library loads kernels and allocates memory. The GPU computes only at its end. The second " +
            "call takes the kernel's time alone, and the timer belongs around it.",
    });
    const at = d.timeline({
        x: 90, y: 50, width: 1050, ends: 10, axis: "time, not to scale",
        rows: [
            { name: "host", spans: [[0, 5.2, "host", "first call: load kernels, allocate"], [5.2, 6.3, "waiting", "waits"], [6.5, 6.9, "host strong", "", 1], [6.9, 8, "waiting", "waits", 1]] },
            { name: "GPU", spans: [[5.2, 6.3, "computing strong", "gemv"], [6.9, 8, "computing strong", "gemv", 1]] },
        ],
    });
    d.step(1, () => {
        for (const time of [6.5, 8]) d.line(at(time), 30, at(time), 156, "ink", { dashed: true });
        d.text(at(7.25), 22, "time this one", { anchor: "middle", bold: true });
    });
    d.says(0, 240, ["The first call does much more than the product.", "Start the timer after it: the second call is the rate of the library."]);
    return d.lines("");
}
