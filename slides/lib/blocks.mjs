/*
 * blocks.mjs: the directives that bring in what other parts of the lab made: a demo's table, an
 * interactive figure, a still picture.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html, onlyOptions } from "./arguments.mjs";
import { SLIDES, TOP } from "./places.mjs";

/* Where the demos have run. What an H200 has not run was recorded on an H100. */
const DEVICES = { real: ["nvidia-h200", "nvidia-h100-80gb-hbm3"], sim: ["simulated"] };

/* What the demo printed, as lines, on a device or on the first of `devices` on which it has run. */
function demoLines(name, devices) {
    const files = devices.flatMap((one) => DEVICES[one]).map((folder) => `day1/measured/${folder}/${name}.txt`);
    const file = files.find((one) => existsSync(join(TOP, one)));
    if (!file) throw new Error(`there is no ${files.at(-1)}; the demo writes it when it runs`);
    return readFileSync(join(TOP, file), "utf8").trimEnd().split("\n");
}

const remarks = (lines) => lines.filter((line) => line.startsWith("#")).map((line) => line.replace(/^# */, "")).join(" · ");

/** @demo NAME [real|sim]: what the demo printed, and the command that ran it; on the GPU if it has run
 * there, else on the simulated GPU, which says so in its first line. */
export function demo([name, device], options) {
    onlyOptions(options);
    if (device && !Object.hasOwn(DEVICES, device))
        throw new Error(`@demo runs on real or sim, not on ${device}`);
    const lines = demoLines(name, device ? [device] : ["real", "sim"]);
    const shown = lines
        .filter((line) => !line.startsWith("#"))
        .join("\n")
        .replace(/^\n+/, "");
    return [
        "```{=html}",
        `<figure class="demo" data-demo="${html(name)}"><pre>${html(shown)}</pre>`,
        `<figcaption>${html(remarks(lines) || `make -C day1 demo NAME=${name}`)}</figcaption></figure>`,
        "```",
    ];
}

/** A demo's table, for a plot: { rows, small }, on the GPU if it has run there; else it says that it is modelled. A row is the
 * fields of a line that begins with a number. */
export function demoTable(name) {
    const lines = demoLines(name, ["real", "sim"]);
    const rows = lines
        .map((line) => line.replaceAll("%", "").trim().split(/\s+/))
        .filter(([first]) => /^[\d.]+$/.test(first))
        .map((fields) => Object.fromEntries(fields.map((field, i) => [i + 1, field])));
    return { rows, small: remarks(lines) };
}

/** Pairs of cells of a demo's table on the GPU: { cells, small }. Two blanks or more separate cells. A column is a number, from
 * 1. Where a table has its numbers side by side, a row is the text at its beginning. */
export function demoCells(name, x, y) {
    const lines = demoLines(name, ["real"]);
    const all = lines.filter((line) => !line.startsWith("#")).map((line) => line.trim().split(/:?\s{2,}/));
    if (/^\d+$/.test(x)) {
        const long = all.filter((row) => row.length >= Math.max(x, y));
        return { cells: long.map((row) => [row[x - 1], row[y - 1]]), small: remarks(lines) };
    }
    const row = (text) => {
        const found = all.find(([first]) => first === text);
        if (!found) throw new Error(`the demo ${name} has no row "${text}"`);
        return found.slice(1);
    };
    const values = row(y);
    return { cells: row(x).map((value, i) => [value, values[i] ?? ""]), small: remarks(lines) };
}

/** A number in a demo's table on the GPU: in the row that begins with this text. Columns count from 1. */
export function demoCell(name, row, column) {
    const rows = demoLines(name, ["real"]).map((line) => line.trim().split(/:?\s{2,}/));
    const value = rows.find(([first]) => first === row)?.[column - 1];
    if (value === undefined) throw new Error(`the demo ${name} has no column ${column} in a row "${row}"`);
    return value;
}

/** @picture NAME: pictures/NAME.svg, a still; its <title> says in words what it shows. */
export function picture([name], options) {
    onlyOptions(options);
    const file = join(SLIDES, "pictures", `${name}.svg`);
    if (!existsSync(file)) throw new Error(`there is no pictures/${name}.svg`);
    const svg = readFileSync(file, "utf8");
    if (!/<title>[^<]+<\/title>/.test(svg)) throw new Error(`pictures/${name}.svg has no <title>`);
    const classes = [...svg.matchAll(/class="([^"]+)"/g)].flatMap(([, names]) => names.split(" "));
    const plain = classes.find((name) => !look().includes(`.${name} `));
    if (plain)
        throw new Error(`pictures/${name}.svg has the class ${plain}, of which look.css knows nothing`);
    /* Ids must differ between the pictures of a page. */
    const own = svg.replace(/id="(\w+)"/g, `id="${name}-$1"`).replace(/url\(#(\w+)\)/g, `url(#${name}-$1)`);
    return ["```{=html}", `<figure class="picture">${own}</figure>`, "```"];
}

function look() {
    return readFileSync(join(SLIDES, "look.css"), "utf8");
}

/** The name and the options, as JSON, after a directive. */
export function nameAndOptions(text) {
    const [, name = "", json] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
    try {
        return { name, options: JSON.parse(json || "{}") };
    } catch (error) {
        throw new Error(`the options of ${name} are not JSON`, { cause: error });
    }
}

/** @figure NAME {options as JSON}: a place where figures/NAME.js draws. */
export function figure(text) {
    const { name, options } = nameAndOptions(text);
    if (!existsSync(join(SLIDES, "figures", `${name}.js`))) throw new Error(`there is no figures/${name}.js`);
    return [
        "```{=html}",
        `<figure data-figure="${name}" data-options="${html(JSON.stringify(options))}"></figure>`,
        "```",
    ];
}
