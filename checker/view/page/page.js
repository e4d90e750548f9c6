/*
 * page.js: puts the page together and keeps what the reader has chosen: the check (of two), the run, the kernel, the line, and
 * within the line the access, the request and the lane. Every choice draws its part of the page again.
 */
const data = JSON.parse(document.getElementById("data").textContent);
const checks = [data.check, data.before].filter(Boolean);
const state = { check: 0, run: 0, kernel: 0, line: 0, site: 0, sample: 0, lane: 0, zoom: true, panel: "warp" };
const part = id => document.getElementById(id);

const theCheck = () => checks[state.check];
const theRun = () => theCheck().runs[state.run];
const theKernel = () => theRun()?.kernels[state.kernel];

/* ---- where to begin ---- */

/* The first run and kernel to show, and the line: that of the first diagnosis, or the one that costs most. */
function begin(check) {
    state.check = check;
    const runs = theCheck().runs, diagnosis = firstDiagnosis();
    const named = runs.findIndex(run => run.dir === diagnosis?.evidence?.run);
    const timed = runs.findIndex(run => run.purpose === "speed" && run.device !== "real");
    beginRun(named >= 0 ? named : Math.max(0, timed));
    if (diagnosis?.line) findKernel(diagnosis.line);
    state.line = diagnosis?.line ?? costliestLine();
    showCause(diagnosis);
}

/* The line of the chosen kernel that costs most, or that does among those that use memory; 0 if there is none. */
function costliestLine(usesMemory = false) {
    const table = theKernel() ? lineTable(theKernel()) : new Map();
    return [...table.values()].filter(row => !usesMemory || row.sites.length).sort((a, b) => b.share - a.share)[0]?.line ?? 0;
}

/* Chooses the drawing for a diagnosis. If its line uses no memory, the warp is that of the line that costs most. */
function showCause(diagnosis) {
    const table = theKernel() ? lineTable(theKernel()) : new Map();
    state.panel = panelOf(diagnosis);
    state.shownLine = state.panel === "warp" && !table.get(state.line)?.sites.length ? costliestLine(true) : 0;
    chooseWorst(table);
}

/* Which drawing shows the cause of a diagnosis. The pattern of a wrong result may have the name of a fault. */
function panelOf(diagnosis) {
    const run = theRun(), picture = diagnosis?.picture;
    if (run?.faults.some(fault => fault.name === diagnosis?.name) || picture === "SIDES" && run?.refused.length) return "faults";
    return { TIMELINE: "timeline", ORDER: "timeline", BLOCKS: "blocks" }[picture] ?? "warp";
}

function beginRun(run) {
    state.run = run;
    state.kernel = Math.max(0, theRun() ? theRun().kernels.indexOf(mainKernel(theRun())) : 0);
}

const firstDiagnosis = () => (theCheck().verdict.diagnoses ?? []).find(one => one.criterion === firstFailed()?.id) ?? theCheck().verdict.diagnoses?.[0];
const firstFailed = () => (theCheck().verdict.criteria ?? []).find(one => one.passed === false);

/* Chooses a request of a line: of the kind of access that a diagnosis names, the access that wastes most, and the first request of it. */
function chooseWorst(table = lineTable(theKernel())) {
    const sites = table.get(state.shownLine || state.line)?.sites ?? [], noted = new Set((theCheck().verdict.diagnoses ?? [])
        .filter(one => one.line === state.line).map(one => /atomic/.test(one.name) ? "atomic" : one.evidence?.kind));
    const badness = site => wasteOf(site) + (noted.has(site.kind) ? 100 : 0);
    const worst = sites.reduce((best, site, i) => badness(site) > badness(sites[best]) ? i : best, 0);
    Object.assign(state, { site: worst, sample: 0, lane: 0 });
}

/* ---- the head ---- */

