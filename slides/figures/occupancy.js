/*
 * occupancy.js: how many blocks does one SM hold, and what limits them? You choose threads, registers and shared memory
 * of a block. Bars show the four limits, cells the SM's places for warps, and a curve the occupancy over the size of
 * the block. The simulated GPU's profiles say what an SM has; the rule is that of the lab's verdict.
 */
import { line } from "d3";
import a100 from "../../checker/gpu/profiles/a100.tsv";
import b200 from "../../checker/gpu/profiles/b200.tsv";
import h200 from "../../checker/gpu/profiles/h200.tsv";
import rtx3060 from "../../checker/gpu/profiles/rtx3060.tsv";
import rtx4090 from "../../checker/gpu/profiles/rtx4090.tsv";
import t4 from "../../checker/gpu/profiles/t4.tsv";
import v100 from "../../checker/gpu/profiles/v100.tsv";
import { COLOURS, SERIES, SERIES_PALE, addChoice, addSlider, addText, count, makeFrame, readProfile } from "./common.js";

/* Warps get registers in units of 256, from four equal parts of the register file. */
const REGISTER_UNIT = 256, PARTS = 4, WARP = 32;

/* Blocks get shared memory in units of 256 bytes up to compute capability 7.x, 128 from 8.0 on. */
const sharedUnit = capability => capability < 80 ? 256 : 128;

/* The limits of an SM, by compute capability: 70, 75, 80, 86, 89, 90, 100. */
export const SMS = Object.fromEntries([v100, t4, a100, rtx3060, rtx4090, h200, b200].map(readProfile).map(profile => [profile.capability, {
    name: profile.name, capability: profile.capability, threads: profile.threads_per_sm, blocks: profile.blocks_per_sm,
    registers: profile.registers_per_sm, sharedKb: profile.shared_kb_per_sm, blockKb: profile.shared_kb_per_block,
    reservedKb: profile.shared_kb_per_sm - profile.shared_kb_per_block, unit: sharedUnit(profile.capability),
}]));

export const START = { capability: 90, threads: 256, registers: 40, sharedKb: 0 };

const roundUp = (value, unit) => Math.ceil(value / unit) * unit;

/* * How many blocks each resource of the SM allows. Of equal limits, the first in this order is reported. `shared` is
 * in bytes; no registers (0) means that they are not known. */
export function limitsOf(sm, { threads, registers, shared }) {
    const warps = Math.ceil(threads / WARP);
    const heldWarps = PARTS * Math.floor(sm.registers / PARTS / roundUp(WARP * registers, REGISTER_UNIT));
    return {
        threads: Math.floor(sm.threads / WARP / warps),
        registers: registers > 0 ? Math.floor(heldWarps / warps) : Infinity,
        "shared memory": shared > 0 ? Math.floor(1024 * sm.sharedKb / roundUp(shared + 1024 * sm.reservedKb, sm.unit)) : Infinity,
        blocks: sm.blocks,
    };
}

/** Blocks that the SM holds, what limits them (the first of the lowest), and the share of its warps. */
export function occupancyOf(sm, block) {
    const limits = limitsOf(sm, block), blocks = Math.min(...Object.values(limits));
    const warps = blocks * Math.ceil(block.threads / WARP);
    return { limits, blocks, warps, limitedBy: Object.keys(limits).find(name => limits[name] === blocks),
        value: warps * WARP / sm.threads };
}

/* The occupancy in a state of the figure. */
export function ofState({ capability, threads, registers, sharedKb }, size = threads) {
    return occupancyOf(SMS[capability], { threads: size, registers, shared: 1024 * sharedKb });
}

export function describe(state) {
    const sm = SMS[state.capability], { blocks, warps, limitedBy, value } = ofState(state);
    if (state.sharedKb > sm.blockKb)
        return `A block cannot have ${state.sharedKb} KB of shared memory here: ${sm.blockKb} KB are the most. It cannot be launched.`;
    if (blocks === 0) return `One block needs more ${limitedBy} than an SM has: it cannot be launched.`;
    const ends = { threads: "the SM's threads are used up", registers: "no registers are left for another block",
        "shared memory": "no shared memory is left for another block", blocks: `an SM holds at most ${sm.blocks} blocks` };
    return `An SM holds ${count(blocks, "block")} of ${state.threads} threads: ${count(warps, "warp")} of ${sm.threads / WARP}, ` +
        `occupancy ${+(100 * value).toFixed(1)} %. Limited by ${limitedBy}: ${ends[limitedBy]}.`;
}

/* ---- the drawing ---- */

const CURVE = { left: 700, right: 1140, top: 40, bottom: 300 };
const SIZES = Array.from({ length: 32 }, (_, i) => 32 * (i + 1));

