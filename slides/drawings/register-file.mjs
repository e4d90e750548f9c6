/* register-file.mjs: how many blocks of 256 threads find room in the registers of an SM, with 32, 40 and 64 registers per thread. */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const THREADS = 256, CHOICES = [32, 40, 64];

export function draw() {
    const all = Number(inline("figure", ["h200", "registers_per_sm"], {}));
    const rows = CHOICES.map((registers) => ({ registers, blocks: Math.floor(all / (THREADS * registers)), share: (THREADS * registers) / all }));
    const d = new Drawing({
        height: 250,
        title: `The ${all} registers of an SM, divided between blocks of ${THREADS} threads. ` +
            rows.map(({ registers, blocks }) => `With ${registers} registers per thread there is room for ${blocks} blocks.`).join(" "),
    });
    const left = 260, width = 740;
    rows.forEach(({ registers, blocks, share }, i) =>
        d.step(i, () => {
            const y = 4 + i * 70;
            d.text(0, y + 36, `${registers} per thread`);
            d.box(left, y, width, 54, "plain", "");
            for (let block = 0; block < blocks; block++) d.box(left + block * share * width, y, share * width - 3, 54, "registers", String(block));
            d.text(left + width + 16, y + 36, `${blocks} blocks`, { bold: true });
        }),
    );
    d.text(left, 238, `${all} registers of an SM, blocks of ${THREADS} threads`, { soft: true });
    return d.lines("");
}
