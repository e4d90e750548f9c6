/*
 * tile-rates.mjs: the rate that the memory allows, for each width of the tile, and the measured rates of rungs 1 and 2.
 */
import { inline } from "../lib/numbers.mjs";
import { drawLines } from "../lib/plot.mjs";

const WIDTHS = [1, 2, 4, 8, 16, 32];
const FLOP_PER_BYTE = 0.25; /* without tiles: two operations for two floats */

export function draw() {
    const rate = (...words) => Number(inline("rate", words, { plain: "1", ...(words[0] === "ex04_matmul" && { size: "4096" }) }));
    const copy = rate("ex01_axpy", "copy");
    return drawLines(
        [
            { words: "allowed by memory", points: WIDTHS.map((width) => [width, width * FLOP_PER_BYTE * copy]) },
            { words: "measured", points: [[1, rate("ex04_matmul", "1")], [32, rate("ex04_matmul", "2")]] },
        ],
        { scale: "log log", xname: "width T of the tile; 1: no tile", yname: "Gflop/s on an H200, n = 4096", height: 300,
            small: "copy rate and rungs 1 and 2: solutions/measured/nvidia-h200.tsv" },
    );
}