/* The four limits: bars of blocks, the lowest marked. */
function drawLimits(svg, state) {
    const { limits, limitedBy } = ofState(state), widest = 64;
    addText(svg, 0, 22, "blocks that each resource allows", { colour: COLOURS.quiet });
    Object.entries(limits).forEach(([name, blocks], i) => {
        const y = 36 + i * 38, isLimit = name === limitedBy, shown = Math.min(blocks, widest);
        addText(svg, 180, y + 22, name, { anchor: "end", bold: isLimit });
        svg.append("rect").attr("x", 190).attr("y", y).attr("width", Math.max(2, shown * 5.25)).attr("height", 30)
            .attr("fill", isLimit ? COLOURS.orange : COLOURS.sky);
        const text = blocks === Infinity ? "no limit" : String(blocks);
        addText(svg, 198 + shown * 5.25, y + 22, text, { bold: isLimit });
    });
}

/* The SM's places for warps: four partitions, each a row; a block's warps have one colour. */
function drawWarps(svg, state) {
    const sm = SMS[state.capability], places = sm.threads / WARP, perBlock = Math.ceil(state.threads / WARP);
    const { warps } = ofState(state), columns = places / PARTS, top = 232;
    addText(svg, 0, top - 14, `the SM's ${places} places for warps, in four partitions`, { colour: COLOURS.quiet });
    for (let warp = 0; warp < places; warp++) {
        const block = Math.floor(warp / perBlock), isFull = warp < warps;
        svg.append("rect").attr("x", 1 + Math.floor(warp / PARTS) * (592 / columns)).attr("y", top + warp % PARTS * 33)
            .attr("width", 592 / columns - 3).attr("height", 30)
            .attr("fill", isFull ? SERIES_PALE[block % 4] : COLOURS.paper)
            .attr("stroke", isFull ? SERIES[block % 4] : COLOURS.line).attr("stroke-dasharray", isFull ? null : "3 4");
        if (isFull && warp % perBlock === 0)
            addText(svg, Math.floor(warp / PARTS) * (592 / columns) + 592 / columns / 2 - 1.5, top + warp % PARTS * 33 + 22,
                block, { anchor: "middle", small: true });
    }
}

function drawCurve(svg, state, choose) {
    const { left, right, top, bottom } = CURVE;
    const x = size => left + (size / 1024) * (right - left), y = value => bottom - value * (bottom - top);
    addText(svg, left - 50, 22, "occupancy over threads per block", { colour: COLOURS.quiet });
    for (const share of [0, 0.5, 1]) {
        svg.append("line").attr("x1", left).attr("x2", right).attr("y1", y(share)).attr("y2", y(share)).attr("stroke", COLOURS.pale);
        addText(svg, left - 8, y(share) + 7, `${100 * share} %`, { anchor: "end", small: true, colour: COLOURS.quiet });
    }
    for (const size of [256, 512, 768, 1024])
        addText(svg, x(size), bottom + 26, size, { anchor: size === 1024 ? "end" : "middle", small: true, colour: COLOURS.quiet });
    const points = SIZES.map(size => [size, ofState(state, size).value]);
    svg.append("path").attr("d", line(d => x(d[0]), d => y(d[1]))(points)).attr("fill", "none")
        .attr("stroke", COLOURS.blue).attr("stroke-width", 3);
    svg.append("circle").attr("cx", x(state.threads)).attr("cy", y(ofState(state).value)).attr("r", 9).attr("fill", COLOURS.orange);
    svg.append("rect").attr("x", left).attr("y", top - 10).attr("width", right - left).attr("height", bottom - top + 20)
        .attr("fill", "transparent").attr("class", "touchable curve").on("pointerdown", event => {
            const box = event.currentTarget.getBoundingClientRect();
            const size = Math.round((event.clientX - box.left) / box.width * 32) * 32;
            choose(Math.min(1024, Math.max(32, size)));
        });
}

/** Draws the figure into `element`. `options` are parts of START: where it begins. */
export function mount(element, options = {}) {
    const state = { ...START, ...options };
    const { controls, svg, says } = makeFrame(element, { name: "Occupancy of an SM", height: 366 });
    const set = part => value => update({ [part]: value });
    addChoice(controls, { name: "compute capability", value: state.capability, onChange: set("capability"),
        options: Object.values(SMS).map(sm => [sm.capability, (sm.capability / 10).toFixed(1)]) });
    const upTo = (n, from, by = 1) => Array.from({ length: Math.floor((n - from) / by) + 1 }, (_, i) => from + i * by);
    const sliders = {
        threads: addSlider(controls, { name: "threads per block", values: SIZES, value: state.threads, onChange: set("threads") }),
        registers: addSlider(controls, { name: "registers per thread", values: upTo(255, 16), value: state.registers, onChange: set("registers") }),
        sharedKb: addSlider(controls, { name: "shared memory per block", values: upTo(228, 0), value: state.sharedKb,
            show: kb => `${kb} KB`, onChange: set("sharedKb") }),
    };

    function update(change) {
        Object.assign(state, change);
        for (const part of Object.keys(sliders)) sliders[part].set(state[part]);
        svg.selectAll("*").remove();
        drawLimits(svg, state);
        drawWarps(svg, state);
        drawCurve(svg, state, set("threads"));
        says(describe(state), `Blocks allowed: ${Object.entries(ofState(state).limits)
            .map(([name, blocks]) => `${name} ${blocks === Infinity ? "no limit" : blocks}`).join(", ")}.`);
    }
    update({});
    return { state, update };
}
