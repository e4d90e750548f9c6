/*
 * sheet.mjs: prints the book's cheat sheet to one page of A4, build/book/cheat-sheet.pdf. More than one page is a mistake.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";
import { OUT } from "./places.mjs";

try {
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(OUT, "book", "cheat-sheet.html")).href);
    await page.evaluate(() => document.fonts.ready.then(() => true));
    const pdf = await page.pdf({ path: join(OUT, "book", "cheat-sheet.pdf"), format: "A4", printBackground: true });
    await browser.close();
    const pages = pdf.toString("latin1").match(/\/Type \/Page\b/g).length;
    if (pages !== 1) throw new Error(`the cheat sheet has ${pages} pages; one is allowed`);
} catch (error) {
    process.stderr.write(`book: ${error.message.split("\n")[0]}\n`);
    process.exit(2);
}
