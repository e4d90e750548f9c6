/*
 * warp.c: merging the logs of a warp's lanes (warp.h). Most of the time lanes run the code in step,
 * and then a row of the log is one request. Where they diverge, the earliest in the code goes on.
 */
#include "sim/requests/warp.h"

#include "sim/requests/request.h"

#include <string.h>

/* All 32 lanes have logged the same number of events, none of them merged. */
static bool in_step(const struct warp *warp)
{
    if (warp->lanes != LANES) return false;
    uint32_t differ = 0;
    for (int lane = 0; lane < LANES; lane++)
        differ |= (warp->written[lane] ^ warp->written[0]) | warp->read[lane];
    return differ == 0;
}

static bool all_merged(const struct warp *warp)
{
    uint32_t left = 0;
    for (int lane = 0; lane < LANES; lane++)
        left |= warp->written[lane] ^ warp->read[lane];
    return left == 0;
}

static bool same_event(const uint32_t event[LANES])
{
    uint32_t differ = 0;
    for (int lane = 0; lane < LANES; lane++)
        differ |= event[lane] ^ event[0];
    return differ == 0;
}

/* Lanes go back to the beginning of a loop together. */
static void note_turn(struct turns *turns, uint32_t place)
{
    uint32_t i = 0;
    while (i < turns->count && turns->at[i].place != place)
        i++;
    if (i == TURNS_MAX) return;
    if (i == turns->count) turns->at[turns->count++] = (struct turn){.place = place};
    turns->at[i].warp++;
}

/* What lanes do together: a request, or that they go back. */
static void take_event(struct warp *warp, uint32_t event, const uint64_t offset[LANES],
                       const bool same[LANES], uint32_t mask)
{
    if (event_size_code(event) != 0)
        request_take(warp, event, offset, same, mask);
    else if (warp->turns != NULL)
        note_turn(warp->turns, event_place(event));
}

/* Merges rows as long as all lanes are at the same place. merge_lanes() does the rest: false if
 * there is one. */
static bool merge_rows(struct warp *warp)
{
    uint32_t row = 0, rows = warp->written[0];
    for (; row < rows && same_event(warp->log->event[row]); row++) {
        take_event(warp, event_from_log(warp->log->event[row][0]), warp->log->offset[row],
                   warp->log->same[row], UINT32_MAX);
    }
    for (int lane = 0; row < rows && lane < LANES; lane++)
        warp->read[lane] = row;
    return row == rows;
}

/* The lanes whose next event is the earliest in the code; 0 if none has one, or if a running lane
 * has none yet. */
static uint32_t earliest(const struct warp *warp, uint32_t *event)
{
    uint32_t mask = 0, lowest = UINT32_MAX;
    for (uint32_t lane = 0; lane < warp->begun; lane++) {
        if (warp->read[lane] == warp->written[lane]) {
            if (warp->running >> lane & 1) return 0;
            continue;
        }
        uint32_t next = event_from_log(warp->log->event[warp->read[lane]][lane]);
        if (next < lowest) {
            lowest = next;
            mask = 0;
        }
        if (next == lowest) mask |= 1u << lane;
    }
    *event = lowest;
    return mask;
}

static void merge_lanes(struct warp *warp)
{
    uint64_t offset[LANES];
    bool same[LANES];
    uint32_t event, mask;
    while ((mask = earliest(warp, &event)) != 0) {
        EACH_LANE (lane, mask) {
            same[lane] = warp->log->same[warp->read[lane]][lane];
            offset[lane] = warp->log->offset[warp->read[lane]++][lane];
        }
        take_event(warp, event, offset, same, mask);
    }
}

void warp_merge(struct warp *warp)
{
    if (in_step(warp) && merge_rows(warp)) {
        memset(warp->written, 0, sizeof warp->written);
        return;
    }
    if (!all_merged(warp)) merge_lanes(warp);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t left = warp->read[lane] != warp->written[lane] ? UINT32_MAX : 0;
        warp->read[lane] &= left;
        warp->written[lane] &= left;
    }
}
