/* What numbers options take, and what is just beyond, for all tests of options. */
#ifndef PARTICLES_TESTS_OPTION_RANGES_H
#define PARTICLES_TESTS_OPTION_RANGES_H

#include "cli/options.h"

#include <stddef.h>
#include <stdint.h>

#define OPTION(member) offsetof(struct options, member)

static const struct {
    const char *name, *too_small, *least, *most, *too_large;
    size_t offset; /* of the double in struct options, 0 or 1 unless given; SIZE_MAX: none */
} option_ranges[] = {
    {"restitution", "-1e-300", "0", "1", "1.0000000000000002", OPTION(law.restitution)},
    {"contact-time", "-1e-300", "-0", "1e40", "1.0000000000000002e40", OPTION(law.contact_time)},
    {"roughness", "-1.0000000000000002", "-1", "1", "1.0000000000000002",
     OPTION(surfaces.roughness)},
    {"friction", "-1e-300", "0", "1e40", "1.0000000000000002e40", OPTION(surfaces.friction)},
    {"inertia", "9.9999999999999e-7", "1e-6", "1", "1.0000000000000002", OPTION(surfaces.inertia)},
    {"grow", "-1e-300", "0", "1e40", "1.0000000000000002e40", OPTION(growth.rate)},
    {"grow-until", "0", "1e-40", "0.9069", "0.90690000000000015", OPTION(growth.fraction)},
    {"every", "0", "1e-300", "1e40", "1.0000000000000002e40", OPTION(run.interval)},
    {"checkpoint-every", "-0", "1e-300", "1e40", "1.0000000000000002e40", OPTION(checkpoint.every)},
    {"area-fraction", "9.99999999999999e-41", "1e-40", "0.88", "0.8800000000000001", SIZE_MAX},
    {"radius", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40",
     OPTION(request.radius)},
    {"mass", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40", SIZE_MAX},
    {"aspect", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40",
     OPTION(request.aspect)},
    {"speed", "9.99999999999999e-41", "1e-40", "5e39", "5.000000000000001e39",
     OPTION(request.speed)},
    {"sensitivity", "0", "1", "10000", "10001", SIZE_MAX},
    {"generate", "0", "1", "268435456", "268435457", SIZE_MAX},
    {"seed", "-1", "0", "18446744073709551615", "18446744073709551616", SIZE_MAX},
    {"stream", "-1.0000000000000002e38", "-1e38", "1e38", "1.0000000000000002e38",
     OPTION(stream.speed)},
    {"stream-temperature", "9.9999999999999e-121", "1e-120", "1e116", "1.0000000000000002e116",
     OPTION(stream.temperature)},
};

#endif
