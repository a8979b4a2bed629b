/* The functions of the library; see particles.h. */
#include <particles.h>

#include "base/memory.h"
#include "library/engine.h"

#include <math.h>
#include <string.h>

/* A text of an option, which the options point into. */
struct kept_text {
    struct kept_text *next;
    char text[];
};

struct particles {
    struct engine engine;
    struct kept_text *texts; /* owned */
    struct snapshot_order order;
    double time;    /* the present */
    int has_system; /* the engine is made */
    struct error error;
};

struct particles *particles_create(void)
{
    struct error error;
    struct particles *p = memory_allocate_zeros(1, sizeof *p, "a simulation", &error);
    if (p)
        options_begin(&p->engine.options);
    return p;
}

void particles_free(struct particles *p)
{
    if (!p)
        return;
    engine_free(&p->engine);
    options_free(&p->engine.options);
    while (p->texts) {
        struct kept_text *next = p->texts->next;
        memory_free(p->texts);
        p->texts = next;
    }
    memory_free(p->order.indices);
    memory_free(p);
}

const char *particles_error(const struct particles *p)
{
    return p ? p->error.message : "there is no simulation: its handle is NULL";
}

size_t particles_count(const struct particles *p)
{
    return p && p->has_system ? p->engine.system.count : 0;
}

double particles_time(const struct particles *p)
{
    return p && p->has_system ? p->time : 0;
}
