/*
 * decks.mjs: looks at every slide of built decks in a real browser, at two sizes and as it is printed,
 * with all answers open: nothing leaves its slide or its column, nothing is too small to read, nothing
 * is said on the console, no request leaves the machine; axe-core finds no fault in contrast, names and
 * alternative text.
 *
 *   node test/decks.mjs 2-axpy ...       a line a fault, or a line of counts; exit code 1 with faults
 */
import { createRequire } from "node:module";
import { deckAddress, deckReady, openBrowser } from "../lib/browser.mjs";

const SIZES = [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
];
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/* The rules of axe-core that speak of a slide, and not of a page among others on a site. */
const RULES = {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    resultTypes: ["violations"],
    preload: false,
};

async function main(decks) {
    const browser = await openBrowser();
    const found = await Promise.all([0, 1].map((half) => walk(browser, decks.filter((_, i) => i % 2 === half))));
    await browser.close();
    const faults = found.flatMap((f) => f.faults);
    for (const fault of faults) console.log(fault);
    console.log(`${found.reduce((n, f) => n + f.slides, 0)} slides seen, ${faults.length} faults`);
    process.exitCode = faults.length ? 1 : 0;
}

/* Looks at decks, one after the other. */
async function walk(browser, decks) {
    const total = { slides: 0, faults: [] };
    for (const deck of decks) {
        const found = await lookAtDeck(browser, deck);
        total.slides += found.slides;
        total.faults.push(...found.faults);
    }
    return total;
}

/* All slides of a deck at each size, with axe-core at the first one, and as printed. */
async function lookAtDeck(browser, deck) {
    const page = await browser.newPage({ viewport: SIZES[0] });
    const faults = [];
    let slide = 0,
        seen = 0,
        how = "";
    const tell = (what) => faults.push(`${deck}, slide ${slide}, ${how}: ${what}`);
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) tell(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => tell(`error: ${error.message}`));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) tell(`asks for ${request.url()}`);
    });
    await page.goto(deckAddress(deck));
    await deckReady(page);
    await page.addScriptTag({ path: AXE });
    const slides = await page.evaluate(() => Reveal.configure({ transition: "none" }) ?? Reveal.getTotalSlides());
    for (const size of SIZES) {
        how = `${size.width} x ${size.height}`;
        await page.setViewportSize(size);
        await page.evaluate(() => Reveal.layout());
        for (slide = 1; slide <= slides; slide++, seen++) {
            await page.evaluate(show, slide - 1);
            for (const what of await page.evaluate(overflows)) tell(what);
            if (size === SIZES[0]) for (const what of await page.evaluate(accessible, RULES)) tell(what);
        }
    }
    how = "printed";
    await page.goto(deckAddress(deck, "?print-pdf"));
    await page.waitForSelector(".pdf-page");
    const printed = await page.evaluate(() => document.querySelectorAll(".pdf-page > section").length);
    for (slide = 1; slide <= printed; slide++)
        for (const what of await page.evaluate(overflows, slide)) tell(what);
    await page.close();
    return { slides: seen, faults };
}

/* ---- these run in the page ---- */

function show(index) {
    Reveal.slide(index, 0, 99);
    for (const answer of Reveal.getCurrentSlide().querySelectorAll("details")) answer.open = true;
}

/* What leaves the slide (except its margins) or its column, and what is too small; of the slide that is shown, or of a
 * printed one, counted from 1. */
function overflows(printed) {
    const slide = printed
        ? document.querySelectorAll(".pdf-page > section")[printed - 1]
        : Reveal.getCurrentSlide();
    const scale = slide.getBoundingClientRect().width / 1280;
    const edges = slide.getBoundingClientRect();
    const told = [];
    const name = (element) =>
        `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40).replace(/\s+/g, " ")}"`;
    for (const element of slide.querySelectorAll("*")) {
        if (element.closest("aside.notes, .katex-mathml") || !element.checkVisibility()) continue;
        const box = element.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const room = element.parentElement.closest(".column, section").getBoundingClientRect();
        if (box.right > room.right + scale || box.left < room.left - scale)
            told.push(`${name(element)} is too wide`);
        else if (box.left < edges.left + 40 * scale || box.right > edges.right - 40 * scale)
            told.push(`${name(element)} is in the margin`);
        else if (box.bottom > edges.bottom - 36 * scale || box.top < edges.top + 20 * scale)
            told.push(`${name(element)} is too low`);
        const reads =
            !element.closest("svg, .katex, sup, sub") &&
            [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (reads && parseFloat(getComputedStyle(element).fontSize) < 14)
            told.push(`${name(element)} is too small`);
    }
    for (const pre of slide.querySelectorAll("pre"))
        if (pre.scrollWidth > pre.clientWidth + 1) told.push(`${name(pre)} leaves its box`);
    return told.slice(0, 3);
}

async function accessible(rules) {
    const { violations } = await axe.run(Reveal.getCurrentSlide(), rules);
    return violations.flatMap((rule) =>
        rule.nodes.map(
            (node) => `${rule.id}: ${node.html.slice(0, 90)} (${node.any[0]?.message ?? rule.help})`,
        ),
    );
}

await main(process.argv.slice(2));
