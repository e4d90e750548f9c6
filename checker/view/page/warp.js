/*
 * warp.js: one request of a warp. For global memory: its 32 lanes over the lines of 128 bytes and their sectors of 32 bytes.
 * For shared memory: over the 32 banks, a row for each wavefront, as in the lectures.
 */
const ROW = 26, HEAD = 56, LEFT_SMALL = 26;

/* The widest drawing that keeps its text readable, and the narrowest. */
const widthOf = element => Math.max(300, Math.min(900, element.clientWidth || 600));

/* The text of a cell: the number of its lane, or how many lanes share it. */
const cellText = lanes => lanes.length > 1 ? `×${lanes.length}` : String(lanes[0]);

/* ---- global memory ---- */

/* The bytes of a line that the lanes want, as words of 4 bytes: for each of the 32 words its lanes. */
function wordsOfLine(line, size) {
    const cells = Array.from({ length: LINE / WORD }, () => []);
    for (const one of line.lanes) {
        const first = Math.floor(one.at % LINE / WORD);
        for (let i = 0; i < Math.max(1, size / WORD); i++) cells[first + i]?.push(one.lane);
    }
    return cells;
}

/* A line of 128 bytes: 4 sectors, each of 8 words. */
function drawLine(line, site, geometry, y, look) {
    const { left, cell, height } = geometry, parts = [];
    const cells = wordsOfLine(line, site.size);
    cells.forEach((lanes, i) => {
        const moved = line.sectors.has(line.line * 4 + Math.floor(i / 8));
        const picked = lanes.includes(look.lane);
        parts.push(box(left + i * cell, y, cell, height, lanes.length ? `wanted${picked ? " picked" : ""}` : moved ? "unused" : "still"));
        if (lanes.length && cell >= 17)
            parts.push(words(left + (i + 0.5) * cell, y + height / 2 + 4, cellText(lanes), "on", "middle"));
    });
    for (let sector = 0; sector < 4; sector++)
        parts.push(box(left + sector * 8 * cell, y, 8 * cell, height, line.sectors.has(line.line * 4 + sector) ? "sector moved" : "sector"));
    return parts;
}

/* The lanes above the lines, where they are few enough to follow with the eye. */
function drawLanes(sample, geometry, look) {
    const { left, cell } = geometry, parts = [];
    const active = new Set(lanesOf(sample).map(one => one.lane));
    for (let lane = 0; lane < LANES; lane++) {
        const on = active.has(lane);
        parts.push(box(left + lane * cell + 1, 22, cell - 2, 20, `lane${on ? "" : " idle"}${lane === look.lane ? " picked" : ""}`,
            { "data-lane": lane, onclick: () => look.pick(lane) }));
        if (cell >= 17) parts.push(words(left + (lane + 0.5) * cell, 36, String(lane), on ? "tiny" : "tiny soft", "middle"));
    }
    return parts;
}

/* Lines from each lane to its word. */
function drawThreads(sample, lines, geometry, look) {
    const { left, cell } = geometry, parts = [];
    lines.forEach((line, row) => {
        for (const one of line.lanes) {
            const to = left + (Math.floor(one.at % LINE / WORD) + 0.5) * cell;
            parts.push(stroke(left + (one.lane + 0.5) * cell, 42, to, geometry.top(row), `thread${one.lane === look.lane ? " picked" : ""}`));
        }
    });
    return parts;
}

/* The name of the first word of a line: an element of the array. */
function nameOfLine(look, sample, line, size) {
    const offset = line.line * LINE - (sample.shift ?? 0);
    const { bytes } = elementOf(look.check, look.name, size, look.kernel);
    return offset < 0 ? "" : elementName(look.check, look.name, offset - offset % bytes, bytes, look.kernel);
}

