/* The layout, colours and scales of a picture. Sizes follow from the area of the box per particle.
 * Arrows are so short that arrows of neighbours hardly touch; where they would be too short to show
 * directions, there are none. Disks too small to see, and points, are drawn larger than they are.
 * Lengths are divided by one another first, so that no unit of length is too small or too large. */
#include "drawing.h"

#include "base/memory.h"
#include "model/boundary_law.h"
#include "model/polygons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_ASPECT = 10; /* of a box in one piece */

/* In pixels. */
static const double MIN_RADIUS = 0.7;       /* of a disk; */
static const double SEEN_RADIUS = 3;        /* and of a disk with much room around it */
static const double MIN_ARROW_SPACING = 16; /* between particles with arrows, on average */
static const double MAX_ARROW = 64;         /* length of the longest arrow, at most, */
static const double MAX_TYPICAL_ARROW = 36; /* and the root mean square of moving particles */
static const double MIN_OUTLINE = 0.12;     /* thinner lines are not drawn */
static const double LABELLED_RADIUS = 8;    /* least radius of a disk with a number of two digits */
static const size_t MAX_LABELLED = 100;     /* particles; their numbers have two digits */
static const double LABEL_REACH = 14;       /* of a number, from the centre of its disk */
static const double SMALL_RADIUS = 6;       /* smaller disks would be hidden by arrows */
static const double MIN_ARROW = 1.5;        /* shorter ones are not drawn */
static const double FREE_HEIGHT = 18;       /* above and below the box, for arrows that leave it */
static const double ARROW_MARGIN = 6;       /* between their tips and text */

/* The highest speeds with colours of their own, in units of the root mean square: in a stream, and
 * in frames, where one disk in 55 of a gas with Maxwell's distribution is faster. */
static const double STREAM_BRIGHTEST = 2.5;
static const double FRAMES_BRIGHTEST = 2;

struct picture_layout picture_layout_choose(double width, double height)
{
    struct picture_layout layout = {.strips = 1, .is_tall = height > width};
    const int along = layout.is_tall; /* the axis along which the box is cut, */
    const int across = !along;        /* and that along which strips are side by side */
    const double aspect = layout.is_tall ? height / width : width / height;
    double size[2] = {width, height}; /* of a strip; in the end, in pixels, of all together */
    if (aspect > MAX_ASPECT)          /* with more of them, each is drawn thicker */
        layout.strips = (size_t)fmin(PICTURE_MAX_STRIPS, ceil(sqrt(aspect / 3)));
    size[along] /= (double)layout.strips;
    layout.strip_length = size[along];
    layout.scale_length = fmax(size[0], size[1] * ((double)PICTURE_MAX_WIDTH / PICTURE_MAX_HEIGHT));
    for (int axis = 0; axis < 2; axis++)
        layout.strip_pixels[axis] = size[axis] = picture_layout_pixels(&layout, size[axis]);
    size[across] += (double)(layout.strips - 1) * (size[across] + PICTURE_STRIP_GAP);
    layout.width = ceil(fmax(PICTURE_MIN_WIDTH, size[0] + 2 * PICTURE_MARGIN));
    layout.box_x = (layout.width - size[0]) / 2;
    layout.box_y = PICTURE_HEADER + (layout.strips > 1 ? PICTURE_HEADER_LINE : 0);
    layout.bottom = layout.box_y + size[1];
    return layout;
}

double picture_layout_pixels(const struct picture_layout *layout, double length)
{
    return length / layout->scale_length * PICTURE_MAX_WIDTH;
}

size_t picture_layout_strip(const struct picture_layout *layout, const double position[2])
{
    const double along = position[layout->is_tall] - layout->origin[layout->is_tall];
    const double strip = floor(along / layout->strip_length);
    return (size_t)fmin(fmax(strip, 0), (double)(layout->strips - 1));
}

void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2])
{
    const int axis = !layout->is_tall;
    corner[0] = layout->box_x;
    corner[1] = layout->box_y;
    corner[axis] += (double)strip * (layout->strip_pixels[axis] + PICTURE_STRIP_GAP);
}

void picture_layout_project(const struct picture_layout *layout, size_t strip,
                            const double position[2], double point[2])
{
    double in_strip[2] = {position[0] - layout->origin[0],
                          position[1] - layout->origin[1]}; /* from its lower left corner */
    in_strip[layout->is_tall] -= (double)strip * layout->strip_length;
    picture_layout_corner(layout, strip, point);
    point[0] += picture_layout_pixels(layout, in_strip[0]);
    point[1] += layout->strip_pixels[1] - picture_layout_pixels(layout, in_strip[1]);
}

