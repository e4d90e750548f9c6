/*
 * stages.mjs: code for the slides, from the stages of the exercises and from examples/. @code shows a function or a few
 * lines of one stage; @diff what changes between two; @example a part of an example; @turn sends students to the
 * rungs of an exercise; @lab to a laboratory.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onlyOptions, readList } from "./arguments.mjs";
import { SLIDES, TOP } from "./places.mjs";

const seen = new Map();

/** @code EXERCISE STAGE FUNCTION, or EXERCISE STAGE /FROM/ [/TO/]; lines=2-5 marks lines. */
export function code([exercise, stage, what, to], options) {
    if (!what) throw new Error("@code needs an exercise, a stage, and a function or a /pattern/");
    return excerpt(stageLines(exercise, stage), `${exercise}, stage ${stage}`, what, to, options);
}

/** @example NAME FUNCTION, or NAME /FROM/ [/TO/]: a part of examples/NAME.cu, which does not belong to an exercise. */
export function example([name, what, to], options) {
    if (!what) throw new Error("@example needs a name, and a function or a /pattern/");
    const file = `examples/${name}.cu`;
    if (!existsSync(join(SLIDES, file))) throw new Error(`there is no ${file}`);
    return excerpt(readFileSync(join(SLIDES, file), "utf8").trimEnd().split("\n"), file, what, to, options);
}

/** @turn EXERCISE FIRST-LAST: from here on students work on these rungs. What comes later may show them. */
export function turn([exercise, rungs], options) {
    onlyOptions(options);
    const last = /^(\d)-(\d)$/.exec(rungs)?.[2];
    if (!last) throw new Error("@turn needs an exercise and its rungs, such as 1-2");
    stageLines(exercise, last);
    return ["```", `${`cd ${exercise}`.padEnd(20)}# in the lab's folder`, "make predict        # before each rung: write down what you expect",
        "make check          # what is right, what is not yet, and what to try next", "```"];
}

/** @lab NAME: from here on students measure their machine: make -C day1 NAME. It ends a part, like @turn. */
export function lab([name], options) {
    onlyOptions(options);
    const targets = readFileSync(join(TOP, "day1/Makefile"), "utf8");
    if (!name || !targets.includes(`\n${name}: `)) throw new Error(`day1/Makefile has no target ${name}`);
    return ["```", `make -C day1 ${name}              # in the lab's folder: all programs, drawn beside the GPU's profile`, `make -C day1 ${name} NAME=latency # one of them`, "```"];
}

function excerpt(lines, where, what, to, options) {
    onlyOptions(options, "lines", "wrap");
    const found = what instanceof RegExp ? between(lines, what, to, where) : definition(lines, what, where);
    const part = options.wrap ? found.flatMap((line) => wrap(line, Number(options.wrap))) : found;
    const marks = options.lines ? markList(options.lines, part.length) : "";
    return [`~~~ {.cuda${marks}}`, ...part, "~~~"];
}

/** @diff EXERCISE FROM TO [FUNCTION or /PATTERN/]: what changes, in that function or where lines match. */
export function diff([exercise, from, to, what], options) {
    onlyOptions(options, "context");
    if (!to) throw new Error("@diff needs an exercise and two stages");
    const [old, now] = [from, to].map((stage) => {
        const lines = stageLines(exercise, stage);
        return typeof what === "string" ? definition(lines, what, `${exercise}, stage ${stage}`) : lines;
    });
    const hunks = changes(old, now, options.context ?? 1);
    const shown =
        what instanceof RegExp
            ? hunks.filter((hunk) => hunk.some((line) => /^[+-]/.test(line) && what.test(line)))
            : hunks;
    if (!shown.length)
        throw new Error(
            `nothing${what ? ` of ${what}` : ""} changes between stages ${from} and ${to} of ${exercise}`,
        );
    return ["~~~ {.diff}", ...shown.flatMap((hunk, i) => (i ? [" ⋮", ...hunk] : hunk)), "~~~"];
}

