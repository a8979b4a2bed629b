/*
 * The settings and the loop of a time-stepped run; see steps.h. (Interaction framework report,
 * "Update Loop".)
 *
 * The state of a run is the state of its particles and terms, and the number of substeps made.
 * Checkpoints are written between two substeps, so a resumed run gives the same bytes. The time of
 * a substep is computed from its number, not summed up.
 *
 * An advance to a time that is no end of a step makes a shorter step, as a run to that time would.
 * Another one goes on from before it: so the answer does not depend on where advances end.
 */
#include "steps/steps.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "model/region.h"
#include "term.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* The virial, a sum over all forces, is computed at the ends of no more steps than this. */
enum { MAX_VIRIALS = 1000 };

/* From how many particles on several threads pay. */
enum { THREADS_FROM = 20000, THREADS_FROM_ALL_PAIRS = 2000 };

enum { MAX_PASSES = 100 }; /* of constraints in a substep */

/* The most substeps: their numbers are exact as doubles. */
static const double STEPS_MAX = 1e15;

/* The fraction of a step by which the end may differ from a whole number of steps. */
static const double END_TOLERANCE = 1e-6;

/* The most boxes that a particle crosses in a substep, so that 64 bits count images. */
static const double MAX_BOXES = 1000;

/* ---- The settings ---- */

const struct term_kind *const term_kinds[2][TERM_MAX_KINDS + 1] = {
    {&gravity_kind, &drag_kind, &langevin_kind, &spring_kind, &bond_kind, &lennard_jones_kind,
     &gravitation_kind, &coulomb_kind, &sph_kind},
    {&contact_kind, &link_kind, &pin_kind, &walls_kind}};

int steps_text_file(const struct steps_text *term, char name[SETTING_SIZE])
{
    static const char key[] = "file=";
    char text[SETTING_SIZE];
    char *rest = text, *word = NULL;
    strcpy(text, term->text);
    while ((word = text_take_word(&rest)) && strncmp(word, key, strlen(key)) != 0)
        continue;
    if (word)
        strcpy(name, word + strlen(key));
    return word != NULL;
}

void steps_settings_free(struct steps_settings *settings)
{
    for (size_t k = 0; k < settings->count; k++)
        memory_free(settings->terms[k].text);
    memory_free(settings->terms);
    *settings = (struct steps_settings){0};
}

const char *steps_term(int is_constraint, size_t k, const struct text_parameter **parameters)
{
    const struct term_kind *kind = term_kinds[is_constraint][k];
    *parameters = kind ? kind->parameters : NULL;
    return kind ? kind->name : NULL;
}

enum status term_parse(const char *text, int is_constraint, const struct term_kind **kind,
                       struct text_arguments *arguments, struct error *error)
{
    const char *option = is_constraint ? "--constraint" : "--interaction";
    enum status status = arguments_begin(arguments, text, option, error);
    if (status)
        return status;
    const char *name = text_take_word(&arguments->rest);
    error_set(error, STATUS_USAGE, "%s '%.100s' is unknown: there are", option, name ? name : "");
    for (size_t k = 0; (*kind = term_kinds[is_constraint][k]); k++) {
        if (name && strcmp(name, (*kind)->name) == 0)
            return arguments_read(arguments, (*kind)->parameters, name, error);
        error_append(error, "%s %s", k > 0 ? "," : "", (*kind)->name);
    }
    return STATUS_USAGE;
}

enum status steps_settings_add(struct steps_settings *settings, int is_constraint, const char *text,
                               struct error *error)
{
    const size_t size = strlen(text) + 1;
    const struct term_kind *kind = NULL;
    struct text_arguments arguments;
    if (settings->count == STEPS_MAX_TERMS)
        return error_set(error, STATUS_USAGE,
                         "there can be up to %d interactions and constraints, and '%.100s' is one "
                         "more",
                         (int)STEPS_MAX_TERMS, text);
    enum status status = term_parse(text, is_constraint, &kind, &arguments, error);
    for (size_t k = 0; k < settings->count && !status; k++)
        if (settings->terms[k].kind == kind && kind->traits.is_single)
            status = error_set(error, STATUS_USAGE, "%s is given twice: a scene has at most one",
                               kind->name);
    if (status)
        return status;
    struct steps_text *terms =
        memory_resize(settings->terms, settings->count + 1, sizeof *terms, "the scene", error);
    if (!terms)
        return STATUS_NO_MEMORY;
    settings->terms = terms;
    terms += settings->count;
    *terms = (struct steps_text){is_constraint, kind, memory_allocate(size, 1, "the scene", error)};
    if (!terms->text)
        return STATUS_NO_MEMORY;
    memcpy(terms->text, text, size);
    settings->count++;
    return STATUS_DONE;
}

/* ---- The loop ---- */

/* Where step number `k`, from 0, begins. */
static double step_begin(const struct steps *steps, uint64_t k)
{
    return steps->start + (double)(k - steps->first) * steps->step;
}

/* Its length. The last one ends where the advance does. */
static double step_length(const struct steps *steps, uint64_t k)
{
    return k == steps->steps - 1 ? steps->end_time - step_begin(steps, k) : steps->step;
}

