/*
 * The figures of a run of events, in the order in which they are written:
 * FIGURE(its name here, form, key, label, unit, meaning for a gas in a box).
 * What includes this list defines FIGURE as what it needs of each, and undefines it; scripts/manual
 * makes the items of the manual page from it.
 */
FIGURE(PARTICLES, WHOLE, "particles", "particles", "", "How many particles there are.")
FIGURE(KINDS, WHOLE, "kinds", "kinds of particles", "",
       "How many different sets of radius, mass and species they have.")
FIGURE(BOX_WIDTH, REAL, "box_width", "box width", "length", "The length of the box along x.")
FIGURE(BOX_HEIGHT, REAL, "box_height", "box height", "length", "The length of the box along y.")
FIGURE(AREA_FRACTION, REAL, "area_fraction", "area fraction", "",
       "The part of the area that the disks cover.")
FIGURE(COLLISIONS_PAIRS, WHOLE, "collisions_pairs", "collisions of two particles", "",
       "Collisions of two particles with each other.")
FIGURE(COLLISION_RATE, MEASURED, "collision_rate", "collision rate", "1/time, per particle",
       "How many collisions with others a particle has in a unit of time.")
FIGURE(COLLISION_RATE_ENSKOG, REAL, "collision_rate_enskog", "  by Enskog's theory", "1/time",
       "What Enskog's theory predicts for so many disks of a fluid in equilibrium; walls raise the "
       "rate a little.")
FIGURE(
    MEAN_FREE_TIME, MEASURED, "mean_free_time", "mean free time", "time",
    "How long a particle flies from one collision with another particle to the next, on average.")
FIGURE(MEAN_FREE_PATH, MEASURED, "mean_free_path", "mean free path", "length",
       "How far a particle flies between collisions with others.")
FIGURE(CONTACT_VALUE, MEASURED, "contact_value", "contact value g(2R)", "",
       "How much denser others are around a disk that touches it than elsewhere, as the collision "
       "rate shows.")
FIGURE(TEMPERATURE_MEAN, MEASURED, "temperature_mean", "temperature, mean", "energy",
       "The kinetic energy for each two degrees of freedom, averaged over time. Boltzmann's "
       "constant is 1.")
FIGURE(TEMPERATURE_END, REAL, "temperature_end", "temperature at the end", "energy",
       "The same at the end of the run.")
FIGURE(PRESSURE_VIRIAL, MEASURED, "pressure_virial", "pressure from the virial", "energy/area",
       "The pressure that the temperature and the collisions of particles with each other show. In "
       "a long run that on the walls is the same.")
FIGURE(COMPRESSIBILITY_VIRIAL, MEASURED, "compressibility_virial", "compressibility factor, virial",
       "", "The pressure from the virial, divided by that of an ideal gas, whose factor is 1.")
FIGURE(COMPRESSIBILITY_ENSKOG, REAL, "compressibility_enskog", "  by Enskog's theory", "",
       of_so_many)
FIGURE(PRESSURE_REDUCED, MEASURED, "pressure_reduced", "reduced pressure p (2R)^2 / T", "",
       "The pressure in units of the temperature divided by the square of a diameter.")
/* The tensor, and its two parts. */
FIGURE(PRESSURE_XX, MEASURED, "pressure_xx", "pressure tensor, xx", "energy/area",
       "The flow of momentum along x in the direction of x: the pressure along x.")
FIGURE(PRESSURE_YY, MEASURED, "pressure_yy", "  yy", "energy/area", "The pressure along y.")
FIGURE(PRESSURE_XY, MEASURED, "pressure_xy", "  xy", "energy/area",
       "The flow of momentum along x in the direction of y. It is 0 in a gas at rest.")
FIGURE(PRESSURE_XX_KINETIC, MEASURED, "pressure_xx_kinetic", "  xx by motion", "energy/area",
       carried)
FIGURE(PRESSURE_YY_KINETIC, MEASURED, "pressure_yy_kinetic", "  yy by motion", "energy/area",
       carried)
FIGURE(PRESSURE_XY_KINETIC, MEASURED, "pressure_xy_kinetic", "  xy by motion", "energy/area",
       carried)
FIGURE(PRESSURE_XX_COLLISIONAL, MEASURED, "pressure_xx_collisional", "  xx by collisions",
       "energy/area", passed_on)
