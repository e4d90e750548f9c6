/*
 * tiles.js: shows the tiled matrix product P = M N step by step. In each phase, each thread of a block loads one
 * element of M and one of N into shared memory, and all wait. Then each adds up its products, and all wait again. The
 * numbers in the cells are real, and so are the counts of loads with and without tiles.
 */
import { COLOURS, SERIES, SERIES_PALE, addButton, addChoice, addText, count, isLive, makeFrame, spaced } from "./common.js";

export const SIZES = { "4/2": { n: 4, tile: 2 }, "8/4": { n: 8, tile: 4 } };
export const START = { size: "4/2", step: 4, column: 0, row: 0, x: 1, y: 0 };

/* The inputs: digits from 1 to 3, so that a sum of eight products has at most two digits. */
export const elementOfM = (row, column) => 1 + (row * 5 + column * 2 + row * column) % 3;
export const elementOfN = (row, column) => 1 + (row * 2 + column * 4 + row * row + 1) % 3;

/** The steps of one run, in order: { kind: start | load | barrier | sum | store, phase, k, after }. */
export function stepsOf({ n, tile }) {
    const steps = [{ kind: "start" }];
    for (let phase = 0; phase < n / tile; phase++) {
        steps.push({ kind: "load", phase }, { kind: "barrier", phase, after: "load" });
        for (let k = 0; k < tile; k++) steps.push({ kind: "sum", phase, k });
        steps.push({ kind: "barrier", phase, after: "sum" });
    }
    return [...steps, { kind: "store" }];
}

/* * The sum that a thread of a block has for its element of P after `step` steps. */
export function sumAfter(size, step, row, column) {
    let sum = 0;
    for (const { kind, phase, k } of stepsOf(size).slice(0, step + 1))
        if (kind === "sum") sum += elementOfM(row, phase * size.tile + k) * elementOfN(phase * size.tile + k, column);
    return sum;
}

/** Loads from global memory by all threads: so far with tiles, for the same sums without, and in all. */
export function loadsAfter({ n, tile }, step) {
    const made = stepsOf({ n, tile }).slice(0, step + 1);
    const number = kind => made.filter(one => one.kind === kind).length;
    return { tiled: 2 * n * n * number("load"), plain: 2 * n * n * number("sum"),
        tiledInAll: 2 * n * n * n / tile, plainInAll: 2 * n ** 3 };
}

/* The sentence about what the chosen thread does in this step. */
function sayStep(state) {
    const { n, tile } = SIZES[state.size], step = stepsOf({ n, tile })[state.step];
    const row = state.row * tile + state.y, column = state.column * tile + state.x;
    const first = (step.phase ?? 0) * tile;
    const thread = `Thread (${state.x}, ${state.y}) of block (${state.column}, ${state.row})`;
    switch (step.kind) {
    case "start": return `${thread} will make P[${row}][${column}]. Its sum is 0.`;
    case "load": return `Phase ${step.phase}: ${thread} loads M[${row}][${first + state.x}] = ${elementOfM(row, first + state.x)} ` +
        `and N[${first + state.y}][${column}] = ${elementOfN(first + state.y, column)} into shared memory.`;
    case "barrier": return `Phase ${step.phase}: __syncthreads(). ` + (step.after === "load"
        ? "No thread reads the tiles before all threads of the block have loaded." : "No thread loads the next tiles before all have read these.");
    case "sum": return `Phase ${step.phase}, k = ${step.k}: ${thread} adds Ms[${state.y}][${step.k}] * Ns[${step.k}][${state.x}] = ` +
        `${elementOfM(row, first + step.k)} * ${elementOfN(first + step.k, column)}; its sum is ${sumAfter({ n, tile }, state.step, row, column)}.`;
    default: return `${thread} stores P[${row}][${column}] = ${sumAfter({ n, tile }, state.step, row, column)}.`;
    }
}

