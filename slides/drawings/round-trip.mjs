/*
 * round-trip.mjs: copy M and N in, compute, copy P out: how long each takes for 4096 x 4096, from pageable and from pinned
 * memory. The demo's largest copy gives the time per byte.
 */
import { demoTable } from "../lib/blocks.mjs";
import { Drawing } from "../lib/draw.mjs";
import { measuredStages } from "../lib/numbers.mjs";

const MATRIX_KB = (4096 * 4096 * 4) / 1024, LEFT = 210, WIDTH = 930;

export function draw() {
    const { rows, small } = demoTable("transfer");
    const last = rows.at(-1);
    const [kernel] = measuredStages("nvidia-h200", "ex04_matmul", { size: "4096", stages: "4" }).rows;
    const ways = [["pageable", 2], ["pinned", 4]].map(([name, column]) => {
        const matrix = (last[column] / last[1]) * MATRIX_KB;
        return { name, times: [2 * matrix, Number(kernel.us), matrix].map((us) => us / 1000) };
    });
    const total = ({ times }) => times.reduce((sum, one) => sum + one, 0);
    const most = Math.max(...ways.map(total));
    const ms = (time) => `${time.toFixed(1)} ms`;
    const d = new Drawing({
        height: 200,
        title: ways.map(({ name, times }) => `From ${name} memory: copies in ${ms(times[0])}, kernel ${ms(times[1])}, copy out ${ms(times[2])}.`).join(" "),
    });
    ways.forEach(({ name, times }, i) => {
        let x = LEFT;
        const y = 4 + i * 72;
        d.text(0, y + 38, `${name}, ${ms(total({ times }))}`.replace(/,.*/, ""));
        times.forEach((time, k) => {
            const width = (WIDTH * time) / most;
            d.box(x, y, width - 2, 58, k === 1 ? "computing" : "host", width > 80 ? ms(time) : "", { strong: k === 1 });
            x += width;
        });
        if (total({ times }) < 0.6 * most) d.text(x + 12, y + 38, `${times.map((time) => time.toFixed(1)).join(" + ")} ms`);
    });
    d.legend(LEFT, 186, [["host", "copies"], ["computing strong", "the product, cuBLAS"]]);
    return d.lines("plot", small);
}