FIGURE(PRESSURE_YY_COLLISIONAL, MEASURED, "pressure_yy_collisional", "  yy by collisions",
       "energy/area", passed_on)
FIGURE(PRESSURE_XY_COLLISIONAL, MEASURED, "pressure_xy_collisional", "  xy by collisions",
       "energy/area", passed_on)
FIGURE(SPEED_MEAN, REAL, "speed_mean", "mean speed at the end", "length/time",
       "The mean of the particles' speeds at the end.")
FIGURE(SPEED_SQUARE, REAL, "speed_square", "mean square speed at the end", "length^2/time^2",
       "The mean of their squares at the end.")
FIGURE(SPEED_RATIO, REAL, "speed_ratio", "mean/rms speed (Maxwell 0.8862)", "",
       "The mean speed divided by the root of the mean square. It is 0.886 in equilibrium, and 1 "
       "if all speeds are the same.")
FIGURE(SPEED_KURTOSIS, MEASURED, "speed_kurtosis", "<c^4>/<c^2>^2 (Maxwell 2)", "",
       "The mean fourth power divided by the square of the mean square, of means over time. It is "
       "2 in equilibrium; larger if there are more fast particles.")
FIGURE(FRAME_VELOCITY_X, REAL, "frame_velocity_x", "velocity of the frame, in x", "length/time",
       "The velocity along x to which paths, speeds, temperature and pressure are relative: that "
       "of all particles together where nothing changes it, or of the stream.")
FIGURE(FRAME_VELOCITY_Y, REAL, "frame_velocity_y", "velocity of the frame, in y", "length/time",
       "The velocity along y to which paths, speeds, temperature and pressure are relative: that "
       "of all particles together where nothing changes it, or of the stream.")
FIGURE(ENERGY_START, REAL, "energy_start", "energy at the start", "energy",
       "The kinetic energy of all particles when the figures begin.")
FIGURE(ENERGY_END, REAL, "energy_end", "energy at the end", "energy",
       "The kinetic energy of all particles at the end.")
FIGURE(ENERGY_DRIFT, REAL, "energy_drift", "  relative change", "",
       "The change of the energy, as part of what it was at the start. Where collisions are "
       "elastic, only rounding makes it differ from 0.")
FIGURE(MOMENTUM_X_START, REAL, "momentum_x_start", "momentum in x at the start", "momentum",
       "The sum of mass times velocity along x when the figures begin.")
FIGURE(MOMENTUM_X_END, REAL, "momentum_x_end", "momentum in x at the end", "momentum",
       "The same at the end. Walls and polygons change it.")
FIGURE(MOMENTUM_Y_START, REAL, "momentum_y_start", "momentum in y at the start", "momentum",
       "The sum of mass times velocity along y when the figures begin.")
FIGURE(MOMENTUM_Y_END, REAL, "momentum_y_end", "momentum in y at the end", "momentum",
       "The same at the end. Walls and polygons change it.")
FIGURE(MOMENTUM_DRIFT, REAL, "momentum_drift", "  relative change, walls apart", "",
       "The change of momentum that walls, polygons and a stream do not explain, as part of all "
       "momenta's sizes. It comes from rounding.")
/* Here the walls begin. */
FIGURE(COLLISIONS_LEFT, WHOLE, "collisions_left", "collisions with the left wall", "",
       "How often a particle came to the wall at x = 0.")
FIGURE(COLLISIONS_RIGHT, WHOLE, "collisions_right", "collisions with the right wall", "",
       "How often a particle came to the wall opposite it.")
FIGURE(COLLISIONS_BOTTOM, WHOLE, "collisions_bottom", "collisions with the bottom wall", "",
       "How often a particle came to the wall at y = 0.")
FIGURE(COLLISIONS_TOP, WHOLE, "collisions_top", "collisions with the top wall", "",
       "How often a particle came to the wall opposite it.")
FIGURE(PRESSURE_WALLS, REAL, "pressure_walls", "pressure on the walls", "energy/area",
       "The momentum that walls and polygons take up, for each unit of their length and time.")
FIGURE(COMPRESSIBILITY_WALLS, REAL, "compressibility_walls", "compressibility factor, walls", "",
       "The pressure on the walls, divided by that of an ideal gas, whose factor is 1.")
/* From here on, only of runs with polygons. */
FIGURE(COLLISIONS_POLYGONS, WHOLE, "collisions_polygons", "collisions with polygons", "",
       "How often particles came to sides and corners of polygons.")
