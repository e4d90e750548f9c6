/* flight.c: see flight.h. */
#include "sim/requests/flight.h"

/* Bytes that a warp has to read from shared memory for each byte of a load that overlaps with it. A
 * product of tiles reads each of their numbers 8 times or more. */
enum { READS_PER_BYTE = 2 };

/* Machine code between the announcements of the two accesses of a struct's copy, at most */
enum { CALL_BYTES = 16 };

/* Takes up to `wanted` bytes out of a stock of them; returns how many. */
static uint64_t take_from(uint64_t *stock, uint64_t wanted)
{
    uint64_t taken = wanted < *stock ? wanted : *stock;
    *stock -= taken;
    return taken;
}

static void follow_store(struct warp *warp, uint64_t bytes)
{
    struct flight *flight = &warp->flight;
    uint64_t at_once = take_from(&flight->fresh, bytes);
    flight->at_once += at_once;
    warp->tally->overlap_bytes += take_from(&flight->overtaken, bytes - at_once);
}

void flight_land(struct warp *warp)
{
    uint64_t bytes = warp->flight.announced;
    warp->flight.announced = 0;
    if (bytes > 0) follow_store(warp, bytes);
}

/* Is the load of a struct that is copied to shared memory by the last store? */
static bool is_announced_load(const struct flight *flight, const struct request *request)
{
    uint32_t place = event_place(request->site->event);
    return flight->announced == (uint64_t)request->lanes * request->size && request->size >= 8 &&
           place > flight->announced_at && place <= flight->announced_at + CALL_BYTES;
}

void flight_follow(struct warp *warp, const struct request *request)
{
    struct flight *flight = &warp->flight;
    uint64_t bytes = (uint64_t)request->lanes * request->size;
    bool load = request->kind == ACCESS_LOAD;
    if (!request->site->shared && load && is_announced_load(flight, request)) {
        flight->fresh += bytes;
        flight_land(warp);
        return;
    }
    flight_land(warp);
    if (!request->site->shared) {
        if (load) flight->fresh += bytes;
    } else if (load) {
        uint64_t left = bytes / READS_PER_BYTE;
        uint64_t copies = take_from(&flight->fresh_copies, left);
        flight->overtaken_copies += copies;
        flight->overtaken += take_from(&flight->fresh, left - copies);
        flight->reads = true;
    } else if (request->kind == ACCESS_COPY) {
        flight->fresh_copies += take_from(&flight->fresh, bytes);
    } else if (request->kind == ACCESS_STORE) {
        flight->announced = bytes;
        flight->announced_at = event_place(request->site->event);
    }
}

void flight_arrive(struct warp *warp, uint64_t bytes)
{
    uint64_t overtaken = take_from(&warp->flight.overtaken_copies, bytes);
    warp->tally->overlap_bytes += overtaken;
    warp->flight.at_once += take_from(&warp->flight.fresh_copies, bytes - overtaken);
}
