/*
 * topics.mjs: compares two tables in README.md with the decks. Each topic names slides, exercises or demos that exist.
 * Each error of the older lectures names slides whose notes correct it.
 *
 *   node test/topics.mjs        a line a fault; exit code 1 with faults
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SLIDES, TOP } from "../lib/places.mjs";

/* The rows of the table under a heading, as lists of cells, without its head. */
function table(heading) {
    const text = readFileSync(join(SLIDES, "README.md"), "utf8");
    const section = text.split(`\n## ${heading}`)[1]?.split("\n## ")[0] ?? "";
    const rows = section.split("\n").filter((line) => /^\|.*\|$/.test(line));
    return rows.slice(2).map((line) =>
        line
            .slice(1, -1)
            .split("|")
            .map((cell) => cell.trim()),
    );
}

function read(deck) {
    return readFileSync(join(SLIDES, deck), "utf8");
}

/* The titles of a deck's slides, from its Markdown. */
function titles(deck) {
    return read(deck)
        .split("\n")
        .filter((line) => line.startsWith("## "))
        .map((line) => line.slice(3).replace(/ *\{.*\}$/, ""));
}

const DECKS = [
    "1-gpus-and-cuda.md",
    "2-axpy.md",
    "3-memory-spaces.md",
    "4-rot.md",
    "5-matvec.md",
    "6-matmul.md",
];

/* What is wrong with one place: "deck 2: A title", "ex01_axpy", "demo transfer". */
function fault(place) {
    const slide = /^deck (\d): (.*)$/.exec(place);
    if (slide)
        return titles(DECKS[slide[1] - 1]).includes(slide[2])
            ? null
            : `deck ${slide[1]} has no slide "${slide[2]}"`;
    const demo = /^demo (\S+)$/.exec(place);
    if (demo)
        return existsSync(join(TOP, "day1/demos", `${demo[1]}.cu`)) ? null : `there is no demo ${demo[1]}`;
    if (/^ex0\d_\w+/.test(place))
        return existsSync(join(TOP, place.split(" ")[0])) ? null : `there is no ${place}`;
    return existsSync(join(TOP, place)) ? null : `"${place}" is no slide, exercise, demo or file`;
}

/* The paragraphs of a slide's notes: "deck 2: A title". */
function notes(place) {
    const [, deck, title] = /^deck (\d): (.*)$/.exec(place) ?? [];
    const slide = (deck ? read(DECKS[deck - 1]) : "").split(/^## /m).find((text) => text.startsWith(`${title}\n`));
    return (slide?.split(/^::: notes.*\n/m)[1]?.split("\n:::")[0] ?? "").split("\n\n");
}

/* Text without marks and line ends. */
const plain = (text) => text.replace(/[`"]/g, "").replace(/\s+/g, " ");

/* Does one of them begin with "Corrected:" and hold these words? */
function corrects(place, words) {
    return notes(place).some(
        (text) => text.startsWith("Corrected:") && plain(text).includes(plain(words)),
    );
}

const topics = table("Every topic of the older lectures");
const errors = table("Errors of the older lectures, corrected");
const faults = [
    ...topics.flatMap(([topic, where]) =>
        where
            .split("; ")
            .map((place) => fault(place.replace(/`/g, "")))
            .filter(Boolean)
            .map((what) => `${topic}: ${what}`),
    ),
    ...errors.flatMap(([error, where, words]) =>
        where
            .split("; ")
            .filter((place) => !corrects(place, words))
            .map((place) => `${error}: the notes of ${place} have no "Corrected:" with ${words}`),
    ),
];
if (topics.length < 50) faults.push(`the table of topics has ${topics.length} rows only`);
if (errors.length < 11) faults.push(`the table of errors has ${errors.length} rows only`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
