/*
 * banks.js: which banks of shared memory does one request of a warp touch, and how many wavefronts does it take? The
 * rule is the simulated GPU's. There are 32 banks of 4 bytes. A request has phases: one for 4 bytes per lane, two for
 * 8, four for 16. Each phase takes as many wavefronts as the fullest bank has distinct words; lanes that need the same
 * word share it. If pairs of lanes need the same words, a phase of a wide load serves twice as many lanes.
 */
import { COLOURS, SERIES, SERIES_PALE, addChoice, addSlider, addText, count, makeFrame } from "./common.js";

export const LANES = 32, BANKS = 32, WORD = 4;

/* Each pattern gives the element that a lane takes: `s` is the stride, `p` the padding of a row. */
export const PATTERNS = {
    stride: { text: "every s-th", code: ({ stride }) => `s[lane*${stride}]`, element: (lane, { stride }) => lane * stride },
    column: { text: "a column", code: ({ padding }) => `tile[lane][0], rows of ${32 + padding}`, element: (lane, { padding }) => lane * (32 + padding) },
    row: { text: "a row", code: ({ padding }) => `tile[1][lane], rows of ${32 + padding}`, element: (lane, { padding }) => 32 + padding + lane },
    one: { text: "all the same", code: () => "s[0]", element: () => 0 },
    reverse: { text: "backwards", code: () => "s[31 - lane]", element: lane => LANES - 1 - lane },
    pairs: { text: "8 × 4 block", code: ({ padding }) => `tile[lane/8][lane%8], rows of ${32 + padding}`,
        element: (lane, { padding }) => Math.floor(lane / 8) * (32 + padding) + lane % 8 },
};

export const START = { pattern: "stride", stride: 2, padding: 0, bytes: 4 };

/* * Does each lane need the element of its neighbour, or each that of the lane at distance two? */
function arePairs(state) {
    const wanted = Array.from({ length: LANES }, (_, lane) => PATTERNS[state.pattern].element(lane, state));
    return [1, 2].some(apart => wanted.every((element, lane) => element === wanted[lane ^ apart]));
}

/** The phases of the request, each a list of wavefronts, each a list of { bank, word, lanes }. */
export function phasesOf(state) {
    const words = state.bytes / WORD, count = words > 1 && arePairs(state) ? words / 2 : words, lanes = LANES / count;
    return Array.from({ length: count }, (_, phase) => {
        const banks = new Map(); /* of word to lanes, for each bank */
        for (let lane = phase * lanes; lane < (phase + 1) * lanes; lane++)
            for (let i = 0; i < words; i++) {
                const word = PATTERNS[state.pattern].element(lane, state) * words + i, bank = word % BANKS;
                if (!banks.has(bank)) banks.set(bank, new Map());
                if (!banks.get(bank).has(word)) banks.get(bank).set(word, []);
                banks.get(bank).get(word).push(lane);
            }
        const wavefronts = [];
        for (const [bank, wanted] of banks)
            [...wanted].forEach(([word, who], i) => (wavefronts[i] ??= []).push({ bank, word, lanes: who }));
        return wavefronts;
    });
}

/* * The number of wavefronts of the request, and the smallest number for as many bytes without sharing. */
export function wavefrontsOf(state) {
    const phases = phasesOf(state);
    return { wavefronts: phases.flat().length, phases: phases.length,
        ideal: state.bytes / WORD, worst: Math.max(...phases.map(wavefronts => wavefronts.length)) };
}

export function describe(state) {
    const { wavefronts, phases, ideal, worst } = wavefrontsOf(state);
    const banks = new Set(phasesOf(state).flat(2).map(one => one.bank)).size;
    const first = phasesOf(state)[0].flat();
    const shared = Math.max(...first.map(one => one.lanes.length));
    return `One request of 32 lanes, ${state.bytes} bytes each, touches ${count(banks, "bank")} and takes ` +
        `${count(wavefronts, "wavefront")}` + (phases > 1 ? ` in ${phases} phases` : "") +
        (wavefronts > 1 && wavefronts >= ideal ? `; without conflicts ${ideal}.` : ".") +
        (worst > 1 ? ` A ${worst}-way bank conflict.` : " No bank conflict.") +
        (shared > 1 ? ` ${shared} lanes get the same word at once.` : "");
}

