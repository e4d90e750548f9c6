/*
 * divergence.mjs: two warps run if (…) a(); else b();. If the lanes of a warp disagree, it runs both, one after the
 * other. If whole warps differ, each runs one. Eight lanes stand for 32.
 */
import { Drawing } from "../lib/draw.mjs";

const LANES = 8, CELL = 27, WARP = 236;

/* A warp whose lanes disagree runs a() first. */
const nameOf = (branch, time) => (branch === "both" ? "ab"[time] : branch);
const isIdle = (branch, time, lane) => branch === "both" && (lane + time) % 2 === 1;

/* Two warps from (left, top) on; `runs` has what each of them runs. The first of its rows comes with step `from`. */
function warps(d, left, top, row, runs, from) {
    for (const [warp, branches] of runs.entries()) {
        const x = left + warp * WARP;
        d.text(x, top - 8, `warp ${warp}`, { soft: true, small: true });
        branches.forEach((branch, time) =>
            d.step(from && from + time, () =>
                d.cells(x, top + time * row, 1, LANES, [CELL, row - 6],
                    (_, lane) => (isIdle(branch, time, lane) ? "waiting" : `${{ a: "one", b: "two", "": "one" }[nameOf(branch, time)]} strong`),
                    (_, lane) => (isIdle(branch, time, lane) ? "" : nameOf(branch, time)))));
    }
}

/** `part` is "lanes" or "none" for one half of it, without steps. */
export function draw({ part }) {
    if (part) {
        const both = part === "lanes";
        const d = new Drawing({
            width: 530, height: 140,
            title: both ? "Each warp takes two steps, with half of its lanes idle in each." : "Each warp takes one step, with all of its lanes.",
        });
        warps(d, 0, 28, 56, both ? [["both", "both"], ["both", "both"]] : [[""], [""]], 0);
        return d.lines("");
    }
    const d = new Drawing({
        height: 396,
        title: "Two warps of eight lanes. On the left, neighbouring lanes take different branches: each warp runs a, then b, with half of its " +
            "lanes idle each time. On the right, warp 0 takes a and warp 1 takes b: each needs one step.",
    });
    const top = 108, row = 108;
    for (const time of [1, 2]) d.text(0, top + (time - 1) * row + 60, `t${"₀₁₂"[time]}`, { soft: true });
    const halves = [[0, "Lanes of one warp disagree", "threadIdx.x % 2 == 0"], [600, "Whole warps disagree", "threadIdx.x / 32 % 2 == 0"]];
    for (const [left, title, code] of halves) {
        d.text(left, 26, title, { bold: true });
        d.text(left, 64, `if (${code}) a(); else b();`, { mono: true, small: true });
    }
    warps(d, 56, top, row, [["both", "both"], ["both", "both"]], 1);
    warps(d, 656, top, row, [["a"], ["b"]], 3);
    d.says(0, 376, [
        "Both programs run a() in half of the threads, and b() in the other half.",
        "A warp runs one branch at a time: first a(), with half of its lanes idle.",
        "Then it runs b(), with the other half of its lanes idle.",
        "Here each warp runs one branch, with all its lanes: half the time.",
    ]);
    return d.lines("");
}