static double substep_end(const struct steps *steps, uint64_t done)
{
    const uint64_t whole = done / steps->substeps;
    if (whole == steps->steps)
        return steps->end_time;
    return step_begin(steps, whole) +
           step_length(steps, whole) * ((double)(done % steps->substeps) / steps->substeps);
}

/* Sets the length of the next substep, and the mobilities, which depend on it. */
static void begin_substep(struct steps *steps)
{
    const double dt = step_length(steps, steps->done / steps->substeps) / steps->substeps;
    for (size_t k = 0; k < steps->system->count && dt != steps->dt; k++)
        steps->mobility[k] =
            steps->inverse_mass[k] *
            elementary_mean_decay(steps->drag * dt / 2 * steps->inverse_mass[k]) *
            (steps->friction > 0 ? steps_bath_scale(steps->friction * dt * steps->inverse_mass[k])
                                 : 1);
    steps->dt = dt;
    steps->strong = 20 * dt * vector_length(&steps->gravity);
}

static void save_positions(struct steps *steps)
{
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        steps->before[k] = (struct vector){p->x, p->y};
    }
}

/* Advances a velocity by half a substep; adds, or takes back, its reaction. */
static void kick(struct steps *steps, size_t k, int sign)
{
    struct particle *p = &steps->system->particles[k];
    const struct vector acceleration = steps_acceleration(steps, k);
    p->u += acceleration.x * (steps->dt / 2) + sign * steps->reaction[k].x;
    p->v += acceleration.y * (steps->dt / 2) + sign * steps->reaction[k].y;
}

static double move_length(const struct steps *steps, size_t k)
{
    const struct particle *p = &steps->system->particles[k];
    return sqrt(p->u * p->u + p->v * p->v) * steps->dt;
}

static void raise_move(const struct steps *steps, size_t k, double *largest)
{
    const double moved = move_length(steps, k);
    if (!(moved <= *largest))
        *largest = fmin(moved, (double)INFINITY); /* which a NaN becomes */
}

/* The parts of a substep that concern each particle alone; `user` is the steps. */
static void drift_part(void *user, size_t begin, size_t end)
{
    struct steps *steps = user;
    double largest = 0;
    for (size_t k = begin; k < end; k++) {
        struct particle *p = &steps->system->particles[k];
        kick(steps, k, -1);
        if (steps->traits.is_bath)
            steps->bath->kind->kick(steps->bath, steps, k);
        steps->before[k] = (struct vector){p->x, p->y};
        p->x += p->u * steps->dt;
        p->y += p->v * steps->dt;
        steps->moved[k] = steps->reaction[k] = (struct vector){0, 0};
        raise_move(steps, k, &largest);
    }
    thread_pool_raise(&steps->largest_move, largest);
}

static void update_part(void *user, size_t begin, size_t end)
{
    struct steps *steps = user;
    const double time = substep_end(steps, steps->done + 1);
    for (size_t k = begin; k < end; k++) {
        steps->system->particles[k].t = time;
        steps_push(steps, k, &steps->moved[k], 1 / steps->dt, 0.5);
    }
}

static void wrap_part(void *user, size_t begin, size_t end)
{
    struct steps *steps = user;
    struct system *system = steps->system;
    double largest = 0;
    for (size_t k = begin; k < end; k++) {
        raise_move(steps, k, &largest);
        boundary_wrap(&system->boundary, &system->particles[k], &system->counts[k]);
    }
    thread_pool_raise(&steps->largest_move, largest);
}

static void kick_part(void *user, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++)
        kick(user, k, 1);
}

static void steps_divide(struct steps *steps, thread_pool_part *part)
{
    thread_pool_divide(steps->pool, steps->system->count, part, steps);
}

/* Refuses a particle that moves too far in a substep, or has no finite velocity. */
static enum status check_moves(const struct steps *steps, double most, double time)
{
    for (size_t k = 0; k < steps->system->count; k++) {
        const double moved = move_length(steps, k);
        const int32_t id = steps->system->particles[k].id;
        if (!isfinite(moved))
            return error_set(steps->error, STATUS_BAD_DATA,
                             "particle %" PRId32 " has no finite velocity at time %g: forces have "
                             "grown without bounds; reduce --step, or raise --substeps",
                             id, time);
        if (moved > most)
            return error_set(steps->error, STATUS_BAD_DATA,
                             "particle %" PRId32 " moves by %g in a substep at time %g, and the "
                             "most is %g: reduce --step, or raise --substeps",
                             id, moved, time, most);
    }
    return STATUS_DONE;
}

static enum status act(struct steps *steps, enum term_phase phase)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < steps->term_count && !status; k++) {
        struct term *term = steps->terms[k];
        if (term->kind->act[phase])
            status = term->kind->act[phase](term, steps);
        if (term->kind->divide[phase])
            thread_pool_divide(steps->pool, steps->system->count, term->kind->divide[phase], term);
    }
    return status;
}

static enum status steps_energy(struct dynamics *dynamics, double *kinetic, double *potential,
                                struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    const struct system *system = steps->system;
    *kinetic = steps->potential = steps->virial = 0;
    steps->error = error;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        *kinetic += system_mass(system, p) * (p->u * p->u + p->v * p->v) / 2;
    }
    enum status status = act(steps, PHASE_ENERGY);
    *potential = steps->potential;
    return status;
}

