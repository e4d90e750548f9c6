/*
 * time.js: where the time goes: the terms of the modelled time, the timeline of host, copies and kernels, the roofline; and
 * how the blocks are spread over the GPU.
 */

/* ---- the terms of a kernel's time ---- */

function showTerms(kernel) {
    const terms = termsOf(kernel), start = kernel.start_ns ?? 0, most = Math.max(terms[0]?.ns ?? 0, start);
    if (!terms.length) return [html("p", {}, "Only the simulated GPU models what a kernel's time consists of.")];
    const limit = start < terms[0].ns ? terms[0].name : "start";
    const rows = [...terms, { name: "start", text: "What each launch takes, before all else.", ns: start }].map(term =>
        html("tr", { class: term.name === limit ? "first" : null }, html("th", { scope: "row" }, term.name, term.name === limit ? html("em", {}, " the limit") : null),
            html("td", {}, bar(term.ns, most, term.name === limit ? "hot" : "")), html("td", { class: "number" }, duration(term.ns)),
            html("td", { class: "small" }, term.text)));
    return [html("p", {}, `The kernel takes ${duration(lengthOf(kernel))}, modelled. Its parts mostly happen at the same time, so the longest one is the limit: `,
        html("strong", {}, `${limit}.`), limit === "start" ? " The kernel has little to do." : ""), html("table", { class: "terms" }, html("tbody", {}, rows))];
}

/* ---- blocks and SMs ---- */

function showBlocks(run, kernel) {
    const wave = wavesOf(run, kernel), threads = threadsOf(kernel), launched = wave.blocks * threads;
    const parts = [], say = (...text) => parts.push(html("p", {}, ...text));
    say(`The launch has ${plural(wave.blocks, "block")} of ${plural(threads, "thread")}: ${group(launched)} threads.`,
        kernel.threads !== undefined && kernel.threads < launched
            ? html("strong", {}, ` ${group(launched - kernel.threads)} of them (${percent((launched - kernel.threads) / launched)}) never used global memory.`) : "");
    if (threads % LANES) say(html("strong", {}, `A warp has 32 lanes: the last warp of each block has ${plural(LANES - threads % LANES, "idle lane")}.`));
    if (!wave.sms) return parts;
    const busy = Math.min(wave.blocks, wave.sms);
    say(`The GPU has ${wave.sms} SMs. Each can hold ${plural(wave.each, "block")} of this kernel at a time, ${group(wave.places)} together.`,
        busy < wave.sms ? html("strong", {}, ` ${plural(wave.sms - busy, "SM")} ${wave.sms - busy === 1 ? "has" : "have"} nothing to do.`) : "");
    parts.push(drawSms(wave, kernel.occupancy?.value ?? 1));
    if (wave.full > 0 && wave.rest > 0)
        say(`${plural(wave.full, "full wave")}, then a last one of ${plural(wave.rest, "block")}: ${percent(wave.rest / wave.places)} of the places.` +
            (wave.full < 4 && wave.rest < wave.places / 2 ? " Such a tail costs time: the GPU is mostly empty, and still has to wait for it." : ""));
    if (kernel.occupancy) {
        const one = kernel.occupancy;
        const most = Math.min(wave.each, Math.ceil(wave.blocks / wave.sms)), why = limitText[one.limited_by] ?? one.limited_by;
        say(`${plural(wave.each, "block")} on an SM are ${percent(one.value)} of the threads that it can hold: this is the occupancy. More blocks do not fit because of ${why}.`,
            most < wave.each ? html("strong", {}, ` But this launch gives an SM at most ${plural(most, "block")}: ${percent(one.value * most / wave.each)}.`) : "");
    }
    return parts;
}

const limitText = { threads: "the number of threads", blocks: "the number of blocks per SM", "shared memory": "their shared memory", registers: "their registers" };

