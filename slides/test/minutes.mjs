/*
 * minutes.mjs: do the timetables of day1/README.md add up? A row is | time | minutes | what | with |. The next row begins
 * when its minutes are over. A row whose text has "Deck 2, part 1" lasts as long as the slides of these parts that may
 * not be skipped. The two days have all parts of the six decks, in their order. After at most 90 minutes there is a break.
 * A slide has time for what its notes say, and for its questions.
 *
 *   node test/minutes.mjs [FILE]        a line per fault; exit code 1 with faults; FILE instead of day1/README.md
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deckNames, readDeck, slidesOf } from "../lib/parts.mjs";
import { SLIDES, TOP } from "../lib/places.mjs";

/* Decks from 7 on are outside the day. */
const LAST = 6, LONGEST = 90;
const slides = deckNames().flatMap(readDeck).filter(({ deck }) => deck <= LAST);
const faults = [];

/* The minutes of a part without the slides that may be skipped; null if there is no such part. */
function minutesOf(deck, part) {
    const own = slides.filter((slide) => slide.deck === deck && slide.part === part);
    return own.length ? own.reduce((sum, slide) => sum + (slide.skip ? 0 : slide.minutes), 0) : null;
}

/* "Deck 2, part 1" and "Deck 3" (all of its parts) in a text, as pairs of numbers. */
function partsIn(text) {
    return [...text.matchAll(/Deck (\d)(?:, part (\d))?/g)].flatMap(([, deck, part]) => {
        const all = [...new Set(slides.filter((slide) => slide.deck === Number(deck)).map((slide) => slide.part))];
        return (part ? [Number(part)] : all).map((one) => [Number(deck), one]);
    });
}

/* The tables of a text: lists of { line, time, minutes, what }, with the time in minutes after midnight. */
function timetables(text) {
    const tables = [];
    for (const [i, line] of text.split("\n").entries()) {
        const [, hour, minute, minutes, what] = /^\| (\d+):(\d\d) \| (\d*) ?\| (.*)\|/.exec(line) ?? [];
        if (/^\| time \|/.test(line)) tables.push([]);
        if (hour) tables.at(-1).push({ line: i + 1, time: 60 * hour + Number(minute), minutes: Number(minutes), what });
    }
    return tables;
}

const text = readFileSync(process.argv[2] ?? join(TOP, "day1/README.md"), "utf8");
const tables = timetables(text);
for (const table of tables)
    for (const [i, row] of table.entries()) {
        const next = table[i + 1];
        if (next && next.time !== row.time + row.minutes && row.minutes)
            faults.push(`day1/README.md:${row.line}: ${row.minutes} minutes do not lead to the next row's time`);
        const parts = partsIn(row.what);
        const wanted = parts.reduce((sum, [deck, part]) => sum + minutesOf(deck, part), 0);
        if (parts.length && wanted !== row.minutes)
            faults.push(`day1/README.md:${row.line}: ${row.minutes} minutes, but its slides take ${wanted}`);
    }

/* How long it goes on without a break. A row in italics is a break, or an end. */
for (const table of tables) {
    let since = 0;
    for (const { line, minutes, what } of table) {
        since = /^\*[^*]/.test(what) ? 0 : since + minutes;
        if (since > LONGEST) faults.push(`day1/README.md:${line}: ${since} minutes without a break`);
    }
}

/*
 * The clock of a slide: what its notes say, and a minute for each question. What is said only if somebody asks, and the reply to
 * a wrong answer, do not count; nor do corrections of older material.
 */
const WORDS_A_MINUTE = 150, PART_OF_A_MINUTE = 0.25;
for (const name of deckNames().filter((one) => one[0] <= LAST)) {
    const texts = slidesOf(readFileSync(join(SLIDES, `${name}.md`), "utf8"));
    for (const [i, { minutes, title }] of readDeck(name).entries()) {
        const said = texts[i].notes.replace(/^:::.*$|\*\*(If asked|Reply)\*\*.*$|^Corrected:[^]*?(\n\n|$(?![^]))/gm, "");
        const clock = said.split(/\s+/).filter((word) => /\w/.test(word)).length / WORDS_A_MINUTE + (texts[i].text.match(/^@quiz /gm) ?? []).length;
        if (clock > minutes + PART_OF_A_MINUTE) faults.push(`${name}: ${title}: ${minutes} minutes, but the clock says ${clock.toFixed(1)}`);
    }
}

const all = [...new Set(slides.map(({ deck, part }) => `${deck}.${part}`))];
const shown = (tables[0] ?? []).flatMap((row) => partsIn(row.what)).map(([deck, part]) => `${deck}.${part}`);
if (shown.join() !== all.join()) faults.push(`the two days have the parts ${shown}, the decks have ${all}`);
const skipped = slides.reduce((sum, slide) => sum + (slide.skip ? slide.minutes : 0), 0);
if (!text.includes(`With all of them the two days are ${skipped} minutes longer.`))
    faults.push(`the slides that may be skipped take ${skipped} minutes; day1/README.md says otherwise`);
if (tables.length !== 3) faults.push(`day1/README.md has ${tables.length} timetables instead of 3`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
