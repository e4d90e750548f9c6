/*
 * book.mjs: looks at every page of the built book in a real browser, at four sizes and with all answers open. No page is
 * wider than its window, nothing leaves it, and nothing but code scrolls sideways or is cut off. Nothing is said on the console, no request
 * leaves the machine, and axe-core finds no fault. Without a browser: every link leads to a place that is there, and every
 * question of the quiz is in the book once.
 *
 *   node test/book.mjs [--shots FOLDER] [PAGE...]     a line per fault, then a line of counts; exit code 1 with faults
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../lib/browser.mjs";
import { deckNames } from "../lib/parts.mjs";
import { OUT, TOP } from "../lib/places.mjs";
import { unseal } from "../lib/sealed.mjs";

const SIZES = [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
    { width: 768, height: 1024 },
    { width: 390, height: 844 },
];
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"], preload: false };
const BOOK = join(OUT, "book");
const given = process.argv.slice(2);
const shots = given[0] === "--shots" ? given.splice(0, 2)[1] : null;
const faults = [];
const pages = new Map(
    readdirSync(BOOK)
        .filter((name) => name.endsWith(".html"))
        .map((name) => [name, unseal(readFileSync(join(BOOK, name), "utf8"))]),
);
const looked = given.length ? given.map((name) => `${name}.html`) : [...pages.keys()];

async function lookAt(page, name) {
    const tell = (what) => faults.push(`${name}: ${what}`);
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) tell(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => tell(`error: ${error.message}`));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) tell(`asks for ${request.url()}`);
    });
    await page.goto(pathToFileURL(join(BOOK, name)).href);
    await page.evaluate(() => {
        for (const answer of document.querySelectorAll("details")) answer.open = true;
        return document.fonts.ready.then(() => true);
    });
    for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const what of await page.evaluate(overflows)) tell(`${size.width}: ${what}`);
        if (shots) await page.screenshot({ path: join(shots, `${name}-${size.width}.png`), fullPage: true });
    }
    await page.addScriptTag({ path: AXE });
    for (const what of await page.evaluate(accessible, RULES)) tell(what);
}

/* ---- these run in the page ---- */

function overflows() {
    const width = document.documentElement.clientWidth;
    const told = [];
    if (document.documentElement.scrollWidth > width) told.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll("main *, nav *")) {
        if (element.closest(".katex-mathml, pre") || !element.checkVisibility()) continue;
        if (element.ownerSVGElement) continue;
        if (element.getBoundingClientRect().right > width + 1)
            told.push(`${element.tagName} "${element.textContent.trim().slice(0, 40)}" leaves the page`);
    }
    /* Of a box inside the text only code may scroll, and only on a screen that is narrower than it. */
    for (const box of document.querySelectorAll("main div, main figure, main table, main section, main .column, main pre")) {
        if (!box.checkVisibility() || box.scrollWidth <= box.clientWidth + 1 || box.closest(".katex-mathml")) continue;
        if (box.tagName !== "PRE") told.push(`${box.tagName} "${box.textContent.trim().slice(0, 30)}" is ${box.scrollWidth - box.clientWidth} too wide`);
        else if (width >= 1280) told.push(`code "${box.textContent.trim().slice(0, 30)}" is ${box.scrollWidth - box.clientWidth} too wide`);
    }
    return told.slice(0, 6);
}

async function accessible(rules) {
    const { violations } = await axe.run(document, rules);
    return violations.flatMap((rule) =>
        rule.nodes.slice(0, 3).map((node) => `${rule.id}: ${node.html.slice(0, 120)} (${node.any[0]?.message ?? rule.help})`),
    );
}

/* ---- these do not ---- */

function checkLinks(name, text) {
    for (const [, link] of text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
        if (/^http/.test(link)) continue;
        const [, file, id] = /^([^#]*)(?:#(.*))?$/.exec(link);
        const target = pages.get(file || name);
        if (!target && file !== "cheat-sheet.pdf") faults.push(`${name}: ${link} leads nowhere`);
        else if (id && !target.includes(`id="${id}"`)) faults.push(`${name}: ${link} is not there`);
    }
}

function checkQuestions(asked) {
    for (const deck of deckNames()) {
        if (!existsSync(join(TOP, "day1/quiz", `${deck}.md`))) continue; /* the last deck asks nothing */
        const text = readFileSync(join(TOP, "day1/quiz", `${deck}.md`), "utf8");
        for (const [, id] of text.matchAll(/^## (.*)$/gm)) {
            const times = asked.filter((one) => one === id).length;
            if (times !== 1) faults.push(`the question ${id} is ${times} times in the book`);
        }
    }
}

const browser = await openBrowser();
for (const name of looked) {
    const page = await browser.newPage({ viewport: SIZES[0] });
    await lookAt(page, name);
    await page.close();
}
await browser.close();
for (const [name, text] of pages) checkLinks(name, text);
checkQuestions([...pages.values()].flatMap((text) => [...text.matchAll(/data-quiz="([^"]*)"/g)].map(([, id]) => id)));
for (const fault of faults) console.log(fault);
console.log(`${looked.length} pages seen, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
