/*
 * turns.mjs: does a deck give away what students are to find? @turn on a slide sends them to the rungs of an exercise.
 * Before it, nothing that they see or hear may show these rungs. That is slides with their drawings, figures, questions and notes, and
 * the titles of the decks. It is also the book's prose and glossary, and the quiz up to this deck with its programs. So are the
 * inventory, the exercises' handouts, questions and ladders, the README, and the pages of mistakes. This is looked for:
 *
 *   a line of a stage, whatever its blanks; where a stage adds a single line, also the names in it
 *   an idea of ideas.tsv: a pattern of code without blanks, casts and comments, so that names and types do not matter
 *   a surprise of surprises.tsv: words that tell what a rung teaches
 *   a roofline in which the stages of the exercise can be chosen
 *   in its own handout, a measured rate of a stage; there and in its own deck, a sentence that says which rung is faster
 *
 * @lab on a slide sends them to measure their machine. Before it, nothing shows a table of its programs, or a time that they print.
 *
 * A page of a mistake may tell a surprise, and name a function: it is for those whose program has the mistake. Of notes, only rates, verdicts and surprises count, without what is "For you", as instructors say the rest. The answer of a
 * question counts, unless the question has `after:` this rung or a later one. After a turn some slide shows its stages, and
 * some text tells each surprise.
 *
 *   node test/turns.mjs [--also FILE]     a line per fault; exit code 1 with faults; FILE is one more handout
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deckNames, readDeck, slidesOf } from "../lib/parts.mjs";
import { OUT, SLIDES, TOP } from "../lib/places.mjs";
import { stageLines } from "../lib/stages.mjs";

/* Shorter lines, such as "} else {" and "int k = 0;", belong to nobody; nor do those with one name, "__syncthreads();". */
const SHORTEST = 12;
/* A rate within this part of a measured one is that rate. */
const NEAR = 0.01;
/* Notes have other rates beside a measured one. There only this is the same. */
const SAME = 0.001;
const RATE = /(\d[\d \u202f]*(?:\.\d+)?)[ \u00a0]*(GB\/s|Gflop\/s)/g;
const VERDICT = /\brung (\d)\b[^.:?]{0,60}\b(slower|faster|(?:times|as) as fast|gains? (?:nothing|most|little))/gi;

const read = (...path) => readFileSync(join(...path), "utf8");
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const rows = (text) => text.trimEnd().split("\n").filter((line) => !line.startsWith("#")).slice(1).map((line) => line.split("\t"));

/* A line without comments, marks of a diff, and blanks. */
const bare = (line) =>
    line
        .replace(/\/\*.*?(\*\/|$)|\/\/.*/g, "")
        .replace(/^[+-]/, "")
        .replace(/\s+/g, "");
const names = (lines) => lines.flatMap((line) => line.match(/[A-Za-z_]\w+/g) ?? []);
const bareLines = (lines) =>
    lines.map(bare).filter((line) => line.length >= SHORTEST && names([line]).length > 1);

/* Text as code: without HTML's marks, casts and blanks. */
const asCode = (text) =>
    text
        .replace(/(?<!<)<[/a-z][^>]*>/g, "\n")
        .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&")
        .split("\n").map(bare).join("\n")
        .replace(/\((?:size_t|unsigned|int|float)\)/g, "");

const IDEAS = rows(read(SLIDES, "test/ideas.tsv")).map(([exercise, rung, idea, pattern]) => ({
    exercise, rung: Number(rung), idea, pattern: new RegExp(pattern),
}));

