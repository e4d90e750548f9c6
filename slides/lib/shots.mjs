/*
 * shots.mjs: photographs every slide of built decks, with its answers open, to look at.
 *
 *   node lib/shots.mjs 2-axpy ...        writes build/shots/2-axpy-07.png
 *
 * Environment: SLIDES=7,9 only these; STEPS=1 also the slides' steps, 2-axpy-07.0.png and so on; DARK=1 the dark look.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { deckAddress, deckReady, openBrowser } from "./browser.mjs";
import { OUT } from "./places.mjs";

async function photograph(browser, deck) {
    const colorScheme = process.env.DARK ? "dark" : "light";
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
    await page.goto(deckAddress(deck));
    await deckReady(page);
    const slides = await page.evaluate(() => Reveal.getTotalSlides());
    const wanted = process.env.SLIDES?.split(",").map(Number);
    const shoot = (name) => page.screenshot({ path: join(OUT, "shots", `${deck}-${name}.png`) });
    for (let i = 0; i < slides; i++) {
        if (wanted && !wanted.includes(i + 1)) continue;
        const name = String(i + 1).padStart(2, "0");
        await page.evaluate((n) => Reveal.slide(n, 0, -1), i);
        const steps = await page.evaluate(() =>
            new Set([...Reveal.getCurrentSlide().querySelectorAll(".fragment")].map((one) => one.dataset.fragmentIndex)).size,
        );
        for (let step = 0; process.env.STEPS && step < steps; step++) {
            await page.evaluate(([n, at]) => Reveal.slide(n, 0, at - 1), [i, step]);
            await shoot(`${name}.${step}`);
        }
        await page.evaluate((n) => Reveal.slide(n, 0, 99), i);
        await page.evaluate(() =>
            Reveal.getCurrentSlide()
                .querySelectorAll("details")
                .forEach((d) => (d.open = true)),
        );
        await shoot(name);
    }
    await page.close();
}

mkdirSync(join(OUT, "shots"), { recursive: true });
const browser = await openBrowser();
for (const deck of process.argv.slice(2)) await photograph(browser, deck);
await browser.close();
