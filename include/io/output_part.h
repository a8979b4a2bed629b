/*
 * Output files that can be continued by another run, after this one has been interrupted or
 * killed. FILE is written as FILE.part, and renamed when it is complete. A checkpoint notes how
 * long the part is, and the checksum of its content; never its name: that comes from the user, who
 * names FILE again.
 */
#ifndef PARTICLES_OUTPUT_PART_H
#define PARTICLES_OUTPUT_PART_H

#include "io/output_file.h"
#include "io/record.h"

/* What is appended to the name of a file. */
#define OUTPUT_PART_END ".part"

/*
 * Opens a new FILE.part, durable (output_file.h). It is removed by output_file_abandon as long as
 * `is_kept` is 0. One that is there already belongs to another run, and is not touched. `name` must
 * outlive the file. Returns STATUS_DONE, STATUS_CANNOT_WRITE (also for a device or a pipe) or
 * STATUS_NO_MEMORY, with nothing left behind.
 */
enum status output_part_open(struct output_file *file, const char *name, struct error *error);

/*
 * Makes sure that all that has been written is on the disk, and puts a line into a record that
 * output_part_load can take. Returns STATUS_DONE or STATUS_CANNOT_WRITE.
 */
enum status output_part_save(struct output_file *file, struct record_writer *writer,
                             struct error *error);

/*
 * Opens FILE.part to go on where it was when the record was written: what came later is cut off. If
 * there is no part, because that run has completed FILE in the end, then the beginning of that file
 * becomes the part. The part is durable, and is kept if it is not completed. Returns STATUS_DONE;
 * STATUS_NO_INPUT if it is not there; STATUS_BAD_DATA if it is too short, or is not what was
 * written; STATUS_CANNOT_WRITE, also if another run is writing it; or STATUS_NO_MEMORY.
 */
enum status output_part_load(struct output_file *file, const char *name,
                             struct record_reader *reader, struct error *error);

#endif