/* Words without marks, with single blanks. */
const asWords = (text) => text.replace(/<[/a-z][^>]*>/g, " ").replace(/[`*_]/g, "").replace(/[\s\u00a0\u202f]+/g, " ");
const SURPRISES = rows(read(SLIDES, "test/surprises.tsv")).map(([exercise, rung, what, words]) => ({
    exercise, rung: Number(rung), what, words: new RegExp(words, "i"),
}));

/* The measured rates of an exercise's stages on real GPUs, and those of the older lectures. */
const TABLES = [
    ...readdirSync(join(TOP, "solutions/measured")).filter((name) => /^nvidia-.*\.tsv$/.test(name)).map((name) => read(TOP, "solutions/measured", name)),
    read(TOP, "solutions/lectures-v100.tsv"),
].map(rows);
const ratesOf = (exercise, rungs) =>
    TABLES.flat().filter(([of, stage]) => of === exercise && rungs.includes(Number(stage))).map(([, , , , rate]) => Number(rate));

/* All strings of a figure's program: what it may write. Without `code` it writes no code. */
function figureText(whole) {
    return [...whole.matchAll(/data-figure="(\w+)" data-options="([^"]*)"/g)].map(([, name, options]) => {
        const lines = read(SLIDES, "figures", `${name}.js`).replace(/\/\*[^]*?\*\//g, "").split("\n");
        const shown = options.includes("&quot;code&quot;:false") ? lines.filter((line) => !line.includes("code: ")) : lines;
        return shown.flatMap((line) => line.match(/"[^"]*"|`[^`]*`/g) ?? []).join("\n");
    });
}

/* What can be seen: { where, deck, raw, text, own }: the Markdown, what is built of it, and that without questions. */
const answers = (text) => text.replace(/<details>[^]*?<\/details>/g, "");
const slides = deckNames().flatMap((name) => {
    const whole = read(SLIDES, `${name}.md`);
    const head = `${whole.split(/^## /m)[0].replace(/^notes: [^]*/m, "")}`;
    const raw = slidesOf(whole);
    const built = slidesOf(read(OUT, `${name}.md`));
    const prose = new Map(slidesOf(read(SLIDES, "book", `${name}.md`)).map((one) => [one.title, one.text]));
    const list = readDeck(name).map((slide, i) => {
        const said = prose.get(slide.title) ?? "";
        const text = [answers(built[i].text), said, ...figureText(built[i].text)].join("\n");
        const own = text.replace(/^:::: \{\.quiz [^]*?^::::$/gm, "");
        const notes = raw[i].notes.replace(/\(For you: [^)]*\)|^- For you.*$|\*\*Answer\*\*, for you: [^.;]*/gm, "");
        return { ...slide, isLab: /^@lab /m.test(raw[i].text), where: `deck ${slide.deck}: ${slide.title}`, raw: `${raw[i].text}\n${said}`, text, own, notes };
    });
    const title = { deck: list[0].deck, turn: null, where: `deck ${list[0].deck}: its title`, raw: head, text: head, own: head };
    return [title, ...list];
});

/* The questions of a deck that may be asked before a turn, with what is said about answers. */
function questionsOf(deck, turn) {
    const name = deckNames().find((one) => one.startsWith(String(deck)));
    return slidesOf(read(TOP, "day1/quiz", `${name}.md`)).flatMap(({ title, text }) => {
        const [asks, said] = text.split(/^- answer: .*$/m);
        const [, exercise, rung] = /^- after: (\w+) (\d)$/m.exec(said) ?? [];
        const isLater = exercise > turn.exercise || (exercise === turn.exercise && Number(rung) >= turn.first);
        return isLater ? [] : [{ where: `quiz ${deck}: ${title}`, raw: "", text: withCode(asks), own: "", notes: said }];
    });
}

/* A question with the function that its line @code PROGRAM FUNCTION shows. */
function withCode(text) {
    return text.replace(/^@code (\S+) (\w+).*$/gm, (_, program, name) =>
        new RegExp(`^.*\\b${name}\\([^]*?^}`, "m").exec(read(TOP, "day1/quiz", program))[0]);
}

