/*
 * phases.mjs: the tiled product, in steps: a block loads a tile of M and one of N into shared memory, all wait, each thread
 * adds up its products, all wait, and the next tiles follow.
 */
import { Drawing } from "../lib/draw.mjs";
import { product } from "../lib/matrices.mjs";

const N = 8, TILE = 4, CELL = 27, LEFT = 40, SHARED = 640, BIG = 34;
const ROW = 4, COLUMN = 0; /* the block's first element of P */

const inTile = (row, column, top, left) => row >= top && row < top + TILE && column >= left && column < left + TILE;

/* The matrices while the block works on this phase's tiles, or on none. */
function matrices(d, phase, sums) {
    product(d, {
        x: LEFT, y: 0, n: N, cell: CELL,
        kinds: {
            M: (r, c) => (phase !== null && inTile(r, c, ROW, phase * TILE) ? "global strong" : r >= ROW ? "global" : "faint"),
            N: (r, c) => (phase !== null && inTile(r, c, phase * TILE, COLUMN) ? "global strong" : c < TILE ? "global" : "faint"),
            P: (r, c) => (inTile(r, c, ROW, COLUMN) ? (sums ? "registers strong" : "registers") : "faint"),
        },
    });
}

function shared(d, isFull, mark = -1) {
    const top = [30, 30 + TILE * BIG + 50];
    ["Ms", "Ns"].forEach((name, i) => {
        d.text(SHARED - 14, top[i] + 30, name, { anchor: "end", bold: true });
        d.cells(SHARED, top[i], TILE, TILE, BIG, (r, c) => (isFull ? ((i ? c === 1 : r === 1) && mark >= 0 ? "shared strong" : "shared") : "plain"));
    });
    d.text(SHARED, 20, "shared memory");
    if (mark >= 0) {
        d.text(SHARED + 200, 150, "thread (1, 1):", { soft: true });
        d.text(SHARED + 200, 184, "sum += row of Ms");
        d.text(SHARED + 200, 216, "      × column of Ns");
        d.box(SHARED + 200, 236, 150, 40, "registers", "its sum", { strong: true });
    }
}

export function draw() {
    const d = new Drawing({
        height: 510,
        title: "Matrices of 8 x 8 in tiles of 4 x 4. In phase 0 the block loads a tile of M and one of N into shared memory; after a barrier " +
            "each thread adds four products to its sum; after another barrier phase 1 does the same with the next tiles. Then the sums are complete.",
    });
    const steps = [
        [null, false, -1, false], [0, true, -1, false], [0, true, -1, false], [0, true, 1, true],
        [1, true, -1, true], [1, true, 1, true],
    ];
    steps.forEach(([phase, isFull, mark, sums], i) =>
        d.step(i, () => {
            matrices(d, phase, sums);
            shared(d, isFull, mark);
        }, i + 1 < steps.length ? i + 1 : null));
    for (const [i, text] of [[1, "each loads one of both"], [2, "__syncthreads()"], [3, "4 products each"], [4, "__syncthreads(), next tiles"], [5, "4 products more"]])
        d.step(i, () => d.text(SHARED + 200, 80, text, { bold: true, kind: i === 2 || i === 4 ? "two" : "shared" }), i < 5 ? i + 1 : null);
    d.legend(SHARED, 440, [["global", "global"], ["shared", "shared"], ["registers strong", "registers"]]);
    d.says(0, 497, [
        "A block of 4 × 4 threads has 16 elements of P: 4 rows of M, 4 columns of N.",
        "Phase 0: all threads load a tile of M and one of N, an element of each.",
        "Barrier: the tiles are complete before anybody reads them.",
        "Each thread adds 4 products from the tiles to its sum.",
        "Barrier: all have read the tiles. Phase 1: the next tiles replace them.",
        "Each thread adds 4 products more. After n / T phases its sum is complete.",
    ]);
    return d.lines("");
}