function head() {
    const check = theCheck(), { verdict } = check, rate = verdict.rate, limit = verdict.limit;
    const device = (verdict.devices ?? []).map(one => `${one.kind === "simulated" ? "simulated GPU" : one.name}${one.profile ? ` (${one.name})` : ""}`).join(" + ");
    const failed = firstFailed();
    return [html("h1", {}, check.title ? `${verdict.source}, ${check.title}` : verdict.source,
            html("span", { class: "rung" }, ` rung ${verdict.rung} of ${verdict.rungs}${verdict.undecided ? `, perhaps ${verdict.undecided}: a GPU can tell` : ""}`),
            rate ? html("span", { class: "rung" }, ` ${figure(rate.value)} ${rate.unit}${limit ? `, limit ${figure(limit.value)} ${limit.unit}` : ""}, ${rate.how}`) : null,
            html("span", { class: "where" }, [verdict.exercise, device].filter(Boolean).join(" · "))),
        failed ? html("p", {}, "Not reached yet: ", html("strong", {}, `“${failed.text}”`), failed.seen ? `. Seen: ${failed.seen}.` : ".") : null,
        verdict.next ? html("p", { class: "next" }, `Next: ${verdict.next}`) : null,
        checks.length > 1 ? choices("check", checks.map((one, i) => [i, one.title || (i ? "before" : "now")]), state.check, one => { begin(one); show(); }) : null];
}

/* The diagnoses as a list of places to look at, those of the first failed criterion first. */
function findings() {
    const list = theCheck().verdict.diagnoses ?? [];
    if (!list.length) return [html("p", { class: "good" }, theCheck().verdict.status === "reached" ? "The exercise is complete. The lines that cost most are marked below."
        : "The check found no mistake. The lines that cost most are marked below.")];
    return [html("h2", {}, "Look here first"), html("ul", { class: "findings" }, list.slice(0, 6).map(one => html("li", {},
        html("button", { type: "button", class: "finding", onclick: () => goTo(one) }, html("span", { class: "name" }, one.line ? `line ${one.line}` : "program"),
            html("span", {}, html("strong", {}, one.name), html("br"), one.text)))))];
}

function goTo(diagnosis) {
    const run = theCheck().runs.findIndex(one => one.dir === diagnosis.evidence?.run);
    if (run >= 0 && run !== state.run) beginRun(run);
    if (diagnosis.line) chooseLine(diagnosis.line);
    showCause(diagnosis);
    show();
    scrollToLine();
    if (isNarrow()) part("warp").scrollIntoView({ block: "start" });
}

/* Is the drawing below the source, not beside it? */
const isNarrow = () => matchMedia("(max-width: 1000px)").matches;

/* A line of another kernel of this run brings that kernel. */
function chooseLine(line) {
    Object.assign(state, { line, shownLine: 0, panel: "warp" });
    findKernel(line);
    if (theKernel()) chooseWorst();
}

/* Chooses the longest kernel that has accesses on this line; none if the chosen one has. */
function findKernel(line) {
    const has = kernel => kernel?.sites.some(site => site.line === line);
    const run = theRun(), others = run?.kernels.filter(has) ?? [];
    if (others.length && !has(theKernel())) state.kernel = run.kernels.indexOf(mainKernel({ kernels: others }));
}

/* ---- the source ---- */

const KEYWORDS = /\b(__global__|__device__|__shared__|__host__|const|int|float|double|void|for|if|else|while|return|static|struct|template|typename|size_t|unsigned|char|bool|extern|sizeof|auto|long)\b/;

/* A line of code in colours: comments, texts, keywords, numbers. */
function coloured(code, isComment) {
    if (isComment) return [html("span", { class: "c-comment" }, code)];
    return code.split(/(\/\/.*$|"(?:[^"\\]|\\.)*"|\b\w+\b)/).filter(piece => piece !== "").map(piece => {
        const look = piece.startsWith("//") ? "comment" : piece.startsWith("\"") ? "text" : KEYWORDS.test(piece) ? "keyword" : /^\d/.test(piece) ? "number" : null;
        return look ? html("span", { class: `c-${look}` }, piece) : piece;
    });
}

