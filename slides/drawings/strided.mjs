/*
 * strided.mjs: a warp's two requests for the components of its points. Eight lanes and two sectors stand for a warp: each
 * request touches every sector, and uses half of it. With loads of 8 bytes one request is enough.
 */
import { Drawing } from "../lib/draw.mjs";

const CELL = 62, LEFT = 140, LANES = 8, MEMORY = 56;

/** `wide`: a load of 8 bytes per lane, without steps. */
export function draw({ wide = false }) {
    const lanes = wide ? 140 : 220;
    const d = new Drawing({
        height: lanes + (wide ? 56 : 136),
        title: "Memory holds x0 y0 x1 y1 and so on; eight floats are a sector. " + (wide
            ? "Lane i takes xi and yi in one request, which uses all bytes of both sectors."
            : "In the first request lane i takes xi, in the second one yi. Each request touches both sectors and uses half of their bytes."),
    });
    const name = (column) => `${column % 2 ? "y" : "x"}${"₀₁₂₃₄₅₆₇"[Math.floor(column / 2)]}`;
    const memory = (isUsed) => d.cells(LEFT, MEMORY, 1, 2 * LANES, [CELL, 56], (_, column) => (isUsed(column) ? "global strong" : "global"), (_, column) => name(column));
    const arrows = (used, from) => {
        for (let lane = 0; lane < LANES; lane++)
            d.arrow(LEFT + (2 * lane + used + 0.5) * CELL, MEMORY + 58, LEFT + (2 * lane + 1) * CELL + from, lanes - 2, "global");
    };
    d.text(0, MEMORY + 36, "r");
    d.text(0, lanes + 36, "lane");
    for (const sector of [0, 1]) {
        d.text(LEFT + (sector * 8 + 4) * CELL, 30, "a sector, 32 bytes", { anchor: "middle", soft: true });
        d.line(LEFT + sector * 8 * CELL, 42, LEFT + (sector + 1) * 8 * CELL - 6, 42, "soft");
    }
    d.cells(LEFT, lanes, 1, LANES, [2 * CELL, 54], () => "computing", (_, lane) => lane);
    if (wide) {
        memory(() => true);
        arrows(0, -16);
        arrows(1, 16);
        return d.lines("");
    }
    d.step(0, () => memory(() => false), 1);
    for (const [used, step, until] of [[0, 1, 2], [1, 2, null]])
        d.step(step, () => {
            memory((column) => column % 2 === used);
            arrows(used, 0);
        }, until);
    d.says(0, lanes + 112, [
        "Eight lanes stand for the 32 of a warp. Each has a point.",
        "r[2 * i]: both sectors are moved, and half of their bytes are used.",
        "r[2 * i + 1]: both sectors again, and the other half of their bytes.",
    ]);
    return d.lines("");
}
