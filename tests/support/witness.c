/* Observers that record or count their notifications; see witness.h. */
#include "witness.h"

#include "check.h"
#include "observed.h"

/* Writes a notification into the transcript, and returns the status that the witness has for it. */
static enum status witness_write(struct observer *observer, const char *what, double time,
                                 struct error *error)
{
    const struct witness *witness = (struct witness *)observer;
    struct transcript *transcript = witness->transcript;
    size_t length = strlen(transcript->text);
    int added = snprintf(transcript->text + length, sizeof transcript->text - length, "%c %s %g, ",
                         witness->name, what, time);
    CHECK(added > 0 && (size_t)added < sizeof transcript->text - length);
    if (witness->raises && strcmp(witness->raises, what) == 0)
        transcript->flag = 1;
    if (witness->fails && strcmp(witness->fails, what) == 0)
        return error_set(error, STATUS_CANNOT_WRITE, "%c has failed", witness->name);
    return STATUS_DONE;
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    (void)snapshot;
    CHECK(!observer->has_begun);
    observer->next_sample = witness->times[0];
    return witness_write(observer, "begin", 0, error);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    return witness_write(observer, "collide", collision->time, error);
}

static enum status reinject(struct observer *observer, const struct collision *passage,
                            struct error *error)
{
    return witness_write(observer, "reinject", passage->time, error);
}

OBSERVED_TAKE(take, collide, reinject)
OBSERVED_TAKE(take_collisions, collide, NULL)

static enum status sample(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    double now = observer->next_sample;
    (void)snapshot;
    observer->next_sample = witness->times[++witness->samples];
    return witness_write(observer, "sample", now, error);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    return witness_write(observer, "finish", snapshot->time, error);
}

static enum status quiescent(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error)
{
    (void)snapshot;
    return witness_write(observer, "quiescent", 0, error);
}

/* Extends the message. */
static enum status interrupt(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error)
{
    const struct witness *witness = (struct witness *)observer;
    size_t length = strlen(error->message);
    (void)snapshot;
    snprintf(error->message + length, sizeof error->message - length, ", as %c knows",
             witness->name);
    enum status status = witness_write(observer, "interrupt", 0, error);
    return status ? status : STATUS_INTERRUPTED;
}

static void release(struct observer *observer)
{
    (void)witness_write(observer, "free", 0, &failure);
}

const struct observer_operations witness_all = {.watches = WATCH_PAIRS,
                                                .begin = begin,
                                                .take = take,
                                                .sample = sample,
                                                .finish = finish,
                                                .quiescent = quiescent,
                                                .interrupt = interrupt,
                                                .free = release};
const struct observer_operations witness_usual = {.watches = WATCH_PAIRS,
                                                  .begin = begin,
                                                  .take = take_collisions,
                                                  .sample = sample,
                                                  .finish = finish,
                                                  .free = release};
const struct observer_operations witness_nothing = {.free = release};
void witnesses_make(struct witnesses *witnesses)
{
    struct witness *const all[] = {&witnesses->a, &witnesses->b, &witnesses->c};
    *witnesses = (struct witnesses){.observers = {.count = 0}};
    witnesses->observers.interrupt = &witnesses->transcript.flag;
    for (int k = 0; k < 3; k++) {
        *all[k] = (struct witness){.observer = {.operations = &witness_usual},
                                   .name = (char)('a' + k),
                                   .transcript = &witnesses->transcript};
        for (int m = 0; m < WITNESS_TIMES; m++)
            all[k]->times[m] = (double)INFINITY;
    }
}

enum status witnesses_begin(struct witnesses *witnesses)
{
    const struct system nothing = {.count = 0};
    observers_add(&witnesses->observers, &witnesses->a.observer);
    observers_add(&witnesses->observers, &witnesses->b.observer);
    observers_add(&witnesses->observers, &witnesses->c.observer);
    return observers_begin(&witnesses->observers, &nothing, &witnesses->error);
}

int witnesses_wrote(struct witnesses *witnesses, const char *expected)
{
    int is_so = strcmp(witnesses->transcript.text, expected) == 0;
    if (!is_so)
        printf("wrote: \"%s\"\nnot:   \"%s\"\n", witnesses->transcript.text, expected);
    witnesses->transcript.text[0] = '\0';
    return is_so;
}

/* Counts a notification of the stopper, and raises its flag if that is the time for it. */
static void count(struct stopper *stopper, size_t *notified, size_t stop)
{
    if (++*notified == stop)
        stopper->flag = 1;
}

static void count_progress(struct observer *observer, double part)
{
    struct stopper *stopper = (struct stopper *)observer;
    CHECK(part > stopper->part && part <= 1);
    stopper->part = part;
    count(stopper, &stopper->notified.predictions, stopper->stop.predictions);
}

static enum status count_collision(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct stopper *stopper = (struct stopper *)observer;
    (void)collision;
    (void)error;
    CHECK(stopper->notified.predictions == 0 || stopper->part == 1);
    count(stopper, &stopper->notified.collisions, stopper->stop.collisions);
    return STATUS_DONE;
}

OBSERVED_TAKE(count_collisions, count_collision, NULL)

static enum status count_quiescent(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct stopper *stopper = (struct stopper *)observer;
    (void)snapshot;
    (void)error;
    count(stopper, &stopper->notified.quiescent_points, stopper->stop.quiescent_points);
    return STATUS_DONE;
}

static void leave(struct observer *observer)
{
    (void)observer;
}

void stopper_join(struct stopper *stopper, struct notifications stop, struct observers *observers)
{
    static const struct observer_operations operations = {.on_progress = count_progress,
                                                          .watches = WATCH_PAIRS,
                                                          .take = count_collisions,
                                                          .quiescent = count_quiescent,
                                                          .free = leave};
    *stopper = (struct stopper){
        .observer = {.operations = &operations, .next_sample = (double)INFINITY},
        .stop = stop,
        .flag = stop.predictions == 0 || stop.collisions == 0 || stop.quiescent_points == 0};
    observers->interrupt = &stopper->flag;
    if (stop.collisions < SIZE_MAX) /* each is in a batch of its own */
        observers->pause = 1;
    observers_add(observers, &stopper->observer);
}
