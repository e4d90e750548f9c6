/* The figure `banks`: its wavefronts against the simulated GPU's, and its behaviour in a browser. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";
import { traceOf } from "./simulated.mjs";

const figure = await loadFigure("banks");

/* All states of the figure whose shared memory a block can have without asking: 48 KB. */
function states() {
    const all = [];
    for (const pattern of Object.keys(figure.PATTERNS))
        for (const stride of pattern === "stride" ? [1, 2, 3, 4, 5, 7, 8, 16, 24, 31, 32, 33, 64] : [1])
            for (const padding of [0, 1, 2, 3, 4, 8])
                for (const bytes of [4, 8, 16]) all.push({ pattern, stride, padding, bytes });
    return all.filter(state => Math.max(...elements(state)) < 49152 / state.bytes)
        .filter(state => state.pattern !== "stride" || state.padding === 0);
}

function elements(state) {
    return Array.from({ length: figure.LANES }, (_, lane) => figure.PATTERNS[state.pattern].element(lane, state));
}

test("wavefronts are those that the simulated GPU counts", () => {
    const all = states();
    const trace = traceOf("banks", all.flatMap(state => [state.bytes, ...elements(state)]));
    const loads = trace.filter(one => one.event === "access" && one.space === "shared" && one.kind === "load");
    assert.ok(all.length > 100);
    assert.equal(loads.length, all.length);
    all.forEach((state, i) =>
        assert.equal(figure.wavefrontsOf(state).wavefronts, loads[i].wavefronts, JSON.stringify(state)));
});

test("every lane's words are in exactly one wavefront, each bank at most once", () => {
    for (const state of states())
        for (const wavefront of figure.phasesOf(state).flat()) {
            const banks = wavefront.map(one => one.bank);
            assert.equal(new Set(banks).size, banks.length);
        }
    const words = figure.phasesOf({ pattern: "stride", stride: 3, padding: 0, bytes: 16 }).flat(2);
    assert.equal(words.flatMap(one => one.lanes).length, 4 * figure.LANES);
});

test("clicks, keys and touch change the state and its description", async t => {
    const { page, says, picture, keysSeen, finish } = await openFigure(t, "banks", {}, { touch: true });
    assert.match(await says(), /takes 2 wavefronts; without conflicts 1\. A 2-way bank conflict/);
    await page.getByRole("slider", { name: "stride" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /touches 32 banks and takes 1 wavefront\. No bank conflict/);
    await page.keyboard.press("End");
    assert.match(await says(), /32-way bank conflict/);
    await page.getByRole("radio", { name: "a column" }).tap();
    assert.match(await picture(), /32-way .*tile\[lane\]\[0\], rows of 32/);
    await page.getByRole("slider", { name: "padding" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /No bank conflict/);
    await page.getByRole("radio", { name: "16", exact: true }).click();
    assert.match(await says(), /takes 4 wavefronts in 4 phases; without conflicts 4/);
    await page.getByRole("radio", { name: "all the same" }).click();
    assert.match(await says(), /takes 2 wavefronts in 2 phases\. No bank conflict\. 16 lanes get the same word at once/);
    assert.deepEqual(await keysSeen(), []);
    await finish();
});

test("32 wavefronts fit their slide", async t => {
    const { finish } = await openFigure(t, "banks", { pattern: "column", bytes: 16 });
    await finish();
});
