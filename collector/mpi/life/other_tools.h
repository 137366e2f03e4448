/* Finds PMPI tools, and programs with their own wrappers of MPI functions, in this process. */
#pragma once

#include <stdbool.h>

/* Find such tools and programs. Call this before the other functions of this file. Not in a signal handler. */
void hiera_company_find(void);

/* Print a message for each tool or program that was found. */
void hiera_company_report(void);

/* Return text number i of the reasons why the trace may lack calls; NULL: there are no more. May be called in a signal
 * handler. */
const char *hiera_company_missing(unsigned i);
