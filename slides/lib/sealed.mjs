/*
 * sealed.mjs: answers, and titles that tell results, are not text of a page: who reads it without its script, or searches
 * the file, does not meet them by accident. The script of the page puts them back into their <details>, closed.
 */
const DETAILS = /<details>\s*(<summary>[^]*?<\/summary>)([^]*?)<\/details>/g;
const SEALED = /<details data-sealed="([^"]*)">(<summary>[^]*?<\/summary>)<\/details>/g;

/** A page whose <details> show only their summary. */
export function seal(page) {
    return page.replace(DETAILS, (_, summary, inside) => `<details data-sealed="${Buffer.from(inside).toString("base64")}">${summary}</details>`);
}

/** The page as its script makes it. */
export function unseal(page) {
    return page.replace(SEALED, (_, inside, summary) => `<details>${summary}${Buffer.from(inside, "base64")}</details>`);
}

/** The same in a browser. */
export function unsealAll() {
    for (const details of document.querySelectorAll("details[data-sealed]")) {
        const bytes = Uint8Array.from(atob(details.dataset.sealed), (letter) => letter.charCodeAt(0));
        details.insertAdjacentHTML("beforeend", new TextDecoder().decode(bytes));
        delete details.dataset.sealed;
    }
}
