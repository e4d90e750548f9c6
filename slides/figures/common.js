/*
 * common.js: what all figures share: a frame with controls, a drawing and a line of text, and the controls themselves.
 * Controls are those of the browser (buttons, radio buttons, sliders), so they work with mouse, keyboard and touch.
 * Keys that a figure gets never reach the slides; after Escape, the slides get the keys again.
 */
import { create, select } from "d3";

/* * The deck's colours: look.css has them, light and dark, with a pale one of each for areas under text, and their meanings. */
export const COLOURS = {
    ink: "var(--ink)", quiet: "var(--soft)", line: "var(--rule)", pale: "var(--faint)", paper: "var(--paper)",
    blue: "var(--blue)", sky: "var(--sky)", orange: "var(--orange)", peach: "var(--peach)",
    green: "var(--green)", mint: "var(--mint)", purple: "var(--purple)", lilac: "var(--lilac)",
    global: "var(--global)", globalPale: "var(--global-pale)", shared: "var(--shared)", sharedPale: "var(--shared-pale)",
    registers: "var(--registers)", registersPale: "var(--registers-pale)", host: "var(--host)", hostPale: "var(--host-pale)",
    computing: "var(--computing)", computingPale: "var(--computing-pale)",
    waiting: "var(--waiting)", waitingPale: "var(--waiting-pale)",
};
export const SERIES = [COLOURS.blue, COLOURS.orange, COLOURS.green, COLOURS.purple];
export const SERIES_PALE = [COLOURS.sky, COLOURS.peach, COLOURS.mint, COLOURS.lilac];

export const WIDTH = 1152; // of every drawing, in the units of its viewBox: pixels of a slide

const STYLE = `
.figure { font-size: 20px; line-height: 1.3;
  color: ${COLOURS.ink}; text-align: left; width: 100%; box-sizing: border-box; }
.figure svg { display: block; width: 100%; height: auto; max-width: none; max-height: none;
  margin: 8px 0 0; touch-action: pan-y; }
.figure svg text { font-size: 20px; fill: ${COLOURS.ink}; stroke: none; }
.figure svg text.small { font-size: 18px; }
.figure svg .touchable { cursor: pointer; }
.reveal .figure code { font-size: 20px; background: none; padding: 0; }
.figure .figure-controls { display: flex; flex-wrap: wrap; gap: 6px 24px; align-items: center; }
.figure .control { display: inline-flex; align-items: center; gap: 8px; margin: 0; padding: 0;
  border: 0; font-size: 20px; color: ${COLOURS.ink}; }
.figure .control > .name { color: ${COLOURS.quiet}; }
.figure .control output { display: inline-block; font-variant-numeric: tabular-nums; }
.figure input[type=range] { width: 120px; height: 28px; margin: 0; accent-color: ${COLOURS.blue}; }
.figure .choices { display: inline-flex; }
.figure .choices label { position: relative; padding: 3px 12px; cursor: pointer;
  border: 1.5px solid ${COLOURS.line}; margin-left: -1.5px; background: ${COLOURS.paper}; }
.figure .choices label:has(:checked) { background: ${COLOURS.blue}; color: ${COLOURS.paper};
  border-color: ${COLOURS.blue}; }
.figure .choices label:has(:checked) + label:has(:checked) { border-left-color: ${COLOURS.paper}; }
.figure .choices input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0;
  opacity: 0; cursor: pointer; }
.reveal .figure button, .figure button { font: inherit; font-size: 20px; color: ${COLOURS.blue}; background: ${COLOURS.paper};
  border: 1.5px solid ${COLOURS.blue}; padding: 3px 14px; cursor: pointer; }
.figure button[aria-disabled=true] { color: ${COLOURS.quiet}; border-color: ${COLOURS.line}; }
.figure:focus { outline: none; }
.figure :focus-visible, .figure .choices label:has(:focus-visible) {
  outline: 3px solid ${COLOURS.orange}; outline-offset: 2px; }
.reveal .figure .says, .figure .says { margin: 2px 0 0; min-height: 52px; font-size: 20px; }
`;

let frames = 0; // makes names unique where a page holds one figure twice

/* Keeps what happens in the figure from the slides: keys, wheel, and swipes. */
function keepFromSlides(root) {
    root.setAttribute("data-prevent-swipe", "");
    root.addEventListener("keydown", event => {
        if (event.key === "Escape") document.activeElement?.blur();
        event.stopPropagation();
    });
    for (const name of ["keyup", "keypress", "wheel", "pointerdown", "pointermove", "touchstart",
        "touchmove", "touchend"])
        root.addEventListener(name, event => event.stopPropagation(), { passive: true });
}

function ensureStyle() {
    if (document.getElementById("figure-style")) return;
    const style = document.createElement("style");
    style.id = "figure-style";
    style.textContent = STYLE;
    document.head.append(style);
}

/** Makes a figure's frame in `element`: { controls, svg, says(text, picture) }. `says` shows one or
 * two sentences, which screen readers announce, and describes the drawing to those who cannot see
 * it. `isInteractive` is for a drawing that has controls of its own. */
