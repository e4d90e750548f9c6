/*
 * readers.mjs: which threads of a 2 x 2 block read which row and column, without tiles.
 */
import { Drawing } from "../lib/draw.mjs";
import { product } from "../lib/matrices.mjs";

const THREADS = [[0, 0], [0, 1], [1, 0], [1, 1]];

export function draw() {
    const d = new Drawing({
        height: 276,
        title: "A block of 2 x 2 threads on matrices of 4 x 4. Both threads of its row 0 read row 0 of M, both threads of its column 0 " +
            "read column 0 of N. Each row and each column is read twice.",
    });
    THREADS.forEach(([row, column], i) =>
        d.step(i, () => {
            const times = (list) => list.filter(Boolean).length;
            const seen = THREADS.slice(0, i + 1);
            product(d, {
                x: 360, y: 0, n: 4, cell: 25,
                kinds: {
                    M: (r) => (r === row ? "global strong" : r < 2 ? "global" : "faint"),
                    N: (r, c) => (c === column ? "global strong" : c < 2 ? "global" : "faint"),
                    P: (r, c) => (r === row && c === column ? "registers strong" : r < 2 && c < 2 ? "registers" : "faint"),
                },
            });
            d.text(0, 40, `row ${row}, column ${column} of P`, { bold: true, kind: "registers" });
            d.text(0, 74, `row ${row} of M,`);
            d.text(0, 106, `column ${column} of N`);
            for (const k of [0, 1]) {
                d.text(740, 60 + 36 * k, `row ${k} of M: read ${times(seen.map(([r]) => r === k))}×`);
                d.text(740, 150 + 36 * k, `column ${k} of N: read ${times(seen.map(([, c]) => c === k))}×`);
            }
        }, i < 3 ? i + 1 : null));
    d.says(0, 266, [
        "A block of 2 × 2 threads. The first one reads a row and a column.",
        "The second one reads the same row of M again.",
        "The third one reads the same column of N again.",
        "Every row and every column was read twice: T times in a block of T × T.",
    ]);
    return d.lines("");
}
