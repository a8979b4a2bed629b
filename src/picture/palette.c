/*
 * Colours; see palette.h. data/animation.html has the same ones.
 */
#include "palette.h"

static const struct colour viridis[PALETTE_STOPS] = {
    {0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x4a, 0x89}, {0x31, 0x68, 0x8e},
    {0x26, 0x82, 0x8e}, {0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58},
    {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25},
};

static const struct colour okabe_ito[PALETTE_KINDS] = {
    {0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73}, {0xcc, 0x79, 0xa7},
    {0x56, 0xb4, 0xe9}, {0xd5, 0x5e, 0x00}, {0xf0, 0xe4, 0x42}, {0x80, 0x80, 0x80},
};

static int blend(int from, int to, double part)
{
    return (int)(from + (to - from) * part + 0.5);
}

struct colour palette_quantity(double fraction)
{
    if (!(fraction > 0))
        return viridis[0];
    if (fraction >= 1)
        return viridis[PALETTE_STOPS - 1];
    double place = fraction * (PALETTE_STOPS - 1);
    int stop = (int)place;
    const struct colour *from = &viridis[stop];
    const struct colour *to = &viridis[stop + 1];
    double part = place - stop;
    return (struct colour){
        .red = blend(from->red, to->red, part),
        .green = blend(from->green, to->green, part),
        .blue = blend(from->blue, to->blue, part),
    };
}

struct colour palette_kind(size_t rank)
{
    return okabe_ito[rank % PALETTE_KINDS];
}
