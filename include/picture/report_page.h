/*
 * The page of --report.
 */
#ifndef PARTICLES_REPORT_PAGE_H
#define PARTICLES_REPORT_PAGE_H

#include "observe/report.h"

/*
 * Writes the page: one file of HTML that needs no other and no script. It says what was run, and
 * shows the final picture or, of more than REPORT_MOST_DRAWN particles, their density; the figures,
 * each with what it says; and plots, or a sentence where there is too little for one. It is light
 * or dark as the viewer's system, and light in print. The picture is shown by browsers that know
 * declarative shadow trees, as all do since 2024.
 */
report_writer report_page_write;

#endif
