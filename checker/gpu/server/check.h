/*
 * check.h: reads PTX for the compiler's driver.
 */
#ifndef WARPUP_CHECK_H
#define WARPUP_CHECK_H

/* Reads the files and prints what is wrong with them, "FILE:LINE: message" each, on stderr. 0:
 * nothing; 1: an error that ptxas would report too; 2: the simulated GPU does not know something,
 * or a file cannot be read. */
int check_files(int count, char **files);

#endif