function drawGlobal(site, sample, look) {
    const lines = linesOf(sample), width = look.width;
    const narrow = width < 520, columns = lines.length > 8 ? 2 : 1;
    const left = narrow ? 2 : Math.min(130, 20 + 7.4 * Math.max(...lines.map(line => nameOfLine(look, sample, line, site.size).length), 4));
    const cell = (width - left - 4) / LANES;
    const gap = columns === 2 ? 6 : narrow ? 34 : 16;
    const height = columns === 2 ? 12 : 24, first = lines.length > 4 ? HEAD : 88;
    const across = columns, each = Math.ceil(lines.length / across);
    const geometry = { left, cell, height, top: row => first + row * (height + gap) };
    const head = across === 2 ? { ...geometry, left: 2, cell: (width - 6) / LANES } : geometry;
    const parts = [words(head.left, 14, "the 32 lanes of the warp", "small soft"), ...drawLanes(sample, head, look)];
    if (across === 2) {
        const small = { left: LEFT_SMALL, cell: (width / 2 - LEFT_SMALL - 4) / LANES, height };
        lines.forEach((line, i) => {
            const shifted = { ...small, left: small.left + Math.floor(i / each) * width / 2 }, y = first + 14 + (i % each) * (height + gap);
            parts.push(words(shifted.left - 5, y + 10, cellText(line.lanes.map(one => one.lane)), "tiny", "end"), ...drawLine(line, site, shifted, y, look));
        });
        const what = narrow ? "4 sectors; before each its lane" : "128 bytes, each cut into 4 sectors; before it the lane that uses it";
        parts.push(words(0, first + 6, `${lines.length} lines of ${what}`, "small soft"));
    } else {
        if (lines.length <= 4) parts.push(...drawThreads(sample, lines, geometry, look));
        lines.forEach((line, row) => {
            const y = geometry.top(row);
            parts.push(...drawLine(line, site, geometry, y, look));
            const name = nameOfLine(look, sample, line, site.size);
            if (narrow && height > 12) parts.push(words(left, y + height + 15, name, "tiny soft"));
            else if (!narrow) parts.push(words(left - 8, y + height / 2 + 4, name, "tiny", "end"));
        });
    }
    const bottom = first + (across === 2 ? 14 : 0) + each * (height + gap) + (narrow ? 6 : 0);
    return drawing(width, bottom, look.says, ...parts);
}

/* ---- shared memory ---- */

function drawShared(site, sample, look) {
    const wavefronts = wavefrontsOf(site, sample), width = look.width, narrow = width < 520;
    const left = narrow ? 2 : 92, cell = (width - left - 4) / BANKS;
    const row = wavefronts.length > 20 ? 9 : wavefronts.length > 12 ? 13 : ROW, top = 48;
    const parts = [words(left, 14, "the 32 banks of shared memory, 4 bytes wide", "small soft")];
    for (let bank = 0; bank < BANKS; bank++) {
        if (cell >= 17 || bank % 8 === 0) parts.push(words(left + (bank + 0.5) * cell, 36, String(bank), "tiny soft", "middle"));
        parts.push(box(left + bank * cell + 0.5, 42, cell - 1, wavefronts.length * row + 6, "bank"));
    }
    wavefronts.forEach((cells, i) => {
        const y = top + i * row;
        if (!narrow && (row > 20 || i === 0 || i === wavefronts.length - 1)) parts.push(words(0, y + row / 2 + 3, `wavefront ${i + 1}`, "tiny"));
        for (const one of cells) {
            const picked = one.lanes.includes(look.lane);
            parts.push(box(left + one.bank * cell + 1, y, cell - 2, row > 10 ? row - 3 : row - 2, `wanted${picked ? " picked" : ""}`, { onclick: () => look.pick(one.lanes[0]) }));
            if (cell >= 17 && row > 20) parts.push(words(left + (one.bank + 0.5) * cell, y + row / 2 + 3, cellText(one.lanes), "on", "middle"));
        }
    });
    return drawing(width, top + wavefronts.length * row + 10, look.says, ...parts);
}

/* ---- words ---- */

const OVERWRITES = ". Lanes that store to the same word overwrite each other: one value is kept.";

