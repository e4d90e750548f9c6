/*
 * budget.h: how much of its time limit a run has used.
 */
#ifndef WARPUP_BUDGET_H
#define WARPUP_BUDGET_H

/* The parts of its time limit that a run has used, in seconds. */
struct budget {
    double used;      /* at least one thread computed, or none wanted a processor */
    double processor; /* computing, all threads added up */
    double looked_at; /* the time of the last look; set it to the start of the run */
};

/* Updates a budget. Look several times per second: of a longer time, only one second may count as
 * idle. */
void budget_look(struct budget *budget, double now);

#endif
