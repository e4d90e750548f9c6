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

/* The first section that comes after an exercise. That is the first one of a chapter whose exercise begins in the one before. */
function firstAfter({ sections }, before) {
    const turn = sections.findIndex(({ ends }) => ends), begun = before?.sections.findLast(({ ends }) => ends)?.exercise;
    return begun && sections[turn]?.exercise === begun ? 0 : turn + 1 || sections.length;
}

/* A chapter's sections as a list. What comes after an exercise tells its results: a click shows these titles. */
function contents({ name, sections, after }) {
    const list = (some) => some.map((one) => `- [${one.title}](${name}.html#${one.id})`);
    if (after === sections.length) return list(sections);
    return [...list(sections.slice(0, after)), "", "<details><summary>After the exercise</summary>", "",
        ...list(sections.slice(after)), "", "</details>"];
}

/*
 * The index: for each entry of book/index.tsv, the sections that say most about it. A click shows those that come after an exercise,
 * such as all of the last chapter.
 */
const MOST_PLACES = 4;

function termIndex(chapters) {
    const sections = chapters.flatMap(({ name, sections: own, after }) =>
        own.map(({ title, id, lines }, at) => (
            { title, id, address: `${name}.html#${id}`, number: name[0], text: lines.join("\n"), isAfter: at >= after || !own.some(({ ends }) => ends) })),
    ).filter(({ id }) => id !== "more-questions");
    const rows = read(SLIDES, "book", "index.tsv").trimEnd().split("\n").slice(1).map((row) => row.split("\t"));
    const list = (some) => rows.flatMap((row) => entryOf(row, some));
    for (const row of rows) if (!entryOf(row, sections).length) missing(`book/index.tsv: no section is about ${row[0]}`);
    return [...list(sections.filter(({ isAfter }) => !isAfter)), "", "<details><summary>After the exercises</summary>", "",
        ...list(sections.filter(({ isAfter }) => isAfter)), "", "</details>"];
}

/* The line of an entry; none if no section is about it. */
function entryOf([entry, pattern], sections) {
    const times = (text) => text.match(new RegExp(pattern, "gi"))?.length ?? 0;
    const found = sections
        .map((one) => ({ ...one, weight: 5 * times(one.title) + times(one.text) }))
        .filter(({ weight }) => weight > 0)
        .sort((a, b) => b.weight - a.weight)
        .slice(0, MOST_PLACES);
    const links = found.map(({ title, address, number }) => `[${title}](${address}) (${number})`);
    return links.length ? [`- ${entry}: ${links.join("; ")}`] : [];
}

function page(name, title, lines) {
    writeFileSync(join(OUT, "book", `${name}.md`), `${lines.join("\n")}\n`);
    return { name, title };
}

function main() {
    mkdirSync(join(OUT, "book"), { recursive: true });
    const bare = deckNames().map(chapter);
    const chapters = bare.map((one, at) => ({ ...one, after: firstAfter(one, bare[at - 1]) }));
    const plain = (name) => fillAll(read(SLIDES, "book", `${name}.md`).split("\n"), DIRECTIVES, name);
    const pages = [
        page("index", "Warp-up, the book", [
            ...plain("start"),
            ...chapters.flatMap((one) => [
                "", `## [${one.name[0]} ${one.title}](${one.name}.html)`, "", `${one.subtitle}.`, "", ...contents(one),
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
