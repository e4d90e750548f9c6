/*
 * The figure `sm`: its schedulers keep the rule that the slide states, and its behaviour in a browser.
 */
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";

const figure = await loadFigure("sm");
const { COMPUTES, LATENCY } = figure;
const long = 4000, settled = 400;
const share = (warps, loads) => figure.busyShare(figure.runScheduler({ warps, loads }, long), settled);

test("one instruction per clock, and a warp that waits is not chosen before its data arrive", () => {
    for (const warps of [1, 3, 8])
        for (const loads of [1, 4]) {
            const said = figure.runScheduler({ warps, loads }, 300);
            for (let clock = 0; clock < 300; clock++)
                assert.ok(said.filter(warp => ["computing", "loading"].includes(warp[clock])).length <= 1);
            for (const warp of said) {
                const runs = warp.join(" ").match(/(waiting ?)+/g) ?? [];
                for (const run of runs.slice(0, -1)) assert.equal(run.trim().split(" ").length, LATENCY);
            }
        }
});

test("the share of busy clocks is that of Little's law: issued per round over the length of a round", () => {
    for (const loads of [1, 2, 3, 4])
        for (let warps = 1; warps <= 10; warps++) {
            const round = COMPUTES + loads + LATENCY, issued = COMPUTES + loads;
            assert.ok(Math.abs(share(warps, loads) - Math.min(1, warps * issued / round)) < 0.01, `${warps} warps, ${loads} loads`);
        }
});

test("the warps needed are the fewest that leave no clock empty", () => {
    for (const loads of [1, 2, 3, 4]) {
        const needed = figure.warpsNeeded(loads);
        assert.equal(share(needed, loads), 1);
        assert.ok(share(needed - 1, loads) < 1);
    }
});

test("sliders, keys and the clock change the state and its description; it fits its slide", async t => {
    const { page, says, keysSeen, finish } = await openFigure(t, "sm", {});
    assert.match(await says(), /^Clock 63: .* 33 % of the clocks\. 6 warps hide/); // outside of a deck, the clock has run
    await page.getByRole("slider", { name: "warps per scheduler" }).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    assert.match(await says(), /With 6 warps and 1 load in flight per warp, a scheduler issues in 100 %/);
    await page.getByRole("slider", { name: "loads in flight per warp" }).focus();
    await page.keyboard.press("End");
    assert.match(await says(), /4 loads in flight per warp.* 4 warps hide/);
    await page.getByRole("button", { name: /Run the clock/ }).click();
    await page.getByText(/the SM at clock ([0-9]|[1-5][0-9])\b/).waitFor(); // before its last, 63
    assert.deepEqual(await keysSeen(), []);
    await page.getByRole("button", { name: /Run the clock/ }).click();
    await finish();
});