export function describe(state) {
    const size = SIZES[state.size], loads = loadsAfter(size, state.step);
    return `${sayStep(state)} Loads from global memory so far: ${spaced(loads.tiled)}; without tiles ` +
        `${spaced(loads.plain)}. In all ${spaced(loads.tiledInAll)} against ${spaced(loads.plainInAll)}.`;
}

/* ---- the drawing ---- */

const CELL = { "4/2": 62, "8/4": 35 }, TOP = 40;

/* One matrix: `value`, `fill` and `isMarked` are functions of (row, column). */
function drawMatrix(svg, { x, y, rows, columns, cell, title, value, fill, isMarked, onPress }) {
    addText(svg, x, y - 10, title, { bold: true });
    const places = Array.from({ length: rows * columns }, (_, i) => ({ row: Math.floor(i / columns), column: i % columns }));
    const cells = svg.append("g").selectAll("g").data(places).join("g")
        .attr("transform", d => `translate(${x + d.column * cell},${y + d.row * cell})`);
    cells.append("rect").attr("width", cell - 2).attr("height", cell - 2)
        .attr("fill", d => fill(d.row, d.column))
        .attr("stroke", d => isMarked(d.row, d.column) ? COLOURS.orange : COLOURS.line)
        .attr("stroke-width", d => isMarked(d.row, d.column) ? 4 : 1);
    cells.append("text").attr("x", cell / 2 - 1).attr("y", cell / 2 + 6).attr("text-anchor", "middle")
        .text(d => value(d.row, d.column));
    if (onPress) cells.classed("touchable", true).on("pointerdown", (event, d) => onPress(d.row, d.column));
}

/* The scene of a step: are there tiles in shared memory, and are they being loaded or read? */
function sceneOf(state) {
    const { n, tile } = SIZES[state.size], steps = stepsOf({ n, tile }), step = steps[state.step];
    const first = (step.phase ?? (step.kind === "store" ? n / tile - 1 : 0)) * tile;
    const inTile = (row, column, top, left) => row >= top && row < top + tile && column >= left && column < left + tile;
    return { n, tile, step, first, inTile, row0: state.row * tile, column0: state.column * tile,
        isFilled: step.kind !== "start" };
}

function draw(svg, state, choose) {
    const scene = sceneOf(state), { n, tile, step, first, inTile, row0, column0 } = scene;
    const cell = CELL[state.size], wide = n * cell, x = i => 2 + [0, wide + 44, 2 * wide + 88, 2 * wide + tile * cell + 140][i];
    const isLoad = step.kind === "load", isSum = step.kind === "sum", row = row0 + state.y, column = column0 + state.x;
    const active = step.phase !== undefined;
    const shade = (top, left, colour) => (r, c) => active && inTile(r, c, top, left) ? colour : COLOURS.paper;
    const block = { M: COLOURS.sky, N: COLOURS.peach };
    drawMatrix(svg, { x: x(0), y: TOP, rows: n, columns: n, cell, title: "M, global", value: elementOfM,
        fill: shade(row0, first, block.M), isMarked: (r, c) => isLoad && r === row && c === first + state.x });
    drawMatrix(svg, { x: x(1), y: TOP, rows: n, columns: n, cell, title: "N, global", value: elementOfN,
        fill: shade(first, column0, block.N), isMarked: (r, c) => isLoad && r === first + state.y && c === column });
    const shared = (y, title, element, top, left, colour, isMarked) => drawMatrix(svg, { x: x(2), y, rows: tile,
        columns: tile, cell, title, value: (r, c) => scene.isFilled ? element(top + r, left + c) : "",
        fill: () => scene.isFilled ? colour : COLOURS.paper, isMarked });
    shared(TOP, "Ms, shared", elementOfM, row0, first, block.M,
        (r, c) => isLoad ? r === state.y && c === state.x : isSum && r === state.y && c === step.k);
    shared(TOP + tile * cell + 50, "Ns, shared", elementOfN, first, column0, block.N,
        (r, c) => isLoad ? r === state.y && c === state.x : isSum && r === step.k && c === state.x);
    const title = step.kind === "store" ? "P, global" : "P: the threads' sums";
    drawMatrix(svg, { x: x(3), y: TOP, rows: n, columns: n, cell, title,
        value: (r, c) => sumAfter(scene, state.step, r, c),
        fill: (r, c) => inTile(r, c, row0, column0) ? COLOURS.mint : COLOURS.paper,
        isMarked: (r, c) => r === row && c === column,
        onPress: (r, c) => choose({ row: Math.floor(r / tile), column: Math.floor(c / tile), y: r % tile, x: c % tile }) });
}