static double steps_deviation(struct steps *steps)
{
    steps->deviation = 0;
    act(steps, PHASE_DEVIATION);
    return steps->deviation;
}

static void clear_part(void *user, size_t begin, size_t end)
{
    memset(((struct steps *)user)->force + begin, 0, (end - begin) * sizeof(struct vector));
}

/* Sums the forces at the present positions; velocities are `lag` older. */
static enum status sum_forces(struct steps *steps, double lag)
{
    steps->lag = lag;
    steps_divide(steps, clear_part);
    return act(steps, PHASE_FORCES);
}

/* Finds the reactions at the start, as if the first half of a substep had gone before. */
static enum status find_reactions(struct steps *steps)
{
    const double dt = steps->dt;
    save_positions(steps);
    memset(steps->moved, 0, steps->system->count * sizeof *steps->moved);
    for (size_t k = 0; k < steps->system->count; k++) {
        struct particle *p = &steps->system->particles[k];
        const struct vector acceleration = steps_acceleration(steps, k);
        p->x += (p->u + acceleration.x * dt) * dt;
        p->y += (p->v + acceleration.y * dt) * dt;
    }
    enum status status = act(steps, PHASE_REACT);
    for (size_t k = 0; k < steps->system->count; k++) {
        steps->system->particles[k].x = steps->before[k].x;
        steps->system->particles[k].y = steps->before[k].y;
        steps->reaction[k] =
            (struct vector){steps->moved[k].x / dt / 2, steps->moved[k].y / dt / 2};
    }
    return status;
}

/* Moves particles to where constraints hold, and sums forces. Velocities change at walls only. */
static enum status begin_run(struct steps *steps)
{
    enum status status = STATUS_DONE;
    steps->passes = 0;
    if (steps_deviation(steps) > 0) {
        save_positions(steps);
        status = act(steps, PHASE_START);
        steps_divide(steps, wrap_part);
    }
    status = status ? status : sum_forces(steps, 0);
    return status ? status : find_reactions(steps);
}

static enum status substep_move(struct steps *steps)
{
    const double time = substep_end(steps, steps->done + 1);
    enum status status;
    const int is_first = steps->done == steps->first * steps->substeps;
    if ((is_first && (status = begin_run(steps))) || (status = act(steps, PHASE_ADVANCE)))
        return status;
    steps->largest_move = 0;
    steps_divide(steps, drift_part);
    if (!(thread_pool_raised(&steps->largest_move) <= steps->max_move))
        return check_moves(steps, steps->max_move, time); /* before walls stop it */
    steps->passes = 0;
    do {
        steps->is_unsettled = 0;
        steps->passes++;
        if ((status = act(steps, PHASE_CONSTRAINTS)))
            return status;
    } while (steps->is_unsettled && steps->passes < MAX_PASSES);
    steps_divide(steps, update_part);
    if ((status = act(steps, PHASE_BOUNCE)))
        return status;
    steps_divide(steps, wrap_part);
    return thread_pool_raised(&steps->largest_move) <= steps->max_move
               ? STATUS_DONE
               : check_moves(steps, steps->max_move, time);
}

static enum status make_substep(struct steps *steps)
{
    enum status status;
    begin_substep(steps);
    if ((status = substep_move(steps)) || (status = act(steps, PHASE_RATES)) ||
        (status = sum_forces(steps, steps->dt / 2)))
        return status;
    steps_divide(steps, kick_part);
    status = act(steps, PHASE_END);
    steps->done++;
    if (steps->figures.is_measured)
        steps->figures.deviation = fmax(steps->figures.deviation, steps_deviation(steps));
    return status;
}

/* ---- Advances ---- */

static void steps_state(struct dynamics *dynamics, struct record *record)
{
    struct steps *steps = (struct steps *)dynamics;
    record_whole(record, &steps->done, UINT64_MAX);
    record_whole(record, &steps->first, steps->done / steps->substeps);
    record_number(record, &steps->start, 0, SYSTEM_LARGEST);
    for (size_t k = 0; k < steps->system->count && !record->status; k++) {
        record_numbers(record, (double *)&steps->force[k], 2);
        record_numbers(record, (double *)&steps->reaction[k], 2);
    }
    record_end_line(record);
    for (size_t k = 0; k < steps->term_count && !record->status; k++)
        if (steps->terms[k]->kind->state)
            steps->terms[k]->kind->state(steps->terms[k], steps, record);
}

static void steps_forget(struct steps_kept *kept)
{
    memory_free(kept->particles);
    record_close(&kept->record);
    kept->particles = NULL;
}

/* Keeps the scene before a shorter step. */
static enum status steps_keep(struct steps *steps)
{
    const struct system *system = steps->system;
    struct steps_kept *kept = &steps->kept;
    kept->particles = memory_allocate(system->count, sizeof *kept->particles + sizeof *kept->counts,
                                      "the particles before the last step", steps->error);
    if (!kept->particles)
        return STATUS_NO_MEMORY;
    kept->counts = (struct particle_counts *)(kept->particles + system->count);
    memcpy(kept->particles, system->particles, system->count * sizeof *kept->particles);
    memcpy(kept->counts, system->counts, system->count * sizeof *kept->counts);
    kept->fixed = system->fixed;
    kept->figures = steps->figures;
    if (!record_begin(&kept->record, NULL, steps->error)) {
        steps_state(&steps->dynamics, &kept->record);
        record_rewind(&kept->record);
    }
    const enum status status = kept->record.status;
    if (status)
        steps_forget(kept);
    return status;
}

