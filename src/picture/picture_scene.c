/*
 * The layout, colours and scales of a picture.
 *
 * Sizes follow from the area of the box for each particle, for 1 particle as for 100 000. Arrows
 * are short enough that those of neighbours hardly touch, and no arrow goes across the picture; if
 * they were too short to show directions, there are none. Disks too small to see, and points, are
 * drawn larger than they are. Lengths are divided by one another first of all, so that no unit of
 * length is too small or too large.
 *
 */
#include "picture_scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double MAX_ASPECT = 10; /* of a box in one piece */

/* In pixels. */
static const double MIN_RADIUS = 0.7; /* of a disk; */
static const double SEEN_RADIUS = 3;  /* and of a disk with much room around it */
static const double MIN_ARROW_SPACING =
    16;                             /* side of the square that a particle has, for an arrow */
static const double MAX_ARROW = 64; /* length of the longest arrow, at most, */
static const double MAX_TYPICAL_ARROW =
    36;                                  /* and the root mean square of all of moving particles */
static const double MIN_OUTLINE = 0.12;  /* thinner lines are not drawn */
static const double LABELLED_RADIUS = 8; /* least radius of a disk with a number of two digits */
static const size_t MAX_LABELLED = 100;  /* particles; their numbers have two digits */
static const double LABEL_REACH = 14;    /* of a number, from the centre of its disk */
static const double SMALL_RADIUS = 6;    /* smaller disks would be hidden by arrows */
static const double MIN_ARROW = 1.5;     /* shorter ones are not drawn */
static const double FREE_HEIGHT = 18;    /* above and below the box, for arrows that leave it */
static const double ARROW_MARGIN = 6;    /* between their tips and text */

static const double STREAM_BRIGHTEST = 2.5; /* the speed of the brightest colour in a stream, at
                                           most, in units of the root mean square of all */

/* In frames the brightest colour and the longest arrow stand for this speed, in the same units. In
 * a gas of Maxwell's distribution one disk in 55 is faster. */
static const double FRAMES_BRIGHTEST = 2;

/* The number of strips for a box of this aspect: with more of them, each is drawn thicker. */
static size_t count_strips(double aspect)
{
    if (aspect <= MAX_ASPECT)
        return 1;
    return (size_t)fmin(PICTURE_MAX_STRIPS, ceil(sqrt(aspect / 3)));
}

struct picture_layout picture_layout_choose(double width, double height)
{
    struct picture_layout layout = {.is_tall = height > width};
    double aspect = layout.is_tall ? height / width : width / height;
    layout.strips = count_strips(aspect);
    double length = (layout.is_tall ? height : width) / (double)layout.strips;
    layout.strip_length = length;
    double strip_width = layout.is_tall ? width : length;
    double strip_height = layout.is_tall ? length : height;
    layout.scale_length =
        fmax(strip_width, strip_height * ((double)PICTURE_MAX_WIDTH / PICTURE_MAX_HEIGHT));
    layout.strip_pixels[0] = picture_layout_pixels(&layout, strip_width);
    layout.strip_pixels[1] = picture_layout_pixels(&layout, strip_height);

    double others = (double)(layout.strips - 1); /* strips beyond the first */
    double all_width = layout.strip_pixels[0] +
                       (layout.is_tall ? others * (layout.strip_pixels[0] + PICTURE_STRIP_GAP) : 0);
    double all_height =
        layout.strip_pixels[1] +
        (layout.is_tall ? 0 : others * (layout.strip_pixels[1] + PICTURE_STRIP_GAP));
    layout.width = ceil(fmax(PICTURE_MIN_WIDTH, all_width + 2 * PICTURE_MARGIN));
    layout.box_x = (layout.width - all_width) / 2;
    layout.box_y = PICTURE_HEADER + (layout.strips > 1 ? PICTURE_HEADER_LINE : 0);
    layout.bottom = layout.box_y + all_height;
    return layout;
}

double picture_layout_pixels(const struct picture_layout *layout, double length)
{
    return length / layout->scale_length * PICTURE_MAX_WIDTH;
}

