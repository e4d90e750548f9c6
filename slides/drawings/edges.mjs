/*
 * edges.mjs: a matrix whose width is not a multiple of the tile's. As many blocks as fit leave a part undone. One more has
 * threads without an element, and tiles with elements that do not exist: these hold zeros.
 */
import { Drawing } from "../lib/draw.mjs";

const N = 10, TILE = 4, CELL = 25;

function grid(d, x, blocks) {
    const size = Math.max(N, blocks * TILE), top = 42;
    d.text(x, 28, `${blocks * TILE < N ? "rounded down" : "rounded up"}: ${blocks} × ${blocks} blocks`, { bold: true });
    d.cells(x, top, size, size, CELL, (r, c) => {
        if (r >= N || c >= N) return "waiting";
        return r < blocks * TILE && c < blocks * TILE ? "registers" : "two";
    }, (r, c) => (r >= N || c >= N ? "0" : ""), { small: true });
    for (let row = 0; row < blocks; row++)
        for (let column = 0; column < blocks; column++)
            d.box(x + column * TILE * CELL - 1, top - 1 + row * TILE * CELL, TILE * CELL, TILE * CELL, "ink open");
    return x + size * CELL + 18;
}

export function draw() {
    const d = new Drawing({
        height: 346,
        title: `A matrix of ${N} x ${N} and tiles of ${TILE} x ${TILE}. Rounded down there are 2 x 2 blocks: the last two rows and columns are never ` +
            "computed. Rounded up there are 3 x 3: in those at the edges some threads have no element, and the tiles hold zeros.",
    });
    const down = grid(d, 0, Math.floor(N / TILE));
    d.text(down, 90, "never", { kind: "two", bold: true });
    d.text(down, 122, "computed", { kind: "two", bold: true });
    d.step(1, () => {
        const up = grid(d, 480, Math.ceil(N / TILE));
        ["outside: a zero", "in the tile, and", "no store to P,", "but every barrier"].forEach((line, i) => d.text(up, 90 + 32 * i, line));
    });
    return d.lines("");
}
