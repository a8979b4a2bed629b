/*
 * The texts that --help and --version print; see help.h.
 */
#include "cli/help.h"

#include "io/text.h"

static const char help[] =
    "Usage: particles [OPTION]... INPUT END_TIME\n"
    "  or:  particles --resume=FILE [OPTION]...\n"
    "  or:  particles --generate=N [OPTION]...\n"
    "Simulate hard disks in a box, collision by collision, from time 0 to END_TIME,\n"
    "and print each one's position and its collisions with walls and with others.\n"
    "\n"
    "INPUT is a file, or '-' for standard input. It holds the number of particles;\n"
    "their radius; the box's width and height; then for each particle x y u v, its\n"
    "position and velocity, and, if it differs, on the same line its own radius, mass\n"
    "(1) and species (0, a label). '#' starts a comment.\n"
    "\n"
    "      --schedule=KIND  how the next collision is found; no answer depends on it\n"
    "                       auto      textbook up to 16 particles, array up to 200,\n"
    "                                 cells above (default)\n"
    "                       textbook  the assignment's algorithm as it stands\n"
    "                       array     the same array of all potential collisions,\n"
    "                                 sorted only as far as needed\n"
    "                       cells     a cell list and an event calendar, for any number\n"
    "      --rule=RULE      what happens when two particles collide\n"
    "                       swap     they switch velocities (default)\n"
    "                       elastic  an impulse acts along the line of their centres;\n"
    "                                for any masses\n"
    "      --restitution=E  with --rule=elastic: the part of the normal velocity\n"
    "                       that a collision of two particles leaves, 0 to 1 (1)\n"
    "      --contact-time=T with a restitution below 1: a particle that collides\n"
    "                       again within T loses nothing (1e-5 of the time in which\n"
    "                       it moves by its diameter, as the means at the start are)\n"
    "      --stats[=FILE]   figures that describe the run (collision rate, pressure,\n"
    "                       temperature and others), as a table on standard error\n"
    "                       or as lines 'key = value' in FILE\n"
    "      --sensitivity[=K]\n"
    "                       run again K times (8) with all x and y moved by up to one\n"
    "                       unit in the last place, and report on standard error\n"
    "                       whether the same lines come out, and up to which END_TIME\n"
    "      --events=FILE    write every collision to FILE, as comma-separated values\n"
    "      --trajectory=FILE --every=DT\n"
    "                       write where all particles are at the times 0, DT, 2 DT,\n"
    "                       ... to FILE, as extended XYZ\n"
    "      --progress       tell how far the run has come, on standard error; without\n"
    "                       this option only if that is a terminal\n"
    "      --picture=FILE   draw the final state into FILE, as SVG\n"
    "      --animate=FILE   write the whole run into FILE, a web page that plays it\n"
    "      --checkpoint=FILE\n"
    "                       write the whole run down in FILE, now and then and when\n"
    "                       it is interrupted, so that it can be resumed; when the\n"
    "                       run is done FILE goes\n"
    "      --checkpoint-every=SECONDS\n"
    "                       how often, by the clock (60)\n"
    "      --resume=FILE    go on where FILE was written, with the same options for\n"
    "                       files; INPUT, END_TIME and the rule are those of that run\n"
    "      --quiet          nothing on standard error but errors (and --sensitivity's\n"
    "                       report)\n"
    "  -h, --help           print this help and exit\n"
    "  -V, --version        print the version and exit\n"
    "\n"
    "With --generate, write an input of random particles to standard output instead:\n"
    "      --generate=N         N of them\n"
    "      --area-fraction=F    the part of the box that they cover, up to 0.88 (0.3)\n"
    "      --radius=R           the radius of each (1)\n"
    "      --aspect=A           the box's width divided by its height (1)\n"
    "      --speed=V            the root mean square of their speeds (1)\n"
    "      --seed=S             a whole number; each gives other particles (1)\n"
    "\n"
    "Each line of output is 'X, Y, WALL_COLLISIONS, PARTICLE_COLLISIONS'.\n"
    "Exit status: 0 done, 64 wrong usage, 65 bad data in INPUT, 66 INPUT cannot be\n"
    "read, 71 out of memory, 74 output cannot be written.\n";

enum status help_write(FILE *stream, const char *name, struct error *error)
{
    fputs(help, stream);
    return text_flush(stream, name, error);
}

enum status help_write_version(FILE *stream, const char *name, struct error *error)
{
    fputs("particles " PARTICLES_VERSION "\n", stream);
    return text_flush(stream, name, error);
}
