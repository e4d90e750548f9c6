/*
 * parts.mjs: the decks as lists of slides, for the tests. A part of a deck ends with the slide that sends students to
 * work: @turn to the rungs of an exercise, @lab to a laboratory. The last part ends with the deck.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SLIDES } from "./places.mjs";

/** The names of all decks, in their order, without ending. */
export function deckNames() {
    return readdirSync(SLIDES)
        .filter((name) => /^\d-.*\.md$/.test(name))
        .sort()
        .map((name) => name.slice(0, -3));
}

/** The slides of a text in Markdown: { title, text, notes }, with the notes apart. */
export function slidesOf(markdown) {
    return markdown
        .split(/^## /m)
        .slice(1)
        .map((whole) => {
            const [text, notes = ""] = whole.split(/^(?=::: notes)/m);
            return { title: whole.split("\n")[0], text, notes };
        });
}

/**
 * The slides of a deck: { deck, part, title, minutes, skip, turn }, where `turn` is null or { exercise, first, last }.
 * Parts are counted from 1.
 */
export function readDeck(name) {
    let part = 1;
    return slidesOf(readFileSync(join(SLIDES, `${name}.md`), "utf8")).map(({ title, text, notes }) => {
        const [, minutes, skip] = /^::: notes (\d) minutes?(, may be skipped)?$/m.exec(notes);
        const [, exercise, first, last] = /^@turn (\w+) (\d)-(\d)$/m.exec(text) ?? [];
        const turn = exercise ? { exercise, first: Number(first), last: Number(last) } : null;
        const slide = { deck: Number(name[0]), part, title, minutes: Number(minutes), skip: Boolean(skip), turn };
        if (turn || /^@lab /m.test(text)) part++;
        return slide;
    });
}
