/* The figure `occupancy`: its rule against the judge's, and its behaviour in a browser. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";
import { LAB } from "./simulated.mjs";

const figure = await loadFigure("occupancy");

/* The rows that the lab's own functions print. */
function judged() {
    const directory = mkdtempSync(join(tmpdir(), "figure-")), program = join(directory, "occupancy");
    try {
        execFileSync("gcc", ["-std=c11", "-I", `${LAB}checker`, "-o", program,
            new URL("occupancy.c", import.meta.url).pathname, "-lm"], { stdio: "inherit" });
        return execFileSync(program, { encoding: "utf8", maxBuffer: 1 << 26 }).trim().split("\n").map(row => row.split("\t"));
    } finally {
        rmSync(directory, { recursive: true });
    }
}

test("blocks, limit and occupancy are those of the verdict", () => {
    let compared = 0;
    for (const [capability, threads, registers, shared, blocks, limitedBy, value] of judged()) {
        if (!(capability in figure.SMS)) continue;
        const block = { threads: +threads, registers: +registers, shared: +shared };
        const held = figure.occupancyOf(figure.SMS[capability], block);
        assert.deepEqual([held.blocks, held.limitedBy, held.value.toFixed(9)], [+blocks, limitedBy, value],
            `${capability} ${JSON.stringify(block)}`);
        compared++;
    }
    assert.ok(compared > 10000);
    assert.deepEqual(Object.keys(figure.SMS), ["70", "75", "80", "86", "89", "90", "100"]);
});

test("clicks, keys and touch change the state and its description", async t => {
    const { page, says, picture, keysSeen, finish } = await openFigure(t, "occupancy", { registers: 32 }, { touch: true });
    assert.match(await says(), /8 blocks of 256 threads: 64 warps of 64, occupancy 100 %\. Limited by threads/);
    await page.getByRole("slider", { name: "registers per thread" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /6 blocks .*occupancy 75 %\. Limited by registers/);
    await page.getByRole("slider", { name: "shared memory per block" }).focus();
    await page.keyboard.press("End");
    assert.match(await says(), /cannot have 228 KB of shared memory here: 227 KB/);
    await page.keyboard.press("Home");
    for (let i = 0; i < 32; i++) await page.keyboard.press("ArrowRight");
    assert.match(await picture(), /shared memory 6,/);
    await page.getByRole("radio", { name: "7.0" }).tap();
    assert.match(await says(), /3 blocks .*Limited by shared memory/);
    const curve = await page.locator("svg .curve").boundingBox();
    await page.touchscreen.tap(curve.x + curve.width - 2, curve.y + 40);
    assert.match(await says(), /1 block of 1024 threads/);
    assert.deepEqual(await keysSeen(), []);
    await finish();
});
