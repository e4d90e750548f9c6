/* two-problems.mjs: uncoalesced access to global memory beside a bank conflict in shared memory. */
import { Drawing } from "../lib/draw.mjs";

const LANES = 8;

export function draw() {
    const d = new Drawing({
        height: 320,
        title: "Left: eight lanes read words in eight different sectors of global memory, so eight sectors move. Right: eight lanes " +
            "read different words of one bank of shared memory, so the bank serves them one after another.",
    });
    d.text(0, 28, "global memory: different sectors", { bold: true });
    for (let lane = 0; lane < LANES; lane++) {
        const x = lane * 66;
        d.box(x, 48, 58, 44, "computing", String(lane));
        d.arrow(x + 29, 94, x + 8, 158, "global");
        d.cells(x, 162, 1, 4, [15, 44], (_, column) => (column === 0 ? "global strong" : "global"));
    }
    d.text(0, 250, "uncoalesced access: 8 sectors move,");
    d.text(0, 284, "and a part of each is used");
    d.step(1, () => {
        d.text(622, 28, "shared memory: one bank", { bold: true });
        for (let lane = 0; lane < LANES; lane++) {
            const x = 622 + lane * 66;
            d.box(x, 48, 58, 44, "computing", String(lane));
            d.arrow(x + 29, 94, 622 + 3.5 * 66 + 10 + lane * 5, 158, "shared");
        }
        d.cells(622, 162, 1, LANES, [66, 44], (_, column) => (column === 3 ? "shared strong" : "shared"), (_, column) => String(column));
        d.text(622, 250, "bank conflict: the bank serves 8 lanes");
        d.text(622, 284, "one after another");
    });
    return d.lines("");
}
