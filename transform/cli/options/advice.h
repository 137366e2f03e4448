/* Advice for the next run of the program, from the rows of the results. */
#pragma once

#include "hiera_measure.h"

/* Return one line of advice if the call sites of some rows are an object and an offset, without file and line; else
 * NULL. To be freed with g_free.
 * @param tables  HieraTable * */
char *advice_on_sites(const GPtrArray *tables);
