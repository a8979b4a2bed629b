/*
 * What --generate does.
 */
#ifndef PARTICLES_GENERATED_INPUT_H
#define PARTICLES_GENERATED_INPUT_H

#include "cli/options.h"

/*
 * Generates the INPUT that `options` ask for, among their polygons, and writes it to standard
 * output; where it comes from goes to standard error, unless they want quiet. Returns STATUS_DONE,
 * or fails as polygon_files_read, generate_choose_box, generate_system and generate_write do.
 */
enum status generated_input_write(const struct options *options, struct error *error);

#endif
