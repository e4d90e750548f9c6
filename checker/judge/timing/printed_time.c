/* printed_time.c: see printed_time.h. */
#include "judge/timing/printed_time.h"
#include "judge/timing/thresholds.h"

#include <math.h>

/* `amount` / rate, as a time; NAN for a rate of 0, which has lost all its digits. */
static struct printed_time by_rate(struct number rate, double amount)
{
    double most = rate.value > rate.half ? amount / (rate.value - rate.half) : INFINITY;
    if (rate.value == 0) return (struct printed_time){NAN, NAN, NAN};
    return (struct printed_time){amount / rate.value, amount / (rate.value + rate.half), most};
}

/* Half of the interval / the time; NAN or infinity when nothing is known. */
static double rounding(struct printed_time time)
{
    return time.seconds > 0 ? (time.most - time.least) / 2 / time.seconds : NAN;
}

static bool agree(struct printed_time a, struct printed_time b)
{
    return a.least <= (1 + RATES_APART) * b.most && b.least <= (1 + RATES_APART) * a.most;
}

static void add(struct printed_times *times, struct printed_time time)
{
    size_t at = times->count;
    if (isnan(time.seconds)) return;
    for (; at > 0 && rounding(time) < rounding(times->list[at - 1]); at--)
        times->list[at] = times->list[at - 1];
    times->list[at] = time;
    times->count++;
}

struct printed_times printed_times(const struct figures *figures,
                                   const struct oracle_problem *problem)
{
    struct printed_times times = {.list = {{.seconds = NAN}}, .rates = 1};
    struct number t0 = figures->seconds;
    struct printed_time t = {t0.value, t0.value - t0.half, t0.value + t0.half};
    const struct printed_time rates[] = {by_rate(figures->gbytes, problem->bytes * 1e-9),
                                         by_rate(figures->gflops, problem->flops * 1e-9)};
    bool exact = t.seconds < 0 || rounding(t) <= DIGITS_ENOUGH;
    if (!figures->present) return times;
    if (exact && agree(rates[0], rates[1]) && !agree(t, rates[0]) && !agree(t, rates[1]))
        t.seconds = NAN;
    for (int i = 0; i < 2 && (!exact || isnan(t.seconds)); i++)
        add(&times, rates[i]);
    add(&times, t);
    double first = times.list[0].seconds;
    for (int i = 1; i >= 0; i--) {
        bool apart = first > 0 && !isnan(rates[i].seconds) &&
                     !agree(rates[i], (struct printed_time){first, first, first});
        if (apart && fabs(log(rates[i].seconds / first)) > fabs(log(times.rates)))
            times.rates = rates[i].seconds / first;
    }
    return times;
}
