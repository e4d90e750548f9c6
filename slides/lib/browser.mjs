/*
 * browser.mjs: the headless browser that prints, photographs and tests the decks: this machine's own
 * Chromium or Chrome, driven by Playwright.
 */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { OUT } from "./places.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A running browser; close() it. WARPUP_BROWSER names one that is not on the PATH. */
export function openBrowser() {
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    return chromium.launch({ executablePath: browserPath(), args });
}

function browserPath() {
    if (process.env.WARPUP_BROWSER) return process.env.WARPUP_BROWSER;
    const places = process.env.PATH.split(":").flatMap((folder) => NAMES.map((name) => join(folder, name)));
    const found = NAMES.map((name) => places.find((place) => place.endsWith(`/${name}`) && runs(place))).find(
        Boolean,
    );
    if (!found)
        throw new Error(
            "there is no chromium and no google-chrome here; checker/bin/setup --slides installs one",
        );
    return found;
}

function runs(path) {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}

/* * The address of a built deck, such as 2-axpy; the query follows the question mark. */
export function deckAddress(deck, query = "") {
    return pathToFileURL(join(OUT, `${deck}.html`)).href + query;
}

/** Waits until the deck on this page can be shown: reveal.js is ready, the fonts are there. */
export async function deckReady(page) {
    await page.waitForFunction(() => globalThis.Reveal?.isReady());
    await page.evaluate(() => document.fonts.ready.then(() => true));
}
