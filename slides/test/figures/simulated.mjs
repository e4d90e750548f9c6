/*
 * simulated.mjs: runs a test's CUDA program on the simulated GPU, and reads what it counted.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const LAB = new URL("../../../", import.meta.url).pathname;
export const BUILD = process.env.WARPUP_BUILD ?? `${LAB}build`;

/** The records of the trace that `NAME.cu` leaves when it is run with these arguments. */
export function traceOf(name, args) {
    const directory = mkdtempSync(join(tmpdir(), "figure-"));
    try {
        execFileSync(`${BUILD}/cc`,
            [new URL(`${name}.cu`, import.meta.url).pathname, directory], { stdio: "inherit" });
        execFileSync(join(directory, "program"), args.map(String),
            { env: { ...process.env, WARPUP_TRACE: directory, WARPUP_BUILD: BUILD } });
        return readFileSync(join(directory, "trace.jsonl"), "utf8").trim().split("\n").map(JSON.parse);
    } finally {
        rmSync(directory, { recursive: true });
    }
}