/* A square for each SM, darker with more threads in the first wave. `full` is the occupancy of an SM with all its blocks. */
function drawSms(wave, full) {
    const width = 560, columns = 33, cell = width / columns, rows = Math.ceil(wave.sms / columns);
    const first = Math.min(wave.blocks, wave.places), parts = [];
    for (let i = 0; i < wave.sms; i++) {
        const blocks = Math.floor(first / wave.sms) + (i < first % wave.sms ? 1 : 0);
        parts.push(box(i % columns * cell + 1, Math.floor(i / columns) * cell + 1, cell - 2, cell - 2, blocks ? "sm busy" : "sm",
            blocks ? { "fill-opacity": Math.max(0.3, full * blocks / wave.each) } : {}));
    }
    const busy = Math.min(first, wave.sms);
    return html("div", { class: "drawing" }, svg("svg", { viewBox: `0 0 ${width} ${rows * cell}`, class: "sms", role: "img",
        "aria-label": `${busy} of ${wave.sms} SMs have a block in the first wave` }, ...parts),
        html("p", { class: "legend" }, key("busy", "an SM with blocks, in a stronger colour with more threads"), key("sm", "an SM without work")));
}

/* ---- the timeline ---- */

const DIRECTIONS = { h2d: "copy to the GPU", d2h: "copy to the host", d2d: "copy on the GPU", h2h: "copy on the host" };

/* The bars of the timeline, row by row: { row, from, to, look, text }. */
function spansOf(run) {
    const spans = [];
    for (const step of run.steps) {
        if (step.event === "copy") spans.push({ row: `copies`, from: step.start, to: step.end, look: "copy", text: DIRECTIONS[step.direction], line: step.line });
        if (step.event === "set") spans.push({ row: "copies", from: step.start, to: step.end, look: "copy", text: "cudaMemset", line: step.line });
        if (step.event === "kernel") spans.push({ row: kernelRow(run, step.id), from: step.start, to: step.end, look: "kernel", text: nameOfLaunch(run, step.id) });
        if (step.event === "sync" && step.end > step.start) spans.push({ row: "host", from: step.start, to: step.end, look: "waits", text: "the host waits", line: step.line });
        if (step.event === "launch") spans.push({ row: "host", from: step.t, to: step.t, look: "launch", text: `launch of ${step.kernel}`, line: step.line });
    }
    return spans;
}

const launchOf = (run, id) => run.steps.find(step => step.event === "launch" && step.id === id);
const nameOfLaunch = (run, id) => launchOf(run, id)?.kernel ?? "kernel";
const kernelRow = (run, id) => {
    const stream = launchOf(run, id)?.stream ?? 0;
    return stream ? `stream ${stream}` : "kernels";
};

/* The part of the run in which the GPU had work, and the student's timer. */
function windowOf(spans, timers) {
    const from = Math.min(...spans.map(span => span.from), ...timers.map(one => one.from));
    const to = Math.max(...spans.map(span => span.to), ...timers.map(one => one.to));
    const margin = 0.02 * (to - from);
    return [from - margin, to + margin];
}

