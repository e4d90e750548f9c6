/* busy-sms.mjs: the SMs of an H200 that have work: one in rung 4, all in rung 5. */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const COLUMNS = 44, CELL = 12.5;

export function draw() {
    const sms = Number(inline("figure", ["h200", "sms"], {}));
    const d = new Drawing({
        height: 90,
        title: `${sms} SMs. In rung 4 one of them has work, in rung 5 all of them.`,
    });
    const panel = (x, words, busy) => {
        d.text(x, 26, words, { bold: true });
        d.cells(x, 40, sms / COLUMNS, COLUMNS, CELL, (row, column) => (row * COLUMNS + column < busy ? "computing strong" : "waiting"));
    };
    panel(0, `rung 4: 1 of ${sms} SMs works`, 1);
    d.step(1, () => panel(602, `rung 5: all ${sms} work`, sms));
    return d.lines("");
}
