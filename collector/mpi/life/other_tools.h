/* Finds other tools in the process that intercept MPI calls (PMPI). */
#ifndef HIERA_OTHER_TOOLS_H
#define HIERA_OTHER_TOOLS_H

#include <stdbool.h>

typedef struct HieraCompany {
    const char *name;     /* name of its library or program; NULL: there is none */
    const char *function; /* a function that it intercepts, without MPI_ */
    bool in_front;        /* it gets the calls of the program, and Hiera does not */
} HieraCompany;

/* The first other tool that is found. Must not be called in a signal handler. */
HieraCompany hiera_company_find(void);

/* Print a message if there is one. */
void hiera_company_report(void);

#endif