size_t picture_layout_locate(const struct picture_layout *layout, const double position[2],
                             double point[2])
{
    const size_t strip = picture_layout_strip(layout, position);
    picture_layout_project(layout, strip, position, point);
    return strip;
}

void picture_layout_write_line(const struct picture_layout *layout, size_t strip,
                               const double begin[2], const double end[2], const double *control,
                               int is_joined, FILE *stream)
{
    const size_t first = picture_layout_strip(layout, begin);
    const size_t last = picture_layout_strip(layout, end);
    const size_t bend = control ? picture_layout_strip(layout, control) : first;
    double from[2], to[2], by[2];
    if ((strip < first && strip < last && strip < bend) ||
        (strip > first && strip > last && strip > bend))
        return;
    picture_layout_project(layout, strip, begin, from);
    picture_layout_project(layout, strip, end, to);
    if (!is_joined)
        fprintf(stream, "M%.2f %.2f", from[0], from[1]);
    if (control)
        picture_layout_project(layout, strip, control, by);
    if (control)
        fprintf(stream, "Q%.2f %.2f %.2f %.2f\n", by[0], by[1], to[0], to[1]);
    else
        fprintf(stream, "L%.2f %.2f\n", to[0], to[1]);
}

/* Finds the rectangle that is drawn: the box, or a domain with the same margin on each side. */
static void find_view(const struct boundary *box, double low[2], double high[2])
{
    const double sides[2] = {box->width, box->height};
    double margin = (double)INFINITY;
    polygons_extent(box->polygons, 1, low, high);
    for (int axis = 0; axis < 2; axis++)
        margin = fmin(margin, fmin(low[axis], sides[axis] - high[axis]));
    const int is_whole = box->periodic || !(margin >= 0 && low[0] < high[0]);
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = is_whole ? 0 : low[axis] - margin;
        high[axis] = is_whole ? sides[axis] : high[axis] + margin;
    }
}

struct picture_scene picture_scene_begin(const struct snapshot *snapshot, int lines)
{
    const struct boundary *box = &snapshot->system->boundary;
    double low[2], high[2];
    find_view(box, low, high);
    struct picture_layout layout = picture_layout_choose(high[0] - low[0], high[1] - low[1]);
    memcpy(layout.origin, low, sizeof layout.origin);
    lines += (box->periodic != 0) + (box->polygons != NULL) + wall_laws_are_diffuse(box);
    layout.box_y += lines * PICTURE_HEADER_LINE;
    layout.bottom += lines * PICTURE_HEADER_LINE;
    return (struct picture_scene){
        .snapshot = snapshot, .box = box, .count = snapshot->system->count, .layout = layout};
}

/* data/embedded/animation_template.html has the same colours. */
static const uint32_t viridis[PICTURE_COLOUR_STOPS] = {
    0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
    0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725,
};

static const uint32_t okabe_ito[PICTURE_KIND_COLOURS] = {
    0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442, 0x808080,
};

uint32_t picture_quantity_colour(double fraction)
{
    if (!(fraction > 0))
        return viridis[0];
    if (fraction >= 1)
        return viridis[PICTURE_COLOUR_STOPS - 1];
    const double position = fraction * (PICTURE_COLOUR_STOPS - 1);
    const int stop = (int)position;
    uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) { /* red, green, blue */
        const int from = viridis[stop] >> shift & 0xff;
        const int to = viridis[stop + 1] >> shift & 0xff;
        colour |= (uint32_t)(from + (to - from) * (position - stop) + 0.5) << shift;
    }
    return colour;
}

uint32_t picture_kind_colour(size_t rank)
{
    return okabe_ito[rank % PICTURE_KIND_COLOURS];
}

static int compare_species(const void *left, const void *right)
{
    int32_t a = ((const struct picture_species *)left)->species;
    int32_t b = ((const struct picture_species *)right)->species;
    return (a > b) - (a < b);
}

static struct picture_species *picture_find_species(const struct picture_scene *scene,
                                                    int32_t species)
{
    struct picture_species wanted = {.species = species};
    return bsearch(&wanted, scene->species, scene->species_count, sizeof *scene->species,
                   compare_species);
}

