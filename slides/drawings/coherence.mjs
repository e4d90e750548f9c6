/* coherence.mjs: an SM keeps an old copy in its L1 after another SM has written a new value. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 330,
        title: "SM 0 reads f, which is 0, and keeps a copy in its L1. SM 1 writes 1 to f, which goes to the L2. SM 0 reads f again and finds " +
            "the old 0 in its own L1.",
    });
    const at = [0, 600];
    at.forEach((x, sm) => {
        d.box(x, 2, 480, 160, "plain");
        d.text(x + 20, 40, `SM ${sm}`, { bold: true });
    });
    d.box(20, 90, 440, 56, "cache", "L1");
    d.box(620, 90, 440, 56, "cache", "L1");
    d.box(0, 212, 1080, 60, "cache", "L2");
    d.step(0, () => d.text(830, 250, "f = 0"), 2);
    d.step(1, () => {
        d.arrow(100, 208, 100, 150, "global");
        d.text(130, 196, "reads 0");
        d.text(330, 126, "f = 0");
    });
    d.step(2, () => {
        d.arrow(760, 150, 760, 208, "global");
        d.text(790, 196, "writes 1");
        d.text(830, 250, "f = 1", { bold: true });
    });
    d.step(3, () => d.text(150, 40, "reads f again: 0", { bold: true }));
    d.says(0, 318, [
        "All SMs share the L2. Each has an L1 of its own.",
        "SM 0 reads f, and its L1 keeps the value.",
        "SM 1 writes a new value. It goes to the L2.",
        "The L1 of SM 0 still has the old one.",
    ]);
    return d.lines("");
}
