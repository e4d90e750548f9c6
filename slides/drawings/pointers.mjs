/* pointers.mjs: where the two pointers of cudaMalloc's example are, and where they point. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 230,
        title: "The pointers x_gpu and y_gpu are variables on the host. Their values are addresses in the device's memory. The host must not " +
            "follow them; a kernel does.",
    });
    d.text(150, 28, "host", { bold: true, anchor: "middle" });
    d.text(902, 28, "device memory", { bold: true, anchor: "middle" });
    for (const [i, name] of ["x_gpu", "y_gpu"].entries()) {
        const y = 46 + i * 88;
        d.box(0, y, 300, 66, "host", `${name}: an address`);
        d.arrow(304, y + 33, 648, y + 33, "host", { dashed: true });
        d.box(652, y, 500, 66, "global", "256 floats");
    }
    d.step(1, () => d.text(476, 124, "the host must not follow it", { anchor: "middle", kind: "two" }));
    return d.lines("");
}
