/*
 * draw.mjs: the parts of which drawings and plots are made, as SVG in text. A kind (global, shared, registers, host,
 * computing, waiting, plain) gives a part the colour of its meaning, which look.css knows. A drawing can be built up in
 * steps: on a slide each step comes with the next key, and on paper and in the book all of them are there.
 *
 *     const d = new Drawing({ height: 400, title: "What it shows, in words." });
 *     d.box(20, 20, 200, 80, "shared", "tile");
 *     d.step(1, () => d.arrow(220, 60, 400, 60), 3);       // from step 1 on, and gone in step 3
 *     d.says(0, 380, ["At first.", "In step 1."]);         // a line of text that each step replaces
 */
import { html } from "./arguments.mjs";

export const WIDTH = 1152; /* of a slide between its margins */
export const LETTER = 13; /* pixels, the usual width of one at 24 pixels */
const LINE = 30;

const round = (number) => +number.toFixed(1);

/* The classes of a part: its kind, and what else is said of it. */
function classes(kind, { strong, dashed, mark, small, bold, mono, soft, fine } = {}) {
    const others = { strong, dashed, mark, small, bold, mono, soft, fine };
    return [kind, ...Object.keys(others).filter((name) => others[name])].filter(Boolean).join(" ");
}

export class Drawing {
    #parts = [];
    #captions = [];

    /** `title` says in words what the drawing shows, for those who cannot see it. */
    constructor({ width = WIDTH, height, title }) {
        Object.assign(this, { width, height, title });
    }

    /** Draws what `draw` draws from step `from` on (0: from the start), until step `until` begins. */
    step(from, draw, until = null) {
        const open = (name, index) => this.#parts.push(`<g class="${name}" data-fragment-index="${index - 1}">`);
        if (until) open("fragment fade-out", until);
        if (from) open("fragment", from);
        draw();
        if (from) this.#parts.push("</g>");
        if (until) this.#parts.push("</g>");
    }

