/*
 * schedule.js: a schedule that was recorded on a GPU, played again: who did what, and when. Below, a row per actor and a
 * span per action, up to now; above, where each item is now. "warps": the warps of one scheduler wait for their loads and
 * compute. "bus": the pieces of a job are copied, computed and copied back. "tiles": the warps of a block fill tiles in
 * shared memory and use them, phase by phase. All times come from solutions/schedules.cu.
 */
import recorded from "../../solutions/measured/schedules-nvidia-h100.tsv";
import { COLOURS, addButton, addChoice, addSlider, addText, count, isLive, makeFrame, readTable } from "./common.js";

const FRAMES = 120, FRAME_MS = 60; // of an animation
const FILLS = {
    waits: COLOURS.waitingPale, computes: COLOURS.computing, loads: COLOURS.global,
    "to the GPU": COLOURS.host, kernel: COLOURS.computing, "to the host": COLOURS.host,
};

/* The item that a span moves on: a warp, a piece, or the two tiles of a block's phase. */
const itemOf = { warps: who => who, bus: (who, piece) => piece, tiles: (who, piece) => `${who.split(",")[0]}, ${piece}` };

/** The recorded spans of a show: { who, item, what, from, to }, by the name of their setup. Of the tiles, every second warp. */
export function recordings(show) {
    const setups = {};
    for (const [shown, setup, who, piece, what, from, to] of readTable(recorded))
        if (shown === show && !/^block .* (4|12|20|28)$/.test(who))
            (setups[setup] ??= []).push({ who, item: itemOf[show](who, piece), what, from: +from, to: +to });
    return setups;
}

const upTo = spans => Math.max(...spans.map(span => span.to));
const during = (spans, time) => spans.filter(span => span.from <= time && time < span.to);
const itemsOf = spans => [...new Set(spans.map(span => span.item))];

/** The share of the time from 0 to `end` in which at least one span of this kind lasts. */
export function busyShare(spans, what, end) {
    let busy = 0, seen = 0;
    for (const { from, to } of spans.filter(span => span.what === what).sort((a, b) => a.from - b.from)) {
        busy += Math.max(0, Math.min(to, end) - Math.max(from, seen));
        seen = Math.max(seen, Math.min(to, end));
    }
    return busy / end;
}

const percent = share => `${Math.round(100 * share)} %`;
/** The share of the time from 0 to `end` in which spans of both kinds last. */
export function bothShare(spans, one, other, end) {
    const either = spans.map(span => ({ ...span, what: [one, other].includes(span.what) ? "either" : span.what }));
    return busyShare(spans, one, end) + busyShare(spans, other, end) - busyShare(either, "either", end);
}

const number = (spans, what, time) => during(spans, time).filter(span => span.what === what).length;

/*
 * Each show: its choices, which name a setup; the stations where an item can be, and which one it is at; the end of its
 * axis, and what to say at a time.
 */
