/*
 * threads.js: which element does each thread take, and which 32-byte sectors does its warp touch? You choose a grid, a
 * block and a formula. The figure draws the lanes of one warp and the sectors of one of its requests. The rule is that
 * of the hardware: a request is one access of a warp, and its sectors are the distinct 32-byte pieces that its lanes
 * touch.
 */
import {
    COLOURS, addChoice, addSlider, addText, count, makeFrame, spaced,
} from "./common.js";

export const LANES = 32, SECTOR_BYTES = 32;

/* * Each formula gives the element of global thread t at one step of its loop; `k` is the chosen chunk or stride,
 * `threads` the number of all threads. */
export const FORMULAS = {
    one: {
        text: "one each", code: () => "i = blockIdx.x*blockDim.x + threadIdx.x",
        element: t => t, steps: () => 1, usesK: false,
    },
    chunk: {
        text: "a chunk each", code: k => `i = t*${k} + step`,
        element: (t, step, k) => t * k + step, steps: k => k, usesK: true,
    },
    neighbours: {
        text: "neighbours", code: (k, threads) => `i = step*${threads} + t`,
        element: (t, step, k, threads) => step * threads + t, steps: k => k, usesK: true,
    },
    stride: {
        text: "every k-th", code: k => `i = t*${k}`,
        element: (t, step, k) => t * k, steps: () => 1, usesK: true,
    },
};

/* Without `code` nobody reads an index in CUDA, and the formula and the blocks are as given: for students who are still to find them. */
export const START = { blocks: 2, blockThreads: 64, formula: "one", k: 4, bytes: 4, warp: 0, step: 0, lane: 5, code: true };

export function warpsPerBlock(state) {
    return Math.ceil(state.blockThreads / LANES);
}

export function warpCount(state) {
    return state.blocks * warpsPerBlock(state);
}

export function stepCount(state) {
    return FORMULAS[state.formula].steps(state.k);
}

/** The lanes of a warp that exist: { lane, block, thread, t, element }. */
export function lanesOf(state, warp = state.warp, step = state.step) {
    const perBlock = warpsPerBlock(state), block = Math.floor(warp / perBlock);
    const threads = state.blocks * state.blockThreads;
    const first = (warp % perBlock) * LANES;
    return Array.from({ length: Math.min(LANES, state.blockThreads - first) }, (_, lane) => {
        const thread = first + lane, t = block * state.blockThreads + thread;
        return { lane, block, thread, t,
            element: FORMULAS[state.formula].element(t, step, state.k, threads) };
    });
}

/** The sectors that lanes touch, ascending: { sector, firstByte, elements: Map of element to lane }. */
export function sectorsOf(lanes, bytes) {
    const sectors = new Map();
    for (const { lane, element } of lanes) {
        const sector = Math.floor(element * bytes / SECTOR_BYTES);
        if (!sectors.has(sector)) sectors.set(sector, { sector, elements: new Map() });
        sectors.get(sector).elements.set(element, lane);
    }
    return [...sectors.values()].sort((a, b) => a.sector - b.sector);
}

/* The traffic of one request: its sectors, the smallest number that would be enough, and the share of the moved bytes that lanes requested. */
export function requestOf(state, warp = state.warp, step = state.step) {
    const lanes = lanesOf(state, warp, step), sectors = sectorsOf(lanes, state.bytes).length;
    const asked = lanes.length * state.bytes;
    return { lanes: lanes.length, sectors, ideal: Math.ceil(asked / SECTOR_BYTES), asked,
        moved: sectors * SECTOR_BYTES, efficiency: asked / (sectors * SECTOR_BYTES) };
}

/* The traffic of the whole grid: requests and sectors of all warps and steps. */
export function totalOf(state) {
    let sectors = 0, asked = 0;
    for (let warp = 0; warp < warpCount(state); warp++)
        for (let step = 0; step < stepCount(state); step++) {
            const request = requestOf(state, warp, step);
            sectors += request.sectors;
            asked += request.asked;
        }
    const requests = warpCount(state) * stepCount(state);
    return { requests, sectors, efficiency: asked / (sectors * SECTOR_BYTES) };
}

