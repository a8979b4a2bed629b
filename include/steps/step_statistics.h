/*
 * The observer of --stats in a time-stepped run: it writes figures at the end.
 */
#ifndef PARTICLES_STEP_STATISTICS_H
#define PARTICLES_STEP_STATISTICS_H

#include "observe/report.h"
#include "observe/statistics.h"

/*
 * Creates the observer for observers_add. It writes lines "key = value" or a table, as that of
 * statistics_create does, of the run from request->from on. The observer of the steps
 * (steps_observer) must be in the same run. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status step_statistics_create(const struct statistics_request *request,
                                   struct observer **observer, struct error *error);

/* Lists the figures of this observer for a report. */
report_lister step_statistics_list;

#endif
