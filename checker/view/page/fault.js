/*
 * fault.js: both sides of a race, of an early read, of an access outside its array: which threads, which lines, which element,
 * and what was missing between them.
 */
const DOES = { load: "reads", store: "stores", atomic: "changes" };

const threadText = (kernel, block, thread) => `block ${triple(block)}, thread ${triple(thread)}` +
    (kernel?.block ? ` (warp ${placeOf(kernel, thread).warp}, lane ${placeOf(kernel, thread).lane})` : "");

const codeOf = (check, line) => line && check.source[line - 1] !== undefined ? check.source[line - 1].trim() : "";

/* The element that a fault is about, if it is known. */
function faultElement(check, fault) {
    const name = fault.array ?? (fault.alloc !== undefined ? `array ${fault.alloc}` : null);
    if (!name || fault.offset === undefined || fault.space === "shared") return fault.space === "shared" ? "a word of shared memory" : null;
    return fault.bytes ? elementName(check, name, fault.offset, fault.bytes) : name;
}

const side = (title, who, line, check, look) => html("div", { class: `side ${look}` }, html("h4", {}, title), who ? html("p", {}, who) : null,
    line ? html("p", { class: "small" }, `line ${line}`) : null, codeOf(check, line) ? html("pre", { tabindex: "0" }, codeOf(check, line)) : null);

/* The array that an access of this line uses, by its samples: its name; null if there is none. */
function arrayAt(check, run, kernel, site) {
    const { samples, from } = samplesOf(run, kernel, site);
    return samples.length ? arrayOf(check, from, samples[0]) : null;
}

/* Where the other access may be, if the trace does not say: other lines of the kernel that do the like with the same array;
 * if there are none, the same line. Returns the array and the lines. */
function likelyLines(check, run, kernel, fault) {
    const sites = kernel?.sites ?? [], space = fault.space === "shared" ? "shared" : "global";
    const own = sites.find(site => site.line === fault.line && site.space === space && site.kind === fault.kind);
    const array = own ? arrayAt(check, run, kernel, own) : null;
    const others = sites.filter(site => array && site.space === space && arrayAt(check, run, kernel, site) === array &&
        (fault.other_kind ? site.kind === fault.other_kind : fault.kind !== "load" || site.kind !== "load"));
    const lines = [...new Set(others.map(site => site.line))], elsewhere = lines.filter(line => line !== fault.line);
    return { array, lines: (elsewhere.length ? elsewhere : lines).slice(0, 3) };
}

/* The words for the other thread of a race: the trace says what it does. A reader races with a store. */
const otherDoes = fault => DOES[fault.other_kind] ?? (fault.kind === "load" ? DOES.store : "uses it");

/* The side of the other thread: its line if it is known, else the lines where it may be. */
function otherSide(check, fault, who, lines) {
    const title = `The other thread ${otherDoes(fault)}`;
    if (fault.other_line) return side(title, who, fault.other_line, check, "right");
    if (!lines.length) return side(title, who, null, check, "right");
    return html("div", { class: "side right" }, html("h4", {}, title), html("p", {}, who), lines.map(line => [
        html("p", { class: "small" }, `probably line ${line}`), html("pre", { tabindex: "0" }, codeOf(check, line))]));
}

function showRace(check, run, kernel, fault) {
    const { array, lines } = likelyLines(check, run, kernel, fault);
    const element = fault.space === "shared" ? `a word of ${array ?? "shared memory"}` : faultElement(check, fault) ?? "the same word";
    const other = fault.other_thread ? threadText(kernel, fault.other_block ?? fault.block, fault.other_thread) : "another thread";
    return [html("div", { class: "sides" },
        side(`One thread ${DOES[fault.kind] ?? "uses it"}`, threadText(kernel, fault.block, fault.thread), fault.line, check, "left"),
        html("div", { class: "between" }, html("strong", {}, element), html("span", { class: "gap" }, "no order")),
        otherSide(check, fault, other, lines)), html("p", {}, `${fault.step[0].toUpperCase()}${fault.step.slice(1)}.`)];
}

/* A copy, a kernel or the host that does not wait for another one: the detail names the other line. */
function showUnordered(check, run, fault, width) {
    const line = fault.other_line ?? +(/line (\d+)/.exec(fault.detail ?? "")?.[1] ?? 0);
    const kernel = run.kernels.find(one => one.end);
    return [html("div", { class: "sides" }, side("This", fault.kernel_name ? `in the kernel ${fault.kernel_name}` : "", fault.line, check, "left"),
        html("div", { class: "between" }, html("strong", {}, faultElement(check, fault) ?? "the same memory"), html("span", { class: "gap" }, "does not wait for")),
        side("That", "", line || null, check, "right")), ...showTimeline(run, kernel, width, true, null)];
}

/* The array as a bar, with its end, and the place where the access fell. */
function drawBounds(fault, element, width) {
    const size = fault.alloc_bytes, before = fault.offset < 0, past = fault.offset >= size;
    const left = before ? 90 : 10, right = width - (past ? 110 : 10), y = 34, scale = (right - left) / size;
    const distance = before ? -fault.offset : fault.offset - size;
    const at = before ? left - 50 : past ? right + 50 : left + fault.offset * scale;
    const how = before ? `${bytesText(distance)} before its start` : past ? (distance === 0 ? "directly after its end" : `${bytesText(distance)} after its end`) : "inside it";
    const says = `The array has ${group(size)} bytes. The access is ${how}.`;
    return [html("div", { class: "drawing" }, drawing(width, 92, says, box(left, y, right - left, 26, "array"),
        words(left + 6, y + 18, `${fault.array ?? "array"}: ${bytesText(size)}`, "small"), stroke(right, y - 8, right, y + 34, "end"),
        words(right, y + 50, "end", "tiny soft", "middle"), box(at - 6, y, 12, 26, "hit"), words(Math.min(Math.max(at, 60), width - 60), y - 12, element ?? "here", "small hit-text", "middle"))),
        html("p", {}, html("strong", {}, says))];
}

function showFault(check, run, fault, width) {
    const kernel = run.kernels.find(one => one.id === fault.kernel), parts = [];
    parts.push(html("h3", {}, fault.name, fault.count > 1 ? html("small", {}, ` ${group(fault.count)} times here`) : null));
    if (fault.picture === "RACE") parts.push(...showRace(check, run, kernel, fault));
    else if (fault.picture === "ORDER") parts.push(...showUnordered(check, run, fault, width));
    else {
        parts.push(html("div", { class: "sides one" }, side(fault.kernel_name ? `In the kernel ${fault.kernel_name}` : "In the host's code",
            fault.thread ? threadText(kernel, fault.block, fault.thread) : "", fault.line, check, "left")));
        if (fault.other_line) parts.push(html("div", { class: "sides one" }, side("The other side", fault.other_thread && kernel ?
            threadText(kernel, fault.other_block ?? fault.block, fault.other_thread) : "", fault.other_line, check, "right")));
        if (fault.alloc_bytes > 0 && fault.offset !== undefined && fault.picture === "BOUNDS")
            parts.push(...drawBounds(fault, faultElement(check, fault), width));
    }
    if (fault.detail) parts.push(html("p", {}, `${fault.detail[0].toUpperCase()}${fault.detail.slice(1)}.`));
    return html("article", { class: "fault" }, parts);
}
