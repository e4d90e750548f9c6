/* names.cjs: prints what the page calls the element of lane 1 in each kernel's first request of a line of loads. */
const { elementName, arrayOf } = require("../../view/page/model.js");
const { check } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

for (const run of check.runs)
    for (const kernel of run.kernels) {
        const site = kernel.sites.filter(one => one.kind === "load").at(-1), sample = site.samples[0];
        console.log(`${kernel.kernel} ${elementName(check, arrayOf(check, kernel, sample), sample.offsets[1], site.size, kernel)}`);
    }
