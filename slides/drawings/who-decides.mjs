/* who-decides.mjs: who decides what in a tiled product: you or the compiler, in CUDA C++, in a tile language, with a library. */
import { Drawing } from "../lib/draw.mjs";

const WAYS = ["CUDA C++", "Triton, CUDA Tile", "cuBLAS"];
const ROWS = [
    ["which tile a block makes", "you", "you", "library"],
    ["which thread loads what", "you", "compiler", "library"],
    ["barriers and overlap", "you", "compiler", "library"],
    ["tensor cores, and which", "you", "you, by the type", "you, by type or mode"],
    ["the sizes of tiles", "you", "you, or it tries some", "library"],
];
const LEFT = 380, WIDTH = 250, ROW = 58, TOP = 46;
const KIND = { you: "computing", compiler: "shared", library: "host", "you, or it tries some": "computing", "you, by the type": "computing",
    "you, by type or mode": "computing" };

export function draw() {
    const d = new Drawing({
        height: TOP + ROWS.length * ROW,
        title: `Who decides. ${ROWS.map(([what, ...who]) => `${what}: ${who.map((one, i) => `${WAYS[i]}: ${one}`).join(", ")}`).join("; ")}.`,
    });
    WAYS.forEach((way, i) => d.text(LEFT + i * (WIDTH + 10) + WIDTH / 2, 28, way, { anchor: "middle", bold: true }));
    ROWS.forEach(([what, ...who], row) => {
        d.text(0, TOP + row * ROW + 32, what);
        who.forEach((one, i) => d.box(LEFT + i * (WIDTH + 10), TOP + row * ROW, WIDTH, ROW - 10, KIND[one], one));
    });
    return d.lines("");
}