/* Returns to the scene before a shorter step, if there has been one. */
static enum status steps_rest(struct dynamics *dynamics, struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    struct system *system = steps->system;
    struct steps_kept *kept = &steps->kept;
    if (!kept->particles)
        return STATUS_DONE;
    memcpy(system->particles, kept->particles, system->count * sizeof *kept->particles);
    memcpy(system->counts, kept->counts, system->count * sizeof *kept->counts);
    steps->figures = kept->figures;
    kept->record.error = error;
    steps_state(dynamics, &kept->record);
    system->fixed = kept->fixed;
    const enum status status = kept->record.status;
    steps_forget(kept);
    return status;
}

/* The number of steps up to a time. The last one may be shorter than the others, or longer by a
 * rounding error. */
static uint64_t steps_up_to(const struct steps *steps, double time)
{
    const double count = (time - steps->start) / steps->step, whole = floor(count + 0.5);
    const int is_whole = whole >= 1 && fabs(count - whole) < END_TOLERANCE;
    return steps->first + (uint64_t)(is_whole ? whole : ceil(count));
}

/* A shorter step counts, and a whole one begins after it. */
static enum status steps_settle(struct dynamics *dynamics, struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    (void)error;
    if (steps->done > 0)
        steps->start = steps->end_time;
    steps->first = steps->done / steps->substeps;
    steps->figures = (struct step_figures){0};
    steps_forget(&steps->kept);
    return STATUS_DONE;
}

/* Takes up where the last advance was, or before its last step, and sets the end of this one. */
static enum status begin_advance(struct steps *steps, double limit)
{
    enum status status = steps_rest(&steps->dynamics, steps->error);
    if (status)
        return status;
    if (!(limit / steps->step * steps->substeps <= STEPS_MAX))
        return error_set(steps->error, STATUS_BAD_DATA,
                         "time %g is too late: the most is %g substeps", limit, STEPS_MAX);
    steps->end_time = limit;
    steps->steps = steps_up_to(steps, limit);
    if (steps->done > steps->steps * steps->substeps)
        return error_set(steps->error, STATUS_BAD_DATA,
                         "time %g is over: %" PRIu64 " substeps have been made", limit,
                         steps->done);
    return STATUS_DONE;
}

/* Makes a substep. If advances may follow, observers see nothing of a step that is taken back, for
 * they will see the whole one; and the run is interrupted only between steps. */
static enum status advance_substep(struct steps *steps, struct observers *observers)
{
    const uint64_t step = steps->done / steps->substeps;
    const int is_open = steps->dynamics.is_open, is_begun = steps->done % steps->substeps > 0;
    const int is_short = is_open && step_length(steps, step) != steps->step;
    const double next = substep_end(steps, steps->done + 1);
    const double seen = is_short ? nextafter(step_begin(steps, step), (double)INFINITY) : next;
    enum status status = STATUS_DONE;
    if (!is_open || !is_begun || observers->next_sample < seen)
        status = observers_sample(observers, steps->system, seen, steps->error);
    if (!status && is_short && !steps->kept.particles)
        status = steps_keep(steps);
    status = status ? status : make_substep(steps);
    if (!status && !is_short)
        status =
            observers_hand_over(observers, steps->done % steps->substeps == 0, next, steps->error);
    return status;
}

static enum status steps_advance(struct dynamics *dynamics, double limit,
                                 struct observers *observers, struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    steps->error = error;
    steps->warn = observers->is_quiet ? NULL : observers->warn;
    if (!dynamics->has_advanced)
        thread_pool_warn(steps->pool, steps->threads, steps->warn);
    dynamics->has_advanced = 1;
    enum status status = begin_advance(steps, limit);
    while (!status && steps->done < steps->steps * steps->substeps)
        status = advance_substep(steps, observers);
    status = status ? status : check_moves(steps, DBL_MAX, limit);
    steps->warn = observers->warn;
    return status ? status : act(steps, PHASE_FINISH);
}

/* Creates a term, and inserts it behind all others of its rank. */
static enum status create_term(struct steps *steps, const char *text, int is_constraint)
{
    struct text_arguments arguments;
    const struct term_kind *kind = NULL;
    enum status status = term_parse(text, is_constraint, &kind, &arguments, steps->error);
    if (status)
        return status;
    struct term *term = memory_allocate_zeros(1, kind->size, kind->name, steps->error);
    if (!term)
        return STATUS_NO_MEMORY;
    term->kind = kind;
    term->steps = steps;
    steps->traits.is_long_range |= kind->traits.is_long_range;
    steps->traits.has_contacts |= kind->traits.has_contacts;
    steps->traits.has_deviation |= kind->traits.has_deviation;
    steps->traits.hides_forces |= kind->traits.hides_forces;
    steps->traits.is_fluid |= kind->traits.is_fluid;
    steps->traits.is_bath |= kind->traits.is_bath;
    size_t k = steps->term_count++;
    for (; k > 0 && steps->terms[k - 1]->kind->rank > kind->rank; k--)
        steps->terms[k] = steps->terms[k - 1];
    steps->terms[k] = term;
    return kind->create(term, &arguments, steps);
}