function saysOf(site, sample, name) {
    const lanes = lanesOf(sample), used = usedOf(sample), bytes = lanes.length * site.size;
    const what = site.kind === "load" ? "read" : site.kind === "store" ? "write" : "change";
    const begin = `${plural(lanes.length, "lane")} ${lanes.length === 1 ? what + "s" : what} ${plural(site.size, "byte")} each of ${name}: ${plural(bytes, "byte")}.`;
    if (isShared(site)) {
        const fewest = Math.min(used, Math.ceil(bytes / LINE));
        const most = Math.max(0, ...wavefrontsOf(site, sample).flat().map(one => one.lanes.length));
        return `${begin} They take ${plural(used, "wavefront")}` + (used > fewest
            ? `; ${fewest} would be enough. Several words are in the same bank: a bank conflict.`
            : most > 1 ? (site.kind === "store" ? OVERWRITES : ". Lanes that use the same word share it.") : ". No bank conflict.");
    }
    const fewest = Math.min(used, Math.ceil(bytes / SECTOR)), words = new Set(lanes.map(one => one.at)).size;
    if (site.kind === "atomic" && words < lanes.length)
        return `${begin} ${words === 1 ? "All of them change the same number" : `Together they change only ${words} numbers`}. Lanes that change the same number wait for each other.`;
    if (site.kind === "store" && words < lanes.length) return begin.slice(0, -1) + OVERWRITES;
    const moved = used * SECTOR, wasted = moved - Math.min(moved, bytes);
    return `${begin} Memory moves ${plural(used, "sector")} of 32 bytes: ${plural(moved, "byte")}.` + (used > fewest
        ? ` ${fewest} would be enough. ${group(wasted)} bytes are moved that this request does not use.` : " That is the fewest possible.");
}

function saysOfLane(check, kernel, site, sample, name, lane) {
    const one = lanesOf(sample).find(other => other.lane === lane);
    const number = sample.warp * LANES + lane, [width, height] = kernel.block;
    const thread = kernel.block[1] * kernel.block[2] === 1 ? String(number)
        : `(${number % width}, ${Math.floor(number / width) % height}${kernel.block[2] > 1 ? `, ${Math.floor(number / width / height)}` : ""})`;
    const who = `Lane ${lane} is thread ${thread} of block ${triple(sample.block)}`;
    if (!one) return `${who}: it does not take part here.`;
    const element = elementName(check, name, one.offset, site.size, kernel), wide = site.size > WORD ? ` (${site.size} bytes)` : "";
    return isShared(site) ? `${who}: ${element}${wide}, bank ${Math.floor(one.at / WORD) % BANKS}.`
        : `${who}: ${element}${wide}, sector ${Math.floor(one.at / SECTOR) % 4 + 1} of its line.`;
}

/* The sentence about what one step of the loop changes, if the first samples tell it. */
function saysOfStep(check, kernel, site, samples, name) {
    const row = samples.filter(one => one.which === "row");
    if (row.length < 2) return "";
    const [a, b] = row.map(sample => lanesOf(sample)), lane = a[0]?.lane, next = b.find(one => one.lane === lane);
    const beside = a.find(one => one.lane === lane + 1);
    if (!next || !beside) return "";
    const one = elementOf(check, name, site.size, kernel).bytes;
    const far = bytes => bytes % one === 0 ? plural(Math.abs(bytes / one), "element") : plural(Math.abs(bytes), "byte");
    const apart = beside.offset - a[0].offset, onward = next.offset - a[0].offset;
    const beginning = apart === 0 ? "Neighbouring lanes use the same element." : `Neighbouring lanes are ${far(apart)} apart.`;
    return `${beginning} With its next request, a lane moves ${far(onward)} ${onward < 0 ? "back" : "forward"}.`;
}

/* ---- the panel ---- */

/* Shows the chosen place of the source in `element`. `look` has check, run, kernel, sites (of the line) and the choices
 * so far; `change` takes a new choice. */
