/* Communicators in variables of the program: hiera_assertion_processes(). Only the collector's own map is searched, so
 * a handle that is null, freed or not set is no error. */
#include "fortran.h"
#include "hiera.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/comms.h"
#include "mpi/life/mpi_library.h"
#include "record/assertion.h"

#include <math.h>

/* Whether MPI is initialized and not finalized: only then can MPI convert a Fortran integer to a handle. */
static bool is_mpi_there(void)
{
    int begun = 0, ended = 0;
    if (!hiera_mpi_is_there())
        return false;
    hiera_own.Initialized(&begun);
    hiera_own.Finalized(&ended);
    return begun && !ended;
}

static bool is_type_of_handles(unsigned type)
{
    return sizeof(MPI_Comm) == sizeof(void *) ? type == HIERA_TYPE_POINTER : type == HIERA_TYPE_INT;
}

bool hiera_assertion_may_be_comm(unsigned type)
{
    return type == HIERA_TYPE_FORTRAN_INT || is_type_of_handles(type);
}

static uint32_t find_number(const volatile void *variable, unsigned type)
{
    bool is_handle = is_type_of_handles(type);
    if (type == HIERA_TYPE_FORTRAN_INT)
        return is_mpi_there() ? hiera_fortran_number(HIERA_HANDLE_COMM, *(const volatile MPI_Fint *)variable) : 0;
    return is_handle ? hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(*(const volatile MPI_Comm *)variable)) : 0;
}

double hiera_assertion_processes(const volatile void *variable, unsigned type)
{
    uint32_t number = find_number(variable, type);
    int size = number != 0 ? hiera_comm_facts(number)->size : 0;
    return size > 0 ? size : (double)NAN;
}