FIGURE(FREE_AREA, REAL, "free_area", "free area", "area",
       "The area of the domain or the box, without obstacles.")
FIGURE(BOUNDARY_LENGTH, REAL, "boundary_length", "length of all boundaries", "length",
       "The length of all walls and of the sides of all polygons.")
FIGURE(MEAN_FREE_PATH_BOUNDARY, REAL, "mean_free_path_boundary", "mean path between boundaries",
       "length",
       "How far a particle flies from one wall or polygon to the next, other particles apart.")
FIGURE(MEAN_FREE_PATH_BOUNDARY_THEORY, REAL, "mean_free_path_boundary_theory",
       "  of points: pi area / length", "length",
       "What it is for particles that come everywhere in every direction.")
/* From here on, only of runs with a stream. */
FIGURE(STREAM_SPEED, REAL, "stream_speed", "speed of the stream", "length/time",
       "The mean velocity along x with which the stream comes in.")
FIGURE(STREAM_TEMPERATURE, REAL, "stream_temperature", "temperature of the stream", "energy",
       "The temperature with which it comes in.")
FIGURE(STREAM_PASSAGES, WHOLE, "stream_passages", "particles it has renewed", "",
       "How many velocities the stream has given to particles that came to the sides of the box "
       "along x.")
FIGURE(MOMENTUM_X_SEAM, REAL, "momentum_x_seam", "  momentum given to them, in x", "momentum",
       "The momentum along x that particles have gained by that.")
FIGURE(MOMENTUM_Y_SEAM, REAL, "momentum_y_seam", "  momentum given to them, in y", "momentum",
       "The momentum along y that particles have gained by that.")
FIGURE(STREAM_DENSITY, MEASURED, "stream_density", "density of what comes in", "1/area",
       "Particles per area in the stream that comes in, from how many do.")
FIGURE(STREAM_DENSITY_RATIO, REAL, "stream_density_ratio", "  / mean density, N / free area", "",
       "This density divided by that of the whole. What differs is stored before obstacles or "
       "missing behind them.")
FIGURE(FORCE_X, REAL, "force_x", "force on all polygons, in x", "momentum/time",
       "The mean force of the gas on all polygons along x: their drag.")
FIGURE(FORCE_Y, REAL, "force_y", "force on all polygons, in y", "momentum/time",
       "The mean force of the gas on all polygons along y: their lift.")
FIGURE(STREAM_SPEED_RATIO, REAL, "stream_speed_ratio", "speed ratio U / sqrt(2T/m)", "",
       "The stream's speed divided by the most probable speed of its particles at rest.")
FIGURE(MACH, REAL, "mach", "Mach number", "", "The stream's speed divided by the speed of sound.")
FIGURE(KNUDSEN, REAL, "knudsen", "Knudsen number", "",
       "The mean free path divided by the length of the largest obstacle. Far below 1 a gas flows "
       "as a fluid does, far above as single particles.")
/* From here on, of all runs again: what the run was. */
FIGURE(END_TIME, REAL, "end_time", "end time", "time",
       "When the run ends, in the units of the input.")
FIGURE(COLLISIONS, WHOLE, "collisions", "collisions", "",
       "All collisions, of two particles and with walls and polygons, if there are any.")
FIGURE(SECONDS, REAL, "seconds", "elapsed time", "seconds", "How long the computer took.")
FIGURE(COLLISIONS_PER_SECOND, REAL, "collisions_per_second", "collisions per second", "1/second",
       "How many collisions it computed in a second.")
FIGURE(STATS_FROM, REAL, "stats_from", "figures count from", "time",
       "Collisions and flights before this time do not count in the figures.")
/* From here on, of runs with walls that act. */
FIGURE(ENERGY_WALLS, REAL, "energy_walls", "energy given by walls", "energy",
       "The energy that walls and polygons have given to particles, less what they have taken.")
FIGURE(ENERGY_BALANCE, REAL, "energy_balance", "  relative change, walls apart", "",
       "The change of the energy that walls, polygons, a stream and lossy collisions do not "
       "explain, as part of it. It comes from rounding.")
