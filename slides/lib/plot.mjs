/*
 * plot.mjs: plots of measured tables, drawn when the deck is built. @bars shows the rates of stages, @plot columns of a
 * demo's table or of published facts. All numbers come from the tables; the drawing's title says them in words.
 */
import { scaleLinear, scaleLog } from "d3";
import { onlyOptions, readList } from "./arguments.mjs";
import { demoTable } from "./blocks.mjs";
import { Drawing, LETTER, WIDTH } from "./draw.mjs";
import { digits, factTable, measuredStages, sizeText } from "./numbers.mjs";

const SERIES = ["one", "three", "two"]; /* of lines: look.css has their colours */
const SIZES = ["one strong", "one", "three strong"]; /* of the bars of several sizes */

const shorten = (number) => digits(number >= 100 ? Math.round(number) : Number(Number(number).toPrecision(3)));

/* ---- bars: the rates of stages ---- */

const BAR = { row: 46, gap: 8, top: 44 };

/**
 * @bars TABLE EXERCISE [stages=1-5] [size="A;B"] [names="4096;32768"] [scale=log] [width=560] [row=46] [limit=no]: a bar per stage, or several if
 * there are several sizes. A line shows the limit.
 */
export function bars([table, exercise], options) {
    onlyOptions(options, "stages", "size", "names", "scale", "width", "row", "limit");
    const sizes = options.size?.split(";") ?? [undefined];
    const groups = sizes.map((size) => measuredStages(table, exercise, { size, stages: options.stages }));
    const { limit } = groups[0];
    const small = measuredStages(table, exercise, { size: sizes[0], stages: options.stages, noSize: sizes.length > 1 }).small;
    const stages = [...new Set(groups.flatMap(({ rows }) => rows.map((row) => row.stage)))];
    const named = stages.map((stage) => {
        const rows = groups.map((group) => group.rows.find((row) => row.stage === stage));
        return { name: `${stage} ${rows.find(Boolean).name.replace(/-/g, " ")}`, rows };
    });
    const unit = groups[0].rows[0].unit;
    const width = Number(options.width ?? WIDTH);
    const row = Number(options.row ?? BAR.row);
    const left = LETTER * Math.max(...named.map(({ name }) => name.length)) + 16;
    const rates = groups.flatMap((group) => group.rows.map((one) => Number(one.rate)));
    const most = Math.max(...rates, options.limit === "no" ? 0 : limit.rate);
    const room = LETTER * `${digits(Math.max(...rates))} ${unit}`.length + 16;
    const span = [left, width - room];
    const x = options.scale === "log"
        ? scaleLog([10 ** Math.floor(Math.log10(Math.min(...rates))), most], span)
        : scaleLinear([0, most], span);
    const height = BAR.top + named.length * (row * groups.length + BAR.gap);
    const says = named.flatMap(({ name, rows }) =>
        rows.map((one, i) => one && `${name}${sizes[i] ? `, ${sizeText(sizes[i])}` : ""}: ${shorten(one.rate)} ${unit}`)).filter(Boolean);
    const bound = options.limit === "no" ? "" : ` The ${limit.name} is ${shorten(limit.rate)} ${unit}.`;
    const d = new Drawing({ width, height, title: `Rates of the stages. ${says.join("; ")}.${bound}` });
    if (bound) {
        d.text(x(limit.rate), BAR.top - 16, `${limit.name}, ${shorten(limit.rate)}`, { anchor: "end", soft: true });
    }
    if (groups.length > 1)
        d.legend(0, 26, sizes.map((size, i) => [SIZES[i], options.names?.split(";")[i] ?? sizeText(size)]));
    /* Bars first, then the limit, so that it is seen on them, and then the numbers. */
    const topOf = (i) => BAR.top + i * (row * groups.length + BAR.gap);
    const each = (shown) => named.forEach(({ rows }, i) => rows.forEach((one, k) => one && shown(one, topOf(i) + k * row, SIZES[k])));
    named.forEach(({ name }, i) => d.text(0, topOf(i) + (row * groups.length) / 2 + 8, name));
    each((one, y, size) => d.box(left, y, Math.max(3, x(one.rate) - left), row - 2, size.split(" ")[0], "", { strong: size.endsWith("strong") }));
    if (bound) d.limit(x(limit.rate), BAR.top - 8, height);
    each((one, y, size) => d.value(x(one.rate), y + row / 2 + 8, `${shorten(one.rate)} ${unit}`,
        { limit: bound && x(limit.rate), from: left, isPale: !size.endsWith("strong") }));
    if (options.scale === "log") d.text(left, BAR.top - 16, "each step is a factor", { soft: true, small: true });
    return d.lines("plot", small);
}

/* ---- lines: columns of a table ---- */

