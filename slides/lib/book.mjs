/*
 * book.mjs: puts the book together, one file of Markdown per page in build/book/. A chapter has the slides of a deck, with
 * the prose of book/N-name.md in place of the notes. Where students begin an exercise, it has the exercise's handout. At
 * the end are the questions that are on no slide. A slide without prose, and prose without a slide, end it with one line.
 *
 *   node lib/book.mjs            prints a line per page: its name, a tab, its title, a tab, its links as HTML
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html } from "./arguments.mjs";
import { DIRECTIVES, fenceAfter, fill } from "./fill.mjs";
import { deckNames, slidesOf } from "./parts.mjs";
import { OUT, SLIDES, TOP } from "./places.mjs";
import { inline } from "./quiz.mjs";

const read = (...path) => readFileSync(join(...path), "utf8");
const slug = (title) =>
    title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
let questions; // read when the first one is asked
const asked = new Set(); // the questions that some page has

/* All questions of the quiz, by id. */
function readQuestions() {
    const said = spawnSync(join(TOP, "day1/quiz/quiz"), ["json"], { encoding: "utf8", maxBuffer: 1 << 24 });
    if (said.status !== 0) throw new Error(said.stderr.trim());
    const all = said.stdout
        .split(/(?<=^\})\n/m)
        .filter((text) => text.trim())
        .map((text) => JSON.parse(text));
    return new Map(all.map((question) => [question.id, question]));
}

/* A question, with its answer, and what wrong answers misunderstand; a click shows them. */
function ask(id) {
    questions ??= readQuestions();
    const { text, answer, unit, why, wrong } = questions.get(id) ?? missing(`there is no question ${id}`);
    const items = wrong.map((entry) => {
        const [, value, says] = /^(.*?): ([^]*)$/.exec(entry.trim());
        const given = value.split(" | ")[0].replace(/^> /, "more than ").replace(/^< /, "less than ");
        return `<li><strong>${inline(given)}</strong>: ${inline(says)}</li>`;
    });
    return [
        `:::: {.quiz data-quiz="${html(id)}"}`,
        ...text.split("\n").map((line) => (line === "```cuda" ? "```{.cuda}" : line)),
        "",
        "```{=html}",
        `<details><summary>Answer</summary><p class="answer"><strong>${inline(`${answer} ${unit}`.trim())}.</strong> ${inline(why)}</p>`,
        items.length ? `<p>Wrong answers, and what they misunderstand:</p><ul>${items.join("")}</ul></details>` : "</details>",
        "```",
        "::::",
    ];
}

function missing(what) {
    throw new Error(what);
}

