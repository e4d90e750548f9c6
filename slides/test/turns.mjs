/*
 * turns.mjs: does a deck give away what students are to find? @turn on a slide sends them to the rungs of an exercise.
 * Before it, no slide shows a line of these stages, or a rate of theirs. Where a stage adds a single line, no slide shows
 * a name of that line either. Notes do not count, but the book's prose does. After it, some slide does show them. Reads
 * the decks, the book's prose, and what `deck` has built.
 *
 *   node test/turns.mjs          a line per fault; exit code 1 with faults
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deckNames, readDeck, slidesOf } from "../lib/parts.mjs";
import { OUT, SLIDES } from "../lib/places.mjs";
import { stageLines } from "../lib/stages.mjs";

/* Shorter lines, such as "} else {" and "int k = 0;", belong to nobody; nor do those with one name, "__syncthreads();". */
const SHORTEST = 12;

/* A line without comments, marks of a diff, and blanks. */
const bare = (line) =>
    line
        .replace(/\/\*.*?(\*\/|$)|\/\/.*/g, "")
        .replace(/^[+-]/, "")
        .replace(/\s+/g, "");
const names = (lines) => lines.flatMap((line) => line.match(/[A-Za-z_]\w+/g) ?? []);
const bareLines = (lines) =>
    lines.map(bare).filter((line) => line.length >= SHORTEST && names([line]).length > 1);
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/* Every slide of all decks, with its Markdown and what is built of it. */
const slides = deckNames().flatMap((name) => {
    const raw = slidesOf(readFileSync(join(SLIDES, `${name}.md`), "utf8"));
    const built = slidesOf(readFileSync(join(OUT, `${name}.md`), "utf8"));
    const prose = new Map(slidesOf(readFileSync(join(SLIDES, "book", `${name}.md`), "utf8")).map((one) => [one.title, one.text]));
    return readDeck(name).map((slide, i) => {
        const said = prose.get(slide.title) ?? "";
        return { ...slide, raw: `${raw[i].text}\n${said}`, built: `${built[i].text}\n${said}` };
    });
});

/*
 * What a turn hides: { exercise, rungs, lines, names }. Lines that the starter, an earlier exercise or an earlier rung
 * has do not count.
 */
function secretsOf(turn, earlier) {
    const { exercise, first, last } = turn;
    const known = [
        ...earlier.flatMap((one) => range(0, one.last).flatMap((stage) => stageLines(one.exercise, stage))),
        ...range(0, first - 1).flatMap((stage) => stageLines(exercise, stage)),
    ];
    const before = new Set(bareLines(known));
    const lines = new Set();
    const single = new Set();
    for (const stage of range(first, last)) {
        const added = stageLines(exercise, stage).filter(
            (line) => bare(line) && !new Set(stageLines(exercise, stage - 1)).has(line),
        );
        for (const line of bareLines(added)) if (!before.has(line)) lines.add(line);
        if (added.length === 1) {
            const old = new Set(names(stageLines(exercise, stage - 1)));
            for (const name of names(added)) if (!old.has(name)) single.add(name);
        }
    }
    return { exercise, rungs: range(first, last), lines, names: single };
}

/* What a slide shows of these secrets. */
function shown(slide, secrets) {
    const { exercise, rungs } = secrets;
    const text = slide.built.replace(/<details>.*<\/details>/g, "");
    const numbers = [...slide.raw.matchAll(/\{\{(\w+)\s+(\w+)\s+(\d)(?:\s+(\d))?/g)];
    return [
        ...text.split("\n").filter((line) => secrets.lines.has(bare(line))),
        ...names([text]).filter((name) => secrets.names.has(name)),
        ...numbers
            .filter(([, , of, one, two]) => of === exercise && [one, two].some((rung) => rungs.includes(Number(rung))))
            .map(([all]) => `${all}}}`),
        ...(slide.raw.match(/^@(table|bars|compare) .*$/gm) ?? []).filter((table) => table.includes(` ${exercise} `)),
    ];
}

const faults = [];
const earlier = [];
for (const [at, { turn }] of slides.entries()) {
    if (!turn) continue;
    const secrets = secretsOf(turn, earlier);
    for (const slide of slides.slice(0, at + 1))
        for (const what of new Set(shown(slide, secrets)))
            faults.push(
                `deck ${slide.deck}: ${slide.title}: before ${turn.exercise} ${turn.first}-${turn.last}: ${what.trim()}`,
            );
    if (!slides.slice(at + 1).some((slide) => shown(slide, secrets).length))
        faults.push(`no slide shows the stages of ${turn.exercise} ${turn.first}-${turn.last} after the exercise`);
    earlier.push(turn);
}
if (earlier.length < 5) faults.push(`only ${earlier.length} slides send students to an exercise`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