    /** A rectangle, with text in its middle; a line break in the text begins a new line. */
    box(x, y, width, height, kind = "plain", text = "", options = {}) {
        this.#parts.push(
            `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ` +
                `class="${classes(kind, { ...options, small: false, bold: false, mono: false })}"/>`,
        );
        const lines = String(text).split("\n");
        const first = y + height / 2 + 8 - (LINE * (lines.length - 1)) / 2;
        lines.forEach((line, i) =>
            this.text(x + width / 2, first + LINE * i, line, {
                anchor: "middle",
                ...options,
                kind: options.strong ? "on" : options.textKind,
            }),
        );
    }

    /** Text from (x, y), its base line; `anchor` is start, middle or end, `kind` its colour. */
    text(x, y, text, { anchor = "start", kind, small, bold, mono, soft } = {}) {
        if (text === "") return;
        const name = classes(kind, { small, bold, mono, soft });
        this.#parts.push(
            `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${name ? ` class="${name}"` : ""}>${html(text)}</text>`,
        );
    }

    /** Rows and columns of cells of `size` (a number, or [width, height]); `kind` and `text` are functions of (row, column). */
    cells(x, y, rows, columns, size, kind, text = () => "", options = {}) {
        const [width, height] = [size].flat().length === 2 ? size : [size, size];
        for (let row = 0; row < rows; row++)
            for (let column = 0; column < columns; column++) {
                const [name, strong] = String(kind(row, column)).split(" ");
                this.box(x + column * width, y + row * height, width - 2, height - 2, name, text(row, column), {
                    ...options,
                    fine: Math.min(width, height) < 40,
                    strong: strong === "strong",
                });
            }
    }

    line(x1, y1, x2, y2, kind = "", options = {}) {
        this.path(`M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`, kind, options);
    }

    path(d, kind = "", options = {}) {
        this.#parts.push(`<path d="${d}" class="${classes(kind, options)} stroke"/>`);
    }

    /** A line with a head at its end. */
    arrow(x1, y1, x2, y2, kind = "", options = {}) {
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [a, b] = [(x2 - x1) / length, (y2 - y1) / length];
        const [x, y] = [x2 - 13 * a, y2 - 13 * b];
        this.line(x1, y1, x2 - 8 * a, y2 - 8 * b, kind, options);
        const corners = [[x2, y2], [x - 7 * b, y + 7 * a], [x + 7 * b, y - 7 * a]].map(([p, q]) => `${round(p)},${round(q)}`);
        this.#parts.push(`<polygon points="${corners.join(" ")}" class="${classes(kind)} tip"/>`);
    }

    /** A bar's number, to the right of its end, x. Where the line of a limit would go through it, it is in the bar, which begins at `from`. */
    value(x, y, text, { limit, from, isPale = false }) {
        const width = LETTER * text.length + 16;
        if (limit && limit > x && limit < x + width && x - from > width) this.text(x - 12, y, text, { anchor: "end", kind: isPale ? "" : "on" });
        else this.text(x + 10, y, text, { kind: "halo" });
    }

    /** A dashed line down, for a limit: it is seen on the paper and on bars. */
    limit(x, top, bottom) {
        this.line(x, top, x, bottom, "under");
        this.line(x, top, x, bottom, "soft", { dashed: true });
    }

    dot(x, y, kind = "", radius = 7) {
        this.#parts.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" class="${kind} tip"/>`);
    }

    /**
     * Who does what, when: a row per actor. `rows` are { name, spans }, and a span is [from, to, kind, text]; `ends` is
     * the time at the right edge. Rows begin at `x`; their names are left of it. A span may have a fifth member, the step
     * at which it appears. Returns the place of a time.
     */
    timeline({ x, y, width, ends, rows, row = 44, gap = 8, axis = "time" }) {
        const at = (time) => x + (width * time) / ends;
        rows.forEach(({ name, spans }, i) => {
            const top = y + i * (row + gap);
            this.text(x - 16, top + row / 2 + 8, name, { anchor: "end" });
            for (const [from, to, kind, text = "", step = 0] of spans) {
                const [colour, ...how] = kind.split(" ");
                const options = Object.fromEntries(how.map((name) => [name, true]));
                this.step(step, () => this.box(at(from), top, at(to) - at(from) - 2, row, colour, text, options));
            }
        });
        const bottom = y + rows.length * (row + gap) + 8;
        if (axis) {
            this.arrow(x, bottom, x + width, bottom, "soft");
            this.text(x + width, bottom + 26, axis, { anchor: "end", soft: true, small: true });
        }
        return at;
    }

    /** What the colours mean: pairs of a kind and a text, from left to right. */
    legend(x, y, pairs) {
        for (const [kind, text] of pairs) {
            const [colour, ...how] = kind.split(" ");
            this.box(x, y - 20, 26, 24, colour, "", Object.fromEntries(how.map((name) => [name, true])));
            this.text(x + 36, y, text);
            x += 36 + LETTER * text.length + 30;
        }
    }

    /** A line of text for each step, at (x, y): lines[0] from the start, lines[1] in step 1 and so on. */
    says(x, y, lines) {
        this.#captions.push(...lines);
        lines.forEach((line, i) =>
            this.step(i, () => this.text(x, y, line, { bold: true }), i + 1 < lines.length ? i + 1 : null),
        );
    }

    /** The drawing as lines of Markdown with raw HTML. Where steps say something, the book has all that they say. */
    lines(kind, small = "") {
        const steps = this.#captions.length
            ? `<ol class="steps">${this.#captions.map((line) => `<li>${html(line)}</li>`).join("")}</ol>`
            : "";
        return [
            "```{=html}",
            `<figure class="picture drawn ${kind}"><svg viewBox="0 0 ${this.width} ${this.height}" style="--natural: ${this.width}px" role="img" xmlns="http://www.w3.org/2000/svg">`,
            `<title>${html(this.title)}</title>`,
            ...this.#parts,
            `</svg>${small ? `<figcaption>${html(small)}</figcaption>` : ""}${steps}</figure>`,
            "```",
        ];
    }
}