function showWarp(element, look, change) {
    const { check, run, kernel, sites } = look;
    const index = Math.min(look.site, sites.length - 1), site = sites[index];
    const { samples, from } = samplesOf(run, kernel, site);
    const nameOf = one => arrayOf(check, samplesOf(run, kernel, one).from, samplesOf(run, kernel, one).samples[0] ?? {});
    const plain = one => `${nameOf(one)}: ${one.kind}${isShared(one) ? ", shared" : ""}`, plains = sites.map(plain);
    const title = one => {
        const same = plains.filter(text => text === plain(one)).length, number = sites.slice(0, sites.indexOf(one) + 1).filter(other => plain(other) === plain(one)).length;
        return same > 1 ? `${plain(one)} ${number}` : plain(one);
    };
    element.replaceChildren(html("h2", {}, `Line ${site.line}: what one warp does`),
        html("pre", { class: "code-line", tabindex: "0" }, check.source[site.line - 1].trim()),
        sites.length > 1 ? choices("access", sites.map((one, i) => [i, title(one)]), index, site => change({ site, sample: 0 }))
            : html("p", { class: "small" }, title(site)));
    if (!samples.length) {
        element.append(html("p", {}, "No request of this place was kept: only the first launches of each kernel have samples."));
        return;
    }
    const row = samples.filter(one => one.which === "row");
    const alike = (a, b) => a.offsets.join() === b.offsets.join() && a.shift === b.shift;
    const order = [...row, ...samples.filter(one => one.which !== "row" && !(one.which === "worst" && row.some(other => alike(one, other))))];
    const sample = order[Math.min(look.sample, order.length - 1)];
    const names = { edge: "edge of the grid", worst: "the worst" };
    element.append(choices("request", order.map((one, i) => [i, names[one.which] ?? (row.length === 1 ? "first" : i === 0 ? "step 1" : String(i + 1))]),
        order.indexOf(sample), chosen => change({ sample: chosen })));
    const name = arrayOf(check, from, sample), says = saysOf(site, sample, name);
    const inside = { ...look, name, says, width: widthOf(element) - 2, pick: lane => change({ lane }) };
    element.append(html("p", { class: "says", "aria-live": "polite" }, html("span", { class: "small" }, `Block ${triple(sample.block)}, warp ${sample.warp}: `), html("strong", {}, says)),
        html("p", { class: "small" }, saysOfStep(check, kernel, site, samples, name)),
        html("div", { class: "drawing" }, isShared(site) ? drawShared(site, sample, inside) : drawGlobal(site, sample, inside)), legend(site),
        laneChooser(look, change), html("p", { class: "lane-says" }, saysOfLane(check, from, site, sample, name, look.lane)),
        html("p", { class: "small" }, saysOfAll(site)));
}

function legend(site) {
    return isShared(site)
        ? html("p", { class: "legend" }, key("wanted", "a word that a lane uses"), key("bank", "a bank"), key("picked", "the chosen lane"))
        : html("p", { class: "legend" }, key("wanted", "used"), key("unused", "moved, not used by this request"), key("still", "not moved"), key("picked", "the chosen lane"));
}

function laneChooser(look, change) {
    const move = by => () => change({ lane: (look.lane + by + LANES) % LANES });
    return html("div", { class: "choices", role: "group", "aria-label": "lane" },
        html("button", { type: "button", "aria-label": "lane before", onclick: move(-1) }, "◂"),
        html("span", { class: "shown" }, `lane ${look.lane}`),
        html("button", { type: "button", "aria-label": "next lane", onclick: move(1) }, "▸"));
}

function saysOfAll(site) {
    const per = figure(usedOf(site) / site.requests), unit = unitOf(site);
    return `All ${plural(site.requests, "request")} of this place: ${plural(usedOf(site), unit)}, at least ${group(site.ideal)} needed. ` +
        `That is ${per} per request, with ${figure(site.lanes / site.requests)} of 32 lanes.`;
}
