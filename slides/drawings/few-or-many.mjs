/*
 * few-or-many.mjs: a load of 200 clocks on a GPU of 2007, and the warps whose instructions fill that time: many warps with four
 * instructions per load, or few with eight.
 */
import { Drawing } from "../lib/draw.mjs";

const LATENCY = 200, CLOCKS = 4; // of a load, and of an instruction of a warp
const CASES = [{ instructions: 4, registers: 10, fit: 24 }, { instructions: 8, registers: 11, fit: 16 }];

export function draw() {
    const needed = CASES.map(({ instructions }) => Math.ceil(LATENCY / (instructions * CLOCKS)));
    const d = new Drawing({
        height: 300,
        title: `A load takes ${LATENCY} clocks. ` + CASES.map(({ instructions, registers, fit }, i) =>
            `With ${instructions} independent instructions per load and ${registers} registers, ${needed[i]} warps fill this time, and ${fit} fit.`).join(" "),
    });
    const left = 0, width = 860, at = (clock) => left + (clock / LATENCY) * width;
    d.box(left, 4, width, 52, "waiting", `warp 0 waits for its load: ${LATENCY} clocks`);
    CASES.forEach(({ instructions, registers, fit }, i) =>
        d.step(i, () => {
            const y = 84 + i * 110, span = instructions * CLOCKS;
            d.text(0, y + 20, `${instructions} instructions per load, ${registers} registers: ${needed[i]} warps needed, ${fit} fit`, { bold: true });
            for (let warp = 0; warp < needed[i]; warp++)
                d.box(at(warp * span), y + 32, at((warp + 1) * span) - at(warp * span) - 2, 48, "computing", String(warp + 1));
        }),
    );
    return d.lines("");
}