/* Lists numbers of contacts, of which the last may be that or more. */
static enum status list_contacts(struct picture_scene *scene, struct error *error)
{
    scene->species =
        memory_allocate_zeros(PICTURE_SHADES, sizeof *scene->species, "the contacts", error);
    if (!scene->species)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < scene->count; k++)
        scene->species[picture_scene_colour_of(scene, k)].count++;
    for (int32_t k = 0; k < PICTURE_SHADES; k++)
        if (scene->species[k].count > 0)
            scene->species[scene->species_count++] =
                (struct picture_species){k, scene->species[k].count};
    return STATUS_DONE;
}

static enum status list_species(struct picture_scene *scene, struct error *error)
{
    const struct system *system = scene->snapshot->system;
    scene->species_count = 1;
    if (system->kind_count == 0)
        return STATUS_DONE;
    scene->species =
        memory_allocate(system->kind_count, sizeof *scene->species, "the species", error);
    if (!scene->species)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count; k++)
        scene->species[k] = (struct picture_species){.species = system->kinds[k].species};
    qsort(scene->species, system->kind_count, sizeof *scene->species, compare_species);
    for (size_t k = 1; k < system->kind_count; k++)
        if (scene->species[k].species != scene->species[scene->species_count - 1].species)
            scene->species[scene->species_count++] = scene->species[k];
    for (size_t k = 0; k < system->count; k++)
        if (snapshot_has(scene->snapshot, k))
            picture_find_species(scene, snapshot_body(scene->snapshot, k).species)->count++;
    return STATUS_DONE;
}

double picture_speed(const struct snapshot *snapshot, size_t number, int is_relative)
{
    struct snapshot_particle body = snapshot_body(snapshot, number);
    body.u -= is_relative ? snapshot->system->boundary.stream.speed : 0; /* 0 without a stream */
    return body_speed(&body);
}

/* The speeds of all particles, or those relative to a stream. */
struct picture_speeds {
    double highest; /* if it is 0, so are the others */
    double typical; /* root mean square of all, in units of the highest; */
    double moving;  /* and of those that move */
};

static struct picture_speeds speeds_measure(const struct snapshot *snapshot, int is_relative)
{
    const size_t count = snapshot->system->count, present = system_present(snapshot->system);
    struct picture_speeds speeds = {0};
    double sum = 0; /* of the squares of speeds, in units of the highest */
    size_t moving = 0;
    for (size_t k = 0; k < count; k++)
        speeds.highest = fmax(speeds.highest, picture_speed(snapshot, k, is_relative));
    if (speeds.highest == 0)
        return speeds;
    for (size_t k = 0; k < count; k++) {
        const double fraction = picture_speed(snapshot, k, is_relative) / speeds.highest;
        sum += fraction * fraction;
        moving += fraction > 0;
    }
    speeds.typical = sqrt(sum / (double)present);
    speeds.moving = sqrt(sum / (double)moving);
    return speeds;
}

/* The area of the box for each particle, in square pixels. */
static double area_per_particle(const struct picture_scene *scene)
{
    const struct picture_layout *layout = &scene->layout;
    return layout->strip_pixels[0] * layout->strip_pixels[1] * (double)layout->strips /
           (double)scene->count;
}

/* The speed of an arrow of 1 pixel, if the longest stands for `fastest`, and the mean of moving
 * particles for `typical` times `fastest`; 0 if nothing moves, or there is no room. */
static double choose_arrow(const struct picture_scene *scene, double fastest, double typical)
{
    double room = sqrt(area_per_particle(scene));
    double thickness = fmin(scene->layout.strip_pixels[0], scene->layout.strip_pixels[1]);
    double length = fmin(fmin(0.45 * room, 0.5 * thickness), MAX_TYPICAL_ARROW) / typical;
    return fastest > 0 && room >= MIN_ARROW_SPACING ? fastest / fmin(length, MAX_ARROW) : 0;
}

