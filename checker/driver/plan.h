/* plan.h: which runs a check makes on one device: results first, then larger and larger sizes. */
#ifndef WARPUP_DRIVER_PLAN_H
#define WARPUP_DRIVER_PLAN_H

#include "driver/sizes.h"

/* Facts that a check finds out about its program on the way. */
struct notes {
    const char *list[16];
    size_t count;
};

/* Adds a note; what is more than the list holds is left out. */
void note_add(struct notes *notes, const char *text);

/* Starts the runs whose result has to be right, and those whose arguments may be refused. Of the
 * sizes that the simulated GPU runs, a real one repeats none but the last: it sees no more, and
 * starting many programs takes seconds. */
void plan_start_right(const struct size_list *sizes, bool real);

/* Waits for these runs, and notes them. */
void plan_finish_right(bool real);

/* Starts a timed run on the real GPU, once those of results have ended on the simulated GPU: their
 * time chooses its size. It has its turn in plan_speed_real(). */
void plan_start_early(const struct size_list *sizes);

/* Ends the check if a library is missing, without which no program starts here: the program is not
 * to blame. */
void plan_need_libraries(bool real);

/* True if a run on this device had to be stopped: a program that hangs for one size is not timed at
 * another. */
bool plan_hung(bool real);

/* Larger sizes, which only some launches need. */
void plan_suspected(const struct size_list *sizes);

/* True if a result is wrong so far, or a device saw a fault: such a program is not timed. */
bool plan_is_wrong(void);

/* Timed sizes on the simulated GPU, and the perturbed run beside the last one. */
void plan_speed_simulated(const struct size_list *sizes, struct notes *notes);

/* Timed sizes on the real GPU. */
void plan_speed_real(const struct size_list *sizes, struct notes *notes);

/* Runs the timed size of the second shape. */
void plan_second_shape(const struct size_list *sizes, bool real);

/* Repeats the last timed run on the real GPU, or the one of the second shape. Returns false if it
 * makes no sense: two runs agree, or were long enough. */
bool plan_repeat(bool second_shape);

#endif