/* For each line: is it part of a comment that has more than one line, or is alone on its line? */
function commentLines(source) {
    let inside = false;
    return source.map(code => {
        const began = inside || /^\s*\/\*/.test(code);
        const open = code.lastIndexOf("/*"), close = code.lastIndexOf("*/");
        inside = inside ? close < 0 : open > close && open >= 0;
        return began && (close < 0 || /\*\/\s*$/.test(code));
    });
}

/* The figures beside a line: its share of the cost, and moved against needed. Where one array of a line wastes and another does not, only the one
 * that wastes is counted, by its name: the mean of both would hide it. */
function gutter(row) {
    const cells = [];
    const ratio = (sites, unit) => {
        const wasting = sites.filter(site => wasteOf(site) > WASTE), some = wasting.length > 0 && wasting.length < sites.length;
        const counts = countsOf(some ? wasting : sites), names = some ? namesOf(wasting) : [];
        if (!counts.requests) return;
        const times = counts.ideal ? counts.used / counts.ideal : 1, bad = times > WASTE;
        cells.push(html("span", { class: `ratio${bad ? " hot" : ""}`, title: `${plural(counts.requests, "request")}, ${plural(counts.used, unit)}, at least ${group(counts.ideal)} needed` },
            names.length === 1 ? `${names[0]}: ` : null, `${figure(counts.used / counts.requests)} ${unit}${counts.used === counts.requests ? "" : "s"}`, bad ? html("em", {}, ` ${figure(times)}×`) : null));
    };
    ratio(row.sites.filter(site => !isShared(site)), "sector");
    ratio(row.sites.filter(isShared), "wavefront");
    if (!cells.length && row.operations) cells.push(html("span", { class: "ratio soft" }, `${shortNumber(row.operations)} ops`));
    if (row.lanes !== null && row.lanes < 0.9) cells.push(html("span", { class: "ratio lanes" }, `${percent(row.lanes)} lanes`));
    return cells;
}

/* The names of the arrays that accesses of the chosen kernel use. */
function namesOf(sites) {
    const names = sites.map(site => {
        const { samples, from } = samplesOf(theRun(), theKernel(), site);
        return samples.length ? arrayOf(theCheck(), from, samples[0]) : null;
    });
    return [...new Set(names)].filter(name => name && !/\W/.test(name));
}

const shortNumber = n => n >= 1e9 ? `${figure(n / 1e9)} G` : n >= 1e6 ? `${figure(n / 1e6)} M` : n >= 1e3 ? `${figure(n / 1e3)} k` : String(n);

function sourceLines() {
    const check = theCheck(), table = theKernel() ? lineTable(theKernel()) : new Map();
    const notes = new Map();
    for (const one of check.verdict.diagnoses ?? []) if (one.line) notes.set(one.line, [...notes.get(one.line) ?? [], one]);
    const most = Math.max(0, ...[...table.values()].map(row => row.share)), lines = [];
    const longest = Math.max(0, ...[...table.values()].map(row => Math.max(0, ...gutter(row).map(cell => cell.textContent.length))));
    part("source").style.setProperty("--counts", `${Math.round(6.1 * longest + 8)}px`);
    const inComment = commentLines(check.source);
    part("source").classList.toggle("plain", table.size === 0);
    check.source.forEach((code, i) => {
        const number = i + 1, row = table.get(number), open = row?.sites.length > 0;
        const look = `line${number === state.line ? " chosen" : ""}${notes.has(number) ? " noted" : ""}${open ? " open" : ""}`;
        const inside = [html("span", { class: "number" }, String(number)),
            html("span", { class: "share", style: row?.share >= 0.005 ? `--share: ${Math.round(100 * row.share / most)}%` : null }, row?.share >= 0.005 ? percent(row.share) : null),
            html("span", { class: "counts" }, row ? gutter(row) : null), html("code", {}, coloured(code, inComment[i]))];
        lines.push(open ? html("button", { type: "button", class: look, "data-line": number, "aria-pressed": String(number === state.line),
            onclick: () => { chooseLine(number); show(["source", "warp", "below"]); part("source").querySelector(".chosen")?.focus({ preventScroll: true }); } }, inside)
            : html("div", { class: look, "data-line": number }, inside));
        for (const one of notes.get(number) ?? [])
            lines.push(html("div", { class: "note" }, html("p", {}, html("strong", {}, one.name), ` ${one.text}`),
                one.page ? html("details", {}, html("summary", {}, "What this means"), markdown(one.page)) : null));
    });
    return lines;
}

