/*
 * report.h: writes run.json.
 */
#ifndef WARPUP_REPORT_H
#define WARPUP_REPORT_H

#include "run/capture.h"
#include "run/run.h"

/* Writes run.json; false, with errno set, if it could not be written completely. */
bool report_write(int directory, const struct request *request, const struct outcome *outcome,
                  const struct capture *out, const struct capture *err);

#endif