static int steps_have(const struct steps *steps, const struct term_kind *kind)
{
    size_t k = 0;
    while (k < steps->term_count && steps->terms[k]->kind != kind)
        k++;
    return k < steps->term_count;
}

static enum status create_terms(struct steps *steps, const struct steps_settings *settings)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < settings->count && !status; k++)
        status = create_term(steps, settings->terms[k].text, settings->terms[k].is_constraint);
    if (!status && !steps_have(steps, &walls_kind)) /* every scene has walls */
        status = create_term(steps, walls_kind.name, 1);
    return status;
}

static enum status allocate_arrays(struct steps *steps)
{
    const struct system *system = steps->system;
    const size_t count = system->count;
    steps->force =
        memory_allocate_zeros(count, 4 * sizeof *steps->force, "the forces", steps->error);
    steps->inverse_mass =
        memory_allocate(count, 2 * sizeof *steps->inverse_mass, "the masses", steps->error);
    if (!steps->force || !steps->inverse_mass)
        return STATUS_NO_MEMORY;
    steps->before = steps->force + count;
    steps->moved = steps->before + count;
    steps->reaction = steps->moved + count;
    steps->mobility = steps->inverse_mass + count;
    for (size_t k = 0; k < count; k++)
        steps->inverse_mass[k] = 1 / system_mass(system, &system->particles[k]);
    return STATUS_DONE;
}

/* ---- Figures ---- */

/* The figures, in the order in which they are written; see observe/figure_list.h. */
#define STEP_FIGURES(FIGURE)                                                                       \
    FIGURE(PARTICLES, WHOLE, "particles", "particles", "", "How many particles there are.")        \
    FIGURE(BOX_WIDTH, REAL, "box_width", "box width", "length", "The length of the box along x.")  \
    FIGURE(BOX_HEIGHT, REAL, "box_height", "box height", "length",                                 \
           "The length of the box along y.")                                                       \
    FIGURE(END_TIME, REAL, "end_time", "end time", "time",                                         \
           "When the run ends, in the units of the input.")                                        \
    FIGURE(STATS_FROM, REAL, "stats_from", "figures count from", "time",                           \
           "The time at which the figures begin.")                                                 \
    FIGURE(STEP, REAL, "step", "step", "time", "The time of a step.")                              \
    FIGURE(SUBSTEPS, WHOLE, "substeps", "substeps of each", "",                                    \
           "The number of substeps of each step.")                                                 \
    FIGURE(SUBSTEPS_MADE, WHOLE, "substeps_made", "substeps made", "",                             \
           "The number of substeps that the figures cover.")                                       \
    FIGURE(CONTACTS_WALLS, WHOLE, "contacts_walls", "contacts with walls and polygons", "",        \
           "How often a particle came into contact with a wall or a polygon.")                     \
    FIGURE(CONTACTS_PAIRS, WHOLE, "contacts_pairs", "contacts of two particles", "",               \
           "How often two particles came into contact with each other.")                           \
    FIGURE(ENERGY_START, REAL, "energy_start", "energy at the start", "energy",                    \
           "The energy of motion and of the interactions when the figures begin.")                 \
    FIGURE(ENERGY_END, REAL, "energy_end", "energy at the end", "energy",                          \
           "The energy of motion and of the interactions at the end.")                             \
    FIGURE(ENERGY_DRIFT, REAL, "energy_drift", "  relative change", "",                            \
           "The change of the energy, divided by that at the start, which depends on where the "   \
           "energy "                                                                               \
           "of a field is 0.")                                                                     \
    FIGURE(ENERGY_KINETIC_START, REAL, "energy_kinetic_start", "  kinetic, at the start",          \
           "energy", "The energy of motion when the figures begin.")                               \
    FIGURE(ENERGY_KINETIC_END, REAL, "energy_kinetic_end", "  kinetic, at the end", "energy",      \
           "The energy of motion at the end.")                                                     \
    FIGURE(ENERGY_POTENTIAL_START, REAL, "energy_potential_start", "  potential, at the start",    \
           "energy", "The energy of the interactions when the figures begin.")                     \
    FIGURE(ENERGY_POTENTIAL_END, REAL, "energy_potential_end", "  potential, at the end",          \
           "energy", "The energy of the interactions at the end.")                                 \
    FIGURE(MOMENTUM_X_START, REAL, "momentum_x_start", "momentum in x at the start", "momentum",   \
           "The sum of mass times velocity along x when the figures begin.")                       \
    FIGURE(MOMENTUM_X_END, REAL, "momentum_x_end", "momentum in x at the end", "momentum",         \
           "The sum of mass times velocity along x at the end. Walls, polygons and fields change " \
           "it.")                                                                                  \
    FIGURE(MOMENTUM_Y_START, REAL, "momentum_y_start", "momentum in y at the start", "momentum",   \
           "The sum of mass times velocity along y when the figures begin.")                       \
    FIGURE(MOMENTUM_Y_END, REAL, "momentum_y_end", "momentum in y at the end", "momentum",         \
           "The sum of mass times velocity along y at the end. Walls, polygons and fields change " \
           "it.")                                                                                  \
    FIGURE(TEMPERATURE_MEAN, MEASURED, "temperature_mean", "temperature, mean", "energy",          \
           "The kinetic energy for each two degrees of freedom, averaged over the ends of steps. " \
           "Boltzmann's constant is 1.")                                                           \
    FIGURE(TEMPERATURE_END, REAL, "temperature_end", "temperature at the end", "energy",           \
           "The kinetic energy for each two degrees of freedom at the end.")                       \
    FIGURE(PRESSURE_VIRIAL, MEASURED, "pressure_virial", "pressure from the virial",               \
           "energy/area",                                                                          \
           "The pressure that the temperature, the forces between pairs and contacts show; of a "  \
           "fluid "                                                                                \
           "the mean of its particles. Not known where there are links or pins.")                  \
    FIGURE(CONSTRAINT_ERROR_LARGEST, REAL, "constraint_error_largest",                             \
           "constraint error, largest", "length",                                                  \
           "How far a link has been from its length, or two particles have overlapped, at the "    \
           "start or "                                                                             \
           "at the end of any substep.")                                                           \
    FIGURE(CONSTRAINT_ERROR_END, REAL, "constraint_error_end", "constraint error at the end",      \
           "length", "How far a link is from its length, or two particles overlap, at the end.")   \
    FIGURE(SECONDS, REAL, "seconds", "elapsed time", "seconds", "How long the computer took.")     \
    FIGURE(SUBSTEPS_PER_SECOND, REAL, "substeps_per_second", "substeps of a particle per second",  \
           "1/second", "How many substeps of one particle it computed in a second.")

