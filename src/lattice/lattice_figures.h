/* The figures of a flow on a lattice, in the order in which they are written; see
 * observe/figure_list.h. */
FIGURE(TEMPERATURE, REAL, "temperature", "temperature", "energy",
       "Of the stream, or of the particles at the start.")
FIGURE(SOUND_SPEED, REAL, "sound_speed", "speed of sound", "length/time",
       "By Enskog's theory. Its square is the change of pressure by that of density.")
FIGURE(VISCOSITY, REAL, "viscosity", "viscosity", "length^2/time",
       "That by Enskog's theory, unless --viscosity gives another.")
FIGURE(VISCOSITY_ENSKOG, REAL, "viscosity_enskog", "  by Enskog's theory", "length^2/time",
       "The kinematic viscosity of elastic disks.")
FIGURE(MACH, REAL, "mach", "Mach number", "",
       "The speed of the stream, or of the fastest wall, by that of sound.")
FIGURE(MACH_LARGEST, REAL, "mach_largest", "  largest in the flow", "",
       "At the end of the run. Above 0.3 the flow is not that of a gas.")
FIGURE(REYNOLDS, REAL, "reynolds", "Reynolds number", "",
       "With that speed, and the largest body's length, or the box's height.")
FIGURE(KNUDSEN, REAL, "knudsen", "Knudsen number", "",
       "The mean free path by that length. Above 0.1 a gas is no continuum.")
FIGURE(MASS_CHANGE, REAL, "mass_change", "mass, relative change", "",
       "Of the flow since the start; without a stream, by rounding.")
FIGURE(SECONDS, REAL, "seconds", "elapsed time", "seconds", "How long the computer took.")
