/*
 * tracer_crash.h: what a program recorded before it crashed is in its trace.
 */
#ifndef WARPUP_TRACER_CRASH_H
#define WARPUP_TRACER_CRASH_H

/* From now on, calls `end` with words such as "signal 11" when such a signal is about to end the
 * program. The signal then ends it as before. A signal that the program handles is left to it. */
void crash_watch(void (*end)(const char *how));

#endif
