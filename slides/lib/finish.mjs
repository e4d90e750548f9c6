/*
 * finish.mjs: what is left to do on pandoc's HTML: formulas are set by KaTeX, so that no browser has
 * to; the lines that @code ... lines= names are marked; code says how wide it is, from which look.css
 * takes the size of its letters; no number is broken at the end of a line; what a click shows is sealed.
 *
 *   pandoc ... | node lib/finish.mjs FILE >deck.html
 */
import { readFileSync } from "node:fs";
import katex from "katex";
import { seal } from "./sealed.mjs";

/** The whole page, finished. Throws on a formula that KaTeX cannot read. */
export function finish(page) {
    return seal(keepNumbers(sayWidths(markLines(setFormulas(page)))));
}

function setFormulas(page) {
    return page.replace(/<span\s+class="math (inline|display)">([\s\S]*?)<\/span>/g, (_, kind, text) =>
        katex.renderToString(plain(text).replace(/^\\[([]|\\[)\]]$/g, ""), {
            displayMode: kind === "display",
            output: "htmlAndMathml",
            strict: false,
            throwOnError: true,
        }),
    );
}

function plain(text) {
    return text
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, "&");
}

/* pandoc numbers each line of code: <span id="cb3-2">. A marked one gets a class. */
function markLines(page) {
    for (const [, id, list] of page.matchAll(
        /<div class="sourceCode" id="(cb\d+)"[^>]*data-lines="([\d,]+)"/g,
    ))
        for (const line of list.split(","))
            page = page.replace(`<span id="${id}-${line}">`, `<span id="${id}-${line}" class="marked">`);
    return page;
}

function sayWidths(page) {
    return page.replace(/<pre(\s[^>]*)?>([\s\S]*?)<\/pre>/g, (_, attributes = "", inside) => {
        const lines = plain(inside.replace(/<[^>]*>/g, "")).split("\n");
        return `<pre${attributes} style="--columns: ${Math.max(...lines.map((line) => line.length))}">${inside}</pre>`;
    });
}

/* 65 536 gets narrow blanks that do not break, except in code. */
function keepNumbers(page) {
    const parts = page.split(/(<(pre|code|script|style)\b[\s\S]*?<\/\2>|<[^>]*>)/);
    return parts
        .map((part, i) => (i % 3 === 2 ? "" : i % 3 ? part : part.replace(/(?<![\d.])[1-9]\d{0,2}(?:\s\d{3})+(?![\d.]*\d)/g, (number) => number.replace(/\s/g, "\u202f"))))
        .join("");
}

try {
    process.stdout.write(finish(readFileSync(0, "utf8")));
} catch (error) {
    process.stderr.write(`${process.argv[2]}: ${error.message.replace(/\n/g, " ")}\n`);
    process.exitCode = 1;
}
