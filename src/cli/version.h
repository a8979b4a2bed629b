/* The version of the program, as --version prints it. */
#ifndef PARTICLES_VERSION_H
#define PARTICLES_VERSION_H

#define PARTICLES_VERSION "0.1.0"

#endif
