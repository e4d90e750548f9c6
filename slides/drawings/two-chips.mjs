/* two-chips.mjs: where a CPU and a GPU spend their area: a few cores and much cache, or very many lanes and little cache. */
import { Drawing } from "../lib/draw.mjs";

export function draw() {
    const d = new Drawing({
        height: 470,
        title: "A CPU has a few large cores and much cache. A GPU has very many small cores and little cache. Its memory is smaller and " +
            "many times as fast.",
    });
    d.text(265, 30, "CPU", { bold: true, anchor: "middle" });
    d.box(0, 46, 530, 330, "plain");
    d.cells(22, 66, 2, 2, [246, 92], () => "computing strong", () => "core");
    d.box(22, 262, 486, 94, "cache", "cache");
    d.box(0, 400, 530, 62, "host", "memory: large");
    d.text(887, 30, "GPU", { bold: true, anchor: "middle" });
    d.box(622, 46, 530, 330, "plain");
    d.cells(640, 62, 11, 33, [15, 23], () => "computing strong");
    d.box(640, 322, 494, 40, "cache", "cache");
    d.box(622, 400, 530, 62, "global", "memory: smaller, many times as fast");
    return d.lines("");
}