/* Arrow keys go from one line with accesses to the next. */
function sourceKeys(event) {
    const lines = [...part("source").querySelectorAll("button.line")], at = lines.indexOf(document.activeElement);
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
    if (at < 0 || !lines[to]) return;
    event.preventDefault();
    lines[to].click();
    part("source").querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
}

/* ---- the parts ---- */

function selectors() {
    const check = theCheck(), runs = check.runs, run = theRun();
    const runName = one => `${check.verdict.source.replace(/\.cu$/, "")} ${one.arguments} (${one.device === "real" ? one.gpu?.name ?? "GPU" : "simulated"}${one.purpose === "speed" ? ", timed" : ""})`;
    const pick = (name, options, value, choose) => html("label", {}, html("span", {}, name),
        html("select", { onchange: event => choose(+event.target.value) }, options.map((text, i) => html("option", { value: i, selected: i === value }, text))));
    return html("div", { class: "selectors" },
        run && pick("run", runs.map(runName), state.run, one => { beginRun(one); if (theKernel()) chooseWorst(); show(); }),
        run?.kernels.length ? pick("kernel", run.kernels.map(kernel => `${kernel.kernel}<<<${shape(kernel.grid)}, ${shape(kernel.block)}>>>${run.kernels.length > 1 ? ` #${kernel.id}` : ""}`),
            state.kernel, one => { state.kernel = one; chooseWorst(); show(); }) : null);
}

/* Why no warp is drawn. */
function noWarp(run, kernel) {
    if (kernel) return "Choose a line with sectors or wavefronts beside it. It shows which elements the 32 lanes of a warp use.";
    if (!run) return "The program did not run.";
    if (run.device === "real") return "The real GPU shows times, but not single accesses. Choose a run of the simulated GPU.";
    return "This run did not run a kernel.";
}

function warpPart() {
    const element = part("warp"), kernel = theKernel(), row = kernel ? lineTable(kernel).get(state.shownLine || state.line) : null;
    const width = widthOf(element) - 36, run = theRun();
    if (state.panel === "faults")
        return element.replaceChildren(html("h2", {}, "What went wrong"), ...allFaults(run, width));
    if (state.panel === "timeline" && run)
        return element.replaceChildren(html("h2", {}, "When things happen"), ...timelineOf(run, kernel, width, warpPart));
    if (state.panel === "blocks" && kernel?.end)
        return element.replaceChildren(html("h2", {}, "Blocks and SMs"), ...showBlocks(run, kernel));
    if (!row?.sites.length) {
        element.replaceChildren(html("h2", {}, "What one warp does"), html("p", {}, noWarp(run, kernel)));
        return undefined;
    }
    return showWarp(element, { ...state, check: theCheck(), run, kernel, sites: row.sites }, change => { Object.assign(state, change); keepFocus(warpPart); });
}

/* Draws again and gives the focus back to the button that had it. */
function keepFocus(draw) {
    const held = document.activeElement, group = held?.parentElement?.getAttribute("aria-label");
    const at = group ? [...held.parentElement.children].indexOf(held) : -1;
    draw();
    if (at >= 0) document.querySelector(`[aria-label="${group}"]`)?.children[at]?.focus({ preventScroll: true });
}

const section = (id, title, ...inside) => html("section", { id, "aria-label": title }, html("h2", {}, title), ...inside);

/* The faults and refused launches of a run; those of the chosen line first. */
function allFaults(run, width) {
    const faults = [...run?.faults ?? []].sort((a, b) => (b.line === state.line) - (a.line === state.line));
    return [...(run?.refused ?? []).map(one => html("article", { class: "fault" }, html("h3", {}, "launch refused"),
        html("p", {}, `Line ${one.line}: ${one.kernel}<<<${shape(one.grid)}, ${shape(one.block)}>>> returned ${one.error_name}.`))),
    ...faults.map(fault => showFault(theCheck(), run, fault, Math.min(width - 40, 700)))];
}

const timelineOf = (run, kernel, width, draw) => showTimeline(run, kernel, width, state.zoom, zoom => { state.zoom = zoom; keepFocus(draw); });

function below() {
    const run = theRun(), kernel = theKernel(), parts = [], room = widthOf(part("below"));
    const width = part("below").clientWidth > 1150 ? Math.min(room, part("below").clientWidth / 2 - 12) : room; // two columns
    if (run && state.panel !== "faults" && (run.faults.length || run.refused.length)) parts.push(section("faults", "What went wrong", allFaults(run, width)));
    if (checks.length > 1) parts.push(section("compare", "Before and after", comparison()));
    if (kernel?.end) parts.push(section("time", "What the kernel's time consists of", showTerms(kernel)));
    if (kernel?.end && state.panel !== "blocks") parts.push(section("blocks", "Blocks and SMs", showBlocks(run, kernel)));
    if (run && state.panel !== "timeline") parts.push(section("timeline", "When things happen", timelineOf(run, kernel, width, () => part("below").replaceChildren(...below()))));
    if (run) parts.push(section("roofline", "The roofline", showRoofline(data, run, width)));
    parts.push(section("words", "Words on this page", html("dl", {}, WORDS.map(([word, text]) => [html("dt", {}, word), html("dd", {}, text)]))));
    if (run?.output) parts.push(section("output", "What the program printed", html("pre", { tabindex: "0" }, run.output)));
    return parts.filter(Boolean);
}

const WORDS = [
    ["rung", "A step of the exercise. A rung is reached when all that it asks for is true."],
    ["modelled", "Computed by the simulated GPU from what the program did. Nothing was measured with a clock."],
    ["request", "What one warp asks of memory with one instruction."],
    ["lane", "The place of a thread in its warp, 0 to 31."],
    ["sector", "32 bytes: the smallest piece of global memory that moves. Four sectors are a line of 128 bytes."],
    ["bank", "Shared memory has 32 banks. Each gives one word of 4 bytes at a time."],
    ["wavefront", "A pass over the banks. A request takes as many as the most words that it wants of one bank."],
    ["limit", "The rate that this GPU reaches when it copies memory, or with cuBLAS: what the exercise is compared with."],
];

/* ---- before and after ---- */

const timedRun = check => check.runs.find(one => one.purpose === "speed" && one.device !== "real") ?? check.runs.at(-1);

/* The facts of a check to compare: its rung, its rate, and the counts of its main kernel at the timed size; `each` if they are for each MB of the
 * problem, because the two sizes differ. */
function factsOf(check, each) {
    const run = timedRun(check), size = each ? check.verdict.work.bytes / 1e6 : 1, per = each ? " per MB" : "";
    const kernel = run ? mainKernel(run) : undefined, sites = kernel?.sites ?? [];
    const global = countsOf(sites.filter(site => !isShared(site))), shared = countsOf(sites.filter(isShared));
    const facts = [["rung", check.verdict.rung, String(check.verdict.rung), 1]];
    if (check.verdict.rate) facts.push(["rate", check.verdict.rate.value, `${figure(check.verdict.rate.value)} ${check.verdict.rate.unit}`, 1]);
    const add = (name, value, text, better) => facts.push([name + per, value / size, text(value / size), better]);
    if (kernel) {
        add("kernel's time", lengthOf(kernel), duration, -1);
        add("requests", global.requests, group, -1);
        add("sectors moved", global.used, group, -1);
        add("memory traffic (DRAM)", kernel.dram_bytes ?? 0, bytesText, -1);
        add("shared-memory wavefronts, at most", shared.used, group, 0);
    }
    if (kernel) facts.push(["sectors per sector needed", global.used / global.ideal, figure(global.used / global.ideal), -1],
        ["threads", blocksOf(kernel) * threadsOf(kernel), group(blocksOf(kernel) * threadsOf(kernel)), 0], ["limit", NaN, termsOf(kernel)[0]?.name ?? "", 0]);
    return { run, facts };
}

function comparison() {
    const sizes = checks.map(check => timedRun(check)?.arguments), differ = sizes[0] !== sizes[1];
    const [after, before] = checks.map(check => factsOf(check, differ && checks.every(one => one.verdict.work))), sides = [before, after];
    const titles = [checks[1].title || "before", checks[0].title || "now"];
    const rows = after.facts.map(([name]) => name).filter(name => before.facts.some(([other]) => other === name)).map(name => {
        const [one, two] = sides.map(side => side.facts.find(([other]) => other === name)), most = Math.max(one[1], two[1]);
        const better = Math.sign(two[1] - one[1]) * two[3];
        const times = one[1] > 0 && two[1] > 0 ? Math.max(one[1] / two[1], two[1] / one[1]) : NaN;
        const change = Number.isFinite(times) && times >= 1.01 && name !== "rung" ? `${figure(times)}× ${two[1] > one[1] ? "more" : "less"}` : one[1] === two[1] ? "the same" : "";
        return html("tr", {}, html("th", { scope: "row" }, name), [one, two].map((fact, i) => html("td", {}, html("span", { class: "number" }, fact[2]),
            Number.isFinite(most) && most > 0 ? bar(fact[1], most, i ? "new" : "old") : null)), html("td", { class: better > 0 ? "better" : better < 0 ? "worse" : "" }, change));
    });
    return [differ ? html("p", {}, `The two were timed with different arguments, ${sizes[1]} and ${sizes[0]}. So counts and times are for each MB of the problem.`) : null,
        html("table", { class: "compare" }, html("thead", {}, html("tr", {}, html("td"), titles.map(title => html("th", { scope: "col" }, title)), html("th", { scope: "col" }, "change"))), html("tbody", {}, rows))].filter(Boolean);
}

/* ---- all of it ---- */

function show(parts = ["head", "source", "warp", "below"]) {
    if (parts.includes("head")) {
        part("head").replaceChildren(...head().filter(Boolean));
        part("findings").replaceChildren(...findings());
    }
    if (parts.includes("source")) {
        const scrolled = part("source").scrollTop;
        part("selectors").replaceChildren(selectors());
        part("source").replaceChildren(...sourceLines());
        part("source").scrollTop = scrolled;
    }
    if (parts.includes("warp")) warpPart();
    if (parts.includes("below")) part("below").replaceChildren(...below());
}

/* The chosen line is in the middle of the source. */
function scrollToLine() {
    const source = part("source"), line = source.querySelector(".chosen") ?? source.querySelector(".noted");
    if (line) source.scrollTop = line.offsetTop - source.clientHeight / 3;
}

function start() {
    document.title = `${checks[0].verdict.source}: what each warp did`;
    part("page").append(html("header", { id: "head" }), html("div", { class: "columns" },
        html("div", { class: "left" }, html("div", { id: "findings" }), html("div", { id: "selectors" }),
            html("div", { id: "source", role: "region", "aria-label": "source", tabindex: "0", onkeydown: sourceKeys }),
            html("p", { class: "legend" }, "Beside a line: its share of what limits the kernel; sectors or wavefronts per request, and how many times the fewest possible.")),
        html("div", { class: "right", id: "warp", role: "region", "aria-label": "one warp" })), html("div", { id: "below" }));
    begin(0);
    show();
    scrollToLine();
    let width = innerWidth;
    addEventListener("resize", () => {
        if (innerWidth === width) return;
        width = innerWidth;
        show(["warp", "below"]);
    });
}

start();
