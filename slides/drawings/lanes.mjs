/*
 * lanes.mjs: the warps of blocks of different sizes, and which of their lanes have a thread.
 */
import { Drawing } from "../lib/draw.mjs";

const LANES = 32, SIZE = 15, LEFT = 170;

/** `blocks` are sizes of blocks, one row each; each row after the first is a step. */
export function draw({ blocks = [4, 33, 64] }) {
    const widest = Math.max(...blocks.map((threads) => Math.ceil(threads / LANES)));
    const d = new Drawing({
        height: 56 + blocks.length * 68,
        title: `Blocks of ${blocks.join(", ")} threads, and their warps of 32 lanes. Lanes without a thread stay idle.`,
    });
    for (let warp = 0; warp < widest; warp++) d.text(LEFT + warp * 500, 24, `warp ${warp}`, { soft: true });
    blocks.forEach((threads, i) =>
        d.step(i, () => {
            const top = 36 + i * 68;
            d.text(0, top + 32, `${threads} threads`);
            for (let warp = 0; warp < Math.ceil(threads / LANES); warp++)
                d.cells(LEFT + warp * 500, top, 1, LANES, [SIZE, 46], (_, lane) =>
                    warp * LANES + lane < threads ? "computing strong" : "waiting");
        }),
    );
    d.legend(LEFT, 56 + blocks.length * 68 - 12, [["computing strong", "a thread"], ["waiting", "an idle lane"]]);
    return d.lines("");
}
