/*
 * index.js: puts the figures on the slides. <figure data-figure="NAME" data-options="{...}"> is drawn
 * by NAME.js, whose mount(element, options) does everything.
 */
import * as banks from "./banks.js";
import * as occupancy from "./occupancy.js";
import * as roofline from "./roofline.js";
import * as schedule from "./schedule.js";
import * as threads from "./threads.js";
import * as tiles from "./tiles.js";

const figures = { banks, occupancy, roofline, schedule, threads, tiles };

document.addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll("figure[data-figure]"))
        figures[element.dataset.figure].mount(element, JSON.parse(element.dataset.options || "{}"));
});
