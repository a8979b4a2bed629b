/*
 * Fuzzing the reader of input files: any bytes at all.
 *
 * The first byte chooses the schedule, the rule, and how reads cut the file; the rest is the file.
 * It is read twice, in whole blocks and in pieces, which must not make a difference. What is
 * accepted has to be a system that can be simulated, and what is refused has its one-line message.
 */
#include "fed_text.h"
#include "fuzz.h"
#include "input/input.h"
#include "model/overlap.h"

static void check_particle(const struct system *system, size_t k)
{
    const struct particle *p = &system->particles[k];
    fuzz_expect(p->id == (int32_t)k && p->t == 0, "a particle is not at its start");
    fuzz_expect(isinf(p->collided) && p->version == 0, "it has collided");
    fuzz_expect(p->kind < (system->kind_count ? system->kind_count : 1), "there is no such kind");
    fuzz_expect(!system_check_particle(system, k, &failure), "a particle that cannot be");
    fuzz_expect(isfinite(p->x + p->y + p->u + p->v), "a number is not finite");
}

static void check_accepted(const struct system *system)
{
    struct overlap overlap;
    fuzz_expect(system->count >= 1 && system->count <= SYSTEM_MAX_COUNT, "N is out of range");
    fuzz_expect(!system_check_kind(&(struct particle_kind){system->radius, 1, 0}, &failure),
                "the radius is out of range");
    fuzz_expect(!system_check_box(&system->boundary, &failure), "the box is out of range");
    fuzz_expect((system->kind_count == 0) == (system->kinds == NULL), "kinds are half there");
    for (size_t k = 0; k < system->kind_count; k++)
        fuzz_expect(!system_check_kind(&system->kinds[k], &failure), "a kind is out of range");
    for (size_t k = 0; k < system->count; k++)
        check_particle(system, k);
    fuzz_expect(!overlap_find(system, NULL, &overlap, &failure) && !overlap.found, "an overlap");
    fuzz_expect(system->law.contact_time >= 0, "there is no contact time");
}

static void check_refused(enum status status, const struct system *system,
                          const struct error *error)
{
    fuzz_expect(status == STATUS_BAD_DATA || status == STATUS_NO_INPUT ||
                    status == STATUS_NO_MEMORY,
                "a status that readers do not have");
    fuzz_expect(system->particles == NULL && system->kinds == NULL && system->count == 0,
                "something is left of a refused system");
    fuzz_expect(strncmp(error->message, "standard input:", 15) == 0, "a message without a place");
    for (const char *c = error->message; *c; c++)
        fuzz_expect((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f, "a message not in ASCII");
}

/* Field by field, for what is between them has no value. */
static int are_same_kinds(const struct particle_kind *a, const struct particle_kind *b,
                          size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (a[k].radius != b[k].radius || a[k].mass != b[k].mass || a[k].species != b[k].species)
            return 0;
    return 1;
}

static int is_same(const struct system *a, const struct system *b)
{
    return a->count == b->count && a->radius == b->radius &&
           a->boundary.width == b->boundary.width && a->boundary.height == b->boundary.height &&
           a->kind_count == b->kind_count && a->law.contact_time == b->law.contact_time &&
           (a->count == 0 ||
            memcmp(a->particles, b->particles, a->count * sizeof *a->particles) == 0) &&
           (a->kind_count == 0 || are_same_kinds(a->kinds, b->kinds, a->kind_count));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_AUTO, SCHEDULE_ARRAY, SCHEDULE_CELLS,
                                               SCHEDULE_AUTO};
    const unsigned choice = size > 0 ? data[0] : 0;
    const enum schedule_kind kind = kinds[choice & 3];
    const struct system_law law = {.rule = choice & 4 ? RULE_ELASTIC : RULE_SWAP,
                                   .restitution = choice & 8 ? 0.5 : 1,
                                   .contact_time = choice & 8 ? -1 : 0};
    const struct input_request request = {.path = "-", .schedule = kind};
    struct feed feed = {.bytes = size > 0 ? data + 1 : data, .size = size > 0 ? size - 1 : 0};
    OWNED(system, whole) = {.law = law};
    OWNED(system, cut) = {.law = law};
    struct error error;
    struct error cut_error;

    feed.breaks = choice >> 6 == 3;
    fed_text_feed(&feed);
    enum status status = input_read(&request, &whole, &error);
    if (status)
        check_refused(status, &whole, &error);
    else
        check_accepted(&whole);

    feed.most = 1 + (choice >> 4 & 3) * 2;
    feed.is_interrupted = choice >> 6 == 2;
    fed_text_feed(&feed);
    fuzz_expect(input_read(&request, &cut, &cut_error) == status,
                "the status depends on how reads cut the file");
    fuzz_expect(!status || strcmp(error.message, cut_error.message) == 0,
                "the message depends on how reads cut the file");
    fuzz_expect(status || is_same(&whole, &cut), "the system depends on how reads cut the file");
    return 0;
}
