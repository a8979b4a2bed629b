/* The inner loops for SIMD_LANES pairs at a time: 2 of them, or 4 where lanes_four.c includes this
 * file; see lanes.h. */
#include "lanes.h"

#if SIMD_LANES == 2
#define LANES lanes_two
#else
#define LANES lanes_four
#endif

SIMD_INLINE simd lanes_contacts(const struct particle_kind *kinds, simd radius,
                                const struct particle *const others[SIMD_LANES])
{
    const double *radii[SIMD_LANES];
    COMPILER_UNROLLED
    for (int m = 0; m < SIMD_LANES; m++)
        radii[m] = &kinds[others[m]->kind].radius;
    return radius + simd_load_one(radii);
}

/* The particle for which a list is considered, and what the compiler knows to be constant. */
struct lanes_seeker {
    const struct particle *particles;
    struct pair_repeated self;
    simd radius, contact;
    const struct particle_kind *kinds;  /* NULL where all have one size */
    const struct pair_shift *images;    /* for each code of an image; NULL where there are none */
    const struct acceleration *gravity; /* NULL where there is none */
    const double *growth;               /* NULL where disks do not grow */
    int is_latest;
};

SIMD_INLINE uint32_t lanes_index(const struct lanes_seeker *seeker, uint32_t entry)
{
    return seeker->images ? prediction_index(entry) : entry;
}

SIMD_INLINE simd lanes_meet(const struct lanes_seeker *seeker, const uint32_t *list)
{
    const struct particle *others[SIMD_LANES];
    const double *images[SIMD_LANES];
    struct pair_shifts shifts;
    COMPILER_UNROLLED
    for (size_t k = 0; k < SIMD_LANES; k++) {
        others[k] = &seeker->particles[lanes_index(seeker, list[k])];
        images[k] = seeker->images ? &seeker->images[list[k] >> PREDICTION_INDEX_BITS].x : NULL;
    }
    if (seeker->images)
        simd_load_two(images, &shifts.x, &shifts.y);
    const simd contact =
        seeker->kinds ? lanes_contacts(seeker->kinds, seeker->radius, others) : seeker->contact;
    const struct pair_approaches approaches =
        pair_approaches(&seeker->self, others, contact, seeker->is_latest,
                        seeker->images ? &shifts : NULL, seeker->gravity, seeker->growth);
    return seeker->growth ? pair_growing_times(&approaches) : pair_times(&approaches);
}

/* Considers the first `most` of a list. Returns 0, and changes
 * nothing, where there is a tie: where two of them are met first, or one of them just at the time
 * of the event before. */
SIMD_INLINE int lanes_consider_most(const struct lanes_seeker *seeker,
                                    struct prediction *prediction, const uint32_t *list,
                                    size_t most)
{
    simd times[LANES_MANY / SIMD_LANES];
    simd least = simd_all(prediction->time);
    COMPILER_UNROLLED
    for (size_t m = 0; m < most; m += SIMD_LANES) {
        times[m / SIMD_LANES] = lanes_meet(seeker, list + m);
        least = simd_smaller(times[m / SIMD_LANES], least);
    }
    const double time = simd_least(least);
    unsigned found = 0; /* a bit for each that is met first, or at the time of the event before */
    COMPILER_UNROLLED
    for (size_t m = 0; m < most; m += SIMD_LANES)
        found |= simd_bits(times[m / SIMD_LANES] == time) << m;
    const uint32_t is_earlier = time < prediction->time;
    if (found & (found - is_earlier)) /* a second bit; or any, if the event before is as early */
        return 0;
    /* Where none is met first: any particle; its version is read, but not used. */
    const uint32_t partner = lanes_index(seeker, list[COMPILER_LOWEST_BIT(found + 1 - is_earlier)]);
    const uint32_t version = seeker->particles[partner].version;
    const uint32_t change = 0 - is_earlier;
    prediction->time = time;
    prediction->version ^= (prediction->version ^ version) & change;
    prediction->partner = (int32_t)((uint32_t)prediction->partner ^
                                    (((uint32_t)prediction->partner ^ partner) & change));
    return 1;
}

