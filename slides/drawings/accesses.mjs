/*
 * accesses.mjs: a warp reads 256 floats, access by access. Each column is a sector of 8 floats. With a chunk per thread, every
 * access touches all 32 sectors. With neighbouring elements it touches four, and needs all that they have; with every second
 * element eight. `ways` is "chunks" or "strides", for those who are still to find out what chunks do.
 */
import { Drawing } from "../lib/draw.mjs";

const LANES = 32, FLOATS = 8, CELL = 16.5;
const COLOURS = ["computing", "two", "three"]; // of the first accesses
const NEIGHBOURS = { name: "neighbouring elements", element: (lane, access) => access * LANES + lane };
const WAYS = {
    chunks: [{ name: "a chunk per thread", element: (lane, access) => lane * FLOATS + access }, NEIGHBOURS],
    strides: [NEIGHBOURS, { name: "every second element", element: (lane, access) => Math.floor(access / 2) * 2 * LANES + 2 * lane + (access % 2) }],
};

/* The sectors that an access of the warp touches. */
export function sectors(element, access) {
    return new Set(Array.from({ length: LANES }, (_, lane) => Math.floor(element(lane, access) / FLOATS))).size;
}

function total(way, accesses) {
    return Array.from({ length: accesses }, (_, access) => sectors(way.element, access)).reduce((sum, one) => sum + one, 0);
}

export function draw({ ways = "chunks" }) {
    const shown = WAYS[ways].map((way, i) => ({ ...way, x: 606 * i }));
    const said = shown.map((way) => `${way.name}: ${sectors(way.element, 0)} sectors per access, ${total(way, FLOATS)} in all`).join("; ");
    const d = new Drawing({
        height: 350,
        title: `A warp reads ${LANES * FLOATS} floats in ${FLOATS} accesses. ${said}. A sector has ${FLOATS} floats.`,
    });
    for (const way of shown) {
        d.text(way.x, 28, way.name, { bold: true });
        d.text(way.x, 66, `${LANES} sectors, each a column of ${FLOATS} floats`, { soft: true });
        d.cells(way.x, 80, FLOATS, LANES, CELL, () => "global");
        /* Accesses 0, 1 and 2 come one by one, each in its own colour, and all others together. */
        for (let access = 0; access < FLOATS; access++)
            d.step(Math.min(access, 3), () => {
                for (let lane = 0; lane < LANES; lane++) {
                    const element = way.element(lane, access);
                    d.box(way.x + Math.floor(element / FLOATS) * CELL, 80 + (element % FLOATS) * CELL, CELL - 2, CELL - 2, COLOURS[access] ?? "computing", "", { strong: access in COLOURS });
                }
            });
        [1, 2, 3, FLOATS].forEach((accesses, step) =>
            d.step(step, () => d.text(way.x, 256, count(accesses, "access", "es"), {}), step < 3 ? step + 1 : null));
        [1, 2, 3, FLOATS].forEach((accesses, step) =>
            d.step(step, () => d.text(way.x, 296, `${count(total(way, accesses), "sector", "s")} requested`, { bold: true }), step < 3 ? step + 1 : null));
    }
    d.text(0, 340, "A sector that the warp needs again may still be in the L1. But it is requested again.", { soft: true });
    return d.lines("");
}

function count(number, thing, many) {
    return `${number} ${thing}${number === 1 ? "" : many}`;
}
