/* copies.mjs: what the arguments of cudaMemcpy mean: where to, where from, how many bytes, in which direction. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 190,
        title: "cudaMemcpy copies bytes from the array x of the host to x_gpu in the device's memory, and later from y_gpu back to y.",
    });
    d.box(0, 4, 300, 72, "host", "x");
    d.box(0, 104, 300, 72, "host", "y");
    d.box(852, 4, 300, 72, "global", "x_gpu");
    d.box(852, 104, 300, 72, "global", "y_gpu");
    d.arrow(304, 40, 848, 40, "host");
    d.text(576, 28, "HostToDevice, n * sizeof(float) bytes", { anchor: "middle" });
    d.step(1, () => {
        d.arrow(848, 140, 304, 140, "global");
        d.text(576, 128, "DeviceToHost, after the kernel", { anchor: "middle" });
    });
    return d.lines("");
}
