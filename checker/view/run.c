/* run.c: see run.h. The records of a trace pass with few changes: `access`, `sample` and
 * `arithmetic` go into their kernel, and each sample into its place. */
#define _POSIX_C_SOURCE 200809L
#include "view/run.h"

#include "occupancy/occupancy.h"
#include "view/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page stays below 1 MB. A program that launches hundreds of kernels launches few different ones.
 */
enum { KERNELS_SHOWN = 40, STEPS_SHOWN = 400, FAULTS_SHOWN = 20 };

struct reading {
    json_t *run, *kernels, *steps, *faults, *names; /* names of arrays, by their ids as text */
    const char *source;
};

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : "";
}

/* A line of the program, counted from 1, without its end; "" if there is none. */
static void copy_line(const char *source, int line, char *copy, size_t room)
{
    while (line > 1 && source != NULL) {
        source = strchr(source, '\n');
        if (source != NULL) source++;
        line--;
    }
    snprintf(copy, room, "%.*s", source != NULL && line == 1 ? (int)strcspn(source, "\n") : 0,
             source != NULL ? source : "");
}

/* The kernel of this launch; NULL if it is not shown. */
static json_t *find_kernel(const struct reading *reading, double id)
{
    size_t i;
    json_t *kernel;
    json_array_foreach (reading->kernels, i, kernel)
        if (number(kernel, "id") == id) return kernel;
    return NULL;
}

static void add_kernel(struct reading *reading, json_t *launch)
{
    if (number(launch, "error") != 0) {
        json_array_append(json_object_get(reading->run, "refused"), launch);
        return;
    }
    json_object_set_new(reading->run, "launches",
                        json_integer(1 + (json_int_t)number(reading->run, "launches")));
    if (json_array_size(reading->kernels) == KERNELS_SHOWN) return;
    json_t *names = json_copy(reading->names);
    json_t *of_kernel = json_object();
    names_of_parameters(of_kernel, reading->source, text(launch, "kernel"),
                        json_object_get(launch, "pointers"));
    json_object_update(names, of_kernel);
    json_decref(of_kernel);
    json_object_set_new(launch, "arrays", names);
    json_object_set_new(launch, "sites", json_array());
    json_object_set_new(launch, "arithmetic", json_array());
    json_array_append(reading->kernels, launch);
}

/* How many blocks an SM holds, and what allows no more. */
static json_t *occupancy_of(const struct reading *reading, const json_t *kernel)
{
    struct occupancy_sm sm;
    if (!occupancy_sm(number(json_object_get(reading->run, "gpu"), "capability"), &sm))
        return json_null();
    double threads = 1;
    for (size_t i = 0; i < 3; i++)
        threads *= json_number_value(json_array_get(json_object_get(kernel, "block"), i));
    struct occupancy occupancy =
        occupancy_on(&sm, threads, number(kernel, "registers"),
                     number(kernel, "shared") + number(kernel, "static_shared"));
    return json_pack("{s:f, s:f, s:s}", "value", occupancy.value, "blocks_per_sm",
                     occupancy.blocks_per_sm, "limited_by", occupancy.limited_by);
}

static json_t *step(const json_t *record, const char *what)
{
    static const char *const kept[] = {"t",         "start", "end",     "stream", "line",
                                       "direction", "what",  "bytes",   "call",   "kernel",
                                       "id",        "async", "library", "from",   "to"};
    json_t *one = json_pack("{s:s}", "event", what);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(one, kept[i], json_object_get(record, kept[i]));
    return one;
}

static void add_step(struct reading *reading, const json_t *record)
{
    if (json_array_size(reading->steps) < STEPS_SHOWN)
        json_array_append_new(reading->steps, step(record, text(record, "event")));
    else
        json_object_set_new(reading->run, "steps_left_out",
                            json_integer(1 + (json_int_t)number(reading->run, "steps_left_out")));
}

static void end_kernel(struct reading *reading, json_t *record)
{
    json_t *kernel = find_kernel(reading, number(record, "id"));
    if (kernel != NULL) {
        json_object_update(kernel, record);
        json_object_set_new(kernel, "occupancy", occupancy_of(reading, kernel));
    }
    add_step(reading, record);
}

static void add_to_kernel(struct reading *reading, json_t *record, const char *list)
{
    json_t *kernel = find_kernel(reading, number(record, "kernel"));
    if (kernel == NULL) return;
    json_object_del(record, "kernel");
    json_object_del(record, "event");
    json_array_append(json_object_get(kernel, list), record);
}