/* ---- the drawing ---- */

const LEFT = 118, COLUMN = 32, TOP = 62, BOTTOM = 366;

function draw(svg, state) {
    const phases = phasesOf(state), rows = phases.flat().length;
    const row = Math.min(44, (BOTTOM - TOP) / rows), tall = row > 24;
    addText(svg, 0, 22, "bank", { colour: COLOURS.quiet });
    for (let bank = 0; bank < BANKS; bank++) {
        addText(svg, LEFT + (bank + 0.5) * COLUMN, 22, bank, { anchor: "middle", small: true, colour: COLOURS.quiet });
        svg.append("rect").attr("x", LEFT + bank * COLUMN).attr("y", 34).attr("width", COLUMN - 2)
            .attr("height", BOTTOM - 34).attr("fill", COLOURS.pale).attr("opacity", 0.6);
    }
    let at = 0;
    phases.forEach((wavefronts, phase) => wavefronts.forEach((wavefront, i) => {
        const y = TOP - 22 + at * row;
        if (tall) addText(svg, 0, y + row / 2 + 7, `wave ${at + 1}`, { small: true });
        else if (at === 0 || at === rows - 1) addText(svg, 0, y + (at === 0 ? 16 : row), `wave ${at + 1}`, { small: true });
        drawWavefront(svg, wavefront, { y, row, phase, tall });
        at++;
    }));
}

/* A row of the words of one wavefront; each shows a lane's number, or how many lanes share the word. */
function drawWavefront(svg, wavefront, { y, row, phase, tall }) {
    const cells = svg.append("g").selectAll("g").data(wavefront).join("g")
        .attr("transform", one => `translate(${LEFT + one.bank * COLUMN},${y})`);
    cells.append("rect").attr("width", COLUMN - 2).attr("height", Math.max(row - 2, row * 0.8))
        .attr("fill", tall ? SERIES_PALE[phase] : SERIES[phase]).attr("stroke", tall ? SERIES[phase] : "none");
    if (tall)
        cells.append("text").attr("class", "small").attr("x", COLUMN / 2 - 1).attr("y", row / 2 + 6).attr("text-anchor", "middle")
            .text(one => one.lanes.length > 1 ? `×${one.lanes.length}` : one.lanes[0]);
}

/** Draws the figure into `element`. `options` are parts of START: where it begins. */
export function mount(element, options = {}) {
    const state = { ...START, ...options };
    const { controls, svg, says } = makeFrame(element, { name: "Banks of shared memory", height: 372 });
    const set = part => value => update({ [part]: value });
    addChoice(controls, { name: "lanes take", value: state.pattern, onChange: set("pattern"),
        options: Object.entries(PATTERNS).map(([key, { text }]) => [key, text]) });
    addChoice(controls, { name: "bytes", value: state.bytes, onChange: set("bytes"), options: [4, 8, 16].map(n => [n, n]) });
    const stride = addSlider(controls, { name: "stride", values: Array.from({ length: 64 }, (_, i) => i + 1),
        value: state.stride, onChange: set("stride") });
    const padding = addSlider(controls, { name: "padding", values: [0, 1, 2, 3, 4, 8], value: state.padding, onChange: set("padding") });
    const code = controls.appendChild(document.createElement("code"));

    function update(change) {
        Object.assign(state, change);
        stride.set(state.stride, { isShown: state.pattern === "stride" });
        padding.set(state.padding, { isShown: /padding/.test(PATTERNS[state.pattern].element) });
        code.textContent = PATTERNS[state.pattern].code(state);
        svg.selectAll("*").remove();
        draw(svg, state);
        says(describe(state), `Lanes read ${code.textContent}.`);
    }
    update({});
    return { state, update };
}
