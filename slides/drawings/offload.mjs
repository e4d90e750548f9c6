/* offload.mjs: the four steps of a program that uses a GPU: copy in, launch, compute, copy back. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 440,
        title: "The host copies x and y to the device and launches the kernel. The kernel reads and writes the device's memory. Then " +
            "the host copies y back. The bus moves tens of GB/s, the host's memory hundreds, the device's memory thousands.",
    });
    d.text(190, 30, "host", { bold: true, anchor: "middle" });
    d.text(962, 30, "device", { bold: true, anchor: "middle" });
    d.box(0, 48, 380, 320, "plain");
    d.box(772, 48, 380, 320, "plain");
    d.box(30, 76, 320, 80, "host", "CPU");
    d.box(30, 250, 320, 90, "host", "x, y in host memory");
    d.box(802, 76, 320, 80, "computing", "GPU");
    d.box(802, 250, 320, 90, "global", "x_gpu, y_gpu\nin global memory");
    d.step(1, () => {
        d.arrow(384, 274, 768, 274, "host");
        d.text(576, 262, "1  copy in", { anchor: "middle" });
    });
    d.step(2, () => {
        d.arrow(384, 116, 768, 116, "computing");
        d.text(576, 104, "2  launch", { anchor: "middle" });
    });
    d.step(3, () => {
        d.arrow(942, 160, 942, 246, "computing");
        d.arrow(982, 246, 982, 160, "computing");
        d.text(1000, 212, "3  computes", {});
    });
    d.step(4, () => {
        d.arrow(768, 316, 384, 316, "host");
        d.text(576, 350, "4  copy back", { anchor: "middle" });
    });
    d.text(190, 410, "hundreds of GB/s", { anchor: "middle", soft: true });
    d.text(576, 410, "the bus: tens of GB/s", { anchor: "middle", soft: true });
    d.text(962, 410, "thousands of GB/s", { anchor: "middle", soft: true });
    return d.lines("");
}