/** The lines of one stage of an exercise, as the stage tool prints it. */
export function stageLines(exercise, stage) {
    const key = `${exercise} ${stage}`;
    if (!existsSync(join(TOP, exercise ?? "", "solutions/series")))
        throw new Error(`there is no exercise ${exercise}`);
    if (!seen.has(key)) seen.set(key, stageTool(exercise, "print", stage).replace(/\n$/, "").split("\n"));
    return seen.get(key);
}

function stageTool(exercise, ...command) {
    try {
        const said = { cwd: TOP, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
        return execFileSync(join(TOP, "solutions/stage"), [exercise, ...command.map(String)], said);
    } catch (error) {
        throw new Error(
            `${exercise}: ${String(error.stderr ?? error.message)
                .trim()
                .replace(/^stage: /, "")}`,
        );
    }
}

/* The lines from the first that matches `from` to the next that matches `to`, or the one line. */
function between(lines, from, to, where) {
    const first = lines.findIndex((line) => from.test(line));
    if (first < 0) throw new Error(`no line of ${where} matches ${from}`);
    if (!to) return outdent([lines[first]]);
    const last = lines.findIndex((line, i) => i > first && to.test(line));
    if (last < 0) throw new Error(`no line of ${where} after ${from} matches ${to}`);
    return outdent(lines.slice(first, last + 1));
}

/* A function, from its signature to its closing brace; the code is clang-format's, so that its first line and its last
 * brace are at the margin. A template's line, or a type's, above belongs to it. */
function definition(lines, name, where) {
    const head = new RegExp(`^[A-Za-z_].*\\b${name}\\(|^${name}\\(`);
    let first = lines.findIndex((line, i) => head.test(line) && opens(lines, i));
    if (first < 0) throw new Error(`${where} has no function ${name}`);
    const last = lines.indexOf("}", first);
    while (first > 0 && /^(template\b|[A-Za-z_][\w\s*]*$)/.test(lines[first - 1])) first--;
    return lines.slice(first, last + 1);
}

/* Whether the signature that begins at line i is followed by a body, and not by a semicolon. */
function opens(lines, i) {
    for (; i < lines.length; i++) {
        if (/^\{/.test(lines[i])) return true;
        if (/[;}]\s*$/.test(lines[i])) return false;
    }
    return false;
}

function outdent(lines) {
    const margins = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
    return lines.map((line) => line.slice(Math.min(...margins)));
}

/* Breaks a long line of arguments after a comma; the rest begins below the first argument. */
function wrap(line, width) {
    const at = line.lastIndexOf(", ", width - 1);
    const margin = line.indexOf("(") + 1;
    if (line.length <= width || at < 0 || !margin || margin > at) return [line];
    return [line.slice(0, at + 1), ...wrap(" ".repeat(margin) + line.slice(at + 2), width)];
}

function markList(list, length) {
    const marked = readList(list);
    if (Math.max(...marked) > length) throw new Error(`lines=${list}, but the code has ${length} lines`);
    return ` data-lines="${marked.join(",")}"`;
}

/* The hunks of a diff, each a list of lines, without the headers and without empty first and last lines. */
function changes(old, now, context) {
    const hunks = [];
    for (const line of unified(old, now, context).split("\n").slice(2)) {
        if (line.startsWith("@@")) hunks.push([]);
        else if (line && !line.startsWith("\\")) hunks.at(-1).push(line);
    }
    for (const hunk of hunks) {
        while (hunk[0] === " ") hunk.shift();
        while (hunk.at(-1) === " ") hunk.pop();
    }
    return hunks;
}

/* diff(1) exits 1 where the files differ, which is what is wanted here. */
function unified(old, now, context) {
    const script = `diff -U"$3" <(printf '%s\\n' "$1") <(printf '%s\\n' "$2") || [ $? -eq 1 ]`;
    return execFileSync("bash", ["-c", script, "diff", old.join("\n"), now.join("\n"), String(context)], {
        encoding: "utf8",
    });
}
