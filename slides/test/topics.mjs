/*
 * topics.mjs: holds the table of topics in README.md to the decks: each row names slides, exercises or
 * demos, and all that it names is there.
 *
 *   node test/topics.mjs        a line a fault; exit code 1 with faults
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SLIDES, TOP } from "../lib/places.mjs";

/* The rows of the table under the heading "Every topic": [topic, where]. */
function topics() {
    const text = readFileSync(join(SLIDES, "README.md"), "utf8").split(/^## Every topic.*$/m)[1] ?? "";
    const rows = text
        .split("\n")
        .filter((line) => /^\|.*\|$/.test(line))
        .map((line) =>
            line
                .slice(1, -1)
                .split("|")
                .map((cell) => cell.trim()),
        );
    return rows.filter(([topic, where]) => topic !== "topic" && !/^-*$/.test(where ?? ""));
}

/* The titles of a deck's slides, as they stand in its Markdown. */
function titles(deck) {
    const text = readFileSync(join(SLIDES, deck), "utf8");
    return text
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

const rows = topics();
const faults = rows.flatMap(([topic, where]) =>
    where
        .split("; ")
        .map((place) => fault(place.replace(/`/g, "")))
        .filter(Boolean)
        .map((what) => `${topic}: ${what}`),
);
if (rows.length < 50) faults.push(`the table has ${rows.length} rows only`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
