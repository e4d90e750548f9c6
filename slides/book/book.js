/*
 * book.js: what runs in the book's pages: the figures. Code that is wider than the page gets the focus, so that the
 * keyboard can move it. A click on a drawing shows it large. On paper all answers are open.
 */
import "../figures/index.js";
import { unsealAll } from "../lib/sealed.mjs";

unsealAll();
const BOXES = "pre";

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
/* A drawing that is smaller than its letters need, on a phone, can be seen large. */
function showLarge(svg) {
    const dialog = document.createElement("dialog");
    dialog.className = "large picture drawn";
    dialog.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "The drawing, large");
    dialog.append(svg.cloneNode(true));
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}

for (const figure of document.querySelectorAll("figure.picture"))
    figure.addEventListener("click", () => showLarge(figure.querySelector("svg")));
addEventListener("load", markBoxes);
addEventListener("resize", markBoxes);
addEventListener("toggle", markBoxes, { capture: true });
addEventListener("beforeprint", () => {
    for (const answer of document.querySelectorAll("details")) answer.open = true;
});
