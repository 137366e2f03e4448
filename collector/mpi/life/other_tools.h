/* Finds other objects in the process that have MPI functions (PMPI): tools, and programs with wrappers of their own. */
#pragma once

#include <stdbool.h>

/* Find the objects. Must be called before the other functions of this file. Not in a signal handler. */
void hiera_company_find(void);

/* Print messages about the objects found. */
void hiera_company_report(void);

/* Return text number i of the reasons why the trace may lack calls; NULL: there are no more. May be called in a signal
 * handler. */
const char *hiera_company_missing(unsigned i);
