/*
 * double-buffer.mjs: a block that loads, waits and computes in turn, and one that loads the next tiles while it computes.
 * The lengths are not to scale.
 */
import { Drawing } from "../lib/draw.mjs";

const LOAD = 1.1, SUM = 1.5;

export function draw() {
    const d = new Drawing({
        height: 420,
        title: "Rung 5: a block loads tiles, then computes, then loads the next ones; the lanes wait during each load. Rung 6 has two pairs of " +
            "tiles: it loads into one while it computes with the other, and the lanes never wait after the first load.",
    });
    const tiles = [0, 1, 2, 3];
    const five = tiles.map((k) => k * (LOAD + SUM));
    d.text(0, 24, "rung 5: one pair of tiles", { bold: true });
    d.timeline({
        x: 150, y: 40, width: 990, ends: 10.6, axis: "", row: 42,
        rows: [
            { name: "memory", spans: five.map((at, k) => [at, at + LOAD, "global strong", `tiles ${k}`]) },
            { name: "lanes", spans: five.flatMap((at, k) => [[at, at + LOAD, "waiting", "wait"], [at + LOAD, at + LOAD + SUM, "computing strong", `tiles ${k}`]]) },
        ],
    });
    d.step(1, () => {
        d.text(0, 194, "rung 6: two pairs of tiles", { bold: true });
        d.timeline({
            x: 150, y: 210, width: 990, ends: 10.6, axis: "time, not to scale", row: 42,
            rows: [
                { name: "memory", spans: tiles.map((k) => (k === 0 ? [0, LOAD, "global strong", "tiles 0"] : [LOAD + (k - 1) * SUM, LOAD + (k - 1) * SUM + LOAD, "global strong", `tiles ${k}`])) },
                { name: "lanes", spans: [[0, LOAD, "waiting", "wait"], ...tiles.map((k) => [LOAD + k * SUM, LOAD + (k + 1) * SUM, "computing strong", `tiles ${k}`])] },
            ],
        });
    });
    d.says(0, 404, [
        "The lanes wait for every pair of tiles. Other blocks of the SM fill a part of this.",
        "The next tiles arrive in the other pair, while the lanes compute with this one.",
    ]);
    return d.lines("");
}
