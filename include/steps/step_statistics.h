/*
 * The observer behind --stats in a time-stepped run: describes it in figures when it is over.
 */
#ifndef PARTICLES_STEP_STATISTICS_H
#define PARTICLES_STEP_STATISTICS_H

#include "observe/report.h"
#include "observe/statistics.h"

/*
 * Makes an observer that writes the figures of a time-stepped run as statistics_create does for one
 * of events: as lines "key = value" or as a table. What happens from request->from on counts. Among
 * the observers of its run must be that of the steps (steps_observer). Returns STATUS_DONE with
 * `*observer` for observers_add, or STATUS_NO_MEMORY. There are no samples of the time.
 */
enum status step_statistics_create(const struct statistics_request *request,
                                   struct observer **observer, struct error *error);

/* The figures of such an observer, for a report. */
report_lister step_statistics_list;

#endif
