/* places.mjs: where things are. SLIDES is this directory's parent, TOP the lab, OUT what is built. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const SLIDES = dirname(dirname(fileURLToPath(import.meta.url)));
export const TOP = dirname(SLIDES);
export const OUT = join(SLIDES, "build");
