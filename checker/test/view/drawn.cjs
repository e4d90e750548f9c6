/*
 * drawn.cjs: prints what the page draws of each place, and what the trace counted, from the page's own data and its own
 * functions: kernel, line, kind, which request, drawn, counted.
 *
 *   view json CHECK … | node drawn.cjs
 */
const { drawnOf, usedOf } = require("../../view/page/model.js");
const { check } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

for (const run of check.runs)
    for (const kernel of run.kernels)
        for (const site of kernel.sites)
            for (const sample of site.samples ?? [])
                console.log([kernel.kernel, site.line, site.kind, site.space, sample.which, drawnOf(site, sample), usedOf(sample)].join("\t"));