size_t picture_layout_strip(const struct picture_layout *layout, double x, double y)
{
    double point = floor((layout->is_tall ? y : x) / layout->strip_length);
    return (size_t)fmin(fmax(point, 0), (double)(layout->strips - 1));
}

void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2])
{
    int axis = layout->is_tall ? 0 : 1;
    corner[0] = layout->box_x;
    corner[1] = layout->box_y;
    corner[axis] += (double)strip * (layout->strip_pixels[axis] + PICTURE_STRIP_GAP);
}

void picture_layout_project(const struct picture_layout *layout, size_t strip, double x, double y,
                            double point[2])
{
    double begin = (double)strip * layout->strip_length;
    double right = layout->is_tall ? x : x - begin;
    double up = layout->is_tall ? y - begin : y;
    picture_layout_corner(layout, strip, point);
    point[0] += picture_layout_pixels(layout, right);
    point[1] += layout->strip_pixels[1] - picture_layout_pixels(layout, up);
}

/* data/animation.html has the same colours. */
static const struct colour viridis[PICTURE_COLOUR_STOPS] = {
    {0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x4a, 0x89}, {0x31, 0x68, 0x8e},
    {0x26, 0x82, 0x8e}, {0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58},
    {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25},
};

static const struct colour okabe_ito[PICTURE_KIND_COLOURS] = {
    {0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73}, {0xcc, 0x79, 0xa7},
    {0x56, 0xb4, 0xe9}, {0xd5, 0x5e, 0x00}, {0xf0, 0xe4, 0x42}, {0x80, 0x80, 0x80},
};

static int blend(int from, int to, double share)
{
    return (int)(from + (to - from) * share + 0.5);
}

struct colour picture_quantity_colour(double fraction)
{
    if (!(fraction > 0))
        return viridis[0];
    if (fraction >= 1)
        return viridis[PICTURE_COLOUR_STOPS - 1];
    const double position = fraction * (PICTURE_COLOUR_STOPS - 1);
    const int stop = (int)position;
    const struct colour *from = &viridis[stop];
    const struct colour *to = &viridis[stop + 1];
    const double share = position - stop;
    return (struct colour){
        .red = blend(from->red, to->red, share),
        .green = blend(from->green, to->green, share),
        .blue = blend(from->blue, to->blue, share),
    };
}

struct colour picture_kind_colour(size_t rank)
{
    return okabe_ito[rank % PICTURE_KIND_COLOURS];
}

static int compare_species(const void *left, const void *right)
{
    int32_t a = ((const struct picture_species *)left)->species;
    int32_t b = ((const struct picture_species *)right)->species;
    return (a > b) - (a < b);
}

static struct picture_species *find_species(const struct picture_scene *scene, int32_t species)
{
    struct picture_species wanted = {.species = species};
    return bsearch(&wanted, scene->species, scene->species_count, sizeof *scene->species,
                   compare_species);
}

/* Lists the species, and counts their particles. */
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
        find_species(scene, snapshot_body(scene->snapshot, k).species)->count++;
    return STATUS_DONE;
}

double picture_relative_speed(const struct snapshot *snapshot, const struct body *body)
{
    struct body relative = *body;
    relative.u -= snapshot->system->boundary.stream.speed; /* 0 without a stream */
    return body_speed(&relative);
}

/* The speeds of all particles, or those relative to a stream. */
struct speed_range {
    double highest; /* if it is 0, so are the others */
    double typical; /* root mean square of all, in units of the highest; */
    double moving;  /* and of those that move */
};

static double speed_of(const struct snapshot *snapshot, size_t number, int is_relative)
{
    const struct body body = snapshot_body(snapshot, number);
    return is_relative ? picture_relative_speed(snapshot, &body) : body_speed(&body);
}

static struct speed_range speeds_measure(const struct snapshot *snapshot, int is_relative)
{
    const size_t count = snapshot->system->count;
    struct speed_range speeds = {0};
    double sum = 0; /* of the squares of speeds, in units of the highest */
    size_t moving = 0;
    for (size_t k = 0; k < count; k++)
        speeds.highest = fmax(speeds.highest, speed_of(snapshot, k, is_relative));
    if (speeds.highest == 0)
        return speeds;
    for (size_t k = 0; k < count; k++) {
        const double fraction = speed_of(snapshot, k, is_relative) / speeds.highest;
        sum += fraction * fraction;
        moving += fraction > 0;
    }
    speeds.typical = sqrt(sum / (double)count);
    speeds.moving = sqrt(sum / (double)moving);
    return speeds;
}

