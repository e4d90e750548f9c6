/*
 * browser.mjs: shows one figure in Debian's Chromium, as a deck would: bundled by esbuild, mounted
 * in a slide of 1280 x 720. Used by the figures' tests.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import esbuild from "esbuild";
import { openBrowser } from "../../lib/browser.mjs";

const FIGURES = new URL("../../figures/", import.meta.url).pathname;
const bundling = { bundle: true, format: "esm", write: false, loader: { ".tsv": "text" }, logLevel: "error" };

async function bundle(name, options = {}) {
    const built = await esbuild.build({ ...bundling, entryPoints: [`${FIGURES}${name}.js`], ...options });
    return built.outputFiles[0].text;
}

/** The figure's exported functions, with the tables that it imports. */
export async function loadFigure(name) {
    const directory = mkdtempSync(join(tmpdir(), "figure-"));
    try {
        const file = join(directory, "figure.mjs");
        writeFileSync(file, await bundle(name));
        return await import(pathToFileURL(file));
    } finally {
        rmSync(directory, { recursive: true });
    }
}

const COLOURS = readFileSync(new URL("../../look.css", import.meta.url), "utf8").match(/^:root \{.*?^\}/ms)[0];
const PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>figure</title>
<style>${COLOURS} body { margin: 0; background: var(--paper); font-family: "DejaVu Sans", sans-serif; }
h1 { margin: 44px 64px 0; font-size: 42px; } figure { position: absolute; left: 64px; top: 118px; width: 1152px; margin: 0; }
</style></head><body><main><h1>The figure in its slide</h1><figure></figure></main></body></html>`;

/** Opens the figure. Returns { page, says(), picture(), keysSeen(), close() }: the line of text, the
 * drawing's description, the keys that the slides would have got. finish() fails when the page
 * complained, asked for anything, or drew past the slide. `t` is the test's context. */
export async function openFigure(t, name, options = {}, { touch = false } = {}) {
    const browser = await openBrowser();
    t.after(() => browser.close());
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, hasTouch: touch });
    const page = await context.newPage(), complaints = [];
    page.on("pageerror", error => complaints.push(String(error)));
    page.on("console", message => message.type() === "error" && complaints.push(message.text()));
    page.on("request", request => complaints.push(request.url()));
    page.setDefaultTimeout(30000);
    await page.setContent(PAGE);
    const script = await bundle(name, { format: "iife", globalName: "figure" });
    await page.addScriptTag({ content: `${script}
        window.keysSeen = [];
        document.addEventListener("keydown", event => keysSeen.push(event.key));
        window.mounted = figure.mount(document.querySelector('main figure'), ${JSON.stringify(options)});` });
    return {
        page,
        says: () => page.locator(".says").innerText(),
        picture: () => page.locator(".figure > svg").getAttribute("aria-label"),
        keysSeen: () => page.evaluate(() => window.keysSeen),
        async finish() {
            await checkLayout(page);
            if (process.env.SHOTS)
                await page.screenshot({ path: join(process.env.SHOTS, `${name}-${touch ? "touch" : "end"}.png`) });
            assert.deepEqual(complaints, []);
        },
    };
}

/* Nothing beyond the slide, no text below 18 pixels, no text out of the drawing. */
async function checkLayout(page) {
    const failure = await page.evaluate(() => {
        const found = [];
        const svg = document.querySelector(".figure > svg").getBoundingClientRect();
        const bottom = document.querySelector(".figure").getBoundingClientRect().bottom;
        if (bottom > 692) found.push(`the figure ends at ${bottom}`);
        if (document.documentElement.scrollWidth > 1280) found.push("the figure is too wide");
        for (const text of document.querySelectorAll(".figure > svg text")) {
            const box = text.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize);
            if (!text.textContent) continue;
            if (size < 18) found.push(`${size} pixels: ${text.textContent}`);
            if (box.left < svg.left - 1 || box.right > svg.right + 1 || box.bottom > svg.bottom + 3 ||
                box.top < svg.top - 3) found.push(`out of the drawing: ${text.textContent}`);
        }
        return found;
    });
    assert.deepEqual(failure, []);
}
