/*
 * shared-rate.mjs: what the lanes of an SM could use in one clock, and what shared memory delivers: two floats per product.
 */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 246,
        title: "In one clock the 128 lanes of an SM could compute a product for each of four warps. Each product needs two reads of shared " +
            "memory, so eight wavefronts. Shared memory delivers one per clock.",
    });
    d.text(0, 30, "an SM, in one clock:", { soft: true });
    for (let warp = 0; warp < 4; warp++) {
        const x = 300 + warp * 212;
        d.box(x, 4, 200, 46, "computing", `product, warp ${warp}`);
        for (const i of [0, 1]) {
            d.step(1, () => {
                d.arrow(x + 50 + 100 * i, 112, x + 50 + 100 * i, 54, "shared");
                d.box(x + 100 * i + 4, 114, 92, 42, "shared", i ? "Ns" : "Ms", { strong: warp === 0 && i === 0, dashed: warp > 0 || i > 0 });
            });
        }
    }
    d.step(1, () => d.text(0, 142, "wavefronts"));
    d.says(0, 222, [
        "The lanes could compute one product for each of four warps.",
        "Each product needs two reads: eight. Shared memory delivers one per clock.",
    ]);
    return d.lines("");
}