SIMD_INLINE int lanes_consider_list(const struct lanes_search *search, uint32_t k,
                                    struct prediction *prediction, uint32_t *list, size_t count,
                                    int is_latest, const struct particle_kind *kinds,
                                    const struct pair_shift *images,
                                    const struct acceleration *gravity, const double *growth)
{
    const struct particle *particles = search->system->particles;
    const struct lanes_seeker seeker = {
        .particles = particles,
        .self = pair_repeat(&particles[k]),
        .radius = simd_all(kinds ? kinds[particles[k].kind].radius : 0),
        .contact = simd_all(search->contact),
        .kinds = kinds,
        .images = images,
        .gravity = gravity,
        .growth = growth,
        .is_latest = is_latest,
    };
    const size_t first = is_latest ? LANES_MANY : LANES_FEW;
    const int has_many = kinds || images; /* often, of large disks */
    for (size_t m = 0; m < (has_many ? LANES_MANY : first); m++)
        list[count + m] = k; /* if lanes are left over: a particle never meets itself */
    if (!lanes_consider_most(&seeker, prediction, list, first))
        return 0;
    size_t m = first;
    for (; has_many && m + LANES_FEW < count; m += LANES_MANY)
        if (!lanes_consider_most(&seeker, prediction, list + m, LANES_MANY))
            return 0;
    for (; m < count; m += LANES_FEW)
        if (!lanes_consider_most(&seeker, prediction, list + m, LANES_FEW))
            return 0;
    return 1;
}

/* Defines a lanes_attempt: the compiler leaves out what the constants say is not needed. */
#define LANES_DEFINE(name, is_latest, kinds, images, gravity, growth)                              \
    SIMD_TARGET static int name(const struct lanes_search *search, uint32_t k,                     \
                                struct prediction *prediction, uint32_t *list, size_t count)       \
    {                                                                                              \
        return lanes_consider_list(search, k, prediction, list, count, is_latest, kinds, images,   \
                                   gravity, growth);                                               \
    }

LANES_DEFINE(consider_one_size, 0, NULL, NULL, NULL, NULL)
LANES_DEFINE(consider_one_size_latest, 1, NULL, NULL, NULL, NULL)
LANES_DEFINE(consider_sizes, 0, search->kinds, NULL, NULL, NULL)
LANES_DEFINE(consider_sizes_latest, 1, search->kinds, NULL, NULL, NULL)
LANES_DEFINE(consider_images, 0, search->kinds, search->shifts, NULL, NULL)
LANES_DEFINE(consider_images_latest, 1, search->kinds, search->shifts, NULL, NULL)
LANES_DEFINE(consider_falling, 0, search->kinds, search->shifts, &search->system->boundary.gravity,
             NULL)
LANES_DEFINE(consider_falling_latest, 1, search->kinds, search->shifts,
             &search->system->boundary.gravity, NULL)
LANES_DEFINE(consider_growing, 0, search->kinds, search->shifts, NULL,
             &search->system->boundary.growth)
LANES_DEFINE(consider_growing_latest, 1, search->kinds, search->shifts, NULL,
             &search->system->boundary.growth)

/* Most of many particles in a box never meet, so roots and divisions are left out where none of all
 * lanes do. The last few particles are predicted one by one. */
SIMD_TARGET static void find_latest_times(const struct lanes_search *search, uint32_t k,
                                          double *times)
{
    const struct system *system = search->system;
    const struct particle_kind *kinds = search->kinds;
    const struct particle *particles = system->particles;
    const struct pair_repeated self = pair_repeat(&particles[k]);
    const simd radius = simd_all(kinds ? kinds[particles[k].kind].radius : 0);
    const simd never = simd_all((double)INFINITY);
    simd contact = simd_all(search->contact);
    size_t m = 0;
    for (; m + SIMD_LANES <= system->count; m += SIMD_LANES) {
        const struct particle *others[SIMD_LANES];
        for (int n = 0; n < SIMD_LANES; n++)
            others[n] = &particles[m + (size_t)n];
        if (kinds)
            contact = lanes_contacts(kinds, radius, others);
        const struct pair_approaches approaches =
            pair_approaches(&self, others, contact, 1, NULL, NULL, NULL);
        if (pairs_meet(&approaches))
            simd_store(&times[m], simd_smaller(pair_times(&approaches), never));
        else
            simd_store(&times[m], never);
    }
    for (; m < system->count; m++)
        times[m] = pair_time(&particles[k], &particles[m],
                             system_contact(system, &particles[k], &particles[m]), NULL);
}

const struct lanes LANES = {
    .count = SIMD_LANES,
    .one_size = {consider_one_size, consider_one_size_latest},
    .sizes = {consider_sizes, consider_sizes_latest},
    .images = {consider_images, consider_images_latest},
    .falling = {consider_falling, consider_falling_latest},
    .growing = {consider_growing, consider_growing_latest},
    .times = find_latest_times,
};

#if SIMD_LANES == 2

