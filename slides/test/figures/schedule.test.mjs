/*
 * The figure `schedule`: its recordings are whole, and say what the slides say of them; its behaviour in a browser.
 */
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";

const { SHOWS, bothShare, busyShare, recordings } = await loadFigure("schedule");

/* All shows with all their setups: [show, spans, end]. */
const all = Object.entries(SHOWS).flatMap(([show, of]) => Object.values(recordings(show)).map(spans => [show, spans, of.end(spans)]));

test("every choice has a recording, and nobody does two things at the same time", () => {
    for (const warps of SHOWS.warps.choices.warps)
        for (const loads of SHOWS.warps.choices.loads) {
            const spans = recordings("warps")[SHOWS.warps.setup({ warps, loads })];
            assert.equal(new Set(spans.map(span => span.who)).size, warps);
        }
    for (const [show, spans] of all)
        for (const who of new Set(spans.map(span => span.who))) {
            const own = spans.filter(span => span.who === who).sort((a, b) => a.from - b.from || a.to - b.to);
            for (let i = 1; i < own.length; i++) assert.ok(own[i - 1].to <= own[i].from, `${show}: ${who} at ${own[i].from}`);
        }
});

test("an item goes from station to station, and never back, except a warp", () => {
    for (const [show, spans, end] of all.filter(([show]) => show !== "warps"))
        for (const item of SHOWS[show].items(spans)) {
            const places = Array.from({ length: 201 }, (_, i) => SHOWS[show].stationOf(spans, item, (end * i) / 200));
            assert.deepEqual(places, [...places].sort(), `${show}: ${item}`);
        }
});

test("more warps or more loads in flight: fewer idle clocks, as the slide says", () => {
    const share = (warps, loads) => busyShare(recordings("warps")[SHOWS.warps.setup({ warps, loads })], "computes", 5000);
    for (const loads of [1, 2, 4]) assert.ok(share(1, loads) < share(8, loads));
    assert.ok(share(1, 1) > 0.15 && share(1, 1) < 0.25);
    assert.ok(share(8, 1) > 0.8 && share(4, 4) > 0.8);
});

test("copies overlap only in several streams with pinned memory, and the job is then shorter", () => {
    const jobs = recordings("bus"), ends = Object.fromEntries(Object.entries(jobs).map(([name, spans]) => [name, Math.max(...spans.map(span => span.to))]));
    for (const [name, spans] of Object.entries(jobs))
        assert.equal(bothShare(spans, "to the GPU", "to the host", ends[name]) > 0.01, /3 streams/.test(name), name);
    assert.ok(ends["pinned, 16 pieces, 3 streams"] < ends["pinned, 4 pieces, 3 streams"]);
    assert.ok(ends["pinned, 4 pieces, 3 streams"] < ends["pinned, 1 piece"] && ends["pinned, 1 piece"] < ends["pageable, 4 pieces"]);
});

test("choices, keys and the button change the state and its description; it fits its slide", async t => {
    const { page, says, keysSeen, finish } = await openFigure(t, "schedule", {});
    assert.match(await says(), /^Clock 5000: .* computes in 70 % of the time\.$/); // outside of a deck, it has been played
    await page.getByRole("radio", { name: "8" }).check();
    assert.match(await says(), /warps of 8 .* computes in 87 % of the time\.$/);
    await page.getByRole("slider", { name: "time" }).focus();
    await page.keyboard.press("Home");
    assert.match(await says(), /^Clock 42:/);
    await page.getByRole("button", { name: /Run the schedule/ }).click();
    await page.waitForFunction(() => Number(/^Clock (\d+)/.exec(document.querySelector(".says").textContent)[1]) > 400);
    await page.getByRole("button", { name: /Run the schedule/ }).click();
    assert.deepEqual(await keysSeen(), []);
    await finish();
});

for (const show of ["bus", "tiles"])
    test(`the show "${show}" fits its slide, at the beginning and at the end`, async t => {
        const { page, finish } = await openFigure(t, "schedule", { show });
        await page.getByRole("slider", { name: "time" }).press("Home");
        await finish();
    });
