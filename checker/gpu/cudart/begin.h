/*
 * begin.h: the beginning and the end of a program that has a simulated GPU.
 */
#ifndef WARPUP_BEGIN_H
#define WARPUP_BEGIN_H

/* Starts a GPU and connects the program to it. */
void begin_alone(void);

/* Ends the process immediately, without another message to the GPU. */
_Noreturn void end_quickly(int status);

#endif
