/* The figures of time steps, in the order in which they are written; see observe/figure_list.h. */
FIGURE(PARTICLES, WHOLE, "particles", "particles", "", "How many particles there are.")
FIGURE(BOX_WIDTH, REAL, "box_width", "box width", "length", "The length of the box along x.")
FIGURE(BOX_HEIGHT, REAL, "box_height", "box height", "length", "The length of the box along y.")
FIGURE(END_TIME, REAL, "end_time", "end time", "time",
       "When the run ends, in the units of the input.")
FIGURE(STATS_FROM, REAL, "stats_from", "figures count from", "time",
       "The time at which the figures begin.")
FIGURE(STEP, REAL, "step", "step", "time", "The time of a step.")
FIGURE(SUBSTEPS, WHOLE, "substeps", "substeps of each", "", "The number of substeps of each step.")
FIGURE(SUBSTEPS_MADE, WHOLE, "substeps_made", "substeps made", "",
       "The number of substeps that the figures cover.")
FIGURE(CONTACTS_WALLS, WHOLE, "contacts_walls", "contacts with walls and polygons", "",
       "How often a particle came into contact with a wall or a polygon.")
FIGURE(CONTACTS_PAIRS, WHOLE, "contacts_pairs", "contacts of two particles", "",
       "How often two particles came into contact with each other.")
FIGURE(ENERGY_START, REAL, "energy_start", "energy at the start", "energy",
       "The energy of motion and of the interactions when the figures begin.")
FIGURE(ENERGY_END, REAL, "energy_end", "energy at the end", "energy",
       "The energy of motion and of the interactions at the end.")
FIGURE(ENERGY_DRIFT, REAL, "energy_drift", "  relative change", "",
       "The change of the energy, divided by that at the start, which depends on where the energy "
       "of a field is 0.")
FIGURE(ENERGY_KINETIC_START, REAL, "energy_kinetic_start", "  kinetic, at the start", "energy",
       "The energy of motion when the figures begin.")
FIGURE(ENERGY_KINETIC_END, REAL, "energy_kinetic_end", "  kinetic, at the end", "energy",
       "The energy of motion at the end.")
FIGURE(ENERGY_POTENTIAL_START, REAL, "energy_potential_start", "  potential, at the start",
       "energy", "The energy of the interactions when the figures begin.")
FIGURE(ENERGY_POTENTIAL_END, REAL, "energy_potential_end", "  potential, at the end", "energy",
       "The energy of the interactions at the end.")
FIGURE(MOMENTUM_X_START, REAL, "momentum_x_start", "momentum in x at the start", "momentum",
       "The sum of mass times velocity along x when the figures begin.")
FIGURE(MOMENTUM_X_END, REAL, "momentum_x_end", "momentum in x at the end", "momentum",
       "The sum of mass times velocity along x at the end. Walls, polygons and fields change it.")
FIGURE(MOMENTUM_Y_START, REAL, "momentum_y_start", "momentum in y at the start", "momentum",
       "The sum of mass times velocity along y when the figures begin.")
FIGURE(MOMENTUM_Y_END, REAL, "momentum_y_end", "momentum in y at the end", "momentum",
       "The sum of mass times velocity along y at the end. Walls, polygons and fields change it.")
FIGURE(TEMPERATURE_MEAN, MEASURED, "temperature_mean", "temperature, mean", "energy",
       "The kinetic energy for each two degrees of freedom, averaged over the ends of steps. "
       "Boltzmann's constant is 1.")
FIGURE(TEMPERATURE_END, REAL, "temperature_end", "temperature at the end", "energy",
       "The kinetic energy for each two degrees of freedom at the end.")
FIGURE(PRESSURE_VIRIAL, MEASURED, "pressure_virial", "pressure from the virial", "energy/area",
       "The pressure that the temperature, the forces between pairs and contacts show; of a fluid "
       "the mean of its particles. Not known where there are links or pins.")
FIGURE(CONSTRAINT_ERROR_LARGEST, REAL, "constraint_error_largest", "constraint error, largest",
       "length",
       "How far a link has been from its length, or two particles have overlapped, at the start or "
       "at the end of any substep.")
FIGURE(CONSTRAINT_ERROR_END, REAL, "constraint_error_end", "constraint error at the end", "length",
       "How far a link is from its length, or two particles overlap, at the end.")
FIGURE(SECONDS, REAL, "seconds", "elapsed time", "seconds", "How long the computer took.")
FIGURE(SUBSTEPS_PER_SECOND, REAL, "substeps_per_second", "substeps of a particle per second",
       "1/second", "How many substeps of one particle it computed in a second.")