enum { STEP_FIGURES(FIGURE_NAME) FIGURES };

static const struct figure_row figure_rows[FIGURES] = {STEP_FIGURES(FIGURE_ROW)};

static enum status measure_state(struct steps *steps, const struct snapshot *snapshot,
                                 const struct snapshot_motion *motion, struct step_state *state,
                                 struct error *error)
{
    const struct particle_counts all = snapshot_collisions(snapshot);
    *state = (struct step_state){.momentum_x = motion->momentum_x,
                                 .momentum_y = motion->momentum_y,
                                 .walls = (double)all.walls,
                                 .pairs = (double)all.particles,
                                 .thermal = motion->thermal};
    return steps_energy(&steps->dynamics, &state->kinetic, &state->potential, error);
}

/* Blocks of a run without an end become twice as long when all have passed. */
static void join_blocks(struct step_figures *figures)
{
    for (int k = 0; k < 2; k++)
        for (size_t block = 0; block < BLOCKS; block++)
            figures->means[k][block] =
                block < BLOCKS / 2
                    ? (figures->means[k][2 * block] + figures->means[k][2 * block + 1]) / 2
                    : 0;
    figures->block = BLOCKS / 2;
    figures->to = fmax(nextafter(figures->to, DBL_MAX), /* of a checkpoint that is altered */
                       figures->from + 2 * (figures->to - figures->from));
}

/* Adds the time since the last end of a step to the means. */
static void add_to_means(struct step_figures *figures, const struct snapshot *snapshot,
                         const struct snapshot_motion *motion)
{
    const double time = snapshot->time;
    const double thermal = motion->thermal - figures->start.thermal;
    const double virial = figures->virial + sum_value(&figures->pushes) / (time - figures->time);
    for (double end; figures->time < time; figures->time = end) {
        if (figures->block == BLOCKS)
            join_blocks(figures);
        end = fmin(time, block_end(figures->from, figures->to, figures->block));
        const double part = (end - figures->time) / (figures->to - figures->from) * BLOCKS;
        figures->means[0][figures->block] += part * thermal;
        figures->means[1][figures->block] += part * virial;
        figures->block += end < time;
    }
    figures->pushes = (struct sum){0};
}

static enum status step_figures_measure(struct dynamics *dynamics, const struct snapshot *snapshot,
                                        const struct snapshot_motion *motion, int is_first,
                                        double to, double *next, struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    struct step_figures *figures = &steps->figures;
    struct step_state state;
    enum status status = STATUS_DONE;
    const uint64_t done = steps->done / steps->substeps;
    const uint64_t most = isfinite(to) ? steps_up_to(steps, figures->to) : done;
    if (is_first || done % (most / MAX_VIRIALS + 1) == 0) {
        status = measure_state(steps, snapshot, motion, &state, error);
        figures->virial = steps->virial;
    }
    if (is_first) {
        figures->from = figures->time = snapshot->time;
        figures->to = isfinite(to) ? to : snapshot->time + BLOCKS * steps->step;
        figures->done = steps->done;
        figures->start = state;
        figures->is_measured = 1;
        figures->deviation = steps_deviation(steps);
    }
    add_to_means(figures, snapshot, motion);
    *next = dynamics_next_sample(dynamics, snapshot->time);
    return status;
}

/* Cuts the time up to the present one into BLOCKS of a run without an end. */
static void cut_blocks(struct step_figures *figures)
{
    const double begin = block_begin(figures->from, figures->to, figures->block);
    const double length = (figures->to - figures->from) / BLOCKS;
    const double part = (figures->time - begin) / length;
    const double ratio = BLOCKS / ((double)figures->block + part);
    for (int k = 0; k < 2 && figures->time < figures->to && part > 0; k++) {
        double *means = figures->means[k];
        for (size_t block = 1; block <= figures->block; block++)
            means[block] += means[block - 1];
        block_marks_stretch(means, (size_t)figures->block, part);
        for (size_t block = BLOCKS - 1; block > 0; block--)
            means[block] = (means[block] - means[block - 1]) * ratio;
        means[0] *= ratio;
    }
}

