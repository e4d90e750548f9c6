/* grid.mjs: from a grid to a block, to a warp, to a thread, one after the other. */
import { Drawing } from "../lib/draw.mjs";

const GRID = [4, 3], BLOCK = [3, 1], SIZE = [16, 8], THREAD = [5, 3], WARP_ROWS = 2; // 32 threads are two rows of 16
const CELL = 32;

export function draw() {
    const warp = Math.floor(THREAD[1] / WARP_ROWS), lane = (THREAD[1] % WARP_ROWS) * SIZE[0] + THREAD[0];
    const d = new Drawing({
        height: 400,
        title: `A grid of ${GRID.join(" by ")} blocks. Block (${BLOCK.join(", ")}) has ${SIZE.join(" by ")} threads. Each two rows of its threads ` +
            `are a warp. Thread (${THREAD.join(", ")}) is lane ${lane} of warp ${warp}.`,
    });
    d.text(0, 28, `gridDim = (${GRID.join(", ")})`, { mono: true });
    d.cells(0, 48, GRID[1], GRID[0], [106, 80], (y, x) => (x === BLOCK[0] && y === BLOCK[1] ? "computing" : "plain"), (y, x) => `(${x}, ${y})`);
    d.step(1, () => {
        d.line(424, 128, 520, 48, "soft", { dashed: true });
        d.line(424, 206, 520, 48 + SIZE[1] * CELL, "soft", { dashed: true });
        d.text(524, 28, `blockDim = (${SIZE.join(", ")})`, { mono: true });
        d.cells(524, 48, SIZE[1], SIZE[0], CELL, () => "computing");
    });
    d.step(2, () => {
        for (let one = 0; one < SIZE[1] / WARP_ROWS; one++) {
            const y = 48 + one * WARP_ROWS * CELL;
            d.box(523, y - 1, SIZE[0] * CELL, WARP_ROWS * CELL, "open ink", "");
            d.text(1052, y + WARP_ROWS * CELL - 24, `warp ${one}`);
        }
    });
    d.step(3, () => d.box(524 + THREAD[0] * CELL, 48 + THREAD[1] * CELL, CELL - 2, CELL - 2, "computing", "", { strong: true }));
    d.says(0, 388, [
        "A grid has blocks.",
        "A block has threads. All of them are on one SM.",
        "32 threads in a row are a warp. They usually execute each step together.",
        `Thread (${THREAD.join(", ")}) of block (${BLOCK.join(", ")}) is lane ${lane} of warp ${warp}.`,
    ]);
    return d.lines("");
}
