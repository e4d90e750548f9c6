/*
 * roofline.js: how fast can a kernel be with this many flop per byte from DRAM? You choose GPUs and move a kernel to
 * its arithmetic intensity, by dragging or by keys. Stages are shown at their measured rates, and at one of two
 * intensities: per byte that DRAM must move at least (every number once), or per byte that the kernel requests (sectors
 * that the hardware counted). Where a stage is above the roof in the second, caches serve a part of its requests. The
 * peaks come from the simulated GPU's profiles, the stages from the measured tables.
 */
import { line, pointer, scaleLog } from "d3";
import a100 from "../../checker/gpu/profiles/a100.tsv";
import b200 from "../../checker/gpu/profiles/b200.tsv";
import h200 from "../../checker/gpu/profiles/h200.tsv";
import v100 from "../../checker/gpu/profiles/v100.tsv";
import counters from "../../solutions/measured/counters-nvidia-h200.tsv";
import measured from "../../solutions/measured/nvidia-h200.tsv";
import { COLOURS, SERIES, addChoice, addText, addTicks, makeFrame, readProfile, readTable, spaced } from "./common.js";

/* A profile has no peak of its own: the flop of all SMs per clock, times the clock rate. */
function ofProfile(text) {
    const { name, sms, clock_ghz: clock, flops_per_clock: flops, peak_gbs: gbs } = readProfile(text);
    return { name: name.replace("NVIDIA ", ""), gflops: sms * clock * flops, gbs };
}

/** Peaks of GPUs: { name, gflops in fp32, gbs from DRAM }, oldest first. */
export const GPUS = [v100, a100, h200, b200].map(ofProfile);

/* The rate that the GPU can reach at this intensity (flop/byte), in Gflop/s, and what bounds it. */
export function roofOf(gpu, intensity) {
    const memory = gpu.gbs * intensity;
    return { gflops: Math.min(memory, gpu.gflops), bound: memory < gpu.gflops ? "memory" : "arithmetic",
        ridge: gpu.gflops / gpu.gbs };
}

/* An exercise's flop, and the bytes that DRAM has to move at least, by its arguments. */
const WORK = {
    ex01_axpy: ([n]) => ({ flop: 2 * n, bytes: 12 * n }),
    ex02_rot: ([, n]) => ({ flop: 8 * n, bytes: 24 * n }),
    ex03_matvec: ([m, n]) => ({ flop: 2 * m * n, bytes: 4 * (m * n + m + n) }),
    ex04_matmul: ([n]) => ({ flop: 2 * n ** 3, bytes: 12 * n ** 2 }),
};
const SECTOR = 32; // bytes

const workOf = row => WORK[row.exercise](row.size.split(" ").map(Number));

/* The rows of an exercise's stages in a table, as objects. */
function stageRows(table, exercise) {
    const [head, ...rows] = readTable(table);
    return rows.map(row => Object.fromEntries(head.map((column, i) => [column, row[i]])))
        .filter(row => row.exercise === exercise && /^\d+$/.test(row.stage));
}

/* Flop per byte of the sectors that a stage requests, at the largest size that was counted; null if it was not. */
function requestedIntensity(exercise, stage) {
    const [row] = stageRows(counters, exercise).filter(one => one.stage === stage)
        .sort((a, b) => workOf(b).flop - workOf(a).flop);
    return row ? workOf(row).flop / (SECTOR * (+row["load sectors"] + +row["store sectors"])) : null;
}

/**
 * The measured stages of an exercise at its largest common size: { name, stage, intensity, gflops }. `bytes` is "least"
 * or "requested"; a stage whose requests were not counted is left out of the second.
 */
export function stagePoints(exercise, bytes = "least") {
    const records = stageRows(measured, exercise);
    const stages = size => records.filter(row => row.size === size).length;
    const work = size => size.split(" ").reduce((product, n) => product * n, 1);
    const [size] = [...new Set(records.map(row => row.size))].sort((a, b) => stages(b) - stages(a) || work(b) - work(a));
    return records.filter(row => row.size === size).map(row => {
        const least = workOf(row).flop / workOf(row).bytes;
        return { name: row.name, stage: +row.stage,
            intensity: bytes === "least" ? least : requestedIntensity(exercise, row.stage),
            gflops: row.unit === "GB/s" ? row.rate * least : +row.rate };
    }).filter(point => point.intensity !== null);
}

export const START = { gpus: ["H200"], intensity: 0.25, exercise: "none", bytes: "least", points: [], stages: Object.keys(WORK) };

/* The places to which a kernel can be moved, and the range of the axes. */
const STEPS = Array.from({ length: 65 }, (_, i) => 2 ** (i / 4 - 6));
const SPAN = { x: [1 / 64, 1024], y: [10, 100000] }, SLOWEST = 0.001;