/* Columns (or rows) side by side: the ones at the border, where they wrap, are copies of the ones
 * at the other edge, and there are images with a code. */
struct lanes_line {
    uint32_t index, code;
};

static inline void find_lines(uint32_t column, uint32_t count, unsigned wraps, uint32_t below,
                              struct lanes_line lines[3])
{
    for (uint32_t m = 0; m < 3; m++)
        lines[m] = (struct lanes_line){column + m, 0};
    if (wraps && column == 0)
        lines[0] = (struct lanes_line){count, below};
    if (wraps && column == count - 1)
        lines[2] = (struct lanes_line){1, 2 * below};
}

void lanes_list_add_images(struct lanes_list *list, const struct cell_list *cell_list,
                           uint32_t cell, int32_t step)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct cell *cells = cell_list->cells;
    const uint32_t codes = list->images == LIST_HAS_IMAGES ? UINT32_MAX : 0;
    const int is_sideways = step == 1 || step == -1;
    const uint32_t ahead = step > 0 ? 2 : 0;
    struct lanes_line columns[3], rows[3];
    uint32_t states = 0;
    size_t count = list->count;
    find_lines(cell_list_column(cell_list, cell), shape->columns, shape->wraps & PERIODIC_X,
               PREDICTION_LEFT & codes, columns);
    find_lines(cell_list_row(cell_list, cell), shape->rows, shape->wraps & PERIODIC_Y,
               PREDICTION_BELOW & codes, rows);
    for (uint32_t y = 0; y < 3 && step == 0; y++) {
        const struct cell *row = &cells[rows[y].index * cell_list->stride];
        for (uint32_t x = 0; x < 3; x++)
            states |= x == 1 && y == 1
                          ? cell_list_gather_others(&cells[cell], 1, list->k, list->entries, &count)
                          : cell_list_gather_images(&row[columns[x].index],
                                                    rows[y].code + columns[x].code, list->entries,
                                                    &count);
    }
    for (uint32_t m = 0; m < 3 && step != 0; m++) {
        const struct lanes_line column = columns[is_sideways ? ahead : m];
        const struct lanes_line row = rows[is_sideways ? m : ahead];
        states |= cell_list_gather_images(&cells[row.index * cell_list->stride + column.index],
                                          row.code + column.code, list->entries, &count);
    }
    list->count = count;
    for (uint32_t m = 0; m < 9 && cell_list_overflows(states); m++) { /* with a step, some more */
        const uint32_t next = rows[m / 3].index * cell_list->stride + columns[m % 3].index;
        lanes_list_add(list, cells, cells[next].state >> 2, rows[m / 3].code + columns[m % 3].code);
    }
}

void lanes_list_add_chains(struct lanes_list *list, const struct cell_list *cell_list,
                           uint32_t first, uint32_t apart, uint32_t rows)
{
    const struct cell *cell = &cell_list->cells[first];
    uint32_t chains[9]; /* found without branches, for it is unpredictable which cells have one */
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++, cell += cell_list->stride)
        for (uint32_t m = 0; m < 3; m++) {
            chains[count] = cell[m * apart].state >> 2;
            count += chains[count] > 0;
        }
    while (count > 0)
        lanes_list_add(list, cell_list->cells, chains[--count], 0);
}

struct lanes_search lanes_choose(const struct system *system, unsigned most)
{
    struct lanes_search search = {
        .system = system, .contact = 2 * system->radius, .lanes = &lanes_two};
    if (system->kinds)
        search.contact = 2 * system->kinds[0].radius;
    for (size_t k = 1; k < system->kind_count; k++)
        if (system->kinds[k].radius != system->kinds[0].radius)
            search.kinds = system->kinds;
#ifdef SIMD_HAS_FOUR
    if (most >= 4 && __builtin_cpu_supports("avx2"))
        search.lanes = &lanes_four;
#endif
    (void)most;
    for (uint32_t code = 0; code < PREDICTION_IMAGES; code++)
        search.shifts[code] = prediction_shift(&system->boundary, code << PREDICTION_INDEX_BITS);
    for (int images = LIST_HAS_NO_IMAGES; images <= LIST_HAS_ALL_IMAGES; images++)
        search.attempts[images] = system->boundary.gravity.acts ? search.lanes->falling
                                  : system->boundary.growth > 0 ? search.lanes->growing
                                  : images >= LIST_HAS_IMAGES   ? search.lanes->images
                                  : search.kinds                ? search.lanes->sizes
                                                                : search.lanes->one_size;
    return search;
}

#endif
