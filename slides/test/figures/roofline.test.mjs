/* The figure `roofline`: its peaks and points against the lab's tables, and its behaviour in a browser. */
import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { loadFigure, openFigure } from "./browser.mjs";
import { LAB } from "./simulated.mjs";

const figure = await loadFigure("roofline");
const gpu = name => figure.GPUS.find(one => one.name === name);

test("peaks are those of the data sheets, to 1 %", () => {
    const published = { V100: [15700, 900], A100: [19500, 1555], H200: [67000, 4800], B200: [75000, 8000] };
    assert.deepEqual(figure.GPUS.map(one => one.name), Object.keys(published));
    for (const [name, [gflops, gbs]] of Object.entries(published)) {
        assert.ok(Math.abs(gpu(name).gflops / gflops - 1) < 0.01, `${name} ${gpu(name).gflops}`);
        assert.equal(gpu(name).gbs, gbs);
    }
});

test("a kernel is bound by memory below the ridge and by arithmetic above it", () => {
    const a100 = gpu("A100"), { ridge } = figure.roofOf(a100, 1);
    assert.deepEqual([figure.roofOf(a100, 0.25).gflops, figure.roofOf(a100, 0.25).bound], [1555 / 4, "memory"]);
    assert.equal(figure.roofOf(a100, 0.99 * ridge).bound, "memory");
    assert.equal(figure.roofOf(a100, 1.01 * ridge).bound, "arithmetic");
    assert.equal(figure.roofOf(a100, 1000).gflops, a100.gflops);
    assert.equal(figure.nearestStep(0.26), 0.25);
});

test("stages are at their measured places", () => {
    const rows = readFileSync(`${LAB}solutions/measured/nvidia-h200.tsv`, "utf8").split("\n").map(row => row.split("\t"));
    const points = figure.stagePoints("ex04_matmul");
    assert.ok(points.length >= 5);
    for (const point of points) {
        const row = rows.find(one => one[0] === "ex04_matmul" && one[1] === String(point.stage) && one[3] === "4096");
        assert.deepEqual([point.gflops, point.intensity], [+row[4], 4096 / 6]);
    }
    const axpy = rows.find(row => row[0] === "ex01_axpy" && row[1] === "5" && row[3] === "67108864");
    assert.equal(figure.stagePoints("ex01_axpy").find(point => point.stage === 5).gflops, axpy[4] * (2 / 12));
    const h200 = gpu("H200");
    for (const exercise of ["ex01_axpy", "ex02_rot", "ex04_matmul"])
        for (const point of figure.stagePoints(exercise).filter(one => one.name !== "tensor-cores")) // their roof is higher
            assert.ok(point.gflops <= figure.roofOf(h200, point.intensity).gflops, `${exercise} ${point.name}`);
});

test("by requested bytes, stages are where the counted sectors put them", () => {
    const rows = readFileSync(`${LAB}solutions/measured/counters-nvidia-h200.tsv`, "utf8").split("\n").map(row => row.split("\t"));
    const sectors = (stage, size) => rows.find(row => row[0] === "ex04_matmul" && row[1] === stage && row[2] === size);
    const points = figure.stagePoints("ex04_matmul", "requested"), at = stage => points.find(one => one.stage === stage);
    for (const stage of ["1", "2", "6"]) {
        const row = sectors(stage, "512");
        assert.equal(at(+stage).intensity, 2 * 512 ** 3 / (32 * (+row[4] + +row[6])));
    }
    assert.ok(at(1).intensity < 0.5 && at(2).intensity > 7 && at(2).intensity < 8);
    assert.equal(at(4), undefined); // cuBLAS's requests are not counted
    assert.ok(at(1).gflops > figure.roofOf(gpu("H200"), at(1).intensity).gflops); // its caches serve most requests
    assert.equal(figure.stagePoints("ex01_axpy", "requested").find(one => one.stage === 5).intensity, 2 / 12);
});

test("clicks, keys and touch change the state and its description", async t => {
    const { page, says, picture, keysSeen, finish } = await openFigure(t, "roofline", {}, { touch: true });
    assert.match(await says(), /At 0\.25 flop\/byte at most: H200 1\s200 Gflop\/s, bound by memory/);
    const handle = page.getByRole("slider", { name: "intensity of the kernel" });
    await handle.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowLeft");
    assert.match(await says(), /At 1\.7 flop\/byte/);
    await page.keyboard.press("End");
    assert.match(await says(), /At 1\s?024 flop\/byte .*bound by arithmetic/);
    assert.equal(await handle.getAttribute("aria-valuenow"), "1024");
    await page.locator("label", { hasText: "V100" }).tap();
    assert.match(await says(), /V100 .*H200/);
    await page.getByRole("radio", { name: "axpy" }).click();
    assert.match(await picture(), /vector-loads: 0\.17 flop\/byte/);
    await page.getByRole("radio", { name: "requested" }).click();
    assert.match(await picture(), /chunks: 0\.021 flop\/byte/);
    await page.getByRole("radio", { name: "at least" }).click();
    const from = await page.locator(".handle rect").boundingBox(), y = from.y + 10;
    await page.mouse.move(from.x + 26, y);
    await page.mouse.down();
    await page.mouse.move(700, y, { steps: 4 });
    await page.mouse.up();
    const dragged = +await handle.getAttribute("aria-valuenow");
    assert.ok(dragged > 4 && dragged < 32, String(dragged));
    const finger = await page.context().newCDPSession(page), { x } = await page.locator(".handle rect").boundingBox();
    const touch = (type, ...points) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    await touch("touchStart", { x: x + 26, y });
    for (const step of [1, 2, 3, 4]) await touch("touchMove", { x: x + 26 - 50 * step, y });
    await touch("touchEnd");
    assert.ok(+await handle.getAttribute("aria-valuenow") < dragged / 2);
    assert.deepEqual(await keysSeen(), []);
    await finish();
});

test("points given by the deck are drawn", async t => {
    const { picture, finish } = await openFigure(t, "roofline",
        { gpus: ["V100", "A100", "H200", "B200"], exercise: "ex04_matmul", points: [{ name: "mine", intensity: 8, gflops: 900 }] });
    assert.match(await picture(), /mine: 8 flop\/byte, 900 Gflop\/s/);
    await finish();
});
