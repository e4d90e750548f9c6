/* elements.cjs: prints what the page calls a few accesses to arrays of various types: array, offset, bytes and the name. */
const { elementName } = require("../../view/page/model.js");

const source = ["__global__ void k(const float *__restrict__ x, float2 *v, double *const d, unsigned char *b, struct p *q)",
    "{ __shared__ float tile[32][33]; __shared__ __align__(16) float Ms[8][36], Ns[8][32]; __shared__ float4 w[8]; }"];
const accesses = [["x", 16, 16], ["x", 4, 4], ["x", 6, 2], ["v", 12, 4], ["v", 16, 8], ["d", 8, 8], ["b", 3, 1], ["q", 24, 12],
    ["tile", 132, 4], ["Ms", 144, 16], ["Ns", 144, 16], ["w", 20, 4], ["tile", 5, 1]];

for (const [name, offset, bytes] of accesses)
    console.log(`${name} ${offset} ${bytes}: ${elementName({ source }, name, offset, bytes, { kernel: "k" })}`);
