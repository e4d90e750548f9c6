/* The figure `tiles`: its sums against a plain product, its counts, and its behaviour in a browser. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";

const figure = await loadFigure("tiles");

test("the last sums are the product", () => {
    for (const size of Object.values(figure.SIZES)) {
        const last = figure.stepsOf(size).length - 1;
        for (let row = 0; row < size.n; row++)
            for (let column = 0; column < size.n; column++) {
                let product = 0;
                for (let k = 0; k < size.n; k++) product += figure.elementOfM(row, k) * figure.elementOfN(k, column);
                assert.equal(figure.sumAfter(size, last, row, column), product);
                assert.ok(product < 100);
            }
    }
});

test("each phase loads, waits, adds and waits", () => {
    const kinds = figure.stepsOf(figure.SIZES["4/2"]).map(step => step.kind).join(" ");
    assert.equal(kinds, "start load barrier sum sum barrier load barrier sum sum barrier store");
});

test("tiles divide the loads by their width", () => {
    for (const [size, ratio] of [[figure.SIZES["4/2"], 2], [figure.SIZES["8/4"], 4]]) {
        const loads = figure.loadsAfter(size, figure.stepsOf(size).length - 1);
        assert.equal(loads.plain, 2 * size.n ** 3);
        assert.deepEqual([loads.plain, loads.tiled], [loads.plainInAll, loads.tiledInAll]);
        assert.equal(loads.plain / loads.tiled, ratio);
    }
});

test("clicks, keys and touch change the state and its description", async t => {
    const { page, says, picture, keysSeen, finish } = await openFigure(t, "tiles", { step: 0 }, { touch: true });
    assert.match(await says(), /will make P\[0\]\[1\]\. .*so far: 0; without tiles 0\. In all 64 against 128/);
    await page.getByRole("button", { name: "step forward" }).tap();
    assert.match(await says(), /Phase 0: Thread \(1, 0\) of block \(0, 0\) loads M\[0\]\[1\] = \d and N\[0\]\[1\]/);
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /__syncthreads\(\)\. No thread reads/);
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /k = 0: .*Ms\[0\]\[0\] \* Ns\[0\]\[1\].* so far: 32; without tiles 32/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await says(), /__syncthreads/);
    await page.locator("svg g.touchable").nth(16 + 11).tap(); // the last step
    assert.match(await says(), /stores P\[0\]\[1\] = \d+\. .*so far: 64; without tiles 128/);
    assert.equal(await page.getByRole("button", { name: "step forward" }).getAttribute("aria-disabled"), "true");
    await page.locator("svg g.touchable").nth(15).tap(); // the last element of P
    assert.match(await says(), /Thread \(1, 1\) of block \(1, 1\)/);
    await page.getByRole("button", { name: "next thread" }).click();
    assert.match(await says(), /Thread \(0, 0\) of block \(0, 0\)/);
    await page.getByRole("radio", { name: "8 × 8, 4 × 4" }).click();
    assert.match(await picture(), /In all 256 against 1\s024\. Step 0 of 15; 64 threads/);
    assert.deepEqual(await keysSeen(), []);
    await finish();
});
