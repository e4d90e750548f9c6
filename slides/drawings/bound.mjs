/*
 * bound.mjs: what a program with 0.25 flop per byte can reach on an A100, beside what its lanes could do.
 */
import { Drawing } from "../lib/draw.mjs";
import { inline } from "../lib/numbers.mjs";

const INTENSITY = 0.25, LEFT = 250, WIDTH = 740;

export function draw() {
    const peak = Number(inline("fact", ["a100-peaks", "fp32", "Tflop/s"], {}));
    const memory = (INTENSITY * Number(inline("fact", ["gpus", "A100 SXM4", "GB/s"], {}))) / 1000;
    const d = new Drawing({
        height: 118,
        title: `The lanes of an A100 could do ${peak} Tflop/s. With 0.25 flop per byte its memory allows ${memory.toFixed(1)} Tflop/s.`,
    });
    [["lanes", peak, "computing"], ["memory, at 0.25", memory, "global"]].forEach(([name, value, kind], i) => {
        d.text(0, 36 + i * 58, name);
        d.box(LEFT, 4 + i * 58, Math.max(4, (WIDTH * value) / peak), 48, kind, "", { strong: true });
        d.text(LEFT + (WIDTH * value) / peak + 12, 36 + i * 58, `${value.toFixed(1)} Tflop/s`);
    });
    return d.lines("");
}
