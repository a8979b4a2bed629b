/*
 * Observers that write down or count what they are told; see witness.h.
 */
#include "witness.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes into the transcript what was told, and returns the status that the witness has for it. */
static enum status tell(struct observer *observer, const char *what, double time,
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
    observer->next_look = witness->looks[0];
    return tell(observer, "begin", 0, error);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    return tell(observer, "collide", collision->time, error);
}

static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    return tell(observer, "renew", passage->time, error);
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    double now = observer->next_look;
    (void)snapshot;
    observer->next_look = witness->looks[++witness->looked];
    return tell(observer, "look", now, error);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    return tell(observer, "finish", snapshot->time, error);
}

static enum status rest(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    (void)snapshot;
    return tell(observer, "rest", 0, error);
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
    enum status status = tell(observer, "interrupt", 0, error);
    return status ? status : STATUS_INTERRUPTED;
}

static void release(struct observer *observer)
{
    struct error error;
    (void)tell(observer, "free", 0, &error);
}

const struct observer_operations witness_all = {.begin = begin,
                                                .collide = collide,
                                                .renew = renew,
                                                .look = look,
                                                .finish = finish,
                                                .rest = rest,
                                                .interrupt = interrupt,
                                                .free = release};
const struct observer_operations witness_usual = {
    .begin = begin, .collide = collide, .look = look, .finish = finish, .free = release};
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
            all[k]->looks[m] = (double)INFINITY;
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

int witnesses_told(struct witnesses *witnesses, const char *expected)
{
    int is_so = strcmp(witnesses->transcript.text, expected) == 0;
    if (!is_so)
        printf("told: \"%s\"\nnot:  \"%s\"\n", witnesses->transcript.text, expected);
    witnesses->transcript.text[0] = '\0';
    return is_so;
}

/* Counts what the stopper is told, and raises its flag if that is the time for it. */
static void count(struct stopper *stopper, size_t *told, size_t stop)
{
    if (++*told == stop)
        stopper->flag = 1;
}

static void count_wait(struct observer *observer, double part)
{
    struct stopper *stopper = (struct stopper *)observer;
    CHECK(part > stopper->part && part <= 1);
    stopper->part = part;
    count(stopper, &stopper->told.waits, stopper->stop.waits);
}

static enum status count_collision(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct stopper *stopper = (struct stopper *)observer;
    (void)collision;
    (void)error;
    CHECK(stopper->told.waits == 0 || stopper->part == 1);
    count(stopper, &stopper->told.collisions, stopper->stop.collisions);
    return STATUS_DONE;
}

static enum status count_rest(struct observer *observer, const struct snapshot *snapshot,
                              struct error *error)
{
    struct stopper *stopper = (struct stopper *)observer;
    (void)snapshot;
    (void)error;
    count(stopper, &stopper->told.rests, stopper->stop.rests);
    return STATUS_DONE;
}

static void leave(struct observer *observer)
{
    (void)observer;
}

void stopper_join(struct stopper *stopper, struct told stop, struct observers *observers)
{
    static const struct observer_operations operations = {
        .wait = count_wait, .collide = count_collision, .rest = count_rest, .free = leave};
    *stopper =
        (struct stopper){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                         .stop = stop,
                         .flag = stop.waits == 0 || stop.collisions == 0 || stop.rests == 0};
    observers->interrupt = &stopper->flag;
    observers_add(observers, &stopper->observer);
}
