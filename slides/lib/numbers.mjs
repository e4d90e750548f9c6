/*
 * numbers.mjs: numbers for the slides. @table and {{rate ...}} take them from the tables in
 * solutions/measured/, which `make bench` writes; @published and {{fact ...}} from slides/facts/,
 * where each row names its source. A number that is not there stops the build.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html, onlyOptions, readList } from "./arguments.mjs";
import { demoCell } from "./blocks.mjs";
import { SLIDES, TOP } from "./places.mjs";

const GPU = "nvidia-h200";
const THIN = "\u202f"; /* a narrow blank that does not break */

/** {{WORD ...}}: the text for one number within a sentence. */
export function inline(word, words, options) {
    const known = { rate, best, share, time, ratio, count, size, fact, figure, demo };
    if (!Object.hasOwn(known, word)) throw new Error(`there is no {{${word} ...}}`);
    return known[word](words, options);
}

function rate([exercise, stage], options, column = "rate") {
    onlyOptions(options, "size", "gpu", "plain", "per");
    const row = measuredRow(exercise, stage, options);
    if (options.per) return digits(Number((row[column] / options.per).toPrecision(3)));
    if (options.plain) return row[column];
    return `${digits(row[column])} ${row.unit}${modelled(row)}`.replace(" ", "\u00a0");
}

function best(words, options) {
    return rate(words, options, "best");
}

function share([exercise, stage], options) {
    onlyOptions(options, "size", "gpu");
    const row = measuredRow(exercise, stage, options);
    return percent(row.share) + modelled(row);
}

function time([exercise, stage], options) {
    onlyOptions(options, "size", "gpu");
    const row = measuredRow(exercise, stage, options);
    return duration(row.us) + modelled(row);
}

/* {{ratio EXERCISE FROM TO}}: how many times as fast stage TO is. */
function ratio([exercise, from, to], options) {
    onlyOptions(options, "size", "gpu");
    const [a, b] = [from, to].map((stage) => measuredRow(exercise, stage, options));
    const times = b.rate / a.rate;
    return digits(times >= 100 ? Math.round(times) : times.toPrecision(2)) + modelled(a);
}

/* {{size EXERCISE STAGE}}: the size at which {{rate}} was taken. */
function size([exercise, stage], options) {
    onlyOptions(options, "size", "gpu");
    return sizeText(measuredRow(exercise, stage, options).size);
}

/* {{count EXERCISE STAGE "load sectors"}}: what the hardware counters said. */
function count([exercise, stage, column], options) {
    onlyOptions(options, "size", "gpu");
    const table = measuredTable(`counters-${options.gpu ?? GPU}`);
    const row = pickRow(table, exercise, stage, options.size);
    return digits(cell(table, row, column));
}

/* {{fact FILE ROW COLUMN}} */
function fact([file, key, column], options) {
    onlyOptions(options);
    const table = facts(file);
    const row = table.rows.find((r) => r[table.columns[0]] === key);
    if (!row) throw new Error(`facts/${file}.tsv has no row ${key}`);
    return cell(table, row, column);
}

