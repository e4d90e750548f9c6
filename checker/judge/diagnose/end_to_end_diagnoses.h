/* end_to_end_diagnoses.h: the diagnoses of the whole job (timing/end_to_end.h): a wrong result,
 * copies of pageable memory, and copies that run one after another. */
#ifndef WARPUP_END_TO_END_DIAGNOSES_H
#define WARPUP_END_TO_END_DIAGNOSES_H

#include "judge/diagnose/diagnoses.h"

void diagnose_end_to_end(struct diagnoses *diagnoses, const struct check *check,
                         const struct ladder *ladder, const struct measures *measures);

#endif
