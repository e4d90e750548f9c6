/*
 * sm.js: one SM with its four warp schedulers, clock by clock. A scheduler issues one instruction per clock, from a warp that is
 * ready. A warp computes, issues its loads, and waits until the last of them has arrived. You choose how many warps there are and
 * how many loads each has in flight, and move the clock. The numbers are small, so that everything can be seen: a real latency
 * is hundreds of clocks.
 */
import { COLOURS, addButton, addSlider, addText, count, makeFrame } from "./common.js";

export const SCHEDULERS = 4, LATENCY = 20, COMPUTES = 3, CLOCKS = 64;
const STAGGER = 2; // clocks between the starts of two schedulers
const TICK_MS = 150; // of an animation

export const START = { warps: 2, loads: 1, clock: 30 };

/**
 * What the warps of one scheduler do: a list per warp, with "computing", "loading", "waiting" or "ready" for each clock. The
 * scheduler stays with a warp until it waits. The next one is the warp that has been ready longest.
 */
export function runScheduler({ warps, loads }, clocks = CLOCKS) {
    const all = Array.from({ length: warps }, () => ({ left: COMPUTES + loads, readyAt: 0, said: [] }));
    let last = null;
    for (let clock = 0; clock < clocks; clock++) {
        const ready = all.filter(warp => warp.readyAt <= clock);
        const next = ready.includes(last) ? last : ready.reduce((best, warp) => (!best || warp.readyAt < best.readyAt ? warp : best), null);
        for (const warp of all)
            warp.said.push(warp === next ? (warp.left > loads ? "computing" : "loading") : warp.readyAt > clock ? "waiting" : "ready");
        if (!next) continue;
        last = next;
        if (--next.left === 0) {
            next.left = COMPUTES + loads;
            next.readyAt = clock + 1 + LATENCY;
        }
    }
    return all.map(warp => warp.said);
}

/** The share of the clocks from `from` on in which a scheduler issues an instruction. */
export function busyShare(said, from = 0) {
    const clocks = said[0].slice(from).map((_, i) => said.some(warp => issues(warp[from + i])));
    return clocks.filter(Boolean).length / clocks.length;
}

/** The fewest warps with which a scheduler issues in every clock. */
export function warpsNeeded(loads) {
    return Math.ceil((COMPUTES + loads + LATENCY) / (COMPUTES + loads));
}

const issues = state => state === "computing" || state === "loading";

/* The state of a scheduler's warps at a clock of the SM; the schedulers start one after the other. */
function stateAt(said, scheduler, warp, clock) {
    return said[warp][clock - scheduler * STAGGER] ?? "ready";
}

export function describe(state) {
    const said = runScheduler(state), needed = warpsNeeded(state.loads);
    const busy = Array.from({ length: SCHEDULERS }, (_, s) => said.some((_, w) => issues(stateAt(said, s, w, state.clock)))).filter(Boolean).length;
    const share = Math.round(100 * busyShare(runScheduler(state, 4000), 400));
    return `Clock ${state.clock}: ${busy} of ${SCHEDULERS} schedulers issue an instruction. With ${count(state.warps, "warp")} and ` +
        `${count(state.loads, "load")} in flight per warp, a scheduler issues in ${share} % of the clocks. ` +
        `${needed} warps hide this latency of ${LATENCY} clocks.`;
}

/* ---- the drawing ---- */

const TOP = 78, LEFT = 500, CELL = 10, MOST_WARPS = 10, ROW = 29;
const FILLS = { computing: COLOURS.blue, loading: "var(--green)", waiting: COLOURS.pale, ready: COLOURS.peach };
const large = text => text.style("font-size", "24px");

function cell(svg, x, y, width, height, state) {
    svg.append("rect").attr("x", x).attr("y", y).attr("width", width).attr("height", height).attr("fill", FILLS[state])
        .attr("stroke", state === "waiting" ? COLOURS.line : "none").attr("stroke-dasharray", state === "waiting" ? "3 3" : null);
}

function drawLegend(svg) {
    let x = 0;
    for (const [state, text] of [["computing", "computes"], ["loading", "issues a load"], ["waiting", "waits for data"], ["ready", "ready, waits for its turn"]]) {
        cell(svg, x, 6, 24, 22, state);
        large(addText(svg, x + 34, 26, text));
        x += 34 + text.length * 12.4 + 36;
    }
}

/* The SM now: a column per scheduler, a row per warp. */
function drawNow(svg, state, said) {
    large(addText(svg, 0, TOP - 14, `the SM at clock ${state.clock}`, { bold: true }));
    for (let s = 0; s < SCHEDULERS; s++)
        said.forEach((_, warp) => cell(svg, s * 112, TOP + warp * ROW, 100, ROW - 4, stateAt(said, s, warp, state.clock)));
}

/* Scheduler 0 up to now: a row per warp, a column per clock. */
function drawHistory(svg, state, said) {
    large(addText(svg, LEFT, TOP - 14, `scheduler 0, clocks 0 to ${CLOCKS - 1}`, { bold: true }));
    said.forEach((states, warp) => {
        for (let clock = 0; clock <= state.clock; clock++)
            cell(svg, LEFT + clock * CELL, TOP + warp * ROW, CELL - 1, ROW - 4, states[clock]);
    });
    const x = LEFT + (state.clock + 1) * CELL, bottom = TOP + MOST_WARPS * ROW;
    svg.append("line").attr("x1", x).attr("x2", x).attr("y1", TOP - 4).attr("y2", bottom).attr("stroke", COLOURS.orange).attr("stroke-width", 3);
}

/* On paper and in the book, the clock has run to its end. */
const isLive = () => document.querySelector(".reveal") && !/print-pdf/.test(location.search);

/** Draws the figure into `element`. `options` are parts of START: where it begins. */
export function mount(element, options = {}) {
    const state = { ...START, ...(isLive() ? {} : { clock: CLOCKS - 1 }), ...options };
    const { controls, svg, says } = makeFrame(element, { name: "Four schedulers and their warps", height: TOP + MOST_WARPS * ROW + 4 });
    const upTo = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const set = part => value => update({ [part]: value });
    const sliders = {
        warps: addSlider(controls, { name: "warps per scheduler", values: upTo(1, MOST_WARPS), value: state.warps, onChange: set("warps") }),
        loads: addSlider(controls, { name: "loads in flight per warp", values: upTo(1, 4), value: state.loads, onChange: set("loads") }),
        clock: addSlider(controls, { name: "clock", values: upTo(0, CLOCKS - 1), value: state.clock, onChange: set("clock") }),
    };
    let timer = null;
    addButton(controls, { text: "run", name: "Run the clock, or stop it", onClick: () => (timer ? stop() : run()) });

    function stop() {
        clearInterval(timer);
        timer = null;
    }
    function run() {
        if (state.clock === CLOCKS - 1) update({ clock: 0 });
        timer = setInterval(() => {
            update({ clock: state.clock + 1 });
            if (state.clock === CLOCKS - 1) stop();
        }, TICK_MS);
    }
    function update(change) {
        Object.assign(state, change);
        const said = runScheduler(state);
        for (const part of Object.keys(sliders)) sliders[part].set(state[part]);
        svg.selectAll("*").remove();
        drawLegend(svg);
        drawNow(svg, state, said);
        drawHistory(svg, state, said);
        says(describe(state));
    }
    update({});
    return { state, update };
}