/* {{demo NAME ROW COLUMN}}: a number that a demo printed on a GPU, without its last digits. */
function demo([name, row, column], options) {
    onlyOptions(options);
    const value = Number(demoCell(name, row, column));
    return digits(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
}

/* {{figure h200 l2_latency_ns}}: a figure of a GPU's profile, which says how it was measured. */
function figure([profile, name], options) {
    onlyOptions(options);
    const called = `checker/gpu/profiles/${profile}.tsv`;
    if (!existsSync(join(TOP, called))) throw new Error(`there is no ${called}`);
    const rows = readFileSync(join(TOP, called), "utf8").split("\n").map((line) => line.split("\t"));
    const row = rows.find(([first]) => first === name);
    if (!row) throw new Error(`${called} has no ${name}`);
    return row[1];
}

/** @table TABLE EXERCISE COLUMN... [size=...|size=all] [stages=1-6] */
export function table([name, exercise, ...columns], options) {
    onlyOptions(options, "size", "stages");
    const source = measuredTable(name);
    const stages = options.stages && readList(options.stages).map(String);
    const all = source.rows.filter((row) => row.exercise === exercise);
    if (!all.length) throw new Error(`solutions/measured/${name}.tsv has no ${exercise}`);
    if (!columns.length) throw new Error(`@table needs columns: ${source.columns.slice(1).join(", ")}`);
    const size = options.size ?? usualSize(all);
    const rows = all.filter(
        (row) =>
            (size === "all" || row.size === size) &&
            (stages ? stages.includes(row.stage) : /^\d+$/.test(row.stage)),
    );
    const lost = stages?.find((stage) => !rows.some((row) => row.stage === stage));
    if (lost || !rows.length)
        throw new Error(
            `solutions/measured/${name}.tsv has no ${exercise}${lost ? ` stage ${lost}` : ""} of size ${size}`,
        );
    for (const column of columns) cell(source, rows[0], column);
    const heads = columns.map((column) => html(heading(column, rows[0])));
    const cells = rows.map((row) => columns.map((column) => html(cellText(row, column))));
    return htmlTable("measured", heads, cells, origin(source, exercise, size));
}

/**
 * The rows of an exercise's stages at a size (the usual one if none is given), for a plot: { rows, limit, small }, where
 * `limit` is { name, rate } of the row that is the limit.
 */
export function measuredStages(name, exercise, { size, stages, noSize }) {
    const source = measuredTable(name);
    const all = source.rows.filter((row) => row.exercise === exercise);
    if (!all.length) throw new Error(`solutions/measured/${name}.tsv has no ${exercise}`);
    const wanted = size ?? usualSize(all);
    const list = stages && readList(stages).map(String);
    const rows = all.filter((row) => row.size === wanted && (list ? list.includes(row.stage) : /^\d+$/.test(row.stage)));
    if (!rows.length) throw new Error(`solutions/measured/${name}.tsv has no ${exercise} of size ${wanted}`);
    const bound = all.find((row) => ["limit", "copy"].includes(row.stage));
    const limit = bound && { name: LIMITS[bound.name] ?? bound.name, rate: Number(bound.rate) };
    return { rows, limit, small: origin(source, exercise, noSize ? "all" : wanted) };
}

const LIMITS = { "copy on the GPU": "copy rate", "rate of cublasSgemm": "cuBLAS" };

/** Published facts for a plot: { rows, small }, with the sources in `small`. */
export function factTable(name) {
    const { rows } = facts(name);
    return { rows, small: [...new Set(rows.map((row) => row.source))].join(" · ") };
}

/** @published FILE [COLUMN...] [rows=A,B]: facts that others published, with their sources. */
export function published([file, ...columns], options) {
    onlyOptions(options, "rows");
    const table = facts(file);
    const key = table.columns[0];
    const wanted = options.rows?.split(",");
    const rows = wanted
        ? wanted.map((name) => table.rows.find((row) => row[key] === name) ?? missingRow(file, name))
        : table.rows;
    const shown = columns.length ? columns : table.columns.filter((column) => column !== "source");
    const sources = [...new Set(rows.map((row) => row.source))];
    const heads = shown.map(html);
    const cells = rows.map((row) =>
        shown.map(
            (column, i) =>
                html(cell(table, row, column)) + (i ? "" : `<sup>${sources.indexOf(row.source) + 1}</sup>`),
        ),
    );
    return htmlTable(
        "published",
        heads,
        cells,
        sources.map((source, i) => `${i + 1}: ${source}`).join(" · "),
    );
}

function missingRow(file, name) {
    throw new Error(`facts/${file}.tsv has no row ${name}`);
}

/** A table as raw HTML, its first column being the rows' names, with a line of small print below. */
export function htmlTable(kind, heads, rows, small) {
    const number = (text) =>
        /^[−-]?[\d.,\u202f]+(\s?[%a-zA-Zµ/]{1,8})?$/.test(text) ? ' class="number"' : "";
    return [
        "```{=html}",
        `<figure class="table ${kind}"><table>`,
        `<thead><tr>${heads.map((head, i) => `<th scope="col"${number(rows[0][i])}>${head}</th>`).join("")}</tr></thead>`,
        "<tbody>",
        ...rows.map((row) => `<tr>${row.map((text) => `<td${number(text)}>${text}</td>`).join("")}</tr>`),
        `</tbody></table><figcaption>${html(small)}</figcaption></figure>`,
        "```",
    ];
}

/* ---- tables as files ---- */

const read = new Map();

/** A table of tab-separated values: comments (without #), columns, rows as objects. */
function tsv(path, called) {
    if (!existsSync(path)) throw new Error(`there is no ${called}`);
    if (!read.has(path)) {
        const lines = readFileSync(path, "utf8")
            .split("\n")
            .filter((line) => line);
        const [head, ...body] = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
        const rows = body.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])));
        const comments = lines.filter((line) => line.startsWith("#")).map((line) => line.replace(/^# */, ""));
        read.set(path, { called, columns: head, rows, comments });
    }
    return read.get(path);
}

