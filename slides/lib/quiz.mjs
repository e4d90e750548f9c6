/*
 * quiz.mjs: @quiz puts a question of the quiz on a slide, its answer behind a click. In the PDF the
 * answer stands below in small print, upside down.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html, onlyOptions } from "./arguments.mjs";
import { TOP } from "./places.mjs";

const FILE = "day1/quiz/questions.tsv";

/** @quiz ID: the question with that id. */
export function quiz([id], options) {
    onlyOptions(options);
    const row = questions().find((question) => question.id === id);
    if (!row) throw new Error(`there is no question ${id} in ${FILE}`);
    return [
        "```{=html}",
        `<div class="quiz" data-quiz="${html(id)}"><p class="question">${text(row.question)}</p>`,
        `<details><summary>Answer</summary><p class="answer"><strong>${text(row.answer)}</strong> ${text(row.why ?? "")}</p></details></div>`,
        "```",
    ];
}

/* The rows of the quiz, as objects by the names in its header line. */
function questions() {
    if (!existsSync(join(TOP, FILE))) throw new Error(`there is no ${FILE}`);
    const lines = readFileSync(join(TOP, FILE), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
    const [head, ...rows] = lines.map((line) => line.split("\t"));
    return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])));
}

/* Text with `code` in it, as HTML. */
function text(plain) {
    return html(plain).replace(/`([^`]+)`/g, "<code>$1</code>");
}
