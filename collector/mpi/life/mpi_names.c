#include "mpi_names.h"

#include "mpi/call/call_record.h"

#include <string.h>
#include <strings.h>

const char *hiera_mpi_name_of(unsigned call, HieraTwinName *name)
{
    memcpy(name->pmpi, "PMPI_", 5); /* not snprintf(), which would take long for thousands of names */
    strcpy(name->pmpi + 5, hiera_mpi_calls[call].function);
    return name->pmpi + 1;
}

const char *hiera_mpi_twin_of(const char *mpi, HieraTwinName *name)
{
    size_t bytes = strlen(mpi) + 1;
    if (bytes >= sizeof name->pmpi)
        return NULL;
    name->pmpi[0] = strncmp(mpi, "mpi", 3) == 0 ? 'p' : 'P';
    memcpy(name->pmpi + 1, mpi, bytes);
    return name->pmpi;
}

bool hiera_mpi_is_name(const char *name, const void *unused)
{
    (void)unused;
    return strncasecmp(name, "mpi_", 4) == 0;
}

bool hiera_mpi_is_twin(const char *name, const void *unused)
{
    return (name[0] == 'P' || name[0] == 'p') && hiera_mpi_is_name(name + 1, unused);
}

const char *hiera_mpi_name_without_p(const char *name)
{
    return hiera_mpi_is_twin(name, NULL) ? name + 1 : name;
}

bool hiera_mpi_is_of_c(const char *name)
{
    return strncmp(hiera_mpi_name_without_p(name), "MPI_", 4) == 0;
}

unsigned hiera_mpi_call_of(const char *name)
{
    unsigned call = 0;
    const char *function = hiera_mpi_is_of_c(name) ? hiera_mpi_name_without_p(name) + 4 : NULL;
    while (call < hiera_mpi_call_count && (!function || strcmp(hiera_mpi_calls[call].function, function) != 0))
        call = function ? call + 1 : hiera_mpi_call_count;
    return call;
}