function showTimeline(run, kernel, width, zoom, change) {
    const spans = spansOf(run);
    if (!spans.length) return [html("p", {}, "Nothing ran on the GPU.")];
    const events = eventTimers(run), clock = timerOf(run, kernel);
    const covers = timer => Number(Boolean(kernel) && timer.from <= kernel.start && timer.to > kernel.start);
    const timers = events.length ? events.sort((a, b) => covers(b) - covers(a)) : clock ? [clock] : [];
    const near = zoom && kernel?.end ? [{ from: kernel.start, to: kernel.end }, { from: kernel.t, to: kernel.t }, ...timers] : null;
    const [from, to] = windowOf(near ?? spans, timers);
    const rows = ["host", "copies", ...new Set(spans.map(span => span.row).filter(row => row !== "host" && row !== "copies").sort())];
    const left = width < 520 ? 62 : 90, x = t => left + (width - left - 8) * (Math.max(from, Math.min(to, t)) - from) / (to - from);
    const parts = [], top = timers.length ? 44 : 10;
    rows.forEach((row, i) => {
        const y = top + i * 34;
        parts.push(words(0, y + 18, row, "small"), box(left, y, width - left - 8, 26, "track"));
        for (const span of spans.filter(one => one.row === row && one.to >= from && one.from <= to)) {
            const wide = Math.max(2, x(span.to) - x(span.from));
            parts.push(box(x(span.from), y + 2, wide, 22, `span ${span.look}`),
                wide > 9 + 6.6 * span.text.length ? words(x(span.from) + 5, y + 17, span.text, `tiny ${span.look === "waits" ? "" : "on"}`) : "");
        }
    });
    const bottom = top + rows.length * 34;
    timers.forEach((timer, i) => {
        const label = i === 0 && timer.to >= from && timer.from <= to;
        parts.push(box(x(timer.from), 30, Math.max(2, x(timer.to) - x(timer.from)), bottom - 30, "timer"),
            label ? words(Math.min(x(timer.from), width - 150), 22, `your timer: ${duration(timer.to - timer.from)}`, "small timer-text") : "");
    });
    const ticks = width < 520 ? 3 : 4;
    for (let tick = 0; tick <= ticks; tick++) {
        const t = from + (to - from) * tick / ticks;
        parts.push(stroke(x(t), bottom, x(t), bottom + 5, "axis"), words(x(t), bottom + 18, duration(t - from), "tiny soft", tick === 0 ? "start" : tick === ticks ? "end" : "middle"));
    }
    const kept = parts.filter(part => part);
    return [change && choices("part of the run", [[false, "the whole run"], [true, "around the kernel"]], zoom, change),
        html("div", { class: "drawing" }, drawing(width, bottom + 26, timelineSays(run, kernel, timers[0]), ...kept)),
        html("p", { class: "legend" }, ["kernel", "copy", "waits", "launch"].filter(look => spans.some(span => span.look === look && span.to >= from && span.from <= to))
                .map(look => key(look, look === "waits" ? "the host waits" : look)),
            timers.length ? key("timer", "your timer") : null),
        html("p", {}, html("strong", {}, timelineSays(run, kernel, timers[0])))].filter(Boolean);
}

/* Does the host wait for the GPU between the launch and the end of the timer? Events wait for themselves. */
const hostWaits = (run, kernel, timer) => !timer.second ||
    run.steps.some(step => (step.event === "sync" || step.event === "copy") && (step.t ?? step.start) >= kernel.t && (step.t ?? step.start) <= timer.to);

function timelineSays(run, kernel, timer) {
    if (!kernel?.end) return "No kernel ran to its end.";
    const takes = `The kernel takes ${duration(lengthOf(kernel))}.`;
    if (!timer) return takes;
    if (timer.to < kernel.end && timer.to >= kernel.t)
        return `${takes} Your timer stops ${duration(kernel.end - timer.to)} before the kernel has finished.`;
    const copies = run.steps.filter(step => step.event === "copy" && step.start >= timer.from && step.end <= timer.to);
    if (copies.length) return `${takes} Your timer also covers ${plural(copies.length, "copy").replace("copys", "copies")}: ${duration(sum(copies, one => one.end - one.start))}.`;
    const covers = `${takes} Your timer covers it: ${duration(timer.to - timer.from)}.`;
    return hostWaits(run, kernel, timer) ? covers : `${covers} This is luck: nothing makes the host wait for the kernel before the timer stops.`;
}

/* ---- the roofline ---- */

/* The check's point: flop per byte of DRAM, and Gflop/s. Null if the check has no rate. */
function pointOf(check) {
    const { rate, work, intensity } = check.verdict;
    if (!rate || !work || !intensity?.dram) return null;
    const gflops = rate.unit === "Gflop/s" ? rate.value : rate.value * work.flops / work.bytes;
    return { name: check.title || check.verdict.source, intensity: intensity.dram, gflops, how: rate.how };
}

/* The stages' points, from the table of `make roofline`: stage, name, intensity, gflops, how, size. */
function stagePoints(table) {
    return (table ?? "").split("\n").map(line => line.split("\t")).filter(fields => fields.length >= 5 && /^\d+$/.test(fields[0]))
        .map(([stage, name, intensity, gflops, how]) => ({ name: `stage ${stage}`, title: name, intensity: +intensity, gflops: +gflops, how }));
}

