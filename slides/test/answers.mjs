/*
 * answers.mjs: does a slide answer its own question? For each @quiz, the text of its slide and of the slide before must
 * not have the answer: a number with its unit ("64 KB"), or a word ("cudaMemcpyDeviceToHost"). Other questions and their
 * answers do not count. Reads what `deck` has built.
 *
 *   node test/answers.mjs [FILE...]     a line per fault; exit code 1 with faults; FILE is a deck that is expanded
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deckNames, slidesOf } from "../lib/parts.mjs";
import { OUT } from "../lib/places.mjs";

const QUESTION = /^:::: \{\.quiz data-quiz="([\w-]+)"\}\n.*?^::::$/gms;
const ANSWER = /<p class="answer"><strong>(.*?)\.<\/strong>/;

/* A slide's text without its questions, with single blanks. */
const plain = (slide) => slide.text.replace(QUESTION, "").replace(/[\s\u00a0\u202f]+/g, " ");

/* Is there this answer, as a whole word? Answers such as 391 are too short to be found without a unit. */
function has(text, answer) {
    if (!/ |^\D{4}/.test(answer)) return false;
    return new RegExp(`(?<![\\w.])${answer.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "i").test(text);
}

const given = process.argv.slice(2);
const files = given.length ? given : deckNames().map((name) => join(OUT, `${name}.md`));
let questions = 0;
const faults = files.flatMap((file) => {
    const slides = slidesOf(readFileSync(file, "utf8"));
    return slides.flatMap((slide, at) =>
        [...slide.text.matchAll(QUESTION)].flatMap(([whole, id]) => {
            questions++;
            const answer = ANSWER.exec(whole)[1];
            return slides
                .slice(Math.max(0, at - 1), at + 1)
                .filter((one) => has(plain(one), answer))
                .map((one) => `${basename(file, ".md")}: ${slide.title}: the slide "${one.title}" answers ${id}: ${answer}`);
        }),
    );
});
if (!given.length && questions < 40) faults.push(`only ${questions} questions are on slides`);
for (const what of faults) console.log(what);
process.exitCode = faults.length ? 1 : 0;
