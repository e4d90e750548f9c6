/* nvcc.mjs: nvcc divides a file into the host's part and the device's part, and puts both into one program. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 200,
        title: "nvcc divides axpy.cu. The host's part goes to gcc, the device's part to NVIDIA's compiler. Both results are in the " +
            "program axpy.",
    });
    d.box(0, 60, 170, 80, "plain", "axpy.cu");
    d.step(1, () => {
        d.arrow(172, 90, 276, 50, "soft");
        d.box(280, 12, 260, 72, "host", "main(), axpy()");
        d.arrow(542, 48, 616, 48, "host");
        d.box(620, 12, 250, 72, "host", "gcc");
    });
    d.step(2, () => {
        d.arrow(172, 110, 276, 150, "soft");
        d.box(280, 116, 260, 72, "computing", "__global__ …");
        d.arrow(542, 152, 616, 152, "computing");
        d.box(620, 116, 250, 72, "computing", "NVIDIA’s compiler");
    });
    d.step(3, () => {
        d.arrow(872, 48, 976, 90, "host");
        d.arrow(872, 152, 976, 110, "computing");
        d.box(980, 60, 170, 80, "plain", "axpy");
    });
    return d.lines("");
}
