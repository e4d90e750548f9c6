/*
 * points.mjs: points of a plane that are turned and shifted, and how memory holds them.
 */
import { Drawing } from "../lib/draw.mjs";

const POINTS = [[150, 20], [120, -30], [70, 45]], ANGLE = 0.9, SHIFT = [30, 0];
const CENTRE = [90, 140], CELL = 76, LEFT = 470;

export function draw() {
    const d = new Drawing({
        height: 194,
        title: "Three points in a plane, each turned by the same angle and then shifted. In memory the points follow each other: x0 y0 x1 y1 x2 y2. " +
            "The kernel reads r and s, and writes v, 8 bytes per point each.",
    });
    const [cx, cy] = CENTRE;
    d.arrow(cx - 70, cy + 44, cx + 280, cy + 44, "soft");
    d.arrow(cx - 60, cy + 52, cx - 60, 4, "soft");
    POINTS.forEach(([x, y], i) => {
        const [c, s] = [Math.cos(ANGLE), Math.sin(ANGLE)];
        const [vx, vy] = [c * x - s * y + SHIFT[0], s * x + c * y + SHIFT[1]];
        d.dot(cx + x, cy - y, "host");
        d.text(cx + x + 12, cy - y + 8, `r${"₀₁₂"[i]}`);
        d.arrow(cx + x, cy - y, cx + vx + 6, cy - vy + 8, "soft", { dashed: true });
        d.dot(cx + vx, cy - vy, "computing");
        d.text(cx + vx - 12, cy - vy - 8, `v${"₀₁₂"[i]}`, { anchor: "end", kind: "computing" });
    });
    [["r", "read"], ["s", "read"], ["v", "written"]].forEach(([name, how], i) => {
        const y = 4 + i * 62;
        d.text(LEFT - 20, y + 34, name, { anchor: "end", bold: true });
        d.cells(LEFT, y, 1, 7, [CELL, 50], (_, c) => (c < 6 ? "global" : "none"), (_, c) => (c < 6 ? `${"xy"[c % 2]}${"₀₁₂"[c >> 1]}` : "…"));
        d.text(LEFT + 7 * CELL + 4, y + 34, how, { soft: true });
    });
    return d.lines("");
}