/* * A possible state: every part is within the limits that the others set. */
export function settle(state) {
    const within = (value, size) => Math.min(value, size - 1);
    state.warp = within(state.warp, warpCount(state));
    state.step = within(state.step, stepCount(state));
    state.lane = within(state.lane, lanesOf(state).length);
    return state;
}

export function describe(state) {
    const request = requestOf(state), total = totalOf(state), at = lanesOf(state)[state.lane];
    const percent = share => `${+(100 * share).toFixed(1)} %`;
    return `Thread ${at.t} (block ${at.block}, threadIdx.x ${at.thread}) takes element ${at.element}. ` +
        `Its warp: 1 request, ${count(request.sectors, "sector")}; ${request.ideal} would be enough; ` +
        `${percent(request.efficiency)} of the bytes moved are used. ` +
        `All warps: ${count(total.requests, "request")}, ${count(total.sectors, "sector")}, ` +
        `${percent(total.efficiency)}.`;
}

/* ---- the drawing ---- */

const COLUMNS = 16, CELL = 71.5, LEFT = 2;

/* Calls `choose(index)` when one of the shapes is pressed. */
function onPress(shapes, choose) {
    shapes.classed("touchable", true).on("pointerdown", (event, d) => choose(d));
}

function drawWarps(svg, state, choose) {
    const perBlock = warpsPerBlock(state), warps = warpCount(state);
    const width = Math.min(60, 1040 / (warps + state.blocks * 0.5));
    const x = warp => 90 + warp * width + Math.floor(warp / perBlock) * width / 2;
    addText(svg, LEFT, 23, "warps", { colour: COLOURS.quiet });
    const cells = svg.append("g").selectAll("g").data(Array.from({ length: warps }, (_, i) => i)).join("g");
    cells.append("rect").attr("x", x).attr("y", 2).attr("width", width - 4).attr("height", 28)
        .attr("fill", w => w === state.warp ? COLOURS.blue : COLOURS.pale);
    if (width > 30)
        cells.append("text").attr("x", w => x(w) + width / 2 - 2).attr("y", 23)
            .attr("text-anchor", "middle").text(w => w % perBlock)
            .style("fill", w => w === state.warp ? COLOURS.paper : COLOURS.ink);
    onPress(cells, choose);
    for (let block = 0; block < state.blocks; block++)
        addText(svg, x(block * perBlock), 51, state.blocks > 4 ? `${block}` : `block ${block}`,
            { small: true, colour: COLOURS.quiet });
}

function drawLanes(svg, state, choose) {
    const lanes = lanesOf(state);
    addText(svg, LEFT, 82, `the warp's lanes, 0 to 15 and 16 to 31, each with the element it takes` +
        (stepCount(state) > 1 ? ` in step ${state.step}` : ""), { colour: COLOURS.quiet });
    const place = lane => `translate(${LEFT + lane % COLUMNS * CELL},${91 + Math.floor(lane / COLUMNS) * 42})`;
    const cells = svg.append("g").selectAll("g").data(Array.from({ length: LANES }, (_, i) => i)).join("g")
        .attr("transform", place);
    cells.append("rect").attr("width", CELL - 4).attr("height", 38)
        .attr("fill", lane => lane === state.lane ? COLOURS.orange
            : lane < lanes.length ? COLOURS.sky : COLOURS.paper)
        .attr("stroke", lane => lane < lanes.length ? "none" : COLOURS.line)
        .attr("stroke-dasharray", "4 4");
    cells.append("text").attr("x", CELL / 2 - 2).attr("y", 26).attr("text-anchor", "middle")
        .style("fill", lane => lane === state.lane ? COLOURS.paper : COLOURS.ink)
        .text(lane => lane < lanes.length ? lanes[lane].element : "");
    onPress(cells.filter(lane => lane < lanes.length), choose);
}

