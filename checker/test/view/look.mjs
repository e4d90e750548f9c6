/*
 * look.mjs: opens pages of make view in a headless browser, at four sizes, light and dark, and goes through them by mouse,
 * keys and touch. Nothing may be said on the console, and no request may leave the page. Nothing may be wider than the
 * window, and axe-core must find no fault. Each drawn request must have as many sectors or wavefronts as were counted.
 *
 *   node look.mjs [--shots FOLDER] PAGE.html ...     a line a fault, then a line of counts for each page; exit code 1 with faults
 *
 * It uses what the slides' tests use (slides/package.json): run `npm ci` in slides/ first.
 */
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const slides = new URL("../../../slides/", import.meta.url);
const { openBrowser } = await import(new URL("lib/browser.mjs", slides));
const AXE = readFileSync(createRequire(new URL("package.json", slides)).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = [[1280, 720], [1920, 1080], [768, 1024], [390, 844]];
const RULES = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] };

async function main(args) {
    const shots = args[0] === "--shots" ? args.splice(0, 2)[1] : null;
    const browser = await openBrowser();
    let faults = 0;
    for (const file of args) {
        const found = [];
        const seen = await lookAt(browser, file, shots, what => found.push(what));
        for (const what of new Set(found)) console.log(`${basename(file)}\t${what}`);
        console.log(`${basename(file, ".html")}\t${readFileSync(file).length}\t${seen.requests}\t${new Set(found).size}`);
        faults += found.length;
    }
    await browser.close();
    process.exitCode = faults ? 1 : 0;
}

async function lookAt(browser, file, shots, tell) {
    let seen = { requests: 0 };
    for (const [width, height] of SIZES)
        for (const colorScheme of width === 1920 ? ["light"] : ["light", "dark"]) {
            const how = `${width} x ${height}, ${colorScheme}`, touch = width === 390;
            const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch });
            const page = await context.newPage();
            page.on("console", message => ["error", "warning"].includes(message.type()) && tell(`${how}: console: ${message.text()}`));
            page.on("pageerror", error => tell(`${how}: error: ${error.message}`));
            page.on("request", request => /^(file|data):/.test(request.url()) || tell(`${how}: asks for ${request.url()}`));
            await page.goto(pathToFileURL(resolve(file)).href);
            if (shots) await page.screenshot({ path: `${shots}/${basename(file, ".html")}-${width}-${colorScheme}.png`, fullPage: touch });
            for (const what of await page.evaluate(tooWide)) tell(`${how}: ${what}`);
            if (width !== 1920) for (const what of await accessible(page)) tell(`${how}: ${what}`);
            if (width === 1280 && colorScheme === "light") {
                seen = await page.evaluate(drawnAndCounted);
                seen.faults.forEach(what => tell(what));
                await walk(page, tell);
            }
            if (touch && colorScheme === "light") await tap(page, tell);
            await context.close();
        }
    return seen;
}

/* More buttons than this show nothing new: they are further lines, steps and lanes. */
const BUTTONS = 24;

/* The first buttons, once each, by mouse; then the lines by arrow keys, and a choice by tab and space. */
async function walk(page, tell) {
    const count = await page.locator("button").count();
    for (let i = 0; i < Math.min(count, BUTTONS); i++) {
        const button = page.locator("button").nth(i);
        if (await button.count()) await button.click({ timeout: 15000 }).catch(error => tell(`button ${i}: ${error.message.split("\n")[0]}`));
        for (const what of await page.evaluate(tooWide)) tell(`after button ${i}: ${what}`);
    }
    for (const summary of await page.locator("summary").all()) await summary.click();
    for (const what of await page.evaluate(tooWide)) tell(`all open: ${what}`);
    if (await page.locator("button.line").count() > 1) {
        await page.locator("button.line").first().focus();
        await page.keyboard.press("ArrowDown");
        const at = await page.evaluate(() => [...document.querySelectorAll("button.line")].indexOf(document.activeElement));
        if (at !== 1) tell(`the arrow key goes to line ${at}`);
    }
}

async function tap(page, tell) {
    const line = page.locator("button.line").first();
    if (!await line.count()) return;
    await line.tap();
    if (await line.getAttribute("aria-pressed") !== "true") tell("a tap does not choose a line");
    for (const what of await page.evaluate(tooWide)) tell(`after a tap: ${what}`);
}

async function accessible(page) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(rules => globalThis.axe.run(document, rules), RULES);
    return violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 100)} (${node.any[0]?.message ?? rule.help})`));
}

/* ---- these run in the page ---- */

function tooWide() {
    const room = document.documentElement.clientWidth, told = [];
    if (document.documentElement.scrollWidth > room) told.push(`the page is ${document.documentElement.scrollWidth - room} pixels too wide`);
    const scrolls = element => element && (element.matches("#source, pre, .findings") || scrolls(element.parentElement));
    for (const element of document.querySelectorAll("main *")) {
        const edges = element.getBoundingClientRect();
        if (edges.width && edges.right > room + 1 && !scrolls(element)) told.push(`${element.tagName} "${element.textContent.slice(0, 30)}" leaves the window`);
    }
    return told.slice(0, 3);
}

/* Each request that can be drawn: does the drawing have what the trace counted? */
function drawnAndCounted() {
    const faults = [];
    let requests = 0;
    for (const check of checks)
        for (const run of check.runs)
            for (const kernel of run.kernels)
                for (const site of kernel.sites)
                    for (const sample of site.samples ?? []) {
                        requests++;
                        const drawn = drawnOf(site, sample), counted = usedOf(sample);
                        if (drawn !== counted) faults.push(`line ${site.line}, ${site.kind}, ${sample.which}: ${drawn} drawn, ${counted} counted`);
                    }
    return { requests, faults };
}

await main(process.argv.slice(2));
