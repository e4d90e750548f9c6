/*
 * draw.js: makes the elements of the page and of its drawings. Text always goes in as text, so nothing of a program is ever
 * read as HTML.
 */
const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

/* html("p", { class: "small" }, "text", child …) */
const html = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

const box = (x, y, width, height, look, more = {}) => svg("rect", { x, y, width: Math.max(0, width), height, class: look, ...more });
const words = (x, y, text, look = "", anchor = "start") => svg("text", { x, y, class: look, "text-anchor": anchor }, text);
const stroke = (x1, y1, x2, y2, look) => svg("line", { x1, y1, x2, y2, class: look });

/* A drawing of this size in pixels, with words for those who cannot see it. */
const drawing = (width, height, label, ...children) =>
    svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);

/* A bar of a value between 0 and `most`. */
const bar = (value, most, look = "") => html("span", { class: `bar ${look}`, "aria-hidden": "true" },
    html("span", { style: `width: ${most > 0 ? Math.max(0, Math.min(100, 100 * value / most)) : 0}%` }));

/* Buttons of which one is pressed: `options` are [value, text]. */
function choices(name, options, value, choose) {
    return html("div", { class: "choices", role: "group", "aria-label": name },
        options.map(([one, text]) => html("button", { type: "button", "aria-pressed": String(one === value), onclick: () => choose(one) }, text)));
}

const key = (look, text) => html("span", { class: "key" }, html("span", { class: `swatch ${look}`, "aria-hidden": "true" }), text);

/* A page of `make explain`: paragraphs, headings and indented code. */
function markdown(text) {
    const parts = [];
    for (const piece of text.split(/\n\n+/)) {
        const lines = piece.replace(/\n+$/, "");
        if (lines.startsWith("# ") || !lines.trim()) continue;
        if (lines.startsWith("## ")) parts.push(html("h4", {}, lines.slice(3)));
        else if (/^ {4}/.test(lines)) parts.push(html("pre", { tabindex: "0" }, lines.replace(/^ {4}/gm, "")));
        else parts.push(html("p", {}, lines.replace(/\n/g, " ").replace(/`/g, "")));
    }
    return parts;
}