/* The pressure p: p A = N T + virial / 2, with the area A that centres can reach. In a fluid of sph
 * particles have pressures, and p is their mean over its area. */
static double find_pressure(const struct steps *steps, double temperature, double virial)
{
    const struct system *system = steps->system;
    double radius = 0;
    if (steps->traits.is_fluid)
        return virial / 2 / steps->fluid_area;
    if (steps->traits.hides_forces)
        return (double)NAN; /* what these pass on is not known */
    for (size_t k = 0; k < system->count; k++)
        radius += system_radius(system, &system->particles[k]) / (double)system->count;
    const struct region_reach reach = reach_find(&system->boundary, radius);
    return ((double)system->count * temperature + virial / 2) / (reach.width * reach.height);
}

/* Finds the figures that are means over time; the means over blocks become their own. For errors,
 * blocks are four times as long as a bath takes to stop a particle, and a particle to reach the
 * next one if they interact. Returns this time in blocks. */
static double find_averages(struct steps *steps, const struct snapshot_motion *motion,
                            double duration, double values[FIGURES])
{
    struct step_figures *figures = &steps->listed;
    const struct boundary *box = &steps->system->boundary;
    const double half = motion->half_freedom, mass = motion->mass / (double)steps->system->count;
    const double weights[2] = {find_pressure(steps, 1 / half, 0), find_pressure(steps, 0, 1)};
    double thermal = 0, virial = 0;
    for (double *a = figures->means[0], *b = figures->means[1]; a < figures->means[1]; a++, b++) {
        thermal += *a / BLOCKS;
        virial += *b / BLOCKS;
        *b = weights[0] * *a + weights[1] * *b;
        *a = fabs(*a) > 1e-12 * figures->start.thermal ? *a / half : 0;
    }
    thermal += figures->start.thermal + 0 / duration; /* without time there is none */
    virial += 0 / duration;
    const double next_one = virial == 0 ? 0 : sqrt(box->width * box->height * mass / (2 * thermal));
    const double stop = steps->friction > 0 ? mass / steps->friction : 0;
    values[FIGURE_TEMPERATURE_MEAN] = thermal / half;
    values[FIGURE_TEMPERATURE_END] = motion->thermal / half;
    values[FIGURE_PRESSURE_VIRIAL] = find_pressure(steps, thermal / half, virial);
    return 4 * fmax(next_one, stop) / duration * BLOCKS;
}

/* Figures without a meaning in this run are in files only. */
static enum status step_figures_list(struct dynamics *dynamics, const struct snapshot *snapshot,
                                     const struct snapshot_motion *motion, double seconds,
                                     struct dynamics_figure *list, size_t *count,
                                     struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    struct step_figures *figures = &steps->listed;
    const struct system *system = snapshot->system;
    const double made = (double)(steps->done - steps->figures.done);
    const struct step_state *start = &figures->start;
    struct step_state end;
    *figures = steps->figures;
    enum status status = measure_state(steps, snapshot, motion, &end, error);
    if (status)
        return status;
    figures->virial = steps->virial;
    add_to_means(figures, snapshot, motion);
    cut_blocks(figures);
    const double before = start->kinetic + start->potential;
    const double after = end.kinetic + end.potential;
    double values[FIGURES] = {
        [FIGURE_PARTICLES] = (double)system->count,
        [FIGURE_BOX_WIDTH] = system->boundary.width,
        [FIGURE_BOX_HEIGHT] = system->boundary.height,
        [FIGURE_END_TIME] = snapshot->time,
        [FIGURE_STATS_FROM] = figures->from,
        [FIGURE_STEP] = steps->step,
        [FIGURE_SUBSTEPS] = steps->substeps,
        [FIGURE_SUBSTEPS_MADE] = made,
        [FIGURE_CONTACTS_WALLS] = end.walls - start->walls,
        [FIGURE_CONTACTS_PAIRS] = end.pairs - start->pairs,
        [FIGURE_ENERGY_START] = before,
        [FIGURE_ENERGY_END] = after,
        [FIGURE_ENERGY_DRIFT] = (after - before) / fabs(before),
        [FIGURE_ENERGY_KINETIC_START] = start->kinetic,
        [FIGURE_ENERGY_KINETIC_END] = end.kinetic,
        [FIGURE_ENERGY_POTENTIAL_START] = start->potential,
        [FIGURE_ENERGY_POTENTIAL_END] = end.potential,
        [FIGURE_MOMENTUM_X_START] = start->momentum_x,
        [FIGURE_MOMENTUM_X_END] = end.momentum_x,
        [FIGURE_MOMENTUM_Y_START] = start->momentum_y,
        [FIGURE_MOMENTUM_Y_END] = end.momentum_y,
        [FIGURE_CONSTRAINT_ERROR_LARGEST] = figures->deviation,
        [FIGURE_CONSTRAINT_ERROR_END] = steps_deviation(steps),
        [FIGURE_SECONDS] = seconds,
        [FIGURE_SUBSTEPS_PER_SECOND] = made * (double)system->count / seconds,
    };
    const double least = find_averages(steps, motion, snapshot->time - figures->from, values);
    *count = dynamics_list_figures(figure_rows, FIGURES, values, list);
    for (int k = 0; k < 2; k++) {
        const int figure = k == 0 ? FIGURE_TEMPERATURE_MEAN : FIGURE_PRESSURE_VIRIAL;
        list[figure].blocks = figures->means[k];
        list[figure].least = least;
    }
    if (!steps->traits.has_contacts)
        list[FIGURE_CONTACTS_PAIRS].meaning = NULL;
    if (!steps->traits.has_deviation)
        list[FIGURE_CONSTRAINT_ERROR_LARGEST].meaning = list[FIGURE_CONSTRAINT_ERROR_END].meaning =
            NULL;
    list[FIGURE_SECONDS].group = list[FIGURE_SUBSTEPS_PER_SECOND].group = GROUP_RUN;
    return STATUS_DONE;
}

