/*
 * The figure `threads`: its counts against the simulated GPU's, and its behaviour in a browser.
 */
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";
import { traceOf } from "./simulated.mjs";

const figure = await loadFigure("threads");

test("requests and sectors are those that the simulated GPU counts", () => {
    const states = [];
    for (const formula of Object.keys(figure.FORMULAS))
        for (const [blocks, blockThreads] of [[1, 16], [2, 64], [4, 128], [3, 40]])
            for (const k of [1, 3, 8, 32])
                for (const bytes of [4, 8, 16]) states.push({ formula, blocks, blockThreads, k, bytes });
    const trace = traceOf("threads", states.flatMap(s => [s.formula, s.blocks, s.blockThreads, s.k, s.bytes]));
    const kernels = trace.filter(record => record.event === "kernel");
    assert.equal(kernels.length, states.length);
    states.forEach((state, i) => {
        const { requests, sectors } = figure.totalOf(state);
        assert.deepEqual({ requests, sectors },
            { requests: kernels[i].load_requests, sectors: kernels[i].load_sectors }, JSON.stringify(state));
    });
});

test("neighbours touch 4 sectors, a chunk of 8 each touches 32", () => {
    const request = options => figure.requestOf({ ...figure.START, ...options });
    assert.deepEqual(request({}), { lanes: 32, sectors: 4, ideal: 4, asked: 128, moved: 128, efficiency: 1 });
    assert.equal(request({ formula: "chunk", k: 8 }).sectors, 32);
    assert.equal(request({ formula: "chunk", k: 8 }).efficiency, 1 / 8);
    assert.equal(request({ blockThreads: 16 }).sectors, 2);
});

test("clicks, keys and touch change the state and its description", async t => {
    const { page, says, picture, keysSeen, finish } = await openFigure(t, "threads", {}, { touch: true });
    assert.match(await says(), /takes element 5\. .*1 request, 4 sectors/);
    await page.getByRole("radio", { name: "a chunk each" }).click();
    assert.match(await says(), /takes element 20\. .*16 sectors; 4 would be enough; 25 %/);
    await page.getByRole("slider", { name: "k", exact: true }).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    assert.match(await says(), /takes element 40\. .*32 sectors; 4 would be enough; 12\.5 %/);
    assert.match(await picture(), /i = t\*8 \+ step/);
    assert.deepEqual(await keysSeen(), []);
    await page.locator("svg g.touchable").nth(3).tap(); // a warp
    await page.locator("svg").getByText(/^[0-9]+$/).first().waitFor();
    assert.match(await says(), /block 1, threadIdx\.x 37/);
    await page.locator("svg g.touchable").nth(4 + 9).tap(); // a lane
    assert.match(await says(), /threadIdx\.x 41/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await keysSeen(), ["ArrowRight"]); // the slides have them again
    await finish();
});

test("every choice fits its slide", async t => {
    const { page, finish } = await openFigure(t, "threads",
        { formula: "neighbours", blocks: 8, blockThreads: 128, k: 64, step: 63, warp: 31, lane: 31, bytes: 16 });
    assert.equal(await page.getByRole("slider", { name: "step" }).inputValue(), "63");
    await finish();
});
