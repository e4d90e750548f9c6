/*
 * sources.mjs: where does each number come from that is typed into a sentence of a deck, of its notes or of the book? Looked for are
 * rates, times, factors and shares, and all other numbers of three digits or more, apart from powers of two and years. Each must
 * have a row in sources.tsv, for its chapter: an expression of measured and published numbers that gives it, to its last
 * digit; a file that has these words; or `given`, if the sentence itself sets it. A row that no sentence needs is a fault, too. Code, directives and {{...}} do not count.
 *
 *   node test/sources.mjs [FILE...]     a line per fault; exit code 1 with faults; FILE instead of the decks and the book
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { demoCell } from "../lib/blocks.mjs";
import { inline } from "../lib/numbers.mjs";
import { deckNames } from "../lib/parts.mjs";
import { SLIDES, TOP } from "../lib/places.mjs";

const UNITS = ["GB/s", "TB/s", "Gflop/s", "Tflop/s", "G floats/s", "ns", "µs", "ms", "seconds", "clocks", "MHz", "GHz", "pJ", "%", "percent", "times", "flop per byte"];
const NUMBER = new RegExp(`(?<![\\w.])(\\d{1,3}(?:[ \\u202f]\\d{3})+|\\d+(?:\\.\\d+)?)[ \\u00a0\\u202f]?(${UNITS.join("|")})(?![\\w/])`, "g");

const BARE = /(?<![\w.=-])(\d{1,3}(?:[ \u202f]\d{3})+|\d+(?:\.\d+)?)(?![\w.]*\d)/g;
const DIGITS = 3, YEARS = [1970, 2030];

/* The quantities of a line as [what it says, number, unit]. */
function quantities(line) {
    const plain = (number) => number.replace(/[ \u202f]/g, "");
    const known = [...line.matchAll(NUMBER)].map(([all, number, unit]) => [all, `${plain(number)} ${unit}`]);
    const bare = [...line.replace(NUMBER, "").matchAll(BARE)].map(([all, number]) => [all, plain(number)]).filter(([, number]) => {
        const value = Number(number);
        return number.replace(".", "").replace(/^0+|0+$/g, "").length >= DIGITS && !Number.isInteger(Math.log2(value)) && !(value >= YEARS[0] && value <= YEARS[1]);
    });
    return [...known, ...bare];
}

/* What an expression may use. Sizes are those that the decks show, unless one is given. */
const KNOWN = {
    rate: (exercise, stage, size, gpu) => Number(inline("rate", [exercise, String(stage)], { plain: "1", ...(size && { size }), ...(gpu && { gpu }) })),
    fact: (...words) => Number(inline("fact", words.map(String), {})),
    figure: (...words) => Number(inline("figure", words, {})),
    demo: (name, row, column) => Number(demoCell(name, String(row), String(column))),
    share: (exercise, stage, size) => parseFloat(inline("share", [exercise, String(stage)], size ? { size } : {})),
    /* Of a recorded schedule: its end; how long all of its spans of a kind last; the median of those
     * that are shorter than `shorter`, of all setups; the share of the time up to `end` in which one lasts, of the warps that the figure shows. */
    ended: (show, setup) => Math.max(...spans(show, setup).map(({ to }) => to)),
    lasts: (show, setup, what) => spans(show, setup).filter((one) => one.what === what).reduce((sum, { from, to }) => sum + to - from, 0),
    median: (show, what, shorter) => {
        const times = spans(show).filter((one) => one.what === what).map(({ from, to }) => to - from).filter((time) => time < shorter);
        return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    },
    busy: (show, setup, what, end) => spans(show, setup).filter((one) => one.what === what).sort((a, b) => a.from - b.from)
        .reduce(({ sum, seen }, { from, to }) => ({ sum: sum + Math.max(0, Math.min(to, end) - Math.max(from, seen)), seen: Math.max(seen, Math.min(to, end)) }),
            { sum: 0, seen: 0 }).sum / end,
};

const read = (path) => readFileSync(path, "utf8");

function spans(show, setup) {
    return read(join(TOP, "solutions/measured/schedules-nvidia-h100.tsv")).trimEnd().split("\n").map((line) => line.split("\t"))
        .filter((row) => row[0] === show && (!setup || row[1] === setup) && !/^block .* (4|12|20|28)$/.test(row[2]))
        .map(([, , , , what, from, to]) => ({ what, from: Number(from), to: Number(to) }));
}

const rows = read(join(SLIDES, "test/sources.tsv")).trimEnd().split("\n").slice(1).map((line, i) => {
    const [quantity, chapters, how] = line.split("\t");
    return { quantity, chapters: chapters.split(" "), how, line: i + 2, used: new Set() };
});

/* A number is that of the text if it is equal when it is rounded to the text's last digit that is not 0. */
function isRounded(text, value) {
    const digits = text.replace(".", "").replace(/0+$/, "").replace(/^0+/, "");
    const scale = text.includes(".") ? 10 ** -text.split(".")[1].length : 10 ** (text.length - text.replace(/0+$/, "").length);
    return digits !== "" && Math.abs(value - Number(text)) <= scale / 2 + 1e-9 * value;
}

/* Why a row does not give its number, or null. */
function wrong({ quantity, how }) {
    const number = /^[\d.]+/.exec(quantity)[0];
    const file = /^in (\S+): (.*)$/.exec(how);
    if (how.startsWith("given: ")) return null;
    if (file) return read(join(TOP, file[1])).replace(/\s+/g, " ").includes(file[2]) ? null : `${file[1]} does not say "${file[2]}"`;
    try {
        const value = new Function(...Object.keys(KNOWN), `return ${how}`)(...Object.values(KNOWN));
        return isRounded(number, value) ? null : `${how} is ${value}`;
    } catch (error) {
        return error.message;
    }
}

/* The sentences of a file, line by line: without its code, its directives and what the build fills in. */
function sentences(text) {
    const blank = (whole) => "\n".repeat(whole.split("\n").length - 1);
    return text
        .replace(/^(```|~~~)[^]*?^\1/gm, blank)
        .split("\n")
        .map((line) => (/^(@|:::|    )/.test(line) ? "" : line.replace(/\{\{.*?\}\}/g, "").replace(/`[^`]*`/g, "")));
}

const given = process.argv.slice(2);
const files = given.length ? given : deckNames().flatMap((name) => [join(SLIDES, `${name}.md`), join(SLIDES, "book", `${name}.md`)]);
const faults = [];
let seen = 0;
for (const file of files) {
    const chapter = basename(file)[0];
    sentences(read(file)).forEach((line, i) => {
        for (const [all, quantity] of quantities(line)) {
            seen++;
            const found = rows.filter((row) => row.quantity === quantity && row.chapters.includes(chapter));
            found.forEach((row) => row.used.add(chapter));
            if (!found.length) faults.push(`${file.replace(`${TOP}/`, "")}:${i + 1}: sources.tsv has no source of ${all} in chapter ${chapter}`);
        }
    });
}
for (const row of rows) {
    const what = wrong(row);
    if (what) faults.push(`sources.tsv:${row.line}: ${row.quantity}: ${what}`);
    for (const chapter of given.length ? [] : row.chapters)
        if (!row.used.has(chapter)) faults.push(`sources.tsv:${row.line}: nothing in chapter ${chapter} says ${row.quantity}`);
}
if (!given.length && seen < 150) faults.push(`only ${seen} numbers were seen`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
