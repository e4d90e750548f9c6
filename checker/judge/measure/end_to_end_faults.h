/*
 * end_to_end_faults.h: what is wrong with a program's whole job (timing/end_to_end.h). Kernels of
 * the job have to make the result from what the job copied, and its copies have to bring it to the
 * host. The time on the line JOB has to be that of the job. Only the simulated GPU's runs have all
 * that is needed to know.
 */
#ifndef WARPUP_END_TO_END_FAULTS_H
#define WARPUP_END_TO_END_FAULTS_H

#include "judge/timing/clock_reads.h"

struct end_to_end_fault {
    const struct run *run;
    const struct record *site; /* NULL when it has none */
    const char *name;          /* of the diagnosis */
    const char *text;          /* NULL when nothing is wrong */
    const char *next;          /* the next step; NULL: that of the diagnosis */
};

/* The fault in the job of a run that prints a line for it, except in its time. */
struct end_to_end_fault end_to_end_fault_find(const struct check *check, const struct run *run);

/* The fault in the time that the run prints for a right job. */
struct end_to_end_fault end_to_end_fault_time(const struct check *check, const struct run *run);

#endif
