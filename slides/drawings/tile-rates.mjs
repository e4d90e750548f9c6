/*
 * tile-rates.mjs: the rate that memory allows if it serves every request, and the measured one, without tiles and with tiles
 * of 32. Only these two kernels were measured, so there is nothing in between.
 */
import { Drawing, LETTER } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const FLOP_PER_BYTE = 0.25; /* without tiles: two operations for two floats */
const LEFT = 210, WIDTH = 700, ROW = 40, GROUP = 118;

export function draw() {
    const rate = (...words) => Number(inline("rate", words, { plain: "1", ...(words[0] === "ex04_matmul" && { size: "4096" }) }));
    const copy = rate("ex01_axpy", "copy");
    const groups = [
        { name: "rung 1: no tiles", allowed: FLOP_PER_BYTE * copy, measured: rate("ex04_matmul", "1") },
        { name: "rung 2: T = 32", allowed: 32 * FLOP_PER_BYTE * copy, measured: rate("ex04_matmul", "2") },
    ];
    const most = Math.max(...groups.map(({ allowed }) => allowed));
    const figure = (value) => `${String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f")} Gflop/s`;
    const d = new Drawing({
        height: 2 * GROUP,
        title: `What memory allows if it serves every request, and what was measured. ${groups.map(({ name, allowed, measured }) => `${name}: ${figure(allowed)} and ${figure(measured)}`).join("; ")}.`,
    });
    groups.forEach(({ name, allowed, measured }, i) => {
        d.text(0, i * GROUP + 46, name);
        [["peak", allowed, "memory allows "], ["global", measured, "measured: "]].forEach(([kind, value, words], k) => {
            const y = i * GROUP + k * (ROW + 6), width = (WIDTH * value) / most;
            d.box(LEFT, y, width, ROW, kind, "");
            const text = words + figure(value);
            const inside = width > LETTER * text.length + 20;
            d.text(LEFT + (inside ? 14 : width + 12), y + 28, text);
        });
    });
    return d.lines("plot", "copy rate and rungs 1 and 2 on an H200, n = 4096: solutions/measured/nvidia-h200.tsv");
}
