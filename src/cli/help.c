/*
 * The texts that --help and --version print; see help.h.
 */
#include "cli/help.h"

#include "io/text.h"

/* Three strings, for C11 promises to read no more than 4095 characters in one. */
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
    "      --config=FILE    take options from FILE: one a line, without the dashes\n"
    "      --schedule=KIND  how the next collision is found; the answer does not\n"
    "                       depend on it\n"
    "                       auto      textbook up to 16 particles, array up to 200,\n"
    "                                 cells above and in periodic boxes (default)\n"
    "                       textbook  the assignment's algorithm as it stands\n"
    "                       array     the same array of all potential collisions,\n"
    "                                 sorted only as far as needed\n"
    "                       cells     a cell list and an event calendar, for any N\n"
    "      --threads=K|auto  find collisions on K processor cores, 1 to 1024; the answer\n"
    "                       does not depend on it (default auto: all that the process\n"
    "                       may use, from 20000 particles on)\n"
    "      --tile-side=CELLS  for tests: the side of the parts into which the box is\n"
    "                       cut for that, 1 to 10000\n"
    "      --rule=RULE      what happens when two particles collide\n"
    "                       swap     they switch velocities (default)\n"
    "                       elastic  an impulse acts along the line of their centres;\n"
    "                                for any masses\n"
    "      --restitution=E  with --rule=elastic: the part of the normal relative\n"
    "                       velocity that remains after a collision of two\n"
    "                       particles, 0 to 1 (1)\n"
    "      --contact-time=T with a restitution below 1: a particle that collides\n"
    "                       again within T loses no energy (1e-5 times the mean\n"
    "                       diameter divided by the mean speed at the start)\n"
    "      --periodic=AXES  no walls along these axes, x, y or xy: the box is repeated\n"
    "                       without end\n"
    "      --stream=U       with --periodic=x or xy: a gas streams through the box with\n"
    "                       velocity U along x; a particle that passes the seam in x\n"
    "                       gets a new velocity, at random\n"
    "      --stream-temperature=T\n"
    "                       the temperature of that gas, m v^2 / 2 of the mean square\n"
    "                       thermal speed (that of the particles at the start)\n"
    "      --domain=FILE    particles are inside the polygons in FILE: a line 'x y' for\n"
    "                       each vertex, a blank line between polygons\n"
    "      --obstacle=FILE  particles are outside of these; may be repeated\n";

static const char steps_help[] =
    "      --step=DT        move in steps of DT instead of from collision to collision,\n"
    "                       under interactions and constraints; particles collide only\n"
    "                       if one of these makes them\n"
    "      --substeps=K     divide each step by K (20)\n"
    "      --interaction=PART\n"
    "                       what acts on particles in steps, NAME KEY=VALUE...,\n"
    "                       such as 'gravity g=-9.81'; may be repeated\n"
    "      --constraint=PART\n"
    "                       what they have to obey in steps, such as\n"
    "                       'walls restitution=0.5'; may be repeated\n";

