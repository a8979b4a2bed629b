/*
 * Walls that act on what hits them. A wall with a temperature T gives a share of the particles, its
 * accommodation, back with the velocities of a gas at T that comes through the wall: the component
 * along the normal has the density v e^(-m v^2 / 2T), that along the wall is normal, of variance
 * T / m, around the wall's speed (G. A. Bird, Molecular gas dynamics and the direct simulation of
 * gas flows, 1994, sections 4.2 and 5.8). All others are mirrored, and their normal component is
 * multiplied by the restitution. What is drawn is a pure function of the seed, the particle's
 * number and how many draws it has made before, as in a stream (stream.h).
 */
#ifndef PARTICLES_WALL_LAW_H
#define PARTICLES_WALL_LAW_H

#include "model/polygons.h"
#include "model/stream.h"

/*
 * The keys of --wall, and values of a law: the name of each; its value for a smooth and elastic
 * wall; the least and the largest one that may be given; 1 if only a wall with a temperature has
 * it. Without a temperature all particles are mirrored. The speed is that of the wall along itself,
 * length per time: to the right, up, or along a polygon with the particles on its right.
 */
#define WALL_KEYS(KEY)                                                                             \
    KEY(temperature, 0, STREAM_COLDEST, STREAM_HOTTEST, 0)                                         \
    KEY(accommodation, 1, 0, 1, 1)                                                                 \
    KEY(speed, 0, -STREAM_FASTEST, STREAM_FASTEST, 1)                                              \
    KEY(restitution, 1, 0, 1, 0)

#define WALL_KEY_MEMBER(name, ...) double name;
#define WALL_KEY_ONE(...)          +1

enum { WALL_KEY_COUNT = WALL_KEYS(WALL_KEY_ONE) };

struct wall_law {
    union {
        struct {
            WALL_KEYS(WALL_KEY_MEMBER)
        };
        double values[WALL_KEY_COUNT];
    };
};

/* The keys, with what the list above says of them. */
extern const struct wall_key {
    const char *name;
    double smooth, least, most;
    int is_thermal;
} wall_keys[WALL_KEY_COUNT];

/* The laws of all walls; a boundary without them has smooth and elastic ones. */
struct wall_laws {
    uint64_t seed;
    double hottest, coldest, fastest; /* of the walls that have a temperature */
    size_t count;                     /* BOUNDARY_SIDES, and one for each polygon */
    struct wall_law list[];           /* left, right, bottom, top, then the polygons */
};

/* Allocates laws of smooth and elastic walls, or NULL, with the message set. For memory_free. */
struct wall_laws *wall_laws_create(size_t polygons, uint64_t seed, struct error *error);

/* Completes laws whose list is filled, for a system whose kinds are known. Returns STATUS_DONE, or
 * STATUS_BAD_DATA if the thermal speed of a mass that occurs is out of bounds, as in a stream. */
enum status wall_laws_complete(struct wall_laws *laws, const struct system *system,
                               struct error *error);

/* The law of a feature; NULL where walls are smooth and elastic. */
static inline const struct wall_law *wall_laws_find(const struct boundary *boundary,
                                                    int32_t feature)
{
    if (!boundary->walls)
        return NULL;
    if (feature >= FEATURE_TOP)
        return &boundary->walls->list[FEATURE_LEFT - feature];
    return &boundary->walls->list[BOUNDARY_SIDES + polygons_polygon(boundary->polygons, feature)];
}

/* True if a wall has a temperature: then nothing conserves energy, or momentum along any axis. */
static inline int wall_laws_are_diffuse(const struct boundary *boundary)
{
    return boundary->walls && boundary->walls->hottest > 0;
}

/* Acts on a particle, with its anchor at the contact, that the wall has just mirrored. (nx, ny) is
 * the unit vector from the wall to the centre; that along the wall is sense * (ny, -nx). The
 * particle loses nothing if its last collision was less than the contact time ago. */
void wall_act(const struct system *system, const struct wall_law *law, double nx, double ny,
              double sense, struct particle *particle);

#endif
