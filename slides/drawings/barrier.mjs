/*
 * barrier.mjs: four warps of a block fill an array in shared memory, and read it after a barrier. They arrive at different
 * times, and all leave when the last one has arrived.
 */
import { Drawing } from "../lib/draw.mjs";

const ARRIVE = [34, 22, 46, 29]; /* when each warp reaches the barrier */
const MEET = Math.max(...ARRIVE);

export function draw() {
    const d = new Drawing({
        height: 296,
        title: "Four warps of a block over time. Each writes its part of the array, and then waits at the barrier until the last " +
            "warp has arrived. Then all of them read.",
    });
    const rows = ARRIVE.map((arrive, warp) => ({
        name: `warp ${warp}`,
        spans: [
            [0, arrive, "shared", "writes t[…]"],
            ...(arrive < MEET ? [[arrive, MEET, "waiting", "waits", 1]] : []),
            [MEET, MEET + 24, "shared strong", "reads t[…]", 2],
        ],
    }));
    const at = d.timeline({ x: 130, y: 36, width: 1010, ends: MEET + 30, rows, row: 40, gap: 6, axis: "" });
    d.step(1, () => {
        d.line(at(MEET) - 1, 26, at(MEET) - 1, 228, "ink");
        d.text(at(MEET), 20, "__syncthreads()", { anchor: "middle", mono: true });
    });
    d.says(0, 280, [
        "Each warp writes its part. Some warps are slower than others.",
        "A warp that has arrived waits: warp 2 has not written its part yet.",
        "All have written. Now every warp may read what any other one wrote.",
    ]);
    return d.lines("");
}
