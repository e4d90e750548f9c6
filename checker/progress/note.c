/*
 * note.c: adds a check to what the lab remembers of an exercise. A rung keeps the time at which it
 * was first reached, and a rate is kept if it is the best one of its device.
 */
#include "progress/note.h"

#include "show/words.h"

#include <stdio.h>
#include <string.h>

static int at_most(int number, int most)
{
    return number < 0 ? 0 : number > most ? most : number;
}

/* The device that a rate is of: the real one if it was measured. The simulated GPU is known by its
 * profile. */
static const char *device_of(const json_t *verdict, bool measured)
{
    size_t i;
    json_t *device;
    json_array_foreach (json_object_get(verdict, "devices"), i, device) {
        bool real = strcmp(text_of(device, "kind"), "real") == 0;
        const char *profile = text_of(device, "profile");
        if (real == measured) return real || profile[0] == '\0' ? text_of(device, "name") : profile;
    }
    return "";
}

/* The place of a device's best rate. Where all places are taken, the oldest one is given up. */
static struct rate *slot_of(struct record *record, const struct rate *new)
{
    for (size_t i = 0; i < record->rate_count; i++) {
        struct rate *old = &record->rates[i];
        if (strcmp(old->how, new->how) == 0 && strcmp(old->device, new->device) == 0 &&
            strcmp(old->unit, new->unit) == 0)
            return old;
    }
    if (record->rate_count == RATES_MAX) {
        memmove(record->rates, record->rates + 1, (RATES_MAX - 1) * sizeof record->rates[0]);
        record->rate_count--;
    }
    struct rate *slot = &record->rates[record->rate_count++];
    *slot = (struct rate){.value = 0};
    return slot;
}

/* A program below rung 1 may be wrong: its rate does not count. */
static void note_rate(struct record *record, const json_t *verdict)
{
    const json_t *rate = json_object_get(verdict, "rate");
    struct rate new = {.value = json_number_value(json_object_get(rate, "value")),
                       .share = json_number_value(json_object_get(verdict, "share"))};
    bool measured = strcmp(text_of(rate, "how"), "measured") == 0;
    if (record->rung < 1 || new.value <= 0) return;
    snprintf(new.how, sizeof new.how, "%s", measured ? "measured" : "modelled");
    snprintf(new.unit, sizeof new.unit, "%s", text_of(rate, "unit"));
    snprintf(new.device, sizeof new.device, "%s", device_of(verdict, measured));
    struct rate *best = slot_of(record, &new), *at = &record->at[record->rung];
    if (new.value > best->value) *best = new;
    if (new.value > at->value || strcmp(new.device, at->device) != 0) *at = new;
}

bool note_verdict(struct record *record, const json_t *verdict, uint64_t source, int64_t now)
{
    const json_t *open = first_open(verdict);
    int before = highest_rung(record);
    if (strcmp(text_of(verdict, "status"), "could not check") == 0) return false;
    bool changed = record->checked == 0 || source != record->source;
    record->rung = at_most(number_of(verdict, "rung"), RUNGS_MAX);
    record->rungs = at_most(number_of(verdict, "rungs"), RUNGS_MAX);
    record->required = at_most(number_of(verdict, "required"), RUNGS_MAX);
    record->perhaps = at_most(number_of(verdict, "undecided"), RUNGS_MAX);
    if (changed) record->attempts++, record->checked = now;
    record->source = source;
    snprintf(record->open, sizeof record->open, "%s", open != NULL ? text_of(open, "text") : "");
    snprintf(record->next, sizeof record->next, "%s", text_of(verdict, "next"));
    if (record->reached[0] == 0) record->reached[0] = now;
    for (int rung = before + 1; rung <= record->rung; rung++)
        record->reached[rung] = now;
    if (record->rung > before) record->attempts = 0;
    note_rate(record, verdict);
    return true;
}
