/* Advice how to record the next run of the program, from the rows of the tables. */
#pragma once

#include "hiera_measure.h"

/* Return one line of advice if call sites of some rows are an object file and an offset instead of file and line; else
 * NULL. To be freed with g_free.
 * @param tables  HieraTable * */
char *advice_on_sites(const GPtrArray *tables);
