/* launch.mjs: a launch returns before the kernel has finished. So a timer around the launch measures the launch. */
import { Drawing } from "../lib/draw.mjs";

const X = 110, WIDTH = 1040, ENDS = 104;

export function draw() {
    const d = new Drawing({
        height: 400,
        title: "The host starts its timer, launches the kernel and reads the timer. The launch returns before the kernel has finished, so " +
            "this timer measured only the launch. The copy back waits for the kernel. With cudaDeviceSynchronize before the second reading, the " +
            "timer measures the whole kernel.",
    });
    const rows = [
        { name: "host", spans: [[0, 7, "host", "t0"], [8, 20, "host", "launch"], [21, 28, "host", "t0"], [29, 88, "waiting", "cudaMemcpy waits, then copies y back", 2]] },
        { name: "GPU", spans: [[16, 76, "computing", "the kernel runs", 1]] },
    ];
    const at = d.timeline({ x: X, y: 60, width: WIDTH, ends: ENDS, rows, row: 48, gap: 12, axis: "" });
    d.text(at(28) + 14, 30, "what the timer measured", {});
    d.arrow(at(0), 36, at(28), 36, "ink");
    d.step(3, () => {
        const more = [
            { name: "host", spans: [[0, 7, "host", "t0"], [8, 20, "host", "launch"], [21, 76, "waiting", "cudaDeviceSynchronize waits"], [77, 84, "host", "t0"]] },
            { name: "GPU", spans: [[16, 76, "computing", "the kernel runs"]] },
        ];
        d.line(0, 196, 1150, 196, "grid");
        d.timeline({ x: X, y: 256, width: WIDTH, ends: ENDS, rows: more, row: 48, gap: 12, axis: "" });
        d.arrow(at(0), 236, at(84), 236, "ink");
        d.text(at(84) + 14, 244, "with a wait", {});
    });
    return d.lines("");
}