/** The place nearest to an intensity. */
export function nearestStep(intensity) {
    const apart = step => Math.abs(Math.log(step / intensity));
    return STEPS.reduce((best, step) => apart(step) < apart(best) ? step : best);
}

const short = number => spaced(number >= 100 ? Math.round(number) : +number.toPrecision(2));

export function describe(state) {
    const roofs = GPUS.filter(gpu => state.gpus.includes(gpu.name)).map(gpu => {
        const { gflops, bound, ridge } = roofOf(gpu, state.intensity);
        return `${gpu.name} ${short(gflops)} Gflop/s, bound by ${bound} (ridge ${short(ridge)})`;
    });
    return `At ${short(state.intensity)} flop/byte at most: ${roofs.join("; ") || "choose a GPU"}.`;
}

export function pointsOf(state) {
    return [...state.points, ...(state.exercise === "none" ? [] : stagePoints(state.exercise, state.bytes))];
}

/* ---- the drawing ---- */

const BOX = { left: 96, right: 1126, top: 14, bottom: 336 };

const AXIS = { least: "flop per byte from DRAM (stages: each number moved once)",
    requested: "flop per byte (stages: of the sectors they request)" };

function drawAxes(svg, state, x, y) {
    for (const flops of [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10000, 100000].filter(flops => flops >= y.domain()[0])) {
        svg.append("line").attr("x1", BOX.left).attr("x2", BOX.right).attr("y1", y(flops)).attr("y2", y(flops)).attr("stroke", COLOURS.pale);
        addText(svg, BOX.left - 10, y(flops) + 7, spaced(flops), { anchor: "end", small: true, colour: COLOURS.quiet });
    }
    for (const [flop, text] of [[1 / 64, "1/64"], [1 / 16, "1/16"], [0.25, "1/4"], [1, "1"], [4, "4"], [16, "16"], [64, "64"], [256, "256"], [1024, "1024"]]) {
        svg.append("line").attr("y1", BOX.top).attr("y2", BOX.bottom).attr("x1", x(flop)).attr("x2", x(flop)).attr("stroke", COLOURS.pale);
        addText(svg, x(flop), BOX.bottom + 44, text, { anchor: "middle", small: true, colour: COLOURS.quiet });
    }
    addText(svg, BOX.left + 12, BOX.top + 20, "Gflop/s", { colour: COLOURS.quiet });
    addText(svg, BOX.right, BOX.bottom - 12, state.exercise === "none" ? "flop per byte from DRAM" : AXIS[state.bytes], { anchor: "end", colour: COLOURS.quiet });
}

/* The names of roofs are at their flat ends, and do not overlap. */
function drawRoofs(svg, state, x, y) {
    const shown = GPUS.filter(gpu => state.gpus.includes(gpu.name));
    shown.forEach(gpu => {
        const colour = SERIES[GPUS.indexOf(gpu)], ridge = gpu.gflops / gpu.gbs;
        const corners = [[SPAN.x[0], gpu.gbs * SPAN.x[0]], [ridge, gpu.gflops], [SPAN.x[1], gpu.gflops]];
        svg.append("path").attr("d", line(d => x(d[0]), d => y(d[1]))(corners)).attr("fill", "none")
            .attr("stroke", colour).attr("stroke-width", 3.5).attr("stroke-dasharray", ["2 5", "9 5", "14 4 3 4", null][GPUS.indexOf(gpu)]);
        svg.append("circle").attr("cx", x(state.intensity)).attr("cy", y(roofOf(gpu, state.intensity).gflops)).attr("r", 8).attr("fill", colour);
    });
    shown.forEach((gpu, i) => addText(svg, BOX.left + 150 + i * 90, BOX.top + 20, gpu.name, { colour: SERIES[GPUS.indexOf(gpu)], bold: true }));
}

/* The roofs are those of arithmetic with floats. Only a kernel that uses the tensor cores gets above them. */
const isAboveRoof = point => point.stage && point.gflops > GPUS.find(gpu => gpu.name === "H200").gflops;

function pointText(point) {
    const name = isAboveRoof(point) ? `${point.name} (their roof is higher)` : point.name;
    return point.stage ? `${point.stage} ${name}` : name;
}

