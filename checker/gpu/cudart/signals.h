/*
 * signals.h: the program's crashes.
 */
#ifndef WARPUP_SIGNALS_H
#define WARPUP_SIGNALS_H

/* From here on the library reports to the GPU signals that end the program, and accesses to memory
 * that the GPU has closed. A handler that the program has set before is called for signals that are
 * not the GPU's. */
void signals_begin(void);

#endif
