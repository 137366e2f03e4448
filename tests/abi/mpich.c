/* See layer.h. Compiled with MPICH's <mpi.h>. */
#include "mpi/call/handle_classes.h"

#include <stddef.h>
#include <string.h>

#include "predefined.h" /* MPICH's <mpi.h>, which it includes, needs NULL */

_Static_assert(sizeof(MPI_Status) == 5 * sizeof(int) && offsetof(MPI_Status, MPI_SOURCE) == 2 * sizeof(int),
               "LowerStatus is the status of MPICH");

int mpich_handle(unsigned class, const char *name, int other);
void *lower_status_ignore(void);
void *lower_statuses_ignore(void);

static int value_of(unsigned class, unsigned i)
{
    switch (class) {
#define X(identifier, type, prefix)                                                                                    \
    case HIERA_HANDLE_##identifier:                                                                                    \
        return (int)(intptr_t)hiera_predefined_##identifier[i];
        HIERA_HANDLE_CLASSES(X)
#undef X
    }
    return 0;
}

int mpich_handle(unsigned class, const char *name, int other)
{
    if (strcmp(name, "MPI_REQUEST_NULL") == 0)
        return MPI_REQUEST_NULL;
    for (unsigned i = 0; i < hiera_predefined_count[class]; i++)
        if (strcmp(hiera_predefined_names[class][i], name) == 0)
            return value_of(class, i);
    return other;
}

void *lower_status_ignore(void)
{
    return MPI_STATUS_IGNORE;
}

void *lower_statuses_ignore(void)
{
    return MPI_STATUSES_IGNORE;
}