struct picture_scale picture_scale_choose(const struct snapshot *start, int keeps_top_speed,
                                          double end_time)
{
    const struct picture_scene scene = picture_scene_begin(start, 0);
    const struct boundary *box = scene.box;
    const struct picture_speeds relative = speeds_measure(start, 1);
    const struct picture_speeds speeds = speeds_measure(start, 0);
    const double crossing_speed = fmax(box->width, box->height) / (end_time > 0 ? end_time : 1);
    const double max = keeps_top_speed ? 1 : FRAMES_BRIGHTEST;
    struct picture_scale scale = {
        .brightest = relative.highest * fmax(1, max * relative.typical),
        .fastest = speeds.highest * fmax(1, max * speeds.moving),
    };
    if (box->stream.draw)
        scale.brightest = relative.highest * FRAMES_BRIGHTEST * relative.typical;
    if (scale.brightest == 0)
        scale.brightest = crossing_speed;
    if (scale.fastest == 0)
        scale.fastest = crossing_speed;
    const double typical = speeds.highest > 0 ? speeds.moving * (speeds.highest / scale.fastest)
                                              : 1 / FRAMES_BRIGHTEST;
    scale.arrow = choose_arrow(&scene, scale.fastest, typical);
    return scale;
}

double picture_scene_radius(const struct picture_scene *scene, size_t number)
{
    double smallest = fmax(MIN_RADIUS, fmin(SEEN_RADIUS, 0.1 * sqrt(area_per_particle(scene))));
    double radius = snapshot_body(scene->snapshot, number).radius;
    return fmax(smallest, picture_layout_pixels(&scene->layout, radius));
}

int picture_scene_image(const struct picture_scene *scene, size_t number, unsigned image,
                        double centre[2])
{
    const double sides[2] = {scene->box->width, scene->box->height};
    if (image & ~scene->box->periodic || !snapshot_has(scene->snapshot, number))
        return 0;
    double radius = picture_scene_radius(scene, number);
    snapshot_position(scene->snapshot, number, &centre[0], &centre[1]);
    for (unsigned axis = 0; axis < 2; axis++) {
        int is_low = centre[axis] < sides[axis] / 2;
        double away = is_low ? centre[axis] : sides[axis] - centre[axis];
        if (!(image & 1u << axis))
            continue;
        if (picture_layout_pixels(&scene->layout, away) >= radius)
            return 0;
        centre[axis] += is_low ? sides[axis] : -sides[axis];
    }
    return 1;
}

/* Chooses outlines and labels, which depend on the sizes of the disks in pixels. */
static void choose_disks(struct picture_scene *scene)
{
    double smallest = (double)INFINITY;
    scene->are_many = scene->count >= PICTURE_MANY;
    for (size_t k = 0; k < scene->count; k++) {
        double radius = picture_scene_radius(scene, k);
        double true_radius = snapshot_body(scene->snapshot, k).radius;
        scene->are_enlarged |= radius > picture_layout_pixels(&scene->layout, true_radius);
        smallest = fmin(smallest, radius);
    }
    scene->outline = fmin(1, 0.15 * smallest);
    if (scene->outline < MIN_OUTLINE)
        scene->outline = 0;
    scene->are_labelled = scene->count <= MAX_LABELLED && smallest >= LABELLED_RADIUS;
}

int picture_scene_is_small(const struct picture_scene *scene, size_t number)
{
    return picture_scene_radius(scene, number) < SMALL_RADIUS;
}

int picture_scene_arrow(const struct picture_scene *scene, size_t number, size_t strip,
                        struct picture_arrow *arrow)
{
    const struct snapshot_particle body = snapshot_body(scene->snapshot, number);
    double speed = body_speed(&body);
    if (!(scene->scale.arrow > 0) || speed / scene->scale.arrow < MIN_ARROW)
        return 0;
    double position[2];
    double gap = picture_scene_is_small(scene, number) ? picture_scene_radius(scene, number) : 0;
    if (scene->are_labelled) /* the arrow begins beside the number */
        gap = fmin(picture_scene_radius(scene, number), LABEL_REACH);
    snapshot_position(scene->snapshot, number, &position[0], &position[1]);
    picture_layout_project(&scene->layout, strip, position, arrow->begin);
    arrow->direction[0] = body.u / speed;
    arrow->direction[1] = -body.v / speed;
    arrow->length = fmin(speed, scene->scale.fastest) / scene->scale.arrow;
    for (size_t axis = 0; axis < 2; axis++)
        arrow->begin[axis] += gap * arrow->direction[axis];
    return 1;
}

/* Moves the box away from the text and from the edges of the canvas, so that no arrow reaches them,
 * or on a given scale the longest would not. In several strips arrows are clipped instead. */
