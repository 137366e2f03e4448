#include "mpi_t.h"

#include "array_arguments.h"
#include "call_record.h"
#include "own_calls.h"

#include <mpi.h>

int hiera_tool_members(int category, HieraMembers what, int len)
{
    int n[HIERA_MEMBERS_EVENTS + 1] = {0};
    int error = hiera_own.T_category_get_info(category, NULL, NULL, NULL, NULL, &n[HIERA_MEMBERS_CVARS],
                                              &n[HIERA_MEMBERS_PVARS], &n[HIERA_MEMBERS_CATEGORIES]);
#if MPI_VERSION >= 4
    if (error == MPI_SUCCESS && what == HIERA_MEMBERS_EVENTS)
        error = hiera_own.T_category_get_num_events(category, &n[HIERA_MEMBERS_EVENTS]);
#endif
    return error == MPI_SUCCESS ? hiera_least(len, &n[what]) : 0;
}
