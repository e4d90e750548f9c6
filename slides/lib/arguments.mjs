/*
 * arguments.mjs: reads the text after a directive's name. Blanks separate words; "..." keeps blanks, /.../ is a regular
 * expression, and name=value or name="value" is an option.
 */

const TOKEN = /(\w+)=(?:"([^"]*)"|(\S+))|"([^"]*)"|\/((?:\\.|[^/\\])+)\/(?=\s|$)|(\S+)/g;

/** The words (strings and RegExps, in order) and the options (an object) of a directive's text. */
export function readArguments(text) {
    const words = [];
    const options = {};
    for (const [, option, quoted, bare, string, pattern, word] of text.matchAll(TOKEN)) {
        if (option) options[option] = quoted ?? bare;
        else if (pattern) words.push(regularExpression(pattern));
        else words.push(string ?? word);
    }
    return { words, options };
}

function regularExpression(text) {
    try {
        return new RegExp(text);
    } catch {
        throw new Error(`/${text}/ is not a regular expression`);
    }
}

/** Refuses options that a directive does not know: a misspelt one must not pass in silence. */
export function onlyOptions(options, ...known) {
    for (const name of Object.keys(options))
        if (!known.includes(name)) throw new Error(`there is no option ${name}= here`);
}

/** The members of a list such as 2-5,7. */
export function readList(text) {
    return text.split(",").flatMap((part) => {
        const range = /^(\d+)(?:-(\d+))?$/.exec(part);
        if (!range) throw new Error(`${text} is not a list such as 2-5,7`);
        const first = Number(range[1]);
        const last = Number(range[2] ?? first);
        return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/* * Text as HTML. */
export function html(text) {
    return String(text).replace(
        /[&<>"]/g,
        (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
    );
}
