/*
 * From options to observers: each option that asks for one has its lines here.
 */
#include "observe.h"

#include "stats.h"

enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error)
{
    struct observer *observer = NULL;
    enum status status = STATUS_DONE;
    if (options->stats && (options->stats_file || !options->quiet)) {
        status = stats_create(options->stats_file, &observer, error);
        if (!status)
            observers_add(observers, observer);
    }
    return status;
}