/* The steps as a row of marks: L, |, +, |, ... */
function drawSteps(svg, state, choose) {
    const steps = stepsOf(SIZES[state.size]), width = 1152 / 18, marks = { start: "0", load: "load", barrier: "sync", sum: "sum", store: "store" };
    const colours = { start: COLOURS.quiet, load: SERIES[0], barrier: COLOURS.orange, sum: SERIES[2], store: SERIES[3] };
    const pale = { start: COLOURS.pale, load: SERIES_PALE[0], barrier: COLOURS.peach, sum: SERIES_PALE[2], store: SERIES_PALE[3] };
    const cells = svg.append("g").selectAll("g").data(steps).join("g")
        .attr("transform", (_, i) => `translate(${i * width},380)`).classed("touchable", true)
        .on("pointerdown", (event, d) => choose({ step: steps.indexOf(d) }));
    cells.append("rect").attr("width", width - 3).attr("height", 32)
        .attr("fill", (d, i) => i === state.step ? colours[d.kind] : pale[d.kind]);
    cells.append("text").attr("x", width / 2 - 1.5).attr("y", 23).attr("text-anchor", "middle")
        .style("fill", (d, i) => i === state.step ? COLOURS.paper : COLOURS.ink).text(d => marks[d.kind]);
}

/** Draws the figure into `element`. `options` are parts of START: where it begins; `still` is its step on paper and in the book. */
export function mount(element, { still, ...options } = {}) {
    const state = { ...START, ...options, ...(still && !isLive() ? { step: still } : {}) };
    const { controls, svg, says } = makeFrame(element, { name: "The tiled matrix product, step by step", height: 414 });
    const back = addButton(controls, { text: "◀ back", name: "step back", onClick: () => update({ step: state.step - 1 }) });
    const next = addButton(controls, { text: "step ▶", name: "step forward", onClick: () => update({ step: state.step + 1 }) });
    addButton(controls, { text: "start again", name: "start again", onClick: () => update({ step: 0 }) });
    addChoice(controls, { name: "matrices, tiles", value: state.size, onChange: size => update({ ...START, size, step: 0 }),
        options: [["4/2", "4 × 4, 2 × 2"], ["8/4", "8 × 8, 4 × 4"]] });
    const threads = addButton(controls, { text: "next thread", name: "follow the next thread", onClick: followNext });
    controls.addEventListener("keydown", event => {
        if (event.key === "ArrowRight" && event.target.localName === "button") update({ step: state.step + 1 });
        if (event.key === "ArrowLeft" && event.target.localName === "button") update({ step: state.step - 1 });
    });

    /* Goes through all threads of all blocks, in the order of P's elements. */
    function followNext() {
        const { n, tile } = SIZES[state.size];
        const at = ((state.row * tile + state.y) * n + state.column * tile + state.x + 1) % (n * n);
        const row = Math.floor(at / n), column = at % n;
        update({ row: Math.floor(row / tile), y: row % tile, column: Math.floor(column / tile), x: column % tile });
    }

    function update(change) {
        Object.assign(state, change);
        const last = stepsOf(SIZES[state.size]).length - 1;
        state.step = Math.min(Math.max(state.step, 0), last);
        back.setEnabled(state.step > 0);
        next.setEnabled(state.step < last);
        threads.setEnabled(true);
        svg.selectAll("*").remove();
        draw(svg, state, update);
        drawSteps(svg, state, update);
        says(describe(state), `Step ${state.step} of ${last}; ${count(SIZES[state.size].n ** 2, "thread")}.`);
    }
    update({});
    return { state, update };
}