export const SHOWS = {
    warps: {
        name: "The warps of one scheduler", unit: "clocks",
        choices: { warps: [1, 2, 4, 8], loads: [1, 2, 4] },
        choiceNames: { warps: "warps", loads: "loads in flight per warp" },
        start: { warps: 4, loads: 1 },
        setup: ({ warps, loads }) => `${warps} warps, ${loads} loads`,
        end: () => 5000,
        legend: [["waits", "waits for its loads"], ["computes", "computes"]],
        stations: ["waits for its loads", "computes", "notes its times"],
        items: itemsOf,
        itemName: item => item.replace("warp ", ""),
        stationOf(spans, item, time) {
            const now = during(spans, time).find(span => span.item === item);
            return now ? (now.what === "computes" ? 1 : 0) : 2;
        },
        says(spans, time, state, end) {
            return `${count(number(spans, "computes", time), "warp")} of ${state.warps} ${number(spans, "computes", time) === 1 ? "computes" : "compute"}. ` +
                `In this recording at least one warp computes in ${percent(busyShare(spans, "computes", end))} of the time.`;
        },
    },
    bus: {
        name: "The copies and the kernels of a job", unit: "ms",
        choices: { setup: Object.keys(recordings("bus")) },
        choiceNames: { setup: "" },
        shown: setup => setup.replace("pageable, 4 pieces", "pageable").replace("1 piece", "whole").replace(/pinned, (\d+ p)/, "$1"),
        start: { setup: "pinned, 4 pieces, 3 streams" },
        setup: ({ setup }) => setup,
        end: spans => Math.max(15.1, upTo(spans)),
        legend: [["to the GPU", "a copy"], ["kernel", "a kernel"]],
        stations: ["on the host", "bus, to the GPU", "on the GPU", "bus, to the host", "back on the host"],
        items: spans => itemsOf(spans).sort((a, b) => a - b),
        itemName: String,
        stationOf(spans, item, time) {
            const own = what => spans.find(span => span.item === item && span.what === what);
            const down = own("to the GPU"), up = own("to the host");
            return time < down.from ? 0 : time < down.to ? 1 : time < up.from ? 2 : time < up.to ? 3 : 4;
        },
        says(spans, time, state, end) {
            const all = upTo(spans), both = bothShare(spans, "to the GPU", "to the host", all);
            return `The whole job takes ${all.toFixed(1)} ms. The bus carries both directions at the same time in ${percent(both)} of it.`;
        },
    },
    tiles: {
        name: "The warps of two blocks that fill and use tiles", unit: "clocks",
        choices: {}, choiceNames: {}, start: {},
        setup: () => "T = 32",
        end: () => 12500,
        legend: [["loads", "loads its elements"], ["waits", "waits at a barrier"], ["computes", "adds up 32 products"]],
        stations: ["in global memory", "on the way", "in shared memory", "used"],
        items: spans => itemsOf(spans.filter(span => span.what === "computes")),
        itemName: item => item.replace("block ", "").replace(", ", "/"),
        stationOf(spans, item, time) {
            const own = (what, side, of) => of(...spans.filter(span => span.item === item && span.what === what).map(span => span[side]));
            return time < own("loads", "from", Math.min) ? 0 : time < own("loads", "to", Math.max) ? 1 :
                time < own("computes", "to", Math.max) ? 2 : 3;
        },
        says(spans, time, state, end) {
            return `${number(spans, "computes", time)} of the 8 warps shown add up, ${number(spans, "loads", time)} load, ` +
                `${number(spans, "waits", time)} wait at a barrier. At least one of them adds up in ${percent(busyShare(spans, "computes", end))} of the time.`;
        },
    },
};

const spansOf = (show, state) => recordings(show)[SHOWS[show].setup(state)];

/* The scene at state.frame: a sentence for those who cannot see it, and for the line below the drawing. */
export function describe(show, state) {
    const of = SHOWS[show], spans = spansOf(show, state), end = of.end(spans), time = (end * state.frame) / FRAMES;
    return `${of.unit === "ms" ? `After ${time.toFixed(1)} ms` : `Clock ${Math.round(time)}`}: ${of.says(spans, time, state, end)}`;
}

/* ---- the drawing ---- */

const LEFT = 190, RIGHT = 1140, STATIONS = 34, STATION = 92, TOP = STATIONS + STATION + 34, ROWS = 232;
export const HEIGHT = TOP + ROWS + 30;

function drawStations(svg, of, spans, time) {
    const items = of.items(spans), width = (RIGHT + 10) / of.stations.length, perRow = 8;
    const cell = Math.min(of === SHOWS.tiles ? 54 : 36, (width - 20) / (of === SHOWS.tiles ? 4 : perRow)), tall = 34;
    of.stations.forEach((name, i) => {
        const x = i * width;
        addText(svg, x + 4, STATIONS - 10, name, { bold: true });
        svg.append("rect").attr("x", x).attr("y", STATIONS).attr("width", width - 10).attr("height", STATION)
            .attr("fill", "none").attr("stroke", COLOURS.line).attr("stroke-width", 1.5);
        items.filter(item => of.stationOf(spans, item, time) === i).forEach((item, k) => {
            const left = x + 8 + (k % perRow) * cell, top = STATIONS + 8 + Math.floor(k / perRow) * (tall + 6);
            svg.append("rect").attr("x", left).attr("y", top).attr("width", cell - 4).attr("height", tall)
                .attr("fill", /^block 1/.test(item) ? COLOURS.mint : COLOURS.peach).attr("stroke", COLOURS.orange);
            addText(svg, left + (cell - 4) / 2, top + tall / 2 + 7, of.itemName(item), { anchor: "middle", small: true });
        });
    });
}

