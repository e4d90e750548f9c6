/* late-error.mjs: when which call can report an error: the launch is valid, the kernel crashes later, the next wait reports it. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 180,
        title: "The host launches a kernel, and cudaGetLastError reports no error, because the launch is valid. Then the kernel crashes on " +
            "the GPU. The copy back waits for the kernel and returns its error.",
    });
    const rows = [
        {
            name: "host",
            spans: [[0, 14, "host", "launch"], [15, 46, "host", "cudaGetLastError: ok"], [47, 84, "waiting", "cudaMemcpy waits", 1], [84, 104, "two", "error", 2]],
        },
        { name: "GPU", spans: [[12, 62, "computing", "the kernel runs"], [62, 84, "two", "crash", 1]] },
    ];
    d.timeline({ x: 110, y: 4, width: 1040, ends: 104, rows, row: 52, gap: 14, axis: "time" });
    return d.lines("");
}