static void make_room_for_arrows(struct picture_scene *scene, const struct picture_scale *scale)
{
    struct picture_layout *layout = &scene->layout;
    const double corner[2] = {layout->box_x, layout->box_y};
    double beyond[2] = {0, 0}; /* how far arrows leave the box, along each axis */
    if (layout->strips > 1)
        return;
    if (scale && scale->arrow > 0)
        beyond[0] = beyond[1] =
            scale->fastest / scale->arrow + (scene->box->periodic ? LABEL_REACH : 0);
    for (size_t k = 0; k < scene->count && !scale; k++) {
        struct picture_arrow arrow;
        if (!picture_scene_arrow(scene, k, 0, &arrow))
            continue;
        for (size_t axis = 0; axis < 2; axis++) {
            double tip = arrow.begin[axis] + arrow.length * arrow.direction[axis] - corner[axis];
            beyond[axis] = fmax(beyond[axis], fmax(-tip, tip - layout->strip_pixels[axis]));
        }
    }
    double right = ceil(fmax(0, beyond[0] + ARROW_MARGIN - layout->box_x));
    double down = ceil(fmax(0, beyond[1] + ARROW_MARGIN - FREE_HEIGHT));
    layout->box_x += right;
    layout->width += 2 * right;
    layout->box_y += down;
    layout->bottom += 2 * down;
}

/* The scale of a single picture: of its fastest particle, unless that is an outlier in a stream. */
static struct picture_scale choose_scale(const struct picture_scene *scene)
{
    const struct picture_speeds speeds = speeds_measure(scene->snapshot, 0);
    const struct picture_speeds relative = speeds_measure(scene->snapshot, 1);
    const double max = scene->box->stream.draw ? fmin(1, STREAM_BRIGHTEST * relative.typical) : 1;
    return (struct picture_scale){
        .brightest = relative.highest * max,
        .fastest = speeds.highest,
        .arrow = choose_arrow(scene, speeds.highest, speeds.moving),
    };
}

enum status picture_scene_create(struct picture_scene *scene, const struct snapshot *snapshot,
                                 const struct picture_extras *extras, struct error *error)
{
    const int lines = (snapshot->system->boundary.stream.draw ? 2 : 0) + (extras->paths != NULL);
    struct dynamics_joint joint;
    *scene = picture_scene_begin(snapshot, lines);
    scene->extras = *extras;
    for (; dynamics_find_joint(extras->dynamics, scene->joints, &joint); scene->joints++)
        scene->broken += joint.is_broken != 0;
    for (size_t k = 0; k < scene->count; k++)
        scene->fixed += dynamics_is_fixed(extras->dynamics, k) != 0;
    if (scene->joints + scene->fixed > 0) {
        scene->layout.box_y += PICTURE_HEADER_LINE;
        scene->layout.bottom += PICTURE_HEADER_LINE;
    }
    scene->scale = extras->scale ? *extras->scale : choose_scale(scene);
    if (extras->contacts) /* which velocities would hide */
        scene->scale.arrow = 0;
    choose_disks(scene);
    make_room_for_arrows(scene, extras->scale ? &scene->scale : NULL);
    return extras->contacts ? list_contacts(scene, error) : list_species(scene, error);
}

void picture_scene_free(struct picture_scene *scene)
{
    memory_free(scene->species);
}

size_t picture_scene_colour_of(const struct picture_scene *scene, size_t number)
{
    const int32_t species = snapshot_body(scene->snapshot, number).species;
    if (scene->extras.contacts)
        return scene->extras.contacts[number] < PICTURE_SHADES ? scene->extras.contacts[number]
                                                               : PICTURE_SHADES - 1;
    if (picture_scene_has_list(scene))
        return (size_t)(picture_find_species(scene, species) - scene->species) %
               PICTURE_KIND_COLOURS;
    if (scene->extras.paths)
        return number % PICTURE_PATH_COLOURS;
    if (scene->scale.brightest == 0)
        return 0;
    const double shade =
        picture_speed(scene->snapshot, number, 1) / scene->scale.brightest * PICTURE_SHADES;
    return shade < PICTURE_SHADES ? (size_t)shade : PICTURE_SHADES - 1;
}

uint32_t picture_scene_colour(const struct picture_scene *scene, size_t number)
{
    if (scene->extras.contacts && number == 0)
        return picture_kind_colour(PICTURE_KIND_COLOURS - 1); /* grey */
    if (scene->extras.contacts)
        return picture_quantity_colour(((double)number - 3) / 3); /* 6 or more are the brightest */
    if (picture_scene_has_list(scene) || scene->extras.paths)
        return picture_kind_colour(number);
    return picture_quantity_colour((double)number / (PICTURE_SHADES - 1));
}
