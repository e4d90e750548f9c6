/*
 * deck.js: what runs in a deck's page. esbuild bundles it, reveal.js and the figures into one classic
 * script, because ES modules do not load from file://.
 */
import Reveal from "reveal.js";
import Notes from "reveal.js/plugin/notes";
import { printAnswersLast } from "./answers.js";
import "./figures/index.js";
import { unsealAll } from "./lib/sealed.mjs";

const printing = /print-pdf/.test(location.search);

/* A figure that has the focus keeps its keys, and so does an answer's summary keep space and enter. */
function isForReveal(event) {
    const focus = document.activeElement;
    if (focus?.closest("figure[data-figure]")) return false;
    return !(focus?.closest("summary") && [" ", "Enter"].includes(event.key));
}

/* Esc leaves a figure or an answer; the next key is reveal.js's again. */
function leaveFocus(event) {
    const focus = document.activeElement;
    if (event.key !== "Escape" || !focus?.closest("figure[data-figure], summary")) return;
    focus.blur();
    event.stopImmediatePropagation();
}

function toggleAnswers() {
    for (const answer of Reveal.getCurrentSlide().querySelectorAll("details")) answer.open = !answer.open;
}

unsealAll();
if (printing) printAnswersLast();

window.addEventListener("keydown", leaveFocus, { capture: true });
window.Reveal = Reveal;
Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    scrollActivationWidth: null, // on a phone too, a slide is what it is on a screen
    center: false,
    hash: true,
    slideNumber: "c/t",
    transition: "none",
    pdfSeparateFragments: false,
    pdfMaxPagesPerSlide: 1,
    keyboardCondition: isForReveal,
    keyboard: { 65: toggleAnswers },
    plugins: [Notes],
});
