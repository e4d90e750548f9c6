/*
 * shots.mjs: photographs every slide of built decks, with its answers open, to look at.
 *
 *   node lib/shots.mjs 2-axpy ...        writes build/shots/2-axpy-07.png
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { deckAddress, deckReady, openBrowser } from "./browser.mjs";
import { OUT } from "./places.mjs";

async function photograph(browser, deck) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(deckAddress(deck));
    await deckReady(page);
    const slides = await page.evaluate(() => Reveal.getTotalSlides());
    for (let i = 0; i < slides; i++) {
        await page.evaluate((n) => Reveal.slide(n, 0, 99), i);
        await page.evaluate(() =>
            Reveal.getCurrentSlide()
                .querySelectorAll("details")
                .forEach((d) => (d.open = true)),
        );
        await page.screenshot({ path: join(OUT, "shots", `${deck}-${String(i + 1).padStart(2, "0")}.png`) });
    }
    await page.close();
}

mkdirSync(join(OUT, "shots"), { recursive: true });
const browser = await openBrowser();
for (const deck of process.argv.slice(2)) await photograph(browser, deck);
await browser.close();
