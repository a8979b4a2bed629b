/* What interactions and constraints share; see term.h. */
#include "term.h"

#include "base/elementary.h"
#include "base/memory.h"

double steps_bath_scale(double x)
{
    return 2 * elementary_mean_decay(x) / (1 + elementary_exp(-x));
}

enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved)
{
    double mass = (double)INFINITY;
    for (size_t k = 0; k < steps->system->count; k++)
        mass = fmin(mass, system_mass(steps->system, &steps->system->particles[k]));
    return steps_check_period(steps, name, "two of the lightest particles",
                              2 * PI * sqrt(mass / 2 / stiffness), resolved);
}

enum status steps_check_period(const struct steps *steps, const char *name, const char *what,
                               double period, int resolved)
{
    static const double below = 0.99999; /* six digits of it are not rounded up */
    const double needed = ceil(steps->step / period * resolved);
    if (needed <= steps->substeps)
        return STATUS_DONE;
    error_set(steps->error, STATUS_USAGE,
              "%s: %s swing with a period of %g, and it takes %d substeps or more to follow that: "
              "reduce --step to %g",
              name, what, period, resolved, below * (period / resolved * steps->substeps));
    if (needed <= steps->most_substeps)
        error_append(steps->error, ", or raise --substeps to %.0f", needed);
    return STATUS_USAGE;
}

double contact_range(struct steps *steps)
{
    const struct system *system = steps->system;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        steps->max_move = fmin(steps->max_move, radius > 0 ? radius / 2 : (double)INFINITY);
    }
    return 2 * system_largest_radius(system);
}

enum status contact_list_reserve(struct contact_list *list, size_t particles, size_t pairs,
                                 struct error *error)
{
    static const char what[] = "the pairs in contact";
    struct contacts *now = &list->now;
    if (!list->spans) {
        list->spans = memory_allocate_zeros(particles, 2 * sizeof *list->spans, what, error);
        if (!list->spans)
            return STATUS_NO_MEMORY;
        now->spans = list->spans;
        list->last.spans = list->spans + particles;
    }
    now->partners =
        memory_reserve(now->partners, &now->room, pairs, sizeof *now->partners, what, error);
    return now->partners ? STATUS_DONE : STATUS_NO_MEMORY;
}

int contact_list_had(const struct contact_list *list, size_t i, size_t j)
{
    const struct contact_span *span = &list->last.spans[i < j ? i : j];
    const size_t partner = i < j ? j : i;
    size_t begin = span->begin, end = begin + span->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (list->last.partners[middle] == partner)
            return 1;
        if (list->last.partners[middle] < partner)
            begin = middle + 1;
        else
            end = middle;
    }
    return 0;
}

void contact_list_end_substep(struct contact_list *list)
{
    const struct contacts last = list->last;
    list->last = list->now;
    list->now = last;
}

void contact_list_record(struct contact_list *list, size_t particles, struct record *record)
{
    const struct contacts *last = &list->last;
    uint64_t before = 0, i = 0;
    size_t count = 0, n = 0;
    for (size_t k = 0; k < particles && list->spans; k++)
        count += last->spans[k].count;
    record_count(record, &count, SIZE_MAX, 2);
    record_end_line(record);
    if (record->is_reading && !record->status)
        record->status = contact_list_reserve(list, particles, count, record->error);
    for (size_t k = 0; k < particles && record->is_reading && list->spans; k++)
        list->now.spans[k].count = 0;
    for (size_t k = 0; k < count && !record->status; k++) {
        for (; !record->is_reading && n == last->spans[i].count; n = 0)
            i++;
        uint64_t j = record->is_reading ? 0 : last->partners[last->spans[i].begin + n++];
        record_whole(record, &i, particles - 1);
        record_whole(record, &j, particles - 1);
        record_end_line(record);
        const uint64_t pair = i << 32 | j;
        if (!record->status && (i >= j || pair <= before))
            record_refuse(record, "pairs that touch are not in order");
        before = pair;
        if (!record->is_reading || record->status)
            continue;
        if (list->now.spans[i].count == 0)
            contact_list_begin(list, (size_t)i, k);
        contact_list_add(list, (size_t)i, (size_t)j);
    }
    if (record->is_reading)
        contact_list_end_substep(list);
}

void contact_list_free(struct contact_list *list)
{
    memory_free(list->spans);
    memory_free(list->now.partners);
    memory_free(list->last.partners);
    *list = (struct contact_list){0};
}