function showRoofline(data, run, width) {
    const gpu = run.gpu ?? {}, checks = [data.before, data.check].filter(Boolean);
    const mine = checks.map(check => ({ ...pointOf(check) ?? {}, mine: true })).filter(point => point.gflops > 0);
    if (!mine.length || !gpu.copy_gbs) return [html("p", {}, "There is no rate to draw: the result has to be right first.")];
    const points = [...stagePoints(data.stages), ...mine], top = gpu.cublas_gflops || gpu.copy_gbs * 100;
    const xs = [...points.map(point => point.intensity), 0.1, 2 * top / gpu.copy_gbs], ys = [...points.map(point => point.gflops), top * 1.5];
    const low = Math.log10(Math.min(...xs) / 1.6), high = Math.log10(Math.max(...xs)), least = Math.log10(Math.min(...ys) / 2), most = Math.log10(Math.max(...ys));
    const height = Math.min(380, Math.max(260, width * 0.5)), left = 56, bottom = height - 42;
    const x = value => left + (width - left - 12) * (Math.log10(value) - low) / (high - low);
    const y = value => bottom - (bottom - 12) * (Math.log10(value) - least) / (most - least);
    const ridge = top / gpu.copy_gbs, parts = [];
    for (let power = Math.ceil(low); power <= high; power++)
        parts.push(stroke(x(10 ** power), 12, x(10 ** power), bottom, "grid"), words(x(10 ** power), bottom + 16, figure(10 ** power), "tiny soft", "middle"));
    for (let power = Math.ceil(least); power <= most; power++)
        parts.push(stroke(left, y(10 ** power), width - 12, y(10 ** power), "grid"), words(left - 6, y(10 ** power) + 4, figure(10 ** power), "tiny soft", "end"));
    parts.push(svg("path", { class: "roof", d: `M${x(10 ** low)},${y(10 ** low * gpu.copy_gbs)} L${x(ridge)},${y(top)} L${width - 12},${y(top)}` }),
        words(left + 4, 10, "Gflop/s", "tiny soft"), words(width - 12, bottom + 34, "flop per byte of memory traffic", "tiny soft", "end"),
        words(width - 16, y(top) - 8, `${group(top)} Gflop/s, cuBLAS`, "tiny", "end"));
    placeLabels(points, y).forEach(({ point, at }) => {
        const px = x(point.intensity), before = px + 20 + 9 * point.name.length > width;
        parts.push(svg("circle", { cx: px, cy: y(point.gflops), r: point.mine ? 7 : 4, class: point.mine ? "mine" : "stage" }),
            words(before ? px - 11 : px + 11, at + 4, point.name, point.mine ? "small mine-text" : "tiny", before ? "end" : "start"));
    });
    const point = mine.at(-1), roof = Math.min(top, point.intensity * gpu.copy_gbs);
    const says = `Your program reaches ${figure(point.gflops)} Gflop/s, ${point.how}. At ${figure(point.intensity)} flop per byte the roof is ${figure(roof)} Gflop/s: you are at ${percent(point.gflops / roof)} of it.`;
    return [html("div", { class: "drawing" }, drawing(width, height, says, ...parts)), html("p", {}, html("strong", {}, says)),
        html("p", { class: "small" }, `${roof < top ? "Under the slope, no kernel is faster than memory." : "Under the flat part, no kernel is faster than arithmetic."} What limits yours is in the table of the kernel's time.`,
            data.stages ? "" : " make roofline adds the points of the stages, where this copy of the lab has them.")];
}

/* Labels from top to bottom, at least 15 pixels apart. */
function placeLabels(points, y) {
    const labels = points.map(point => ({ point, at: y(point.gflops) })).sort((a, b) => a.at - b.at);
    for (let i = 1; i < labels.length; i++) labels[i].at = Math.max(labels[i].at, labels[i - 1].at + 15);
    return labels;
}
