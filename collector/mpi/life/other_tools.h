/* Finds others in the process that have MPI's functions (PMPI): tools, and programs with wrappers of their own. */
#ifndef HIERA_OTHER_TOOLS_H
#define HIERA_OTHER_TOOLS_H

#include <stdbool.h>

/* Look who is there. Before anything else of this file. Not in a signal handler. */
void hiera_company_find(void);

/* Print messages about those that are there. */
void hiera_company_report(void);

/* Why the trace may lack calls: text number i; NULL: there is none. May be called in a signal handler. */
const char *hiera_company_missing(unsigned i);

#endif
