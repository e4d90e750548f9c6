/*
 * drawings.mjs: @drawing NAME, what drawings/NAME.mjs draws when a deck or the book is built, maybe in steps.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nameAndOptions } from "./blocks.mjs";
import { SLIDES } from "./places.mjs";

/* drawings/NAME.mjs exports draw(options), which returns lines of Markdown. */
const folder = join(SLIDES, "drawings");
const drawings = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith(".mjs")))
    drawings.set(file.replace(".mjs", ""), await import(join(folder, file)));

/** @drawing NAME {options as JSON}: what drawings/NAME.mjs draws when the deck is built, maybe in steps. */
export function drawing(text) {
    const { name, options } = nameAndOptions(text);
    if (!drawings.has(name)) throw new Error(`there is no drawings/${name}.mjs`);
    return drawings.get(name).draw(options);
}
