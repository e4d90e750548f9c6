/*
 * keys.mjs: what an instructor presses in a built deck works: A opens the answers, S the speaker's view
 * with the notes, and a figure that has the focus keeps the arrow keys to itself.
 *
 *   node test/keys.mjs        exit code 1, and a line, when it does not
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deckAddress, deckReady, openBrowser } from "../lib/browser.mjs";
import { OUT } from "../lib/places.mjs";

const decks = readdirSync(OUT)
    .filter((name) => /^\d-.*\.html$/.test(name))
    .map((name) => name.replace(".html", ""));
const browser = await openBrowser();

/* The first deck that has something, opened at its slide. */
async function openAt(selector, mark) {
    const deck = decks.find((name) => readFileSync(join(OUT, `${name}.html`), "utf8").includes(mark));
    assert.ok(deck, `no deck has ${mark}`);
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(deckAddress(deck));
    await deckReady(page);
    await page.evaluate(
        (s) =>
            Reveal.slide(
                Reveal.getSlides().findIndex((slide) => slide.querySelector(s)),
                0,
                99,
            ),
        selector,
    );
    return page;
}

const slideOf = (page) => page.evaluate(() => Reveal.getIndices().h);

async function answersOpen() {
    const page = await openAt("details", "<details");
    const open = () =>
        page.evaluate(() => [...Reveal.getCurrentSlide().querySelectorAll("details")].every((d) => d.open));
    assert.equal(await open(), false, "an answer is open from the start");
    await page.keyboard.press("a");
    assert.equal(await open(), true, "A does not open the answers");
    await page.keyboard.press("a");
    const before = await slideOf(page);
    await page.locator(".present details summary").first().focus();
    await page.keyboard.press("Space");
    assert.equal(
        await page.evaluate(() => Reveal.getCurrentSlide().querySelector("details").open),
        true,
        "space does not open the answer",
    );
    assert.equal(await slideOf(page), before, "space on an answer leaves the slide");
}

async function figuresKeepKeys() {
    const page = await openAt("figure[data-figure] [tabindex], figure[data-figure] button", "data-figure=");
    const before = await slideOf(page);
    await page.locator(".present figure[data-figure] :is([tabindex], button, input, select)").first().focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await slideOf(page), before, "an arrow key in a figure leaves the slide");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    assert.equal(await slideOf(page), before + 1, "Esc does not give the arrow keys back");
}

async function speakerView() {
    const page = await openAt("h2", "<h2");
    const [speaker] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("s")]);
    const notes = await page.evaluate(() =>
        Reveal.getSlideNotes()
            .replace(/<[^>]*>/g, "")
            .trim()
            .slice(0, 30),
    );
    await speaker.waitForFunction(
        (text) => document.querySelector(".speaker-controls-notes .value")?.textContent.includes(text),
        notes,
        { timeout: 10000 },
    );
}

try {
    await Promise.all([answersOpen(), figuresKeepKeys(), speakerView()]);
} catch (error) {
    console.log(error.message.split("\n")[0]);
    process.exitCode = 1;
} finally {
    await browser.close();
}
