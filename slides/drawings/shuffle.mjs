/*
 * shuffle.mjs: lanes add up their sums by shuffles, in steps. Eight lanes stand for 32.
 */
import { Drawing } from "../lib/draw.mjs";

const LANES = 8, CELL = 122, LEFT = 150, TOP = 40, ROW = 92;

/* The lanes whose sums are in a lane before a step: lane, lane + 8, and so on. */
const names = (lane, apart) => Array.from({ length: LANES / apart }, (_, i) => lane + i * apart).filter((one) => one < LANES);

export function draw() {
    const d = new Drawing({
        height: TOP + 3 * ROW + 104,
        title: "Eight lanes add up in three steps: lanes 4 to 7 give their sums to lanes 0 to 3, then 2 and 3 to 0 and 1, then 1 to 0. " +
            "Lane 0 has the sum of all.",
    });
    const x = (lane) => LEFT + lane * CELL;
    for (let lane = 0; lane < LANES; lane++) d.text(x(lane) + CELL / 2 - 6, 26, `lane ${lane}`, { anchor: "middle", soft: true });
    d.cells(LEFT, TOP, 1, LANES, [CELL - 10, 44].map((size, i) => (i ? size : CELL)), () => "registers", (_, lane) => `s${"₀₁₂₃₄₅₆₇"[lane]}`);
    [4, 2, 1].forEach((step, i) =>
        d.step(i + 1, () => {
            const top = TOP + (i + 1) * ROW;
            d.text(0, top - 12, `step ${step}`, { bold: true });
            for (let lane = 0; lane < step; lane++) {
                d.arrow(x(lane + step) + CELL / 2, top - ROW + 44, x(lane) + CELL / 2 + 14, top - 2, "registers");
                d.box(x(lane), top, CELL - 2, 42, "registers", names(lane, step).length < 5 ? names(lane, step).join(" + ") : "0 … 7", { small: true, strong: step === 1 });
            }
            for (let lane = step; lane < LANES; lane++) d.box(x(lane), top, CELL - 2, 42, "waiting");
        }));
    d.says(0, TOP + 3 * ROW + 86, [
        "Eight lanes, each with its own sum in a register.",
        "__shfl_down_sync(…, 4): lanes 0 to 3 add the sums of lanes 4 to 7.",
        "2: lanes 0 and 1 add those of lanes 2 and 3. The others' sums count no more.",
        "1: lane 0 adds the sum of lane 1, and has the sum of all.",
    ]);
    return d.lines("");
}