/* Points of one intensity are above each other; their names do not overlap, and no roof goes through one. */
function drawPoints(svg, state, x, y) {
    let free = 0;
    const roofs = GPUS.filter(gpu => state.gpus.includes(gpu.name));
    const belowRoofs = (at, intensity) => roofs.map(gpu => y(roofOf(gpu, intensity).gflops)).sort((a, b) => a - b)
        .reduce((text, roof) => (Math.abs(text - roof) < 18 ? roof + 20 : text), at);
    for (const point of [...pointsOf(state)].sort((a, b) => b.gflops - a.gflops)) {
        const at = y(point.gflops), side = point.intensity > 64 ? -1 : 1, left = x(point.intensity);
        svg.append("path").attr("d", "M0,-9L9,0L0,9L-9,0Z").attr("transform", `translate(${left},${at})`)
            .attr("fill", COLOURS.paper).attr("stroke", COLOURS.ink).attr("stroke-width", 2.5);
        const textAt = belowRoofs(Math.max(at, free), point.intensity);
        free = textAt + 21;
        svg.append("line").attr("x1", left + 9 * side).attr("y1", at).attr("x2", left + 34 * side).attr("y2", textAt).attr("stroke", COLOURS.ink);
        addText(svg, left + 38 * side, textAt + 6, pointText(point),
            { anchor: side < 0 ? "end" : "start", small: true })
            .style("paint-order", "stroke").style("stroke", COLOURS.paper).style("stroke-width", 5);
    }
}

/* The kernel's handle on the axis: a slider that can be dragged and moved by keys. */
function addHandle(svg, x, move) {
    const handle = svg.append("g").attr("role", "slider").attr("tabindex", 0).attr("class", "touchable handle")
        .attr("aria-label", "intensity of the kernel").attr("aria-valuemin", SPAN.x[0]).attr("aria-valuemax", SPAN.x[1])
        .style("touch-action", "none");
    handle.append("line").attr("y1", BOX.top).attr("y2", BOX.bottom).attr("stroke", COLOURS.orange).attr("stroke-width", 2).attr("stroke-dasharray", "5 4");
    handle.append("rect").attr("x", -26).attr("y", BOX.bottom - 4).attr("width", 52).attr("height", 26).attr("rx", 6).attr("fill", COLOURS.orange);
    addText(handle, 0, BOX.bottom + 17, "◂ ▸", { anchor: "middle", small: true, colour: COLOURS.paper });
    const toPointer = event => move(nearestStep(x.invert(Math.min(BOX.right, Math.max(BOX.left, pointer(event, svg.node())[0])))));
    handle.on("pointerdown", event => handle.node().setPointerCapture(event.pointerId))
        .on("pointermove", event => handle.node().hasPointerCapture(event.pointerId) && toPointer(event));
    return handle;
}

const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4, Home: -99, End: 99 };

/** Draws the figure into `element`. `options` are parts of START: `points` are { name, intensity, gflops }, `stages` are the
 * exercises that can be chosen. */
export function mount(element, options = {}) {
    const state = { ...START, ...options };
    state.intensity = nearestStep(state.intensity);
    const { controls, svg, says } = makeFrame(element, { name: "Roofline", height: 388, isInteractive: true });
    const x = scaleLog(SPAN.x, [BOX.left, BOX.right]), y = scaleLog(SPAN.y, [BOX.bottom, BOX.top]);
    const chosen = new Set(state.gpus);
    addTicks(controls, { name: "GPU", options: GPUS.map(gpu => [gpu.name, gpu.name]), chosen, onChange: () => update({ gpus: [...chosen] }) });
    const exercises = state.stages.filter(name => stagePoints(name).length > 0);
    addChoice(controls, { name: "stages on the H200", value: state.exercise, onChange: exercise => update({ exercise }),
        options: [["none", "none"], ...exercises.map(name => [name, name.replace(/^ex\d+_/, "")])] });
    addChoice(controls, { name: "bytes", value: state.bytes, onChange: bytes => update({ bytes }),
        options: [["least", "at least"], ["requested", "requested"]] });
    const picture = svg.append("g");
    const handle = addHandle(svg, x, intensity => update({ intensity }));
    const names = svg.append("g").attr("pointer-events", "none"); /* above the handle's line */
    handle.on("keydown", event => {
        if (!(event.key in KEYS)) return;
        event.preventDefault();
        const at = STEPS.indexOf(state.intensity) + KEYS[event.key];
        update({ intensity: STEPS[Math.min(STEPS.length - 1, Math.max(0, at))] });
    });

    function update(change) {
        Object.assign(state, change);
        picture.selectAll("*").remove();
        names.selectAll("*").remove();
        const isSlow = pointsOf(state).some(point => point.gflops < SPAN.y[0]);
        y.domain([isSlow ? SLOWEST : SPAN.y[0], SPAN.y[1]]);
        drawAxes(picture, state, x, y);
        drawRoofs(picture, state, x, y);
        drawPoints(names, state, x, y);
        handle.attr("transform", `translate(${x(state.intensity)},0)`).attr("aria-valuenow", state.intensity)
            .attr("aria-valuetext", `${short(state.intensity)} flop/byte`);
        says(describe(state), pointsOf(state).map(({ name, intensity, gflops }) =>
            `${name}: ${short(intensity)} flop/byte, ${short(gflops)} Gflop/s.`).join(" "));
    }
    update({});
    return { state, update };
}
