/*
 * book.js: what runs in the book's pages: the figures. A box that is wider than the page gets the focus, so that the
 * keyboard can move it. On paper all answers are open.
 */
import "../figures/index.js";

const BOXES = "pre, .table, figure, .katex-display";

function markBoxes() {
    for (const box of document.querySelectorAll(BOXES)) {
        if (box.scrollWidth > box.clientWidth + 1) box.setAttribute("tabindex", "0");
        else box.removeAttribute("tabindex");
    }
}

for (const table of document.querySelectorAll("main table")) {
    const box = document.createElement("div");
    box.className = "table";
    table.replaceWith(box);
    box.append(table);
}
addEventListener("load", markBoxes);
addEventListener("resize", markBoxes);
addEventListener("toggle", markBoxes, { capture: true });
addEventListener("beforeprint", () => {
    for (const answer of document.querySelectorAll("details")) answer.open = true;
});