/* The area of the box for each particle, in square pixels. */
static double area_per_particle(const struct picture_scene *scene)
{
    const struct picture_layout *layout = &scene->layout;
    return layout->strip_pixels[0] * layout->strip_pixels[1] * (double)layout->strips /
           (double)scene->snapshot->system->count;
}

/*
 * The speed of an arrow of 1 pixel, if the longest stands for `fastest`, and those of moving
 * particles, on average, for `typical` times that; 0 if nothing moves, or there is no room.
 */
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
    const struct boundary *box = &start->system->boundary;
    const struct picture_scene scene = {.snapshot = start,
                                        .layout = picture_layout_choose(box->width, box->height)};
    const struct speed_range relative = speeds_measure(start, 1);
    const struct speed_range speeds = speeds_measure(start, 0);
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

double picture_scene_radius(const struct picture_scene *scene, const struct body *body)
{
    double smallest = fmax(MIN_RADIUS, fmin(SEEN_RADIUS, 0.1 * sqrt(area_per_particle(scene))));
    return fmax(smallest, picture_layout_pixels(&scene->layout, body->radius));
}

int picture_scene_image(const struct picture_scene *scene, size_t number, unsigned image,
                        double centre[2])
{
    const struct boundary *box = &scene->snapshot->system->boundary;
    const double sides[2] = {box->width, box->height};
    if (image & ~box->periodic)
        return 0;
    const struct body body = snapshot_body(scene->snapshot, number);
    double radius = picture_scene_radius(scene, &body);
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
    const size_t count = scene->snapshot->system->count;
    for (size_t k = 0; k < count; k++) {
        const struct body body = snapshot_body(scene->snapshot, k);
        double radius = picture_scene_radius(scene, &body);
        double true_radius = picture_layout_pixels(&scene->layout, body.radius);
        scene->are_enlarged |= radius > true_radius;
        smallest = fmin(smallest, radius);
    }
    scene->outline = fmin(1, 0.15 * smallest);
    if (scene->outline < MIN_OUTLINE)
        scene->outline = 0;
    scene->are_labelled = count <= MAX_LABELLED && smallest >= LABELLED_RADIUS;
}

int picture_scene_is_small(const struct picture_scene *scene, const struct body *body)
{
    return picture_scene_radius(scene, body) < SMALL_RADIUS;
}

/*
 * The distance from the centre of a disk to where its arrow begins: at the centre, so that arrows
 * in a crowd are on their own disks; beside the number, if there is one; at the rim of a small
 * disk.
 */
static double arrow_begin(const struct picture_scene *scene, const struct body *body)
{
    double radius = picture_scene_radius(scene, body);
    if (scene->are_labelled)
        return fmin(radius, LABEL_REACH);
    return picture_scene_is_small(scene, body) ? radius : 0;
}

int picture_scene_arrow(const struct picture_scene *scene, size_t number, size_t strip,
                        struct picture_arrow *arrow)
{
    const struct body body = snapshot_body(scene->snapshot, number);
    double speed = body_speed(&body);
    if (!(scene->scale.arrow > 0) || speed / scene->scale.arrow < MIN_ARROW)
        return 0;
    double x;
    double y;
    snapshot_position(scene->snapshot, number, &x, &y);
    picture_layout_project(&scene->layout, strip, x, y, arrow->begin);
    arrow->direction[0] = body.u / speed;
    arrow->direction[1] = -body.v / speed;
    arrow->length = fmin(speed, scene->scale.fastest) / scene->scale.arrow;
    for (size_t axis = 0; axis < 2; axis++)
        arrow->begin[axis] += arrow_begin(scene, &body) * arrow->direction[axis];
    return 1;
}

