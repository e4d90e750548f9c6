/*
 * model.js: what the page knows: the check's data, and what follows from them by counting. Nothing here draws. The rules
 * for sectors and banks are those of the simulated GPU (checker/gpu/README.md); a test compares them with its counts.
 */
const LANES = 32, SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4;

/* More than this share of sectors or wavefronts beyond the fewest is worth a look: one sector in four. */
const WASTE = 1.25;

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

const plural = (number, word) => `${group(number)} ${word}${number === 1 ? "" : "s"}`;

/* 1234567 as 1 234 567, with narrow spaces that do not break. */
function group(number) {
    return String(Math.round(number)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/* Three digits that count. */
function figure(number) {
    if (!Number.isFinite(number)) return "–";
    if (number === 0) return "0";
    if (Math.abs(number) >= 1000) return group(number);
    return String(+number.toPrecision(3));
}

function duration(ns) {
    const [size, unit] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "µs"] : [1, "ns"];
    return `${figure(ns / size)} ${unit}`;
}

function bytesText(bytes) {
    const [size, unit] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : bytes >= 1e3 ? [1e3, "KB"] : [1, "bytes"];
    return `${figure(bytes / size)} ${unit}`;
}

const percent = share => share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`;

/* ---- requests ---- */

const isShared = site => site.space === "shared";
const usedOf = item => item.sectors ?? item.wavefronts ?? 0;
const unitOf = site => isShared(site) ? "wavefront" : "sector";
const wasteOf = site => site.ideal > 0 ? usedOf(site) / site.ideal : 1;

/* The lanes that take part in a sample: { lane, offset, at }. `at` counts from a boundary of 128 bytes. */
function lanesOf(sample) {
    return sample.offsets.map((offset, lane) => ({ lane, offset, at: offset + (sample.shift ?? 0) }))
        .filter(one => one.offset !== null);
}

/* The lines of 128 bytes that a request touches, in order: { line, sectors: Set, lanes }. */
function linesOf(sample) {
    const lines = new Map();
    for (const one of lanesOf(sample)) {
        const line = Math.floor(one.at / LINE);
        if (!lines.has(line)) lines.set(line, { line, sectors: new Set(), lanes: [] });
        lines.get(line).sectors.add(Math.floor(one.at / SECTOR));
        lines.get(line).lanes.push(one);
    }
    return [...lines.values()].sort((a, b) => a.line - b.line);
}

const sectorsOf = sample => sum(linesOf(sample), line => line.sectors.size);

/* Does each active lane use the words of the lane at this distance? */
function arePairs(lanes, apart) {
    const at = new Map(lanes.map(one => [one.lane, one.at]));
    return lanes.every(one => !at.has(one.lane ^ apart) || at.get(one.lane ^ apart) === one.at);
}

/* The wavefronts of a request to shared memory, each a list of { bank, word, lanes }. */
function wavefrontsOf(site, sample) {
    const lanes = lanesOf(sample), words = Math.max(1, site.size / WORD);
    let each = LANES / words;
    if (words > 1 && site.kind === "load" && [1, 2].some(apart => arePairs(lanes, apart))) each *= 2;
    const wavefronts = [];
    for (let first = 0; first < LANES; first += each) {
        const phase = lanes.filter(one => one.lane >= first && one.lane < first + each), banks = new Map();
        for (const one of phase)
            for (let i = 0; i < words; i++) {
                const word = Math.floor(one.at / WORD) + i, bank = word % BANKS;
                if (!banks.has(bank)) banks.set(bank, new Map());
                if (!banks.get(bank).has(word)) banks.get(bank).set(word, []);
                banks.get(bank).get(word).push(one.lane);
            }
        const rows = [];
        for (const [bank, wanted] of banks)
            [...wanted].forEach(([word, who], i) => (rows[i] ??= []).push({ bank, word, lanes: who }));
        wavefronts.push(...rows);
    }
    return wavefronts;
}

const drawnOf = (site, sample) => isShared(site) ? wavefrontsOf(site, sample).length : sectorsOf(sample);

/* ---- names ---- */

/* The constants of the source, and what a template's parameters are in this kernel: gpu_matmul<TILE>. */
function constantsOf(text, kernel) {
    const constants = new Map();
    for (const [, constant, value] of text.matchAll(/(?:#define\s+|[\s,{]|const\s+int\s+)([A-Za-z_]\w*)\s*=?\s*(\d+)\b/g))
        if (!constants.has(constant)) constants.set(constant, +value);
    const [, name, given] = /(\w+)\s*<(.*)>$/.exec(kernel?.kernel ?? "") ?? [];
    const [, wanted] = new RegExp(`template\\s*<([^>]*)>\\s*__global__[^(;]*\\b${name}\\s*\\(`).exec(text) ?? [];
    if (given && wanted)
        wanted.split(",").forEach((parameter, i) => {
            const value = given.split(",")[i]?.trim();
            constants.set(parameter.trim().split(/\s+/).pop(), constants.get(value) ?? +value);
        });
    return constants;
}

/* The sizes of a shared array: [] if it has only one, null if they are not known. */
function dimensionsOf(source, name, kernel) {
    const text = source.join("\n"), constants = constantsOf(text, kernel);
    const declared = new RegExp(`__shared__[^;]*?\\b${name}((?:\\s*\\[[^\\]]*\\])+)`).exec(text);
    const sizes = [...(declared?.[1] ?? "").matchAll(/\[([^\]]*)\]/g)].map(([, size]) =>
        sum(size.split("+"), term => constants.get(term.trim()) ?? (term.trim() === "" ? NaN : +term)));
    if (sizes.length < 2) return [];
    return sizes.slice(1).every(Number.isFinite) ? sizes : null;
}

/* An array's name, as the kernel's source has it. */
function arrayOf(check, kernel, item) {
    if (item.array === "the dynamic shared memory")
        return /extern\s+__shared__[^;]*?(\w+)\s*\[/.exec(check.source.join("\n"))?.[1] ?? item.array;
    if (item.array) return item.array;
    if (item.alloc === undefined) return "memory";
    return kernel?.arrays?.[item.alloc] ?? `array ${item.alloc}`;
}

/* Bytes of CUDA's types. A number at the end of its name says how many members a type has: float4. */
const BYTES = { bool: 1, char: 1, short: 2, half: 2, __half: 2, int: 4, unsigned: 4, float: 4, double: 8, long: 8, size_t: 8 };

/* The bytes of an array's elements and of their members, as the kernel declares the array. If that is not known, an
 * element is what an access has. */
function elementOf(check, name, size, kernel) {
    const text = check.source.join("\n"), [called] = /\w+/.exec(kernel?.kernel ?? "") ?? [];
    const [, parameters = ""] = (called && new RegExp(`__global__[^;{]*\\b${called}\\s*\\(([^)]*)\\)`).exec(text)) || [];
    const type = `\\b(?:unsigned\\s+)?(${Object.keys(BYTES).join("|")})([234]?)\\b`;
    for (const [where, apart] of [[parameters, ","], ...[...text.matchAll(/__shared__[^;]*/g)].map(([where]) => [where, ";"])]) {
        const [, base, members] = new RegExp(`${type}[^${apart}]*\\b${name}\\b`).exec(where) ?? [];
        if (base) return { bytes: BYTES[base] * (members || 1), member: BYTES[base] };
    }
    return { bytes: size, member: size };
}

/* The name of the element or elements that an access uses: x[37], x[4] to x[7], tile[1][5], v[2].y, or x, byte 6 if the offset is between elements.
 */
function elementName(check, name, offset, size, kernel) {
    const { bytes, member } = elementOf(check, name, size, kernel);
    if (offset % member !== 0 || /\W/.test(name)) return `${name}, byte ${group(offset)}`;
    const one = at => indexed(check, name, Math.floor(at / bytes), kernel);
    if (size > bytes) return `${one(offset)} to ${one(offset + size - bytes)}`;
    return one(offset) + (size < bytes && bytes > member ? `.${"xyzw"[offset % bytes / member]}` : "");
}

/* Element number `index` of an array, by the sizes that the source gives it. */
function indexed(check, name, index, kernel) {
    const sizes = dimensionsOf(check.source, name, kernel);
    if (!sizes) return `${name}, element ${index}`;
    if (!sizes.length) return `${name}[${index}]`;
    const indices = [];
    for (const length of sizes.slice(1).reverse()) {
        indices.unshift(index % length);
        index = Math.floor(index / length);
    }
    return `${name}${[index, ...indices].map(one => `[${one}]`).join("")}`;
}

/* ---- kernels ---- */

const blocksOf = kernel => kernel.grid[0] * kernel.grid[1] * kernel.grid[2];
const threadsOf = kernel => kernel.block[0] * kernel.block[1] * kernel.block[2];

/* The number of a thread in its block, and its warp and lane. */
function placeOf(kernel, thread) {
    const [x, y, z] = thread, number = x + kernel.block[0] * (y + kernel.block[1] * z);
    return { number, warp: Math.floor(number / LANES), lane: number % LANES };
}

const triple = list => list[1] === 0 && list[2] === 0 ? String(list[0]) : `(${list.join(", ")})`;
const shape = list => list[2] !== 1 ? list.join(" × ") : list[1] !== 1 ? `${list[0]} × ${list[1]}` : group(list[0]);

/* The terms of the modelled time, the largest first; the first one limits the kernel. */
const TERMS = [
    ["dram_ns", "memory (DRAM)", "Bytes that move between the GPU and its memory."],
    ["l2_ns", "L2 cache", "Bytes that move between the L2 cache and the SMs."],
    ["stores_ns", "L2 cache, stores", "The L2 takes sectors that warps store. Neighbours in one line are cheaper."],
    ["l1_ns", "L1 and shared memory", "Lines of 128 bytes and wavefronts that the SMs handle."],
    ["issue_ns", "requests", "The SMs start one request after another."],
    ["latency_ns", "waiting (latency)", "Warps wait for their data and results. More warps or more loads in flight would hide it."],
    ["compute_ns", "arithmetic", "Additions, multiplications, divisions, and the instructions around them."],
    ["atomics_ns", "atomic operations", "The L2 does the atomic operations of all warps."],
    ["hot_ns", "atomic operations in few places", "Threads that add to the same number take turns."],
    ["blocks_ns", "starting blocks", "Each block takes a little time to start."],
    ["bus_ns", "bus to the host", "The kernel uses memory of the host."],
];

function termsOf(kernel) {
    return TERMS.map(([key, name, text]) => ({ key, name, text, ns: kernel[key] ?? 0 }))
        .filter(term => term.ns > 0).sort((a, b) => b.ns - a.ns);
}

/* How long a warp waits for shared memory, where it waits 1 for memory: some 25 ns against some 500. */
const SHARED_WAIT = 0.05;

/* The cost of a place, in the unit of the term that limits the kernel. */
function costOf(kernel, site) {
    const limit = termsOf(kernel)[0]?.key;
    if (limit === "latency_ns") return site.kind === "store" ? 0 : site.requests * (isShared(site) ? SHARED_WAIT : 1);
    if (isShared(site)) return limit === "l1_ns" || limit === "issue_ns" ? usedOf(site) : 0;
    if (limit === "l1_ns") return usedOf(site) / 4;
    return limit === "issue_ns" ? site.requests : usedOf(site);
}

const operationsOf = row => ["floats", "float_divisions", "doubles", "double_divisions", "conversions", "divisions",
    "divisions_64"].reduce((total, key) => total + (row[key] ?? 0), 0);

/* The work of each line of the source in this kernel, by its number: { sites, global, shared, operations, share, lanes }. */
function lineTable(kernel) {
    const table = new Map();
    const at = line => {
        if (!table.has(line)) table.set(line, { line, sites: [], operations: 0, cost: 0 });
        return table.get(line);
    };
    const byArithmetic = termsOf(kernel)[0]?.key === "compute_ns" && (kernel.arithmetic ?? []).length > 0;
    for (const site of kernel.sites ?? []) {
        if (!site.line) continue;
        at(site.line).sites.push(site);
        if (!byArithmetic) at(site.line).cost += costOf(kernel, site);
    }
    for (const row of kernel.arithmetic ?? []) {
        if (!row.line) continue;
        at(row.line).operations += operationsOf(row);
        if (byArithmetic) at(row.line).cost += operationsOf(row);
    }
    const total = sum([...table.values()], row => row.cost);
    for (const row of table.values()) {
        row.global = countsOf(row.sites.filter(site => !isShared(site)));
        row.shared = countsOf(row.sites.filter(isShared));
        row.share = total > 0 ? row.cost / total : 0;
        const lanes = sum(row.sites, site => site.lanes), requests = sum(row.sites, site => site.requests);
        row.lanes = requests > 0 ? lanes / (LANES * requests) : null;
    }
    return table;
}

function countsOf(sites) {
    return { requests: sum(sites, site => site.requests), used: sum(sites, usedOf), ideal: sum(sites, site => site.ideal) };
}

/* The sites of a kernel with their samples. A later launch of a kernel has those of an earlier one. */
function samplesOf(run, kernel, site) {
    if (site.samples?.length) return { samples: site.samples, from: kernel };
    for (const other of [...run.kernels].reverse()) {
        if (other.kernel !== kernel.kernel) continue;
        const same = other.sites.find(one => one.samples?.length && one.line === site.line && one.kind === site.kind &&
            one.space === site.space && one.size === site.size);
        if (same) return { samples: same.samples, from: other };
    }
    return { samples: [], from: kernel };
}

/* The kernel to begin with: the one that took the longest. */
function mainKernel(run) {
    return run.kernels.reduce((best, one) => !best || lengthOf(one) > lengthOf(best) ? one : best, undefined);
}

const lengthOf = kernel => kernel.end > kernel.start ? kernel.end - kernel.start : 0;

/* How the blocks are spread over the SMs: places, full waves, blocks of the last wave. */
function wavesOf(run, kernel) {
    const sms = run.gpu?.sms ?? 0, each = kernel.blocks_per_sm || kernel.occupancy?.blocks_per_sm || 1;
    const blocks = blocksOf(kernel), places = sms * each;
    const full = Math.floor(blocks / places), rest = blocks % places;
    return { sms, each, blocks, places, full, rest, waves: Math.ceil(blocks / places) };
}

/* The two clock readings around the main kernel's launch: what the student's timer covered. Null if there are not two. */
function timerOf(run, kernel) {
    const clocks = run.steps.filter(step => step.event === "clock");
    if (!kernel || clocks.length < 2) return null;
    const before = clocks.filter(step => step.t <= kernel.t).at(-1), after = clocks.find(step => step.t > kernel.t);
    return before && after ? { from: before.t, to: after.t, first: before, second: after } : null;
}

/* Between two events, as cudaEventElapsedTime measured it. */
function eventTimers(run) {
    const marks = new Map(run.steps.filter(step => step.event === "mark").map(step => [step.id, step]));
    return run.steps.filter(step => step.event === "elapsed" && marks.has(step.from) && marks.has(step.to))
        .map(step => ({ from: marks.get(step.from).t, to: marks.get(step.to).t }));
}

if (typeof module !== "undefined")
    module.exports = { arrayOf, drawnOf, samplesOf, usedOf, elementName, dimensionsOf, lineTable, linesOf, wavefrontsOf, wavesOf };
