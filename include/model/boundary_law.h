/* What the boundary does to velocities beyond mirroring: streams, at seams, and walls that act. */
#ifndef PARTICLES_BOUNDARY_LAW_H
#define PARTICLES_BOUNDARY_LAW_H

#include "model/polygons.h"
#include "model/system.h"

/*
 * An endless stream: a gas that flows along x past polygons. (Lift article, "how to model an
 * infinite stream of particles without thrashing the heap".)
 *
 * A particle that reaches the seam in x, from either side, stands for another one from then on,
 * which comes from far away: it keeps its y, and gets a velocity of a gas in equilibrium that
 * streams with velocity U and has temperature T. If f(u, v) is its distribution of velocities,
 * those that cross a line have |u| f(u, v) (G. A. Bird, Molecular gas dynamics and the direct
 * simulation of gas flows, 1994, section 4.2), over both signs of u: with u > 0 the particle goes
 * on at x = 0, with u < 0 at x = Lx. So it may be sent back; a gas in equilibrium stays in
 * equilibrium; and particles that a body reflects against the stream are gone when they reach the
 * seam. If y is periodic, too, its seam does so with |v| f(u, v): otherwise particles that a body
 * reflects to one side would come to its other side.
 *
 * Each velocity is a pure function of the seed, the particle's number and its draws so far.
 */

/* The fastest stream, and the fastest thermal speed sqrt(T / m), length per time: a velocity is
 * less than U and 20 thermal speeds, so less than SYSTEM_LARGEST. */
#define STREAM_FASTEST (SYSTEM_LARGEST / 100)

/* The bounds of the temperature, energy, by the bounds of thermal speeds and of masses. */
#define STREAM_COLDEST 1e-120
#define STREAM_HOTTEST 1e116

/* A stream of velocity U, up to STREAM_FASTEST in size; and of temperature T, from STREAM_COLDEST
 * to STREAM_HOTTEST, or 0 if stream_complete is to find it. */
struct stream stream_make(double speed, double temperature, uint64_t seed);

/* The temperature of the particles about their centre of mass: their kinetic energy, without that
 * of its motion, / (N - 1); 0 if they all have one velocity. */
double stream_find_temperature(const struct system *system);

/*
 * Completes the stream of a system whose particles are in the order of their ids. A temperature of
 * 0 becomes the temperature of the particles. Returns STATUS_DONE; or STATUS_BAD_DATA if they have
 * none, or if the thermal speed of a mass would not be from SYSTEM_SMALLEST to STREAM_FASTEST.
 */
enum status stream_complete(struct system *system, struct error *error);

/* Gives a particle of this mass at the seam of a side its next u and v. The component across the
 * seam is not 0, and counts the draw. */
void stream_draw(const struct stream *stream, struct particle *particle, double mass, int32_t side);

/*
 * The mean over particles of this mass in the stream: in one dimension of |u|, E|u| = sigma sqrt(2
 * / pi) e^(-s^2) + U erf s with sigma = sqrt(T / m) and s = U / (sigma sqrt 2); in two of the
 * speed, E|c| = sigma sqrt(pi / 2) e^(-s^2 / 2) ((1 + s^2) I0(s^2 / 2) + s^2 I1(s^2 / 2)), to 1e-6.
 * Of n such particles per area, n E|u| reach the seam in x per time and length, from both sides
 * together; and n E|c| W per time meet a convex body whose width is W from every side. So these
 * numbers tell the density of the stream that comes in. The result has the same bits on every
 * machine.
 */
double stream_mean_speed(const struct stream *stream, double mass, int dimensions);

/*
 * Walls that act on what hits them. A wall with a temperature T gives a share of the particles, its
 * accommodation, back with the velocities of a gas at T that comes through the wall: the component
 * along the normal has the density v e^(-m v^2 / 2T), that along the wall is normal, of variance
 * T / m, around the wall's speed (G. A. Bird, Molecular gas dynamics and the direct simulation of
 * gas flows, 1994, sections 4.2 and 5.8). All others are mirrored, and their normal component is
 * multiplied by the restitution. What is drawn is a pure function of the seed, the particle's
 * number and how many draws it has made before, as in a stream.
 */

