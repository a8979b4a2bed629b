/* Running systems as the command does; see resumed.h. */
#include "resumed.h"

#include "check.h"
#include "cli/options.h"
#include "lattice/lattice.h"
#include "observe/writers.h"
#include "run/dynamics.h"
#include "steps/steps.h"

struct options resumed_options(enum schedule_kind schedule, double end_time, double every)
{
    static char name[] = "particles";
    static char *arguments[] = {name, NULL};
    return (struct options){
        .is_quiet = 1,
        .run = {.interval = every, .to = end_time, .schedule = schedule},
        .input = "input.txt",
        .events.name = "events",
        .trajectory.output.name = "frames",
        .structure.name = "structure",
        .fields = {{.name = "fields.csv"}, field_file_write_csv, 1, 3, 2, 0},
        .forces.name = "forces",
        .stats.output = {.name = "stats", .is_wanted = 1},
        .picture.output.name = "picture",
        .animation.name = "page",
        .report = {{.name = "report"}, PARTICLES_VERSION, arguments, report_page_write},
        .final_state.name = "final",
        .checkpoint = {.output.name = "saved", .every = 1e9}};
}

struct options resumed_steps(double end_time, double every, double step, uint32_t substeps)
{
    struct options options = resumed_options(SCHEDULE_AUTO, end_time, every);
    options.events.name = options.stats.output.name = options.report.output.name = NULL;
    options.stats.output.is_wanted = 0;
    options.steps = (struct steps_settings){.step = step, .substeps = substeps};
    return options;
}

/* Begins a run, or resumes it; in steps, if it has a scene. */
static enum status begin(struct resumed *run, struct observers *observers, struct stopper *stopper)
{
    const struct schedule_threads alone = {.count = 1};
    struct record reader = {0};
    struct options *options = &run->options;
    enum status status = STATUS_DONE;
    if (options->resume)
        status = checkpoint_read_system(&reader, options->resume, &run->system, &(double){0},
                                        &options->run.to, &options->steps, &options->lattice,
                                        &run->error);
    if (!status && options->lattice.columns > 0)
        status = lattice_create(&options->lattice, &run->system, options->resume != NULL,
                                &observers->dynamics, &run->error);
    else if (!status && options->steps.step > 0)
        status = steps_create(&options->steps, &run->system, options->resume != NULL,
                              &observers->dynamics, &run->error);
    else if (!status)
        status = simulation_create(options->run.schedule, &alone, &run->system,
                                   &observers->dynamics, &run->error);
    if (!status)
        status = option_observers_create(options, &run->system, observers, &run->error);
    observers->interrupt = &stopper->flag; /* not that of the signals */
    if (!status && options->resume)
        status = checkpoint_read_observers(&reader, observers, &run->system);
    record_close(&reader);
    return status ? status : observers_begin(observers, &run->system, &run->error);
}

void resumed_run(struct resumed *run, const struct options *options, const struct system *system,
                 struct notifications stop)
{
    struct stopper stopper;
    struct observers observers = {0};
    *run = (struct resumed){.options = *options};
    if (system)
        run->system = system_copy(system);
    else
        run->options.resume = "saved";
    if (run->options.resume) { /* the checkpoint has the rest */
        run->options.steps = (struct steps_settings){.threads = options->steps.threads};
        run->options.lattice = (struct lattice_settings){0};
    }
    stopper_join(&stopper, stop, &observers);
    run->status = begin(run, &observers, &stopper);
    struct dynamics *dynamics = observers.dynamics;
    if (!run->status)
        run->status =
            dynamics->operations->advance(dynamics, run->options.run.to, &observers, &run->error);
    if (dynamics && dynamics->operations->traits.has_schedule)
        dynamics->operations->rest(dynamics, NULL);
    if (!run->status)
        run->status = observers_finish(&observers, &run->system, run->options.run.to, &run->error);
    option_observers_free(&observers);
    dynamics_free(dynamics);
    if (!run->status)
        option_observers_end(&run->options, &run->error);
    run->notified = stopper.notified;
}

void resumed_free(struct resumed *run)
{
    system_free(&run->system);
    if (run->options.resume)
        steps_settings_free(&run->options.steps);
}

void resumed_check_stops(const struct resumed *whole, const struct system *system, size_t end,
                         size_t stride, void (*write_files)(int is_resumed))
{
    struct resumed run;
    for (size_t stop = 1; CHECK(!whole->status) && stop < end; stop += stride) {
        if (write_files)
            write_files(0);
        resumed_run(&run, &whole->options, system,
                    (struct notifications){SIZE_MAX, SIZE_MAX, stop});
        CHECK(run.status == STATUS_INTERRUPTED);
        resumed_free(&run);
        if (write_files)
            write_files(1);
        resumed_run(&run, &whole->options, NULL, NEVER);
        for (size_t k = 0; CHECK(!run.status) && k < system->count; k++) {
            const struct particle *p = &run.system.particles[k];
            const struct particle *q = &whole->system.particles[k];
            const struct particle_counts *counts = &run.system.counts[k];
            CHECK(p->x == q->x && p->y == q->y && p->u == q->u && p->v == q->v);
            CHECK(counts->particles == whole->system.counts[k].particles &&
                  counts->walls == whole->system.counts[k].walls);
        }
        resumed_free(&run);
    }
}
