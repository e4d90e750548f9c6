/*
 * index-of-thread.mjs: which element is mine? Five blocks of 256 threads lie side by side over an array of 1240 elements.
 * Thread 5 of block 2 counts the threads of the blocks before its own, and then its own place.
 */
import { Drawing } from "../lib/draw.mjs";

const THREADS = 256, BLOCKS = 5, ELEMENTS = 1240, BLOCK = 2, THREAD = 5;
const WIDTH = 220; // of a block

/** Without `code` the steps say in words what a thread has to compute, for those who are still to write it. */
export function draw({ code = true }) {
    const mine = BLOCK * THREADS + THREAD;
    const d = new Drawing({
        height: 300,
        title: `${BLOCKS} blocks of ${THREADS} threads in a row over ${ELEMENTS} elements. Thread ${THREAD} of block ${BLOCK} takes element ` +
            `${BLOCK} times ${THREADS} plus ${THREAD}, which is ${mine}. The last ${BLOCKS * THREADS - ELEMENTS} threads have no element.`,
    });
    const at = (thread) => 20 + (thread / THREADS) * (WIDTH + 6);
    for (let block = 0; block < BLOCKS; block++) {
        d.box(at(block * THREADS), 60, WIDTH, 60, block === BLOCK ? "computing" : "plain", `block ${block}`);
        d.text(at(block * THREADS), 50, String(block * THREADS), { soft: true });
    }
    const end = at(ELEMENTS);
    d.box(20, 220, end - 20, 50, "global", `x[0] … x[${ELEMENTS - 1}]`);
    d.step(1, () => {
        d.arrow(at(0), 145, at(BLOCK * THREADS) - 4, 145, "computing");
        d.text(at(THREADS), 180, code ? `blockIdx.x * blockDim.x = ${BLOCK} * ${THREADS}` : `${BLOCK * THREADS} threads before block ${BLOCK}`, { anchor: "middle", mono: code });
    });
    d.step(2, () => {
        d.arrow(at(mine) + 6, 124, at(mine) + 6, 216, "computing");
        d.text(at(mine) + 24, 180, code ? `+ threadIdx.x = ${mine}` : `thread ${THREAD}: element ${mine}`, { mono: code });
    });
    d.step(3, () => {
        d.box(end, 60, at(BLOCKS * THREADS) - 6 - end, 60, "waiting", "");
        d.text(1150, 180, `${BLOCKS * THREADS - ELEMENTS} threads`, { anchor: "end" });
        d.text(1150, 210, code ? "have nothing to do" : "have no element", { anchor: "end" });
    });
    return d.lines("");
}