static const char files_help[] =
    "      --stats[=FILE]   describe the run in figures (collision rate, pressure,\n"
    "                       temperature and others), as a table on standard error\n"
    "                       or as lines 'key = value' in FILE\n"
    "      --stats-from=T   these figures, --structure, --fields, --forces and --report\n"
    "                       count from time T on (0)\n"
    "      --sensitivity[=K]\n"
    "                       run again K times (8) with all x and y moved by up to one\n"
    "                       unit in the last place, and report on standard error\n"
    "                       whether the same lines come out, and up to which END_TIME\n"
    "      --sensitivity-file=FILE\n"
    "                       write that report to FILE, as lines 'key = value'\n"
    "      --sensitivity-status\n"
    "                       exit with status 1 if the same lines do not come out\n"
    "      --events=FILE    write every collision to FILE, as comma-separated values\n"
    "      --trajectory=FILE --every=DT\n"
    "                       write the positions at the times 0, DT, 2 DT, ... and\n"
    "                       END_TIME to FILE, as extended XYZ\n"
    "      --structure=FILE with --every, write the mean structure and motion in these\n"
    "                       frames to FILE, as comma-separated values: pair\n"
    "                       distribution, bond order, structure factor, mean square\n"
    "                       displacement, velocity autocorrelation, speeds and free\n"
    "                       paths\n"
    "      --fields=FILE --fields-grid=NXxNY\n"
    "                       write density, mean velocity and temperature in each cell\n"
    "                       of a grid, averaged over time, to FILE, whose name ends in\n"
    "                       .csv, .vtk or .svg (a picture)\n"
    "      --forces=FILE    write the mean forces on obstacles, with their errors, to FILE,\n"
    "                       as comma-separated values; with --stream also drag and lift\n"
    "                       coefficients, and of each side those of pressure and shear;\n"
    "                       with --every also the forces in each DT\n"
    "      --reference-length=L\n"
    "                       the length of an obstacle for these coefficients and for\n"
    "                       the Knudsen number (see the manual page)\n"
    "      --progress       report progress on standard error, even if that is not a\n"
    "                       terminal\n"
    "      --picture=FILE   draw the final state into FILE, as SVG; with --every and a\n"
    "                       FILE such as out/%06d.svg, the state at each of these\n"
    "                       times into a file of its own\n"
    "      --paths          draw into it where each particle went and collided, of up\n"
    "                       to 100 particles\n"
    "      --final=FILE     write the final state to FILE, as an INPUT for another run\n"
    "      --animate=FILE   write the whole run to FILE, a web page that plays it\n"
    "      --report=FILE    write a web page about the run to FILE: what was run, the final\n"
    "                       picture, all figures and what they say, and plots\n"
    "      --checkpoint=FILE\n"
    "                       save the run in FILE from time to time and when it is\n"
    "                       interrupted, so that it can be resumed; FILE is removed\n"
    "                       when the run is done\n"
    "      --checkpoint-every=SECONDS\n"
    "                       how often to save it, in real time (60)\n"
    "      --resume=FILE    continue the run that was saved in FILE, with the same\n"
    "                       options for files; INPUT, END_TIME, the rule, the\n"
    "                       periodic axes, the stream, the polygons and the steps\n"
    "                       are in FILE\n"
    "      --quiet          write only errors, and what --stats and --sensitivity\n"
    "                       report, to standard error\n"
    "  -h, --help           print this help and exit\n"
    "  -V, --version        print the version and exit\n";

static const char more_help[] =
    "\n"
    "With --generate, write an input of random particles to standard output instead,\n"
    "for the axes and polygons of --periodic, --domain and --obstacle:\n"
    "      --generate=N         N particles, or N1,N2,... of several species\n"
    "      --area-fraction=F    the part of the box that they cover, up to 0.88, or 0.9\n"
    "                           with --periodic=xy (0.3); with polygons, of what they\n"
    "                           leave of the box\n"
    "      --radius=R           the radius of each (1), or R1,R2,... of each species;\n"
    "                           in a --domain, instead of --area-fraction\n"
    "      --mass=M             the mass of each (1), or M1,M2,... of each species\n"
    "      --aspect=A           the box's width divided by its height (1); a --domain\n"
    "                           gives the box itself\n"
    "      --speed=V            the root mean square of their speeds, or of those of the\n"
    "                           first species; all have one temperature (1)\n"
    "      --seed=S             a whole number; each gives other particles (1); also\n"
    "                           in a simulation, for the velocities of --stream\n"
    "\n"
    "Each line of output is 'X, Y, WALL_COLLISIONS, PARTICLE_COLLISIONS'.\n"
    "Exit status: 0 done, 1 see --sensitivity-status, 64 wrong usage, 65 bad data in\n"
    "INPUT, 66 INPUT cannot be read, 71 out of memory, 74 output cannot be written.\n";

enum status help_write(FILE *stream, const char *name, struct error *error)
{
    fputs(help, stream);
    fputs(steps_help, stream);
    fputs(files_help, stream);
    fputs(more_help, stream);
    return text_flush(stream, name, error);
}

enum status help_write_version(FILE *stream, const char *name, struct error *error)
{
    fputs("particles " PARTICLES_VERSION "\n", stream);
    return text_flush(stream, name, error);
}