/* The lab's own measurements, or the lectures' (lectures-v100), in the same form. */
function measuredTable(name) {
    const folder = name.startsWith("lectures-") ? "solutions" : "solutions/measured";
    return tsv(join(TOP, folder, `${name}.tsv`), `${folder}/${name}.tsv`);
}

function facts(name) {
    const table = tsv(join(SLIDES, "facts", `${name}.tsv`), `slides/facts/${name}.tsv`);
    const bare = table.rows.find((row) => !row.source);
    if (bare) throw new Error(`facts/${name}.tsv: ${bare[table.columns[0]]} has no source`);
    return table;
}

function cell(table, row, column) {
    if (!table.columns.includes(column)) throw new Error(`${table.called} has no column ${column}`);
    if (row[column] === "" || row[column] === "-")
        throw new Error(
            `${table.called}: ${Object.values(row)[0]} ${Object.values(row)[1]} has no ${column}`,
        );
    return row[column];
}

function measuredRow(exercise, stage, options) {
    return pickRow(measuredTable(options.gpu ?? GPU), exercise, stage, options.size);
}

/* The row of a stage at a size; without a size, at the one where the most stages were measured. */
function pickRow(table, exercise, stage, size) {
    const all = table.rows.filter((row) => row.exercise === exercise);
    const rows = all.filter((row) => row.stage === stage);
    if (!rows.length) throw new Error(`${table.called} has no ${exercise} stage ${stage}`);
    const wanted = size ?? (rows.length === 1 ? rows[0].size : usualSize(all));
    const row = rows.find((r) => r.size === wanted);
    if (!row) throw new Error(`${table.called} has no ${exercise} stage ${stage} of size ${wanted}`);
    return row;
}

/* The size at which the most stages were measured; of several, the one with the most work. */
function usualSize(rows) {
    const work = (size) => size.split(" ").reduce((product, n) => product * Number(n), 1);
    const sizes = [...new Set(rows.map((row) => row.size))].filter((size) => /^[\d ]+$/.test(size));
    const stages = (size) => rows.filter((row) => row.size === size && /^\d+$/.test(row.stage)).length;
    return sizes.sort((a, b) => stages(b) - stages(a) || work(b) - work(a))[0];
}

/* Where a table of measurements comes from, from its comments: GPU, size, command, date. */
function origin(source, exercise, size) {
    const said = source.comments
        .filter((line) => line.startsWith(`${exercise}: `))
        .map((line) => line.slice(exercise.length + 2));
    const gpu = said[0]?.split(/[,:]/)[0] ?? "";
    const command =
        said
            .find((line) => /solutions\//.test(line))
            ?.replace(/^by /, "")
            .replace(/^.*, by /, "") ?? "";
    const how = source.rows[0].how === "modelled" ? "modelled" : "measured";
    return [gpu, size === "all" ? "" : `size ${sizeText(size)}`, command ? `${how} by ${command}` : how]
        .filter((text) => text)
        .join(" · ");
}

/* ---- how numbers read ---- */

function heading(column, row) {
    const mark = row.how === "modelled" ? ", modelled" : "";
    const heads = {
        stage: "rung",
        name: "kernel",
        rate: `${row.unit}${mark}`,
        best: `best ${row.unit}${mark}`,
        us: `kernel time${mark}`,
        share: `of the limit${mark}`,
    };
    return heads[column] ?? column;
}

function cellText(row, column) {
    const text = { name: (v) => v.replace(/-/g, " "), share: percent, us: duration, size: sizeText };
    if (row[column] === "-") return "–";
    return (text[column] ?? digits)(row[column]);
}

function modelled(row) {
    return row.how === "modelled" ? " (modelled)" : "";
}

/* Digits in threes from 10 000 on. */
export function digits(value) {
    return String(value).replace(/\d{5,}/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, THIN));
}

export function sizeText(size) {
    return size.split(" ").map(digits).join(" × ");
}

function percent(share) {
    const value = 100 * share;
    const text = value >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
    return `${text}${THIN}%`;
}

function duration(us) {
    if (us === "-") throw new Error("no time was measured here");
    const [value, unit] = us >= 1e6 ? [us / 1e6, "s"] : us >= 1e3 ? [us / 1e3, "ms"] : [Number(us), "µs"];
    return `${value >= 1000 ? value : Number(value.toPrecision(3))}\u00a0${unit}`;
}