/* A handout without the line that part A prints: its rate is the CPU's. */
const handout = (file) => {
    const text = read(file).replace(/^ +CPU: .*$/gm, "");
    return { where: file.replace(`${TOP}/`, ""), handout: true, raw: "", text, own: text };
};
const ALL = readdirSync(TOP).filter((name) => /^ex\d\d_/.test(name));
/* What the columns of a table say to a student at any rung. */
const columns = (name, file, column) => {
    const text = rows(read(TOP, name, "checker", file)).map((cells) => cells[column] ?? "").join("\n");
    return { where: `${name}/checker/${file}`, handout: true, raw: "", text, own: text };
};
const HANDOUTS = [
    handout(join(TOP, "README.md")),
    ...ALL.flatMap((name) => [handout(join(TOP, name, "README.md")), columns(name, "predict.tsv", 3), columns(name, "ladder.tsv", 5)]),
];
const page = (path) => ({ where: path, raw: "", text: read(TOP, path), own: "" });
const inventory = page("day1/quiz/inventory.md");
inventory.text = inventory.text.replace(/^- answer: [^]*?(?=^## |(?![^]))/gm, "");
const PAGES = readdirSync(join(TOP, "checker/mistakes")).map((name) => ({ ...page(`checker/mistakes/${name}`), page: true }));
const REFERENCE = [page("slides/book/glossary.md"), page("slides/book/start.md"), page("day1/machine.md"), inventory, ...PAGES];
const also = process.argv[2] === "--also" ? [handout(process.argv[3])] : [];

/*
 * What a turn hides: { exercise, rungs, lines, names, ideas, rates }. Lines that the starter, an earlier exercise or an
 * earlier rung has do not count.
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
    const rungs = range(first, last);
    const ideas = IDEAS.filter((one) => one.exercise === exercise && rungs.includes(one.rung));
    const surprises = SURPRISES.filter((one) => one.exercise === exercise && rungs.includes(one.rung));
    return { exercise, rungs, lines, names: single, ideas, surprises, rates: ratesOf(exercise, rungs) };
}

/* What a place shows of these secrets. */
function shown({ raw, text, own, notes = "", handout: isHandout, page: isPage }, secrets, isOwn) {
    const { exercise, rungs } = secrets;
    const numbers = [...`${raw}\n${notes}`.matchAll(/\{\{(\w+)\s+(\w+)\s+(\d)(?:\s+(\d))?/g)];
    const code = asCode(text);
    const words = asWords(`${text}\n${notes}`);
    return [
        ...(isPage ? [] : secrets.surprises).filter(({ words: told }) => told.test(words)).map(({ rung, what, words: told }) => `rung ${rung}, ${what}: ${told.exec(words)[0]}`),
        ...(isOwn ? [...notes.matchAll(VERDICT)] : []).filter(([, rung]) => rungs.includes(Number(rung))).map(([all]) => all),
        ...text.split("\n").filter((line) => secrets.lines.has(bare(line))),
        ...names(isPage ? [] : [text]).filter((name) => secrets.names.has(name)),
        ...secrets.ideas.filter(({ pattern }) => pattern.test(code)).map(({ rung, idea, pattern }) => `rung ${rung}, ${idea}: ${pattern.exec(code)[0]}`),
        ...numbers
            .filter(([, , of, one, two]) => of === exercise && [one, two].some((rung) => rungs.includes(Number(rung))))
            .map(([all]) => `${all}}}`),
        ...(raw.match(/^@(table|bars|compare) .*$/gm) ?? []).filter((table) => table.includes(` ${exercise} `)),
        ...(raw.match(/^@figure roofline.*$/gm) ?? []).filter((figure) => !figure.includes('"stages"') || figure.includes(exercise)),
        ...(isOwn ? [...(isHandout ? text : notes).matchAll(RATE)] : []).filter(([, rate]) => {
            const value = Number(rate.replace(/[ \u202f]/g, ""));
            return secrets.rates.some((one) => Math.abs(value - one) <= (isHandout ? NEAR : SAME) * one);
        }).map(([all]) => all),
        ...(isOwn ? [...own.matchAll(VERDICT)] : []).filter(([, rung]) => rungs.includes(Number(rung))).map(([all]) => all),
    ];
}

const faults = [];

/* An idea that its rung does not have, or that an earlier rung has, would find nothing, or everything. */
for (const { exercise, rung, idea, pattern } of IDEAS) {
    const has = (stage) => pattern.test(asCode(stageLines(exercise, stage).join("\n")));
    if (!has(rung)) faults.push(`ideas.tsv: stage ${rung} of ${exercise} does not have: ${idea}`);
    for (const stage of range(0, rung - 1)) if (has(stage)) faults.push(`ideas.tsv: stage ${stage} of ${exercise} already has: ${idea}`);
}

const earlier = [];
for (const [at, { turn, deck }] of slides.entries()) {
    if (!turn) continue;
    const secrets = secretsOf(turn, earlier);
    const own = HANDOUTS.filter(({ where }) => !where.startsWith("ex") || where >= turn.exercise || !earlier.length);
    const others = [...range(1, deck).flatMap((one) => questionsOf(one, turn)), ...own, ...REFERENCE, ...also];
    for (const place of [...slides.slice(0, at + 1), ...others])
        for (const what of new Set(shown(place, secrets, place.deck === deck || place.where.startsWith(turn.exercise) || also.includes(place))))
            faults.push(`${place.where}: before ${turn.exercise} ${turn.first}-${turn.last}: ${what.trim()}`);
    const later = asWords(slides.slice(at + 1).map((slide) => `${slide.text}\n${slide.notes ?? ""}`).join("\n"));
    for (const { rung, what, words } of secrets.surprises)
        if (!words.test(later)) faults.push(`surprises.tsv: nothing after ${turn.exercise} ${turn.first}-${turn.last} tells rung ${rung}, ${what}`);
    if (!slides.slice(at + 1).some((slide) => shown(slide, secrets).length))
        faults.push(`no slide shows the stages of ${turn.exercise} ${turn.first}-${turn.last} after the exercise`);
    earlier.push(turn);
}
/* The laboratory: its programs, and the times that they print, in ns or µs. */
const LAB = { latency: "ns", launch: "µs", "in-flight": null, "bank-conflicts": null, divergence: null };
/* A sentence has two digits of what a demo printed. */
const TWO_DIGITS = 0.04;
const TIME = /(\d+(?:\.\d+)?)[ \u00a0\u202f]?(ns|µs)\b/g;
const labTimes = Object.entries(LAB).filter(([, unit]) => unit).flatMap(([name, unit]) =>
    read(TOP, "day1/measured/nvidia-h100-80gb-hbm3", `${name}.txt`).split("\n").filter((line) => /\d$/.test(line) && !line.startsWith("#"))
        .map((line) => [Number(line.trim().split(/\s+/).at(-1)), unit]));

/* What a place shows of the laboratory. */
function measured({ raw, text, notes = "" }) {
    const names = Object.keys(LAB).join("|");
    return [
        ...(`${raw}\n${notes}`.match(new RegExp(`\\{\\{demo (?:${names})\\b[^}]*|^@\\w+ demo (?:${names})\\b.*$|^@drawing in-flight(?!.*"needed": false).*$`, "gm")) ?? []),
        ...[...asWords(`${text}\n${notes}`).matchAll(TIME)].filter(([, number, unit]) =>
            labTimes.some(([time, its]) => its === unit && Math.abs(number - time) <= TWO_DIGITS * time)).map(([all]) => all),
    ];
}

const lab = slides.findIndex(({ isLab }) => isLab);
const beforeLab = [
    ...slides.slice(0, lab + 1), ...range(1, slides[lab].deck - 1).flatMap((one) => questionsOf(one, { exercise: "ex09", first: 0 })), ...HANDOUTS, ...also,
];
for (const place of beforeLab)
    for (const what of new Set(measured(place))) faults.push(`${place.where}: before the laboratory: ${what.trim()}`);
if (slides.slice(lab).filter((place) => measured(place).length).length < 3) faults.push("hardly a slide after the laboratory shows what it measured");

if (earlier.length < 5) faults.push(`only ${earlier.length} slides send students to an exercise`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