/* How far arrows leave the box, along each axis. */
static void measure_arrows(const struct picture_scene *scene, double beyond[2])
{
    double corner[2];
    picture_layout_corner(&scene->layout, 0, corner);
    for (size_t k = 0; k < scene->snapshot->system->count; k++) {
        struct picture_arrow arrow;
        if (!picture_scene_arrow(scene, k, 0, &arrow))
            continue;
        for (size_t axis = 0; axis < 2; axis++) {
            double tip = arrow.begin[axis] + arrow.length * arrow.direction[axis] - corner[axis];
            beyond[axis] = fmax(beyond[axis], fmax(-tip, tip - scene->layout.strip_pixels[axis]));
        }
    }
}

/*
 * Moves the box away from the text and from the edges of the canvas, so that no arrow reaches them;
 * on a given scale, not even the longest. In a box of several strips, arrows are cut at the edges
 * of their strips instead.
 */
static void make_room_for_arrows(struct picture_scene *scene, const struct picture_scale *scale)
{
    struct picture_layout *layout = &scene->layout;
    double beyond[2] = {0, 0};
    if (layout->strips == 1 && !scale)
        measure_arrows(scene, beyond);
    else if (layout->strips == 1 && scene->scale.arrow > 0)
        beyond[0] = beyond[1] = scene->scale.fastest / scene->scale.arrow +
                                (scene->snapshot->system->boundary.periodic ? LABEL_REACH : 0);
    double right = ceil(fmax(0, beyond[0] + ARROW_MARGIN - layout->box_x));
    double down = ceil(fmax(0, beyond[1] + ARROW_MARGIN - FREE_HEIGHT));
    layout->box_x += right;
    layout->width += 2 * right;
    layout->box_y += down;
    layout->bottom += 2 * down;
}

/* The scale of a scene alone: its fastest particle has the longest arrow and the brightest colour,
 * unless that is an exception in a stream. */
static struct picture_scale choose_scale(const struct picture_scene *scene)
{
    const struct speed_range speeds = speeds_measure(scene->snapshot, 0);
    const struct speed_range relative = speeds_measure(scene->snapshot, 1);
    const int has_stream = scene->snapshot->system->boundary.stream.draw != NULL;
    return (struct picture_scale){
        .brightest =
            relative.highest * (has_stream ? fmin(1, STREAM_BRIGHTEST * relative.typical) : 1),
        .fastest = speeds.highest,
        .arrow = choose_arrow(scene, speeds.highest, speeds.moving),
    };
}

enum status picture_scene_create(struct picture_scene *scene, const struct snapshot *snapshot,
                                 const struct picture_extras *extras, struct error *error)
{
    const struct boundary *box = &snapshot->system->boundary;
    *scene = (struct picture_scene){
        .snapshot = snapshot,
        .extras = *extras,
        .layout = picture_layout_choose(box->width, box->height),
    };
    const int lines = (box->periodic != 0) + (box->stream.draw ? 2 : 0) + (box->polygons != NULL) +
                      (extras->paths != NULL);
    scene->layout.box_y += lines * PICTURE_HEADER_LINE;
    scene->layout.bottom += lines * PICTURE_HEADER_LINE;
    scene->scale = extras->scale ? *extras->scale : choose_scale(scene);
    choose_disks(scene);
    make_room_for_arrows(scene, extras->scale);
    return list_species(scene, error);
}

void picture_scene_free(struct picture_scene *scene)
{
    memory_free(scene->species);
    *scene = (struct picture_scene){0};
}

size_t picture_scene_colour_count(const struct picture_scene *scene)
{
    return scene->species_count > 1 ? PICTURE_KIND_COLOURS : PICTURE_SHADES;
}

size_t picture_scene_colour_of(const struct picture_scene *scene, const struct body *body)
{
    if (scene->species_count > 1) {
        return (size_t)(find_species(scene, body->species) - scene->species) % PICTURE_KIND_COLOURS;
    }
    if (scene->scale.brightest == 0)
        return 0;
    double point =
        picture_relative_speed(scene->snapshot, body) / scene->scale.brightest * PICTURE_SHADES;
    return point < PICTURE_SHADES ? (size_t)point : PICTURE_SHADES - 1;
}

struct colour picture_scene_colour(const struct picture_scene *scene, size_t number)
{
    if (scene->species_count > 1)
        return picture_kind_colour(number);
    return picture_quantity_colour((double)number / (PICTURE_SHADES - 1));
}