function drawSectors(svg, state, choose) {
    const sectors = sectorsOf(lanesOf(state), state.bytes), size = state.bytes;
    const words = SECTOR_BYTES / size, word = (CELL - 8) / words;
    addText(svg, LEFT, 204, `the ${count(sectors.length, "sector")} of 32 bytes that they touch, ` +
        `with the first element of each`, { colour: COLOURS.quiet });
    sectors.forEach(({ sector, elements }, i) => {
        const place = svg.append("g").attr("transform",
            `translate(${LEFT + i % COLUMNS * CELL},${216 + Math.floor(i / COLUMNS) * 72})`);
        const cells = place.selectAll("rect").data(Array.from({ length: words }, (_, w) => sector * words + w))
            .join("rect").attr("x", (_, w) => 2 + w * word).attr("width", word - 1).attr("height", 36)
            .attr("fill", e => !elements.has(e) ? COLOURS.pale
                : elements.get(e) === state.lane ? COLOURS.orange : COLOURS.blue);
        onPress(cells, element => elements.has(element) && choose(elements.get(element)));
        place.append("rect").attr("x", 0).attr("y", -2).attr("width", CELL - 5).attr("height", 40)
            .attr("fill", "none").attr("stroke", COLOURS.line).attr("pointer-events", "none");
        addText(place, 0, 58, sector * words, { small: true, colour: COLOURS.quiet });
    });
}

/** Draws the figure into `element`. `options` are parts of START: where it begins. */
export function mount(element, options = {}) {
    const state = settle({ ...START, ...options });
    const { controls, svg, says } = makeFrame(element,
        { name: "Threads, elements and sectors", height: 366 });
    const set = part => value => update({ [part]: value });
    if (state.code) addChoice(controls, { name: "formula", value: state.formula, onChange: set("formula"),
        options: Object.entries(FORMULAS).map(([key, { text }]) => [key, text]) });
    const code = document.createElement("code");
    if (state.code) controls.appendChild(code);
    const sliders = {};
    const slider = (part, name, values, show) => {
        sliders[part] = addSlider(controls, { name, values, value: state[part], show, onChange: set(part) });
    };
    if (state.code) addChoice(controls, { name: "blocks", value: state.blocks, onChange: set("blocks"),
        options: [1, 2, 4, 8].map(n => [n, n]) });
    addChoice(controls, { name: "threads per block", value: state.blockThreads, onChange: set("blockThreads"),
        options: [16, 32, 64, 128].map(n => [n, n]) });
    addChoice(controls, { name: "bytes", value: state.bytes, onChange: set("bytes"),
        options: [4, 8, 16].map(n => [n, n]) });
    slider("k", "k", [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64]);
    slider("step", "step", Array.from({ length: 64 }, (_, i) => i));
    slider("warp", "warp", Array.from({ length: 32 }, (_, i) => i));
    slider("lane", "lane", Array.from({ length: LANES }, (_, i) => i));

    function update(change) {
        settle(Object.assign(state, change));
        const { usesK, code: write } = FORMULAS[state.formula];
        code.textContent = write(state.k, spaced(state.blocks * state.blockThreads));
        sliders.k.set(state.k, { isShown: usesK });
        sliders.step.set(state.step, { isShown: stepCount(state) > 1, limit: stepCount(state) });
        sliders.warp.set(state.warp, { limit: warpCount(state) });
        sliders.lane.set(state.lane, { limit: lanesOf(state).length });
        svg.selectAll("*").remove();
        drawWarps(svg, state, set("warp"));
        drawLanes(svg, state, set("lane"));
        drawSectors(svg, state, set("lane"));
        says(describe(state), usesK && state.code ? `The formula is ${code.textContent}.` : "");
    }
    update({});
    return { state, update };
}
