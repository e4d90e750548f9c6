/*
 * quiz.mjs: @quiz puts a question of the quiz on a slide. A click shows its answer. The PDF has the answers after its
 * last slide.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { html, onlyOptions } from "./arguments.mjs";
import { TOP } from "./places.mjs";

/** @quiz ID: the question with that id. The quiz itself works out the answer. */
export function quiz([id], options) {
    onlyOptions(options);
    const said = spawnSync(join(TOP, "day1/quiz/quiz"), ["json", id], { encoding: "utf8" });
    if (said.status !== 0) throw new Error(said.stderr.trim() || `the quiz cannot tell about ${id}`);
    const { text, answer, unit, why } = JSON.parse(said.stdout);
    return [
        `:::: {.quiz data-quiz="${html(id)}"}`,
        "::: question",
        ...text.split("\n").map((line) => (line === "```cuda" ? "```{.cuda}" : line)),
        ":::",
        "```{=html}",
        `<details><summary>Answer</summary><p class="answer"><strong>${inline(`${answer} ${unit}`.trim())}.</strong> ${inline(why)}</p></details>`,
        "```",
        "::::",
    ];
}

/** Text with `code` in it, as HTML. */
export function inline(plain) {
    return html(plain).replace(/`([^`]+)`/g, "<code>$1</code>");
}
