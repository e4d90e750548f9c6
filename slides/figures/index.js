/*
 * index.js: puts the figures on the slides. <figure data-figure="NAME" data-options="{...}"> is drawn
 * by NAME.js, whose mount(element, options) does everything.
 */
const figures = {};

document.addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll("figure[data-figure]"))
        figures[element.dataset.figure].mount(element, JSON.parse(element.dataset.options || "{}"));
});