const BOX = { left: 96, top: 40, bottom: 74 };
const APART = 56; /* pixels between two numbers on an axis, at least */

/**
 * @plot demo NAME | @plot published FILE, with x=COLUMN y="COLUMN:WORDS;COLUMN:WORDS" and xname=, yname=: lines through
 * the points. A column is a number, from 1, or a name. [scale="log log"] [width=560] [height=420] [ticks="1 2 4"]
 */
export function plot([kind, name], options) {
    onlyOptions(options, "x", "y", "xname", "yname", "scale", "width", "height", "ticks", "rows", "zero");
    const read = { demo: demoTable, published: factTable }[kind];
    if (!read) throw new Error("@plot draws demo NAME or published FILE");
    const { rows, small } = read(name);
    const number = (row, column) => {
        const value = Number(row[column]);
        if (row[column] === undefined || Number.isNaN(value)) throw new Error(`${name} has no number in column ${column}`);
        return value;
    };
    const lines = options.y.split(";").map((text) => {
        const [, column, words] = /^([^:]+):(.*)$/.exec(text) ?? [];
        if (!column) throw new Error('y= needs "COLUMN:WORDS"');
        const points = rows.map((row) => [number(row, options.x), number(row, column)]);
        return { words, points: points.sort(([a], [b]) => a - b) };
    });
    return drawLines(lines, { ...options, small });
}

/** Lines with their names at their ends; also for figures of other modules: { words, points }. */
export function drawLines(lines, options) {
    const width = Number(options.width ?? WIDTH);
    const height = Number(options.height ?? 430);
    const [xKind = "linear", yKind = "linear"] = (options.scale ?? "").split(" ").filter(Boolean);
    const right = width - 24 - LETTER * Math.max(...lines.map(({ words }) => words.length));
    const x = axis(xKind, lines.flatMap(({ points }) => points.map(([a]) => a)), [BOX.left, right], false);
    const y = axis(yKind, lines.flatMap(({ points }) => points.map(([, b]) => b)), [height - BOX.bottom, BOX.top + 10], true);
    const says = lines.map(({ words, points }) => `${words}: ${points.map(([a, b]) => `${shorten(b)} at ${shorten(a)}`).join(", ")}.`);
    const d = new Drawing({ width, height, title: `${options.yname} against ${options.xname}. ${says.join(" ")}` });
    d.text(0, 24, options.yname, { soft: true });
    d.text((BOX.left + right) / 2, height - 8, options.xname, { anchor: "middle", soft: true });
    for (const value of yKind === "log" ? tens(y.domain()) : y.ticks(4)) {
        d.line(BOX.left, y(value), right, y(value), "grid");
        d.text(BOX.left - 12, y(value) + 8, shorten(value), { anchor: "end", soft: true });
    }
    let last = -Infinity;
    const values = options.ticks ? options.ticks.split(" ").map(Number) : [...new Set(lines[0].points.map(([a]) => a))];
    for (const value of values) {
        if (x(value) - last < Math.max(APART, LETTER * (String(value).length + 1))) continue;
        last = x(value);
        d.line(last, height - BOX.bottom, last, height - BOX.bottom + 8, "soft");
        d.text(last, height - BOX.bottom + 34, shorten(value), { anchor: "middle", soft: true });
    }
    d.line(BOX.left, height - BOX.bottom, right, height - BOX.bottom, "soft");
    const ends = apart(lines.map(({ points }) => y(points.at(-1)[1])), 32);
    lines.forEach(({ words, points }, i) => {
        const path = points.map(([a, b], at) => `${at ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
        d.path(path, SERIES[i], { dashed: i === 1 });
        for (const [a, b] of points) d.dot(x(a), y(b), SERIES[i]);
        d.text(right + 16, ends[i] + 8, words, { kind: SERIES[i], bold: true });
    });
    return d.lines("plot", options.small);
}

function axis(kind, values, range, fromZero) {
    if (kind === "log") return scaleLog([Math.min(...values), Math.max(...values)], range);
    return scaleLinear([fromZero ? 0 : Math.min(...values), Math.max(...values)], range);
}

/* Round numbers of a logarithmic axis: powers of ten, with 2 and 5 where there are few. */
function tens([low, high]) {
    const powers = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) powers.push(10 ** power);
    const inside = (list) => list.filter((value) => value >= low && value <= high);
    return inside(powers).length > 2 ? inside(powers) : inside(powers.flatMap((one) => [one, 2 * one, 5 * one]));
}

/* Places that are at least `least` apart, in their order. */
function apart(places, least) {
    const order = places.map((place, i) => [place, i]).sort(([a], [b]) => a - b);
    const moved = [];
    let free = -Infinity;
    for (const [place, i] of order) {
        moved[i] = Math.max(place, free);
        free = moved[i] + least;
    }
    return moved;
}
