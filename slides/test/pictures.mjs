/*
 * pictures.mjs: do the slides show what they say? Two of three content slides of a deck have a drawing, a plot or a figure
 * (a build is a drawing with steps). Slides that only ask questions, and slides that send students to an exercise, do not
 * count.
 *
 *   node test/pictures.mjs [FILE...]     a line per deck with too few; exit code 1 with one; FILE is a deck
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { slidesOf } from "../lib/parts.mjs";
import { SLIDES } from "../lib/places.mjs";

const DECKS = ["1-gpus-and-cuda", "2-axpy", "3-memory-spaces", "4-rot", "5-matvec", "6-matmul"];
const SHARE = 2 / 3;

const given = process.argv.slice(2);
const files = given.length ? given : DECKS.map((deck) => join(SLIDES, `${deck}.md`));
const few = files.flatMap((file) => {
    const content = slidesOf(readFileSync(file, "utf8")).filter(isContent);
    const bare = content.filter((slide) => !/^@(picture|drawing|plot|bars|compare|figure) /m.test(slide.text));
    const shown = content.length - bare.length;
    if (shown >= SHARE * content.length) return [];
    const titles = bare.map((slide) => slide.title).join("; ");
    return [`${basename(file, ".md")}: ${shown} of ${content.length} content slides show something; not: ${titles}`];
});
for (const what of few) console.log(what);
process.exitCode = few.length ? 1 : 0;

/* Is there more on the slide than questions? */
function isContent({ text }) {
    if (/^@turn /m.test(text)) return false;
    const said = text
        .split("\n")
        .slice(1)
        .filter((line) => line.trim() && !/^(@quiz |:::)/.test(line));
    return said.length > 0;
}
