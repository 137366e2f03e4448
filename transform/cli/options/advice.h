/* Advice for the next run of the program, from the rows of the results. */
#ifndef HIERA_CLI_ADVICE_H
#define HIERA_CLI_ADVICE_H

#include "hiera_measure.h"

/* Return one line of advice if call sites of some rows are an object file and an offset instead of file and line; else
 * NULL. To be freed with g_free.
 * @param tables  HieraTable * */
char *advice_on_sites(const GPtrArray *tables);

#endif
