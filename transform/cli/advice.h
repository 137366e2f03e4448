/* Advice for the next run that the rows of an answer give. */
#ifndef HIERA_CLI_ADVICE_H
#define HIERA_CLI_ADVICE_H

#include "hiera_measure.h"

/* One line where call sites in the tables (HieraTable *) are known as object and offset only; else NULL. To be freed. */
char *advice_on_sites(const GPtrArray *tables);

#endif
