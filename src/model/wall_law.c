/* Walls that act on what hits them; see wall_law.h. */
#include "model/wall_law.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"

#define WALL_KEY_ROW(name, ...) {#name, __VA_ARGS__},

const struct wall_key wall_keys[WALL_KEY_COUNT] = {WALL_KEYS(WALL_KEY_ROW)};

struct wall_laws *wall_laws_create(size_t polygons, uint64_t seed, struct error *error)
{
    const size_t count = BOUNDARY_SIDES + polygons;
    const size_t heads = sizeof(struct wall_laws) / sizeof(struct wall_law) + 1;
    struct wall_laws *laws =
        memory_allocate(heads + count, sizeof(struct wall_law), "the walls", error);
    if (!laws)
        return NULL;
    *laws = (struct wall_laws){.seed = seed, .coldest = STREAM_HOTTEST, .count = count};
    for (size_t k = 0; k < count * WALL_KEY_COUNT; k++)
        laws->list[k / WALL_KEY_COUNT].values[k % WALL_KEY_COUNT] =
            wall_keys[k % WALL_KEY_COUNT].smooth;
    return laws;
}

enum status wall_laws_complete(struct wall_laws *laws, const struct system *system,
                               struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < laws->count && !status; k++) {
        const struct wall_law *law = &laws->list[k];
        laws->hottest = fmax(laws->hottest, law->temperature);
        laws->fastest = fmax(laws->fastest, fabs(law->speed));
        if (law->temperature > 0) {
            laws->coldest = fmin(laws->coldest, law->temperature);
            status = stream_check_masses(system, law->temperature, "wall", error);
        }
    }
    return status;
}

void wall_act(const struct system *system, const struct wall_law *law, double nx, double ny,
              double sense, struct particle *particle)
{
    struct random_generator generator;
    double part = 0;
    double along, other;
    if (law->temperature > 0)
        random_seed_draw(&generator, system->boundary.walls->seed, (uint32_t)particle->id,
                         particle->draws++);
    if (law->temperature > 0 && random_unit(&generator) < law->accommodation) {
        const double sigma = sqrt(law->temperature / system_mass(system, particle));
        while (part == 0)
            part = random_unit(&generator);
        const double across = sigma * sqrt(-2 * elementary_log(part));
        random_normal(&generator, &along, &other);
        along = sense * (law->speed + sigma * along);
        particle->u = across * nx + along * ny;
        particle->v = across * ny - along * nx;
    } else if (particle->t - particle->collided >= system->law.contact_time) {
        const double lost = (1 - law->restitution) * (particle->u * nx + particle->v * ny);
        particle->u -= lost * nx;
        particle->v -= lost * ny;
    }
}
