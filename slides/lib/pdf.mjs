/*
 * pdf.mjs: prints built decks to PDF, one page per slide, in one browser.
 *
 *   node lib/pdf.mjs 1-gpus-and-cuda 2-axpy ...
 */
import { join } from "node:path";
import { deckAddress, deckReady, openBrowser } from "./browser.mjs";
import { OUT } from "./places.mjs";

/* All decks are printed at the same time: on a busy machine with two cores, one may take a minute to load. */
const PATIENCE_MS = 300_000;

async function print(browser, deck) {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(deckAddress(deck, "?print-pdf"));
    await deckReady(page);
    await page.waitForSelector(".pdf-page");
    await page.pdf({ path: join(OUT, `${deck}.pdf`), printBackground: true, preferCSSPageSize: true });
    await page.close();
}

try {
    const browser = await openBrowser();
    await Promise.all(process.argv.slice(2).map((deck) => print(browser, deck)));
    await browser.close();
} catch (error) {
    process.stderr.write(`pdf: ${error.message.split("\n")[0]}\n`);
    process.exit(2);
}
