/* layers.mjs: what CUDA is, from a program down to the GPU: libraries, the language with its compiler, run-time library, driver. */
import { Drawing } from "../lib/draw.mjs";

const LEFT = [
    ["your program", "host"],
    ["libraries: cuBLAS, cuFFT, Thrust", "plain"],
    ["run-time library: cudaMalloc, cudaMemcpy", "plain"],
    ["driver", "plain"],
    ["GPU", "computing"],
];

export function draw() {
    const d = new Drawing({
        height: 384,
        width: 560,
        title: "Layers, from top to bottom: your program, which nvcc compiles; libraries such as cuBLAS, cuFFT and Thrust; the run-time " +
            "library with cudaMalloc and cudaMemcpy; the driver; the GPU.",
    });
    LEFT.forEach(([text, kind], i) => d.box(0, 4 + 76 * i, 556, 66, kind, text));
    return d.lines("");
}