static void step_figures_record(struct dynamics *dynamics, double (*clock)(void), double *began,
                                struct record *record)
{
    struct step_figures *figures = &((struct steps *)dynamics)->figures;
    figures->is_measured = 1;
    record_whole(record, &figures->done, UINT64_MAX);
    record_whole(record, &figures->block, BLOCKS - 1);
    record_clock(record, clock, began);
    record_numbers(record, &figures->from, 1);
    record_number(record, &figures->to, figures->from, DBL_MAX);
    record_numbers(record, &figures->virial, 1);
    record_numbers(record, &figures->time, 1);
    record_sum(record, &figures->pushes);
    record_numbers(record, &figures->deviation, 1);
    record_numbers(record, (double *)&figures->start, sizeof figures->start / sizeof(double));
    for (int k = 0; k < 2; k++)
        record_numbers(record, figures->means[k], (size_t)figures->block + 1);
}

static int steps_is_fixed(const struct dynamics *dynamics, size_t number)
{
    return ((const struct steps *)dynamics)->inverse_mass[number] == 0;
}

static void steps_free(struct dynamics *dynamics)
{
    struct steps *steps = (struct steps *)dynamics;
    for (size_t k = 0; k < steps->term_count; k++) {
        if (steps->terms[k]->kind->free)
            steps->terms[k]->kind->free(steps->terms[k]);
        verlet_free(&steps->terms[k]->near);
        contact_list_free(&steps->terms[k]->touching);
        memory_free(steps->terms[k]->pairs.list);
        memory_free(steps->terms[k]->memory);
        memory_free(steps->terms[k]);
    }
    steps_forget(&steps->kept);
    thread_pool_free(steps->pool);
    memory_free(steps->force);
    memory_free(steps->inverse_mass);
    memory_free(steps);
}

const struct dynamics_operations steps_operations = {
    .traits = {.has_state = 1, .has_samples = 1, .has_joints = 1},
    .option = "--step",
    .counted = "steps",
    .refusals = {[DYNAMICS_LAW] = "is not for --step: there particles collide if an interaction or "
                                  "a constraint makes them, "
                                  "such as --constraint='contact restitution=0.5'",
                 [DYNAMICS_TIMES] = "is not for --step: it is for runs from collision to collision",
                 [DYNAMICS_STREAM] = "is not for --step: only event-driven runs have streams",
                 [DYNAMICS_WALLS] = "is not for --step: there walls are smooth, and "
                                    "--constraint='walls restitution=0.5' says what they leave"},
    .advance = steps_advance,
    .list = step_figures_list,
    .samples = {step_figures_measure, step_figures_record, steps_energy},
    .rest = steps_rest,
    .settle = steps_settle,
    .joints = {steps_find_joint, steps_is_fixed},
    .state = steps_state,
    .free = steps_free};

enum status steps_create(const struct steps_settings *settings, struct system *system,
                         int is_resumed, struct dynamics **dynamics, struct error *error)
{
    const size_t most = settings->count + TERM_MAX_KINDS;
    struct steps *steps =
        memory_allocate(1, sizeof *steps + most * sizeof *steps->terms, "the steps", error);
    if (!steps)
        return STATUS_NO_MEMORY;
    *steps =
        (struct steps){.dynamics = {.operations = &steps_operations, .sampling = settings->step},
                       .error = error,
                       .system = system,
                       .step = settings->step,
                       .substeps = settings->substeps,
                       .most_substeps = STEPS_MAX_SUBSTEPS,
                       .terms = (struct term **)(steps + 1),
                       .seed = settings->seed,
                       .threads = settings->threads,
                       .is_resumed = is_resumed,
                       .max_move = DBL_MAX};
    if (system->boundary.periodic)
        steps->max_move = MAX_BOXES * fmin(system->boundary.width, system->boundary.height);
    enum status status = allocate_arrays(steps);
    status = status ? status : create_terms(steps, settings);
    const size_t from = steps->traits.is_long_range ? THREADS_FROM_ALL_PAIRS : THREADS_FROM;
    if (steps->threads == 0) /* as many as are of use */
        steps->threads = system->count >= from ? threads_available() : 1;
    if (!status)
        steps->pool = thread_pool_create(steps->threads);
    if (status || (status = act(steps, PHASE_PREPARE)))
        steps_free(&steps->dynamics);
    else
        *dynamics = &steps->dynamics;
    return status;
}
