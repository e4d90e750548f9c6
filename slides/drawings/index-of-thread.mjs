/*
 * index-of-thread.mjs: which element is mine? Five blocks of 256 threads lie side by side over an array of 1240 elements.
 * Thread 5 of block 2 counts the threads of the blocks before its own, and then its own place. The question alone has an
 * array that the blocks fill.
 */
import { Drawing } from "../lib/draw.mjs";

const THREADS = 256, BLOCKS = 5, ELEMENTS = 1240, BLOCK = 2, THREAD = 5;
const WIDTH = 220; // of a block

/** With `asks` only what is given, for those who are still to find the index. */
export function draw({ asks = false }) {
    return (asks ? question() : answer()).lines("");
}

/* Where a thread is, on the slide. */
const at = (thread) => 20 + (thread / THREADS) * (WIDTH + 6);

/* The blocks in a row over an array. */
function blocksOver(d, elements) {
    for (let block = 0; block < BLOCKS; block++)
        d.box(at(block * THREADS), 60, WIDTH, 60, block === BLOCK ? "computing" : "plain", `block ${block}`);
    d.box(20, 220, at(elements) - 20 - (elements % THREADS ? 0 : 6), 50, "global", `x[0] … x[${elements - 1}]`);
}

function question() {
    const d = new Drawing({
        height: 300,
        title: `${BLOCKS} blocks of ${THREADS} threads in a row over ${BLOCKS * THREADS} elements. Which element does thread ${THREAD} of block ${BLOCK} take?`,
    });
    blocksOver(d, BLOCKS * THREADS);
    d.arrow(at(BLOCK * THREADS + THREAD) + 6, 124, at(BLOCK * THREADS + THREAD) + 6, 216, "computing");
    d.text(at(BLOCK * THREADS + THREAD) + 24, 180, `thread ${THREAD} of block ${BLOCK}: element ?`);
    return d;
}

function answer() {
    const mine = BLOCK * THREADS + THREAD;
    const d = new Drawing({
        height: 300,
        title: `${BLOCKS} blocks of ${THREADS} threads in a row over ${ELEMENTS} elements. Thread ${THREAD} of block ${BLOCK} takes element ` +
            `${BLOCK} times ${THREADS} plus ${THREAD}, which is ${mine}. The last ${BLOCKS * THREADS - ELEMENTS} threads have no element.`,
    });
    blocksOver(d, ELEMENTS);
    for (let block = 0; block < BLOCKS; block++) d.text(at(block * THREADS), 50, String(block * THREADS), { soft: true });
    const end = at(ELEMENTS);
    d.step(1, () => {
        d.arrow(at(0), 145, at(BLOCK * THREADS) - 4, 145, "computing");
        d.text(at(BLOCK * THREADS) - 8, 180, `blockIdx.x * blockDim.x = ${BLOCK} * ${THREADS}`, { anchor: "end", mono: true });
    });
    d.step(2, () => {
        d.arrow(at(mine) + 6, 124, at(mine) + 6, 216, "computing");
        d.text(at(mine) + 20, 180, `+ threadIdx.x: ${BLOCK * THREADS} + ${THREAD} = ${mine}`, { mono: true });
    });
    d.step(3, () => {
        d.box(end, 60, at(BLOCKS * THREADS) - 6 - end, 60, "waiting", "");
        d.text(1150, 180, `${BLOCKS * THREADS - ELEMENTS} threads`, { anchor: "end" });
        d.text(1150, 210, "have nothing to do", { anchor: "end" });
    });
    return d;
}