FIGURE(HEAT_LEFT, MEASURED, "heat_left", "heat flux, left", "energy/(length time)", heat_taken)
FIGURE(SHEAR_LEFT, MEASURED, "shear_left", "shear stress, left", "energy/area", shear_taken)
FIGURE(HEAT_RIGHT, MEASURED, "heat_right", "heat flux, right", "energy/(length time)", heat_taken)
FIGURE(SHEAR_RIGHT, MEASURED, "shear_right", "shear stress, right", "energy/area", shear_taken)
FIGURE(HEAT_BOTTOM, MEASURED, "heat_bottom", "heat flux, bottom", "energy/(length time)",
       heat_taken)
FIGURE(SHEAR_BOTTOM, MEASURED, "shear_bottom", "shear stress, bottom", "energy/area", shear_taken)
FIGURE(HEAT_TOP, MEASURED, "heat_top", "heat flux, top", "energy/(length time)", heat_taken)
FIGURE(SHEAR_TOP, MEASURED, "shear_top", "shear stress, top", "energy/area", shear_taken)
/* From here on, of runs with walls that absorb. */
FIGURE(ABSORBED, WHOLE, "absorbed", "absorbed particles", "",
       "How many particles walls have absorbed. They are in no other figure from then on, but for "
       "the number of particles.")
FIGURE(ABSORBED_RATE, MEASURED, "absorbed_rate", "  rate", "1/time",
       "How many particles walls absorb in a unit of time.")
FIGURE(ABSORBED_ENERGY, REAL, "absorbed_energy", "  energy that left with them", "energy",
       "Their kinetic energy, which is in what walls take up, too.")
FIGURE(ABSORBED_MOMENTUM_X, REAL, "absorbed_momentum_x", "  momentum, in x", "momentum",
       "Their momentum along x.")
FIGURE(ABSORBED_MOMENTUM_Y, REAL, "absorbed_momentum_y", "  momentum, in y", "momentum",
       "Their momentum along y.")
/* From here on, of runs under gravity. */
FIGURE(POTENTIAL_START, REAL, "potential_start", "  in the field of gravity, start", "energy",
       "The part of the energy at the start that is due to gravity; it is 0 at the origin.")
FIGURE(POTENTIAL_END, REAL, "potential_end", "  in the field of gravity, end", "energy",
       "The same at the end.")
/* From here on, of runs in which disks grow. */
FIGURE(JAMMING_FRACTION, REAL, "jamming_fraction", "jamming fraction", "",
       "The area fraction at which the pressure becomes infinite if disks stay with their "
       "neighbours.")
FIGURE(CONTACTS_MEAN, REAL, "contacts_mean", "contacts of a disk", "",
       "How many others, and walls, a disk has collided with among the last 100 N collisions, "
       "without rattlers. It is 4 where contacts just hold a packing.")
FIGURE(RATTLERS, WHOLE, "rattlers", "rattlers", "",
       "Disks that less than 3 contacts hold, if other rattlers are taken away.")
FIGURE(PSI6_LOCAL, REAL, "psi6_local", "bond order, local", "",
       "How close neighbours are to a hexagon around each disk: 1 in a perfect crystal.")
FIGURE(PSI6_GLOBAL, REAL, "psi6_global", "bond order, global", "",
       "The same of all disks together: hexagons of other directions count less.")
/* Only of rough disks. */
FIGURE(ROTATIONAL_TEMPERATURE, REAL, "rotational_temperature", "temperature of rotation", "energy",
       "Twice the mean energy of the rotation of a particle, at the end.")
/* From here on, of each of several species, and of each pair of them: keys have their numbers. */
FIGURE(SPECIES_TEMPERATURE, MEASURED, "temperature_%d", "temperature of species %d", "energy",
       "The mean temperature of this species alone.")
FIGURE(SPECIES_PRESSURE, MEASURED, "pressure_%d", "  its share of the pressure", "energy/area",
       "What the species carries, and half of what it passes on in collisions with others.")
FIGURE(PAIR_RATE, MEASURED, "collision_rate_%d_%d", "collision rate, %d with %d",
       "1/time, per particle",
       "How many collisions with the second species one of the first has in a unit of time.")
FIGURE(PAIR_RATE_ENSKOG, REAL, "collision_rate_%d_%d_enskog", "  by Enskog's theory", "1/time",
       of_so_many)
FIGURE(PAIR_CONTACT, MEASURED, "contact_value_%d_%d", "contact value, %d with %d", "",
       "How much denser the second species is around one of the first that touches it.")
FIGURE(PAIR_CONTACT_ENSKOG, REAL, "contact_value_%d_%d_enskog", "  in Enskog's theory", "",
       "What a fluid of these species has in equilibrium.")