static void add_sample(struct reading *reading, json_t *record)
{
    json_t *sites = json_object_get(find_kernel(reading, number(record, "kernel")), "sites");
    size_t count = json_array_size(sites);
    json_t *site = count > 0 ? json_array_get(sites, count - 1) : NULL;
    if (site == NULL || number(site, "site") != number(record, "site")) return;
    json_object_del(record, "kernel");
    json_object_del(record, "event");
    json_object_del(record, "site");
    if (json_object_get(site, "samples") == NULL)
        json_object_set_new(site, "samples", json_array());
    json_array_append(json_object_get(site, "samples"), record);
}

/* Names the array, if its line tells; notes its size. */
static void add_allocation(struct reading *reading, const json_t *record)
{
    char line[400], name[NAME_BYTES], id[32];
    snprintf(id, sizeof id, "%.0f", number(record, "id"));
    copy_line(reading->source, (int)number(record, "line"), line, sizeof line);
    if (number(record, "line") > 0 && names_of_allocation(line, name))
        json_object_set_new(reading->names, id, json_string(name));
    add_step(reading, record);
}

/* A kernel's fault knows the names that the arrays have there. */
static void add_fault(struct reading *reading, json_t *fault)
{
    char id[32];
    json_t *kernel = find_kernel(reading, number(fault, "kernel"));
    json_t *names = kernel != NULL ? json_object_get(kernel, "arrays") : reading->names;
    snprintf(id, sizeof id, "%.0f", number(fault, "alloc"));
    if (json_object_get(names, id) != NULL)
        json_object_set(fault, "array", json_object_get(names, id));
    json_object_del(fault, "event");
    if (json_array_size(reading->faults) < FAULTS_SHOWN) json_array_append(reading->faults, fault);
}

static void take(struct reading *reading, json_t *record)
{
    const char *event = text(record, "event");
    if (strcmp(event, "begin") == 0)
        json_object_set(reading->run, "gpu", record);
    else if (strcmp(event, "launch") == 0) {
        add_kernel(reading, record);
        add_step(reading, record);
    } else if (strcmp(event, "kernel") == 0)
        end_kernel(reading, record);
    else if (strcmp(event, "access") == 0)
        add_to_kernel(reading, record, "sites");
    else if (strcmp(event, "arithmetic") == 0)
        add_to_kernel(reading, record, "arithmetic");
    else if (strcmp(event, "sample") == 0)
        add_sample(reading, record);
    else if (strcmp(event, "fault") == 0)
        add_fault(reading, record);
    else if (strcmp(event, "alloc") == 0)
        add_allocation(reading, record);
    else if (strcmp(event, "copy") == 0 || strcmp(event, "set") == 0 ||
             strcmp(event, "sync") == 0 || strcmp(event, "clock") == 0 ||
             strcmp(event, "mark") == 0 || strcmp(event, "elapsed") == 0)
        add_step(reading, record);
    else if (strcmp(event, "unknown") == 0)
        json_object_set(reading->run, "unknown", record);
}

static void add_output(json_t *run, const char *folder)
{
    char path[4096], output[2000];
    snprintf(path, sizeof path, "%s/stdout", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL) return;
    size_t bytes = fread(output, 1, sizeof output - 1, file);
    fclose(file);
    json_t *printed = json_stringn(output, bytes);
    if (printed != NULL) json_object_set_new(run, "output", printed);
}

json_t *run_read(const char *folder, const char *source)
{
    char path[4096], *line = NULL;
    size_t room = 0;
    ssize_t bytes;
    snprintf(path, sizeof path, "%s/trace.jsonl", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    struct reading reading = {.run = json_object(),
                              .kernels = json_array(),
                              .steps = json_array(),
                              .faults = json_array(),
                              .names = json_object(),
                              .source = source};
    json_object_set_new(reading.run, "refused", json_array());
    while ((bytes = getline(&line, &room, file)) > 0) {
        json_t *record = json_loadb(line, (size_t)bytes, 0, NULL);
        if (json_is_object(record)) take(&reading, record);
        json_decref(record);
    }
    free(line);
    fclose(file);
    json_object_set_new(reading.run, "kernels", reading.kernels);
    json_object_set_new(reading.run, "steps", reading.steps);
    json_object_set_new(reading.run, "faults", reading.faults);
    json_decref(reading.names);
    add_output(reading.run, folder);
    return reading.run;
}
