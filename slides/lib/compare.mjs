/*
 * compare.mjs: @compare draws a table as bars: a row per name, and a bar per column. It draws only numbers that the table
 * has, and names the table below. The drawing's title says all of them in words.
 *
 *   @compare demo alignment x=1 y=6 unit="GB/s"
 *   @compare published gpus x=GPU y="GB/s" unit="GB/s"
 *   @compare lectures-v100 ex01_axpy x=name y="rate:measured;rate@simulated-v100:modelled"
 */
import { onlyOptions } from "./arguments.mjs";
import { demoCells } from "./blocks.mjs";
import { Drawing, LETTER, WIDTH } from "./draw.mjs";
import { digits, factTable, measuredStages } from "./numbers.mjs";

const SERIES = ["one", "two", "three"]; // look.css has their colours
const GAP = 10; // pixels between two rows
const HEAD = 44; // of a legend, of the name of a limit, of the numbers of an axis

/**
 * Options: `unit`; `scale=log`, and `from`, where such an axis begins; `limit="4222:copy rate"`, a line; `rows`, a regular
 * expression for the rows; `names="a;b"`, other names for them; `steps=1`, a row per key; `stages` and `size` of a measured
 * table; `width`, and `row`, the height of a bar; `source=no` where another drawing beside it names the same source. y= has
 * one column or several: COLUMN[@OTHER TABLE]:WORDS:KIND.
 */
export function compare([table, name], options) {
    onlyOptions(options, "x", "y", "unit", "scale", "from", "limit", "rows", "names", "steps", "stages", "size", "width", "row", "source");
    if (!name || !options.x || !options.y) throw new Error("@compare needs a table and its name, x= and y=");
    const all = options.y.split(";").map((text, i) => readSeries(text, SERIES[i], table, name, options));
    const names = all[0].points.map((point) => point.name);
    rename(names, all, options.names);
    return draw(names, all, readLimit(options.limit), options);
}

/* A column: { words, kind, points: [{ name, value, text }], small }, where `text` is the number as the table has it. */
function readSeries(spec, kind, table, name, options) {
    const [, column, other = table, words = "", own = kind] = /^([^:@]+)(?:@([^:]+))?(?::([^:]*))?(?::(.+))?$/.exec(spec) ?? [];
    const { cells, small } = cellsOf(other, name, column, options);
    const wanted = new RegExp(options.rows ?? "");
    const points = cells
        .filter(([at, text]) => wanted.test(at) && /^[\d.]+( ?%)?$/.test(text))
        .map(([at, text]) => ({ name: at, value: parseFloat(text), text }));
    if (!points.length) throw new Error(`@compare finds no number in the column ${column}`);
    return { words, kind: own, points, small };
}

/* Pairs of cells, of x and of a column, and where they come from. */
function cellsOf(table, name, column, options) {
    if (table === "demo") return demoCells(name, options.x, column);
    const { rows, small } = table === "published" ? factTable(name) : measuredStages(table, name, options);
    for (const one of [options.x, column]) if (rows[0][one] === undefined) throw new Error(`${name} has no column ${one}`);
    const plain = (text) => (table === "published" ? text : text.replace(/-/g, " "));
    return { cells: rows.map((row) => [plain(row[options.x]), row[column]]), small };
}

function rename(names, all, list) {
    const others = list?.split(";") ?? names;
    if (others.length !== names.length) throw new Error(`names= has ${others.length} names for ${names.length} rows`);
    if (new Set(others).size !== others.length) throw new Error("two rows of @compare have the same name");
    for (const { points } of all) for (const point of points) point.name = others[names.indexOf(point.name)] ?? point.name;
    names.splice(0, names.length, ...others);
}

/* "4222:copy rate" is a line at 4222 with that name. */
function readLimit(text) {
    if (!text) return null;
    const [, value, words] = /^([\d.]+):(.*)$/.exec(text) ?? [];
    if (!value) throw new Error(`limit="${text}" is not a number, a colon and a name`);
    return { value: Number(value), words };
}

function draw(names, all, limit, options) {
    const width = Number(options.width ?? WIDTH);
    const row = Number(options.row ?? 46);
    const isLog = options.scale === "log";
    const values = [...all.flatMap(({ points }) => points.map((point) => point.value)), ...(limit ? [limit.value] : [])];
    const said = (point) => `${digits(point.text)} ${options.unit ?? ""}`.trim();
    const widest = (texts) => LETTER * Math.max(...texts.map((text) => text.length));
    const left = widest(names) + 10;
    const right = width - widest(all.flatMap(({ points }) => points.map(said))) - 16;
    const at = scale(values, isLog, [left, right], Number(options.from));
    const top = HEAD * ((limit ? 1 : 0) + (all.some(({ words }) => words) ? 1 : 0)) || 4;
    const bottom = top + names.length * (row * all.length + GAP);
    const d = new Drawing({ width, height: bottom + (isLog ? HEAD : 4), title: describe(names, all, limit, options.unit) });
    if (isLog) marks(d, values, at, left, top, bottom);
    if (limit) {
        d.text(Math.min(at(limit.value), width - (LETTER / 2) * limit.words.length), top - 16, limit.words, { anchor: "middle", soft: true });
    }
    if (all.some(({ words }) => words)) d.legend(left, 26, all.map(({ kind, words }) => [`${kind} strong`, words]));
    /* Bars first, then the limit, so that it is seen on them, and then the numbers. */
    const each = (shown) => names.forEach((name, i) => d.step(options.steps ? i : 0, () => all.forEach(({ kind, points }, k) => {
        const point = points.find((one) => one.name === name);
        if (point) shown(point, top + i * (row * all.length + GAP) + k * row, kind);
    })));
    names.forEach((name, i) => d.step(options.steps ? i : 0, () => d.text(0, top + i * (row * all.length + GAP) + (row * all.length) / 2 + 8, name)));
    each((point, y, kind) => d.box(left, y, Math.max(3, at(point.value) - left), row - 2, kind, "", { strong: true }));
    if (limit) d.limit(at(limit.value), top - 8, bottom);
    each((point, y) => d.value(at(point.value), y + row / 2 + 8, said(point), { limit: limit && at(limit.value), from: left }));
    return d.lines("plot", options.source === "no" ? "" : [...new Set(all.map(({ small }) => small))].join(" · "));
}

/* The place of a value. A logarithmic axis begins at a power of ten, or at `from`. */
function scale(values, isLog, [low, high], from) {
    const most = Math.max(...values);
    if (!isLog) return (value) => low + (value / most) * (high - low);
    const least = from || 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.01);
    return (value) => low + (Math.log10(value / least) / Math.log10(most / least)) * (high - low);
}

/* The powers of ten of a logarithmic axis. */
function marks(d, values, at, left, top, bottom) {
    for (let mark = 10 ** Math.ceil(Math.log10(Math.min(...values)) - 1); mark <= Math.max(...values); mark *= 10) {
        if (at(mark) < left) continue;
        const text = digits(Number(mark.toPrecision(1)));
        d.line(at(mark), top, at(mark), bottom, "grid");
        d.text(at(mark), bottom + 32, text, { anchor: "middle", soft: true });
    }
}

function describe(names, all, limit, unit = "") {
    const list = all.map(({ words, points }) => {
        const numbers = names.map((name) => points.find((one) => one.name === name)).filter(Boolean);
        return `${words ? `${words}: ` : ""}${numbers.map((one) => `${one.name}: ${one.text} ${unit}`.trim()).join(", ")}.`;
    });
    return `Bars. ${list.join(" ")}${limit ? ` A line marks ${limit.words}, ${limit.value} ${unit}.` : ""}`;
}
