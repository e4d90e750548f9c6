/* runs.c: the lanes of a request that access one place, or neighbouring ones (watching.h). */
#include "gpu/memory/watching.h"

void runs_find(struct looked *looked)
{
    const struct request *request = looked->request;
    uint32_t next = request->consecutive ? UINT32_MAX << 1 : request->next;
    looked->mask = request->mask;
    looked->run_count = 0;
    if ((request->same | next) == 0) {
        runs_split(looked);
        return;
    }
    for (uint32_t left = request->mask; left != 0;) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t same_on = (uint64_t)request->same >> lane >> 1,
                 next_on = (uint64_t)next >> lane >> 1;
        bool same = same_on & 1;
        uint32_t length = 1 + (uint32_t)__builtin_ctzll(~(same ? same_on : next_on));
        looked->run[looked->run_count++] = (struct lane_run){(uint8_t)lane, (uint8_t)length, same};
        left &= ~(uint32_t)(((UINT64_C(1) << length) - 1) << lane);
    }
}

void runs_split(struct looked *looked)
{
    looked->run_count = 0;
    EACH_LANE (lane, looked->mask)
        looked->run[looked->run_count++] = (struct lane_run){(uint8_t)lane, 1, false};
}