function drawRows(svg, of, spans, time, end) {
    const rows = [...new Set(spans.map(span => span.who))], row = Math.min(52, ROWS / rows.length);
    const at = when => LEFT + ((RIGHT - LEFT) * when) / end;
    rows.forEach((who, i) => {
        const y = TOP + i * row;
        addText(svg, LEFT - 12, y + row / 2 + 5, who, { anchor: "end" });
        for (const { what, item, from, to } of spans.filter(span => span.who === who && span.from < time && span.to > 0)) {
            svg.append("rect").attr("x", at(Math.max(0, from))).attr("y", y + 2)
                .attr("width", Math.max(1, at(Math.min(time, to)) - at(Math.max(0, from)) - 1)).attr("height", row - 4)
                .attr("fill", FILLS[what]).attr("stroke", what === "waits" ? COLOURS.waiting : "none").attr("stroke-dasharray", "3 3");
            if (of === SHOWS.bus && at(to) - at(from) > 30 && to <= time)
                addText(svg, (at(from) + at(to)) / 2, y + row / 2 + 7, item, { anchor: "middle", colour: COLOURS.paper });
        }
    });
    svg.append("line").attr("x1", at(time)).attr("x2", at(time)).attr("y1", TOP - 6).attr("y2", TOP + ROWS)
        .attr("stroke", COLOURS.orange).attr("stroke-width", 3);
    const step = end > 1000 ? (end > 6000 ? 2500 : 1000) : (end > 20 ? 20 : 5);
    for (let mark = 0; mark <= end; mark += step)
        addText(svg, at(mark), TOP + ROWS + 24, mark ? String(mark) : `0 ${of.unit}`,
            { anchor: mark ? (at(mark) > RIGHT - 30 ? "end" : "middle") : "start", colour: COLOURS.quiet });
}

function drawLegend(svg, of) {
    let x = LEFT;
    for (const [what, text] of of.legend) {
        svg.append("rect").attr("x", x).attr("y", TOP - 30).attr("width", 22).attr("height", 18).attr("fill", FILLS[what])
            .attr("stroke", what === "waits" ? COLOURS.waiting : "none").attr("stroke-dasharray", "3 3");
        addText(svg, x + 30, TOP - 14, text);
        x += 30 + text.length * 10.5 + 40;
    }
}

/** Draws the figure into `element`. `options`: `show`, a part of SHOWS.start, and `frame`, where it begins. On paper and in the
 * book the schedule has been played to its end. */
export function mount(element, { show = "warps", ...options } = {}) {
    const of = SHOWS[show];
    const state = { ...of.start, frame: isLive() ? 40 : FRAMES, ...options };
    const { controls, svg, says } = makeFrame(element, { name: of.name, height: HEIGHT });
    const choices = Object.entries(of.choices).map(([part, values]) => [part, addChoice(controls, {
        name: of.choiceNames[part], value: state[part],
        options: values.map(value => [value, of.shown?.(value) ?? String(value)]), onChange: value => update({ [part]: value }),
    })]);
    const slider = addSlider(controls, {
        name: "time", values: Array.from({ length: FRAMES }, (_, i) => i + 1), value: state.frame,
        show: value => percent(value / FRAMES), onChange: frame => update({ frame }),
    });
    let timer = null;
    addButton(controls, { text: "run", name: "Run the schedule, or stop it", onClick: () => (timer ? stop() : run()) });

    function stop() {
        clearInterval(timer);
        timer = null;
    }
    function run() {
        if (state.frame >= FRAMES) update({ frame: 1 });
        timer = setInterval(() => {
            update({ frame: state.frame + 1 });
            if (state.frame >= FRAMES) stop();
        }, FRAME_MS);
    }
    function update(change) {
        Object.assign(state, change);
        const spans = spansOf(show, state), end = of.end(spans), time = (end * state.frame) / FRAMES;
        for (const [part, choice] of choices) choice.set(state[part]);
        slider.set(state.frame);
        svg.selectAll("*").remove();
        drawStations(svg, of, spans, time);
        drawLegend(svg, of);
        drawRows(svg, of, spans, time, end);
        says(describe(show, state));
    }
    update({});
    return { state, update };
}