/* The chapter of a deck: { name, title, sections, lines }. A section is { title, id, text }. */
function chapter(name) {
    const deck = read(SLIDES, `${name}.md`);
    const [, title, subtitle] = /^title: (.*)\nsubtitle: (.*)$/m.exec(deck);
    const prose = read(SLIDES, "book", `${name}.md`);
    const written = new Map(slidesOf(prose).map((one) => [one.title, one.text.split("\n").slice(1)]));
    const handed = new Set();
    const directives = {
        ...DIRECTIVES,
        quiz: ([id]) => asked.add(id) && ask(id),
        turn: ([exercise], options) => [...DIRECTIVES.turn([exercise, "1-1"], options), ...handout(exercise, handed)],
    };
    const sections = slidesOf(deck).map((slide) => {
        const shown = slide.text.split("\n").slice(1);
        const said = written.get(slide.title);
        written.delete(slide.title);
        if (!said && !/^@quiz/m.test(slide.text)) missing(`book/${name}.md: the slide "${slide.title}" has no prose`);
        return { title: slide.title, ends: /^@(turn|lab) /m.test(slide.text), exercise: /^@turn (\w+)/m.exec(slide.text)?.[1], source: placeIn(shown, said ?? []) };
    });
    if (written.size) missing(`book/${name}.md: there is no slide "${[...written.keys()][0]}"`);
    const built = sections.map(({ title: heading, ends, exercise, source }) => ({
        title: heading,
        ends,
        exercise,
        id: slug(heading),
        lines: fillAll(source, directives, `${name}: ${heading}`),
    }));
    const left = [...questions.values()].filter((one) => one.deck === name && !asked.has(one.id));
    built.push({ title: "More questions", id: "more-questions", lines: left.flatMap(({ id }) => ["", ...ask(id), ""]) });
    const intro = fillAll(prose.split(/^## /m)[0].split("\n"), directives, name);
    return { name, title, subtitle, intro, sections: built };
}

/* A slide and its prose. The line @slide in the prose says where the slide stands; otherwise it comes first. */
function placeIn(shown, said) {
    const at = said.indexOf("@slide");
    return at < 0 ? [...shown, "", ...said] : [...said.slice(0, at), "", ...shown, "", ...said.slice(at + 1)];
}

function fillAll(lines, directives, where) {
    let fence = null;
    return lines.flatMap((line) => {
        fence = fenceAfter(line, fence);
        if (fence || line === ". . .") return fence ? [line] : [];
        try {
            return fill(line, directives);
        } catch (error) {
            throw new Error(`the book, ${where}: ${error.message}`, { cause: error });
        }
    });
}

/* What students read of an exercise before they begin: the first time, its README up to the input. */
const HANDED_OUT = ["Build and run", "What it prints", "The rungs"];

function handout(exercise, handed) {
    if (handed.has(exercise)) return [];
    handed.add(exercise);
    const [head, ...parts] = read(TOP, exercise, "README.md").split(/^## /m);
    const kept = parts.filter((part) => HANDED_OUT.includes(part.split("\n")[0]));
    const text = [head.replace(/^# .*\n/, `### The exercise ${exercise}\n`), ...kept.map((part) => `#### ${part}`)].join("");
    return text.replace(/\[([^\]]*)\]\((?!http)[^)]*\)/g, "$1").split("\n");
}

/*
 * A chapter's sections as a list. What comes after an exercise tells its results: a click shows these titles. That is all of a
 * chapter whose exercise begins in the one before.
 */
function contents(name, sections, begun) {
    const turn = sections.findIndex(({ ends }) => ends);
    const after = begun && sections[turn]?.exercise === begun ? 0 : turn + 1 || sections.length;
    const list = (some) => some.map((one) => `- [${one.title}](${name}.html#${one.id})`);
    if (after === sections.length) return list(sections);
    return [...list(sections.slice(0, after)), "", "<details><summary>After the exercise</summary>", "",
        ...list(sections.slice(after)), "", "</details>"];
}

/* The index: for each entry of book/index.tsv, the sections that say most about it. */
const MOST_PLACES = 4;
/* Titles that tell the result of an exercise: the index leaves these sections out. */
const TELLS = /\b([Rr]ung \d|do not wait|infeasible|is slow|gains?|slower|faster|waits for DRAM|is the limit|\d+ times as fast|needs \d+ threads|made it fast)\b/;

function termIndex(chapters) {
    const sections = chapters.flatMap(({ name, sections: own }) =>
        own
            .filter(({ id, title }) => id !== "more-questions" && !TELLS.test(title))
            .map(({ title, id, lines }) => ({ title, address: `${name}.html#${id}`, number: name[0], text: lines.join("\n") })),
    );
    const rows = read(SLIDES, "book", "index.tsv").trimEnd().split("\n").slice(1);
    return rows.map((row) => {
        const [entry, pattern] = row.split("\t");
        const found = sections
            .map((one) => ({
                ...one,
                weight: 5 * (one.title.match(new RegExp(pattern, "gi")) ?? []).length + (one.text.match(new RegExp(pattern, "gi")) ?? []).length,
            }))
            .filter(({ weight }) => weight > 0)
            .sort((a, b) => b.weight - a.weight)
            .slice(0, MOST_PLACES);
        if (!found.length) missing(`book/index.tsv: no section is about ${entry}`);
        const links = found.map(({ title, address, number }) => `[${title}](${address}) (${number})`);
        return `- ${entry}: ${links.join("; ")}`;
    });
}

function page(name, title, lines) {
    writeFileSync(join(OUT, "book", `${name}.md`), `${lines.join("\n")}\n`);
    return { name, title };
}

function main() {
    mkdirSync(join(OUT, "book"), { recursive: true });
    const chapters = deckNames().map(chapter);
    const plain = (name) => fillAll(read(SLIDES, "book", `${name}.md`).split("\n"), DIRECTIVES, name);
    const pages = [
        page("index", "Warp-up, the book", [
            ...plain("start"),
            ...chapters.flatMap(({ name, title, subtitle, sections }, at) => [
                "", `## [${name[0]} ${title}](${name}.html)`, "", `${subtitle}.`, "",
                ...contents(name, sections, chapters[at - 1]?.sections.findLast(({ ends }) => ends)?.exercise),
            ]),
        ]),
        ...chapters.map(({ name, title, intro, sections }) =>
            page(name, `${name[0]} ${title}`, [
                ...intro,
                ...sections.flatMap((one) => ["", `## ${one.title} {#${one.id}}`, "", ...one.lines]),
            ]),
        ),
        page("glossary", "Glossary", plain("glossary")),
        page("terms", "Index", ["The number after a section is that of its chapter.", "", ...termIndex(chapters)]),
        page("cheat-sheet", "CUDA on one page", plain("cheat-sheet")),
    ];
    pages.forEach(({ name, title }, at) => {
        const link = (one, word) => (one ? `<a href="${one.name}.html">${word}: ${html(one.title)}</a>` : "");
        const links = [link(pages[at - 1], "Before"), link(pages[at + 1], "Next")].filter(Boolean).join(" ");
        process.stdout.write(`${name}\t${title}\t${links}\n`);
    });
}

try {
    main();
} catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
}
