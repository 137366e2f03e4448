/* Other tools in the process that intercept MPI as we do. */
#ifndef HIERA_OTHER_TOOLS_H
#define HIERA_OTHER_TOOLS_H

#include <stdbool.h>

typedef struct HieraCompany {
    const char *name;     /* of its library or program; NULL: we are alone */
    const char *function; /* that it has, without MPI_ */
    bool in_front;        /* the program's calls reach it, not us */
} HieraCompany;

/* The first that is found. Not in a signal handler. */
HieraCompany hiera_company_find(void);

/* Say so, if there is one. */
void hiera_company_report(void);

#endif