export function makeFrame(element, { name, height, isInteractive = false }) {
    ensureStyle();
    const root = select(element).append("div").attr("class", "figure").attr("role", "group")
        .attr("aria-label", name).attr("tabindex", -1); // a press anywhere in it gives it the keys
    keepFromSlides(root.node());
    const controls = root.append("div").attr("class", "figure-controls").node();
    const svg = root.append("svg").attr("viewBox", `0 0 ${WIDTH} ${height}`)
        .attr("role", isInteractive ? "group" : "img").attr("aria-label", name);
    const line = root.append("p").attr("class", "says").attr("aria-live", "polite");
    frames++;
    return {
        controls, svg,
        says(text, picture = "") {
            line.text(text);
            svg.attr("aria-label", `${name}. ${text} ${picture}`.trim());
        },
    };
}

function makeControl(controls, tag, name) {
    const control = select(controls).append(tag).attr("class", "control");
    control.append("span").attr("class", "name").text(name);
    return control;
}

/** A slider over `values`; `show` turns one into text. Returns { set(value, { isShown, limit }) },
 * which moves it without a call of `onChange`, hides it, or allows the first `limit` values only. */
export function addSlider(controls, { name, values, value, show = String, onChange }) {
    const control = makeControl(controls, "label", name);
    const widest = Math.max(...values.map(v => show(v).length));
    const input = control.append("input").attr("type", "range").attr("min", 0).attr("step", 1)
        .attr("aria-label", name);
    const output = control.append("output").style("min-width", `${widest}ch`);
    function set(newValue, { isShown = true, limit = values.length } = {}) {
        const index = Math.max(0, values.indexOf(newValue));
        control.style("display", isShown ? null : "none");
        input.attr("max", limit - 1).property("value", index)
            .attr("aria-valuetext", show(values[index]));
        output.text(show(values[index]));
    }
    input.on("input", () => onChange(values[+input.property("value")]));
    set(value);
    return { set };
}

/** A row of which one is chosen: `options` are [value, text] pairs. Returns { set(value) }. */
export function addChoice(controls, { name, options, value, onChange }) {
    const control = makeControl(controls, "div", name).attr("role", "radiogroup")
        .attr("aria-label", name);
    const group = `figure-${frames}-${name.replace(/\W+/g, "-")}`;
    const labels = control.append("span").attr("class", "choices").selectAll("label").data(options)
        .join("label");
    const inputs = labels.append("input").attr("type", "radio").attr("name", group)
        .attr("value", ([optionValue]) => optionValue)
        .on("change", (event, [optionValue]) => onChange(optionValue));
    labels.append("span").text(([, text]) => text);
    const set = newValue => inputs.property("checked", ([optionValue]) => optionValue === newValue);
    set(value);
    return { set };
}

/** Boxes of which any number may be ticked: `chosen` is a set of values, changed in place. */
export function addTicks(controls, { name, options, chosen, onChange }) {
    const control = makeControl(controls, "div", name).attr("role", "group").attr("aria-label", name);
    const labels = control.append("span").attr("class", "choices").selectAll("label").data(options)
        .join("label");
    labels.append("input").attr("type", "checkbox")
        .property("checked", ([value]) => chosen.has(value))
        .on("change", (event, [value]) => {
            if (event.target.checked) chosen.add(value); else chosen.delete(value);
            onChange();
        });
    labels.append("span").text(([, text]) => text);
}

/** A button. It stays focusable when it can do nothing: { setEnabled(bool) }. */
export function addButton(controls, { text, name, onClick }) {
    const button = select(controls).append("button").attr("type", "button").attr("aria-label", name)
        .text(text);
    button.on("click", () => {
        if (button.attr("aria-disabled") !== "true") onClick();
    });
    return { setEnabled: enabled => button.attr("aria-disabled", enabled ? null : "true") };
}

/** Text in the drawing, at (x, y); `anchor` is start, middle or end. */
export function addText(parent, x, y, text, { anchor = "start", colour, small, bold } = {}) {
    return parent.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor)
        .attr("class", small ? "small" : null).style("fill", colour ?? null)
        .style("font-weight", bold ? 600 : null).text(text);
}

/** Is the figure on a slide that is shown? In the book and on paper nobody steps through it. */
export const isLive = () => document.querySelector(".reveal") && !/print-pdf/.test(location.search);

/** Reads a table of the lab: rows of tab-separated fields; lines that begin with # are notes. */
export function readTable(text) {
    return text.split("\n").filter(line => line && !line.startsWith("#"))
        .map(line => line.split("\t"));
}

/** A GPU's profile as { figure: number or text }. */
export function readProfile(text) {
    return Object.fromEntries(readTable(text).map(([figure, value]) =>
        [figure, isFinite(value) ? +value : value]));
}

/* A number with thousands apart: 16 384. */
export function spaced(number) {
    return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** "1 sector", "4 sectors". */
export function count(number, thing) {
    return `${spaced(number)} ${thing}${number === 1 ? "" : "s"}`;
}

export { create, select };
