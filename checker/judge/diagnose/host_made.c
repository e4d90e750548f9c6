/* host_made.c: see host_made.h. measure/provenance.h finds the facts that are phrased here. */
#include "judge/diagnose/host_made.h"

/* A copy brought back data that the host had written to the GPU's memory. */
static void add_copied(struct diagnoses *diagnoses, const struct host_made *made)
{
    diagnoses_add(diagnoses, "result-from-host", made->place,
                  json_pack("{s:I, s:I, s:s, s:s}", "bytes", (json_int_t)made->bytes, "host_bytes",
                            (json_int_t)made->host, "run", made->run->dir, "arguments",
                            made->run->arguments),
                  "with arguments %s, this copies %llu bytes to the host. The host itself wrote "
                  "%llu of them, no kernel did",
                  made->run->arguments, made->bytes, made->host);
}

/* The result does not follow a change of an input on the GPU. */
static void add_elsewhere(struct diagnoses *diagnoses, const struct host_made *made)
{
    const char *text =
        made->changed ? "with arguments %s, the check altered element %zu of input array %zu in "
                        "the GPU's memory before each %skernel. The result changed, but it is not "
                        "the result for the altered input: kernels compute only a part of it"
        : made->places > 0 ? "with arguments %s, the check altered element %zu of input array %zu "
                             "in the GPU's memory before each %skernel. The result stayed the "
                             "same, so no such kernel computes it from this array"
                           : "with arguments %s, element %zu of input array %zu was nowhere in the "
                             "GPU's memory when %skernels started. The result is right, so no such "
                             "kernel computes it from this array";
    diagnoses_add(diagnoses, "result-from-host", made->place,
                  json_pack("{s:I, s:I, s:I, s:s, s:s}", "array", (json_int_t)made->array, "index",
                            (json_int_t)made->index, "places", (json_int_t)made->places, "run",
                            made->run->dir, "arguments", made->run->arguments),
                  text, made->run->arguments, made->index, made->array,
                  made->timed ? "timed " : "");
}

void diagnose_host_made(struct diagnoses *diagnoses, const struct check *check,
                        const struct result *results)
{
    for (int how = MADE_COPIED; how <= MADE_ELSEWHERE; how++)
        for (size_t i = 0; i < check->run_count; i++) {
            const struct host_made *made = &results[i].made;
            if ((int)made->how != how) continue;
            (how == MADE_COPIED ? add_copied : add_elsewhere)(diagnoses, made);
            return;
        }
}
