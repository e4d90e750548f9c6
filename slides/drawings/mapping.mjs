/*
 * mapping.mjs: which elements of a matrix the 32 lanes of a warp load in one access, and how many sectors these are: access
 * by access. The matrix is stored row by row; each bar is a sector of eight floats.
 */
import { Drawing } from "../lib/draw.mjs";

const ROWS = 32, SECTORS = 4, FLOATS = 8;
const LEFT = 120, TOP = 30, SECTOR = 200, FLOAT = SECTOR / FLOATS;

/* What the lanes load, access by access: a function of (lane, access) gives [row, column]; and what to say. */
const MAPPINGS = {
    row: {
        title: "Lane t takes row t. Each access touches 32 sectors, one in each row, and uses 4 bytes of each.",
        at: (lane, access) => [lane, access],
        accesses: [0, 1, 8],
        says: [
            "A warp of rung 1: lane t has row t. Each bar is a sector, 32 bytes.",
            "k = 0: each lane needs the first float of its row. 32 sectors for 128 bytes.",
            "k = 1: the next floats, in the same 32 sectors, if a cache still has them.",
            "k = 8: 32 new sectors. A block of 256 threads keeps 256 of them in use.",
        ],
    },
    alike: {
        title: "All lanes take the same element of row 0 in each access: one sector, and 32 times the same sum.",
        at: (lane, access) => [0, access],
        accesses: [0, 1, 8],
        says: [
            "A block has a row, and every lane adds up all of it.",
            "k = 0: all 32 lanes need the same float. One sector, and 4 of its bytes are used.",
            "k = 1: again one float for 32 lanes. They all compute the same product.",
            "k = 8: one new sector. 32 lanes compute one sum, 32 times.",
        ],
    },
    tile: {
        title: "A block of 16 x 8 threads loads a tile. A warp takes two rows of 16 floats: four sectors, and all of their bytes.",
        at: (lane, access) => [2 * access + Math.floor(lane / 16), lane % 16],
        accesses: [0, 1, 2, 3],
        says: [
            "A block of 16 × 8 threads loads a tile of A: four warps.",
            "Warp 0 loads two rows of 16 floats: 4 sectors for 128 bytes.",
            "Warp 1 loads the next two rows.",
            "Warp 2: again 4 sectors, and all of their bytes are used.",
            "The tile is complete. Now 8 threads add up 16 products each, and 120 wait.",
        ],
    },
    warp: {
        title: "A warp has a row. Its lanes take 32 neighbouring floats in each access: four sectors, and all of their bytes.",
        at: (lane) => [0, lane],
        accesses: [0],
        says: ["A warp has a row, and its lanes walk along it together.", "One access: 32 neighbouring floats, 4 sectors, every byte is used."],
    },
};

/** `kind` is one of MAPPINGS; `row` is the height of a row. */
export function draw({ kind, row: ROW = 13 }) {
    const { title, at, accesses, says } = MAPPINGS[kind];
    const d = new Drawing({ height: TOP + ROWS * ROW + 54, title });
    const x = (column) => LEFT + Math.floor(column / FLOATS) * (SECTOR + 6) + (column % FLOATS) * FLOAT;
    d.text(LEFT, 22, "A, row by row", { soft: true });
    d.text(LEFT - 14, TOP + 18, "row 0", { anchor: "end", soft: true });
    d.text(LEFT - 14, TOP + ROWS * ROW, "row 31", { anchor: "end", soft: true });
    d.cells(LEFT, TOP, ROWS, SECTORS, [SECTOR + 6, ROW], () => "faint");
    accesses.forEach((access, i) => {
        const places = [...new Set(Array.from({ length: 32 }, (_, lane) => at(lane, access).join()))].map((text) => text.split(",").map(Number));
        const sectors = [...new Set(places.map(([row, column]) => `${row},${Math.floor(column / FLOATS)}`))].map((text) => text.split(",").map(Number));
        const isLast = i + 1 === accesses.length;
        d.step(i + 1, () => {
            for (const [row, sector] of sectors) d.box(x(sector * FLOATS), TOP + row * ROW, SECTOR + 4, ROW - 2, "global");
            for (const [row, column] of places) d.box(x(column), TOP + row * ROW, FLOAT - 1, ROW - 2, "global", "", { strong: true });
        }, isLast || kind === "tile" ? null : i + 2);
        d.step(i + 1, () => {
            [`${sectors.length} sector${sectors.length > 1 ? "s" : ""}`, `${32 * sectors.length} bytes,`, `${4 * places.length} used`].forEach((line, k) =>
                d.text(976, TOP + 90 + 34 * k, line, { bold: true, kind: "global" }));
        }, isLast ? null : i + 2);
    });
    d.says(0, TOP + ROWS * ROW + 42, says);
    return d.lines("");
}
