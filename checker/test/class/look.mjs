/*
 * look.mjs: opens class.html, a student's page or the board in a headless browser, at four sizes, light and dark. Nothing may
 * be said on the console, no request may leave the page, nothing may be wider than the window, and axe-core must find no
 * fault. A page with a button, the board, has to reload, and to stop when the button is pressed.
 *
 *   node look.mjs [--shots FOLDER] PAGE.html ...     prints each fault in a line; exit code 1 with faults
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
const RELOAD_MS = 8000; // the board reloads every 5 s

async function main(args) {
    const shots = args[0] === "--shots" ? args.splice(0, 2)[1] : null;
    const browser = await openBrowser();
    const faults = new Set();
    for (const file of args)
        for (const [width, height] of SIZES)
            for (const colorScheme of ["light", "dark"])
                await lookAt(browser, file, { width, height }, colorScheme, shots, what => faults.add(`${basename(file)}: ${width}, ${colorScheme}: ${what}`));
    await browser.close();
    for (const fault of faults) console.log(fault);
    process.exitCode = faults.size ? 1 : 0;
}

async function lookAt(browser, file, viewport, colorScheme, shots, report) {
    // The policy of the page keeps axe-core out: another window is opened for it, without the policy.
    for (const bypassCSP of [false, true]) {
        const context = await browser.newContext({ viewport, colorScheme, bypassCSP, isMobile: viewport.width === 390 });
        const page = await context.newPage();
        page.on("console", message => ["error", "warning"].includes(message.type()) && report(`console: ${message.text()}`));
        page.on("pageerror", error => report(`error: ${error.message}`));
        page.on("request", request => /^(file|data):/.test(request.url()) || report(`asks for ${request.url()}`));
        await page.goto(pathToFileURL(resolve(file)).href);
        if (bypassCSP) {
            if (await page.locator("button").count()) await page.locator("button").click(); // it would reload while axe-core looks
            await page.evaluate(AXE);
            const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
            for (const rule of violations) for (const node of rule.nodes) report(`${rule.id}: ${node.html.slice(0, 120)}`);
        } else {
            if (shots) await page.screenshot({ path: `${shots}/${basename(file, ".html")}-${viewport.width}-${colorScheme}.png` });
            const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            if (over > 0) report(`the page is ${over} pixels too wide`);
            if (viewport.width === 1280 && colorScheme === "light" && await page.locator("button").count()) await reloads(page, report);
        }
        await context.close();
    }
}

async function reloads(page, report) {
    const loaded = () => page.waitForEvent("load", { timeout: RELOAD_MS }).then(() => true, () => false);
    if (!await loaded()) report("it does not reload");
    await page.locator("button").click();
    if (await loaded()) report("it reloads after its button was pressed");
    await page.locator("button").click();
    if (!await loaded()) report("it does not reload again");
}

await main(process.argv.slice(2));
