/*
 * fill.mjs: fills in the directives (@code, @table, ...) and the numbers ({{rate ...}}) of one line of Markdown, for the
 * decks and for the book.
 */
import { readArguments } from "./arguments.mjs";
import { demo, figure, picture } from "./blocks.mjs";
import { compare } from "./compare.mjs";
import { drawing } from "./drawings.mjs";
import { inline, published, table } from "./numbers.mjs";
import { bars, plot } from "./plot.mjs";
import { quiz } from "./quiz.mjs";
import { code, diff, example, lab, turn } from "./stages.mjs";

export const DIRECTIVES = { code, diff, example, lab, turn, table, published, bars, plot, compare, demo, picture, quiz };

/** The lines that stand for this one. `directives` may replace some of DIRECTIVES. Throws on what is missing. */
export function fill(line, directives = DIRECTIVES) {
    const filled = line.replace(/\{\{(\w+)\s*(.*?)\}\}/g, (_, word, rest) => numberFor(word, rest));
    if (filled.includes("{{")) throw new Error("a number begins with {{ and ends with }} in one line");
    const directive = /^@(\w+)\s*(.*)$/.exec(filled);
    return directive ? ["", ...block(directives, directive[1], directive[2]), ""] : [filled];
}

/** The fence (``` or ~~~) that is open after this line, or null. */
export function fenceAfter(line, fence) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (!mark) return fence;
    return fence ? (mark.startsWith(fence) ? null : fence) : mark;
}

function numberFor(word, rest) {
    const { words, options } = readArguments(rest);
    return inline(word, words, options);
}

function block(directives, name, text) {
    if (name === "figure") return figure(text);
    if (name === "drawing") return drawing(text);
    if (!Object.hasOwn(directives, name)) throw new Error(`there is no directive @${name}`);
    const { words, options } = readArguments(text);
    return directives[name](words, options);
}
