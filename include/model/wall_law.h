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

struct wall_law {
    double temperature;   /* STREAM_COLDEST to STREAM_HOTTEST; 0: none, all hits are mirrored */
    double accommodation; /* 0 to 1 */
    double speed;         /* of a wall with a temperature along itself, length per time: to the
                             right, up, or along the sides of a polygon in their order */
    double restitution;   /* 0 to 1 */
};

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

/* A contact with a wall: unit vectors, from the wall to the centre and along the wall. */
struct wall_contact {
    double nx, ny, tx, ty;
};

/* Acts on a particle, with its anchor at the contact, that the wall has just mirrored. It loses
 * nothing if its last collision was less than the contact time ago. */
void wall_act(const struct system *system, const struct wall_law *law,
              const struct wall_contact *contact, struct particle *particle);

/* What --wall says of walls, "SIDE KEY=VALUE...". */
enum { WALL_TEMPERATURE, WALL_ACCOMMODATION, WALL_SPEED, WALL_RESTITUTION, WALL_KEYS };

struct wall_settings {
    size_t count; /* 0: all walls are smooth and elastic */
    struct wall_setting {
        unsigned subject;         /* which walls: see wall_law.c */
        uint64_t obstacle;        /* if that is one obstacle: its number among them, from 0 */
        double values[WALL_KEYS]; /* NAN: not given */
    } * list;                     /* in the order in which they are given; owned */
};

/* Adds a text. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY. */
enum status wall_settings_add(struct wall_settings *settings, const char *text,
                              struct error *error);

/* True if one gives such a key. */
int wall_settings_give(const struct wall_settings *settings, int key);

/* The words for walls, for completions; NULL after the last one. */
const char *wall_subject_name(size_t k);

/*
 * Gives a boundary, whose polygons are known but need not be its own yet, the laws of its walls; of
 * several values for one wall the last holds. Returns STATUS_DONE, STATUS_NO_MEMORY, or
 * STATUS_USAGE if such a wall does not exist or has a speed or an accommodation, but no
 * temperature. wall_laws_complete is still to be called.
 */
enum status wall_settings_apply(const struct wall_settings *settings, uint64_t seed,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error);

#endif
