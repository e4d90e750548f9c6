/*
 * expand.mjs: reads a deck's Markdown and prints it with the directives (@code, @table, ...) and the
 * numbers ({{rate ...}}) filled in: Markdown for pandoc. The first thing that is missing ends the
 * deck with one line, FILE:LINE: what, and exit code 1. Tests give several decks.
 *
 *   node lib/expand.mjs 2-axpy.md
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fenceAfter, fill } from "./fill.mjs";

/** The expanded lines of a deck. Throws an Error whose message begins with FILE:LINE. */
export function expand(lines, file) {
    const slides = [];
    let fence = null;
    return lines
        .flatMap((line, i) => {
            try {
                fence = fenceAfter(line, fence);
                if (fence) return [line];
                noteSlide(slides, line, i);
                const minutes = NOTES.exec(line)?.[1];
                if (minutes) return ["::: notes", `${minutes}.`, ""];
                return fill(line);
            } catch (error) {
                throw new Error(`${file}:${i + 1}: ${error.message}`, { cause: error });
            }
        })
        .concat(complete(slides, file));
}

/* Notes begin with the minutes that a slide takes. */
const NOTES = /^::: notes (1 minute|[2-9] minutes|[2-9] minutes, may be skipped|1 minute, may be skipped)$/;

/* Keeps where each slide begins, and whether it has notes. */
function noteSlide(slides, line, i) {
    if (/^# /.test(line)) throw new Error("a slide's title begins with ##");
    if (/^## /.test(line)) slides.push({ line: i + 1, notes: false });
    if (!/^:{3,} *\{?\.?notes/.test(line)) return;
    if (!NOTES.test(line)) throw new Error('notes begin with "::: notes 2 minutes", or "…, may be skipped"');
    slides.at(-1).notes = true;
}

function complete(slides, file) {
    const bare = slides.find((slide) => !slide.notes);
    if (bare) throw new Error(`${file}:${bare.line}: this slide has no ::: notes`);
    return [];
}

for (const file of process.argv.slice(2)) {
    try {
        process.stdout.write(expand(readFileSync(file, "utf8").split("\n"), basename(file)).join("\n"));
    } catch (error) {
        process.stderr.write(`${error.message}\n`);
        process.exitCode = 1;
    }
}