/*
 * The keys of --wall, which are the values of a law: the name of a key; the value for a smooth and
 * elastic wall; the least and the largest value; without which key a wall does not have it.
 * Without a temperature all particles are mirrored. The speed is the wall's, along itself, length
 * per time: to the right, up, or along a polygon with the particles on its right. A side of the box
 * absorbs, where `absorb` is 1, those particles whose centres reach it between `from` and `to` from
 * its lower or left corner. The bottom may be shaken, up to the height `shake`, length, in a period
 * (struct boundary_shake).
 */
#define WALL_KEYS(KEY)                                                                             \
    KEY(temperature, 0, STREAM_COLDEST, STREAM_HOTTEST, WALL_KEY_COUNT)                            \
    KEY(accommodation, 1, 0, 1, WALL_temperature)                                                  \
    KEY(speed, 0, -STREAM_FASTEST, STREAM_FASTEST, WALL_temperature)                               \
    KEY(restitution, 1, 0, 1, WALL_KEY_COUNT)                                                      \
    KEY(absorb, 0, 0, 1, WALL_KEY_COUNT)                                                           \
    KEY(from, 0, 0, SYSTEM_LARGEST, WALL_absorb)                                                   \
    KEY(to, SYSTEM_LARGEST, 0, SYSTEM_LARGEST, WALL_absorb)                                        \
    KEY(period, 0, SYSTEM_SMALLEST, SYSTEM_LARGEST, WALL_KEY_COUNT)                                \
    KEY(shake, 0, SYSTEM_SMALLEST, SYSTEM_LARGEST, WALL_period)

#define WALL_KEY_MEMBER(name, ...) double name;
#define WALL_KEY_NUMBER(name, ...) WALL_##name,

enum { WALL_KEYS(WALL_KEY_NUMBER) WALL_KEY_COUNT };

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
    int needs; /* the number of another key; WALL_KEY_COUNT: none */
} wall_keys[WALL_KEY_COUNT];

/* The laws of all walls; a boundary without them has smooth and elastic ones. */
struct wall_laws {
    uint64_t seed;
    double hottest, coldest, fastest; /* of the walls that have a temperature */
    int absorb;                       /* one of them does */
    size_t count;                     /* BOUNDARY_SIDES, and one for each polygon */
    struct wall_law list[];           /* left, right, bottom, top, then the polygons */
};

/* Allocates laws of smooth and elastic walls, or NULL, with the message set. For memory_free. */
struct wall_laws *wall_laws_create(size_t polygons, uint64_t seed, struct error *error);

/* Completes laws whose list is filled, for a system whose kinds are known. Returns STATUS_DONE, or
 * STATUS_BAD_DATA if the thermal speed of a mass that occurs is out of bounds, as in a stream. */
enum status wall_laws_complete(struct wall_laws *laws, const struct system *system,
                               struct error *error);

/* Takes over into a boundary how its bottom is shaken, when its laws are known. */
void wall_laws_shake(struct boundary *boundary);

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

/* True if walls and polygons do more than mirror what hits them. */
static inline int wall_laws_act(const struct boundary *boundary)
{
    return boundary->walls || boundary->surfaces.are_rough;
}

/* True if a wall has a temperature: then nothing conserves energy, or momentum along any axis. */
static inline int wall_laws_are_diffuse(const struct boundary *boundary)
{
    return boundary->walls && boundary->walls->hottest > 0;
}

/* True if a wall absorbs particles, somewhere. */
static inline int wall_laws_absorb(const struct boundary *boundary)
{
    return boundary->walls && boundary->walls->absorb;
}

/* Acts on a particle, with its anchor at the contact, that the wall has just mirrored. (nx, ny) is
 * the unit vector from the wall to the centre; that along the wall is sense * (ny, -nx). The
 * particle loses nothing if its last collision was less than the contact time ago. */
void wall_act(const struct system *system, const struct wall_law *law, double nx, double ny,
              double sense, struct particle *particle);

#endif
