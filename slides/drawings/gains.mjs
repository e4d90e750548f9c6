/*
 * gains.mjs: how rungs 1 and 5 of matvec differ: sectors, threads, bytes per access, and the rate.
 */
import { Drawing } from "../lib/draw.mjs";
import { digits, inline } from "../lib/numbers.mjs";

const ROWS = 4096, LANES = 32, PIECE = 16; /* rung 5: a warp per row, pieces of 16 bytes */

export function draw() {
    const sectors = (stage) => Number(inline("count", ["ex03_matvec", stage, "load sectors"], { size: "1024 1024" }).replace(/\s/g, ""));
    const rate = (stage) => Number(inline("rate", ["ex03_matvec", stage], { size: "4096 8192", plain: "1" }));
    const rows = [
        ["sectors requested, 1024 × 1024", sectors("1"), sectors("5"), ""],
        ["threads, 4096 rows", ROWS, ROWS * LANES, ""],
        ["bytes per access of a lane", 4, PIECE, ""],
        ["GB/s, 4096 × 8192", rate("1"), rate("5"), ""],
    ];
    const d = new Drawing({
        height: 292,
        title: `Rung 1 and rung 5: ${rows.map(([name, one, five]) => `${name}: ${one} and ${five}`).join("; ")}.`,
    });
    d.text(470, 28, "rung 1", { bold: true });
    d.text(690, 28, "rung 5", { bold: true });
    rows.forEach(([name, one, five], i) => {
        const y = 44 + i * 62;
        const factor = five > one ? five / one : one / five;
        d.text(0, y + 36, name);
        d.box(466, y, 190, 50, "one", digits(one));
        d.arrow(660, y + 25, 684, y + 25, "soft");
        d.box(688, y, 190, 50, "one", digits(five), { strong: true });
        d.text(900, y + 36, `${five > one ? "×" : "÷"} ${factor >= 10 ? Math.round(factor) : factor.toFixed(1)}`, { bold: true });
    });
    return d.lines("");
}
