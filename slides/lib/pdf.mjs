/*
 * pdf.mjs: prints built decks to PDF, a page a slide, in one browser.
 *
 *   node lib/pdf.mjs 1-gpus-and-cuda 2-axpy ...
 */
import { join } from "node:path";
import { deckAddress, deckReady, openBrowser } from "./browser.mjs";
import { OUT } from "./places.mjs";

async function print(browser, deck) {
    const page = await browser.newPage();
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
