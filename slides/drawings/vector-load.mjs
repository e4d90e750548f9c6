/* vector-load.mjs: one instruction of a warp: 4 bytes per lane are 4 sectors, 16 bytes per lane are 16 sectors. */
import { Drawing } from "../lib/draw.mjs";

const LANES = 32, SECTOR = 32;

export function draw() {
    const d = new Drawing({
        height: 170,
        title: `One load of a warp. With float, ${LANES} lanes get ${LANES * 4} bytes, ${(LANES * 4) / SECTOR} sectors. With float4, they get ` +
            `${LANES * 16} bytes, ${(LANES * 16) / SECTOR} sectors.`,
    });
    [["float", 4], ["float4", 16]].forEach(([type, bytes], i) =>
        d.step(i, () => {
            const y = 4 + i * 86, sectors = (LANES * bytes) / SECTOR;
            d.text(0, y + 44, `one load, ${type}`);
            d.cells(220, y + 6, 1, sectors, [42, 56], () => "global strong");
            d.text(220 + sectors * 42 + 14, y + 44, `${sectors} sectors: ${LANES * bytes} B`);
        }),
    );
    return d.lines("");
}
