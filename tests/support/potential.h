/* Potential flow of a column of water, 1 wide, that collapses on a floor: what water without
 * viscosity does, by a method that shares nothing with smoothed particles. Gravity is 1/2, so times
 * are t sqrt(2 g / width). */
#ifndef PARTICLES_TESTS_POTENTIAL_H
#define PARTICLES_TESTS_POTENTIAL_H

struct potential_flow;

/* A column at rest between the wall x = 0 and nothing. Its surface has nodes `finest` apart at the
 * front. The caller gives it to potential_free. */
struct potential_flow *potential_create(double height, double finest);

void potential_free(struct potential_flow *flow);

/* Moves it on to a time. */
void potential_advance(struct potential_flow *flow, double time);

struct potential_figures {
    double front;        /* where the surface meets the floor */
    double behind;       /* the water beyond this place has the area `beyond` */
    double height;       /* at the wall */
    double area, energy; /* of all water, which are conserved */
};

struct potential_figures potential_figures(const struct potential_flow *flow, double beyond);

#endif
