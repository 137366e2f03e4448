#include "mpi_names.h"

#include "mpi/call/call_record.h"
#include "text/hash.h"

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

static bool is_mpichs(const char *name)
{
    return strncmp(name, "pmpir_", 6) == 0 && strlen(name) < sizeof(HieraTwinName);
}

bool hiera_mpi_is_twin(const char *name, const void *unused)
{
    return (name[0] == 'P' || name[0] == 'p') && (hiera_mpi_is_name(name + 1, unused) || is_mpichs(name));
}

const char *hiera_mpi_name_without_p(const char *name, HieraTwinName *room)
{
    if (!is_mpichs(name))
        return hiera_mpi_is_twin(name, NULL) ? name + 1 : name;
    memcpy(room->pmpi, "pmpi_", 5);
    strcpy(room->pmpi + 5, name + 6);
    return room->pmpi + 1;
}

bool hiera_mpi_is_of_c(const char *name)
{
    return strncmp(name, "MPI_", 4) == 0 || strncmp(name, "PMPI_", 5) == 0;
}

/* Hash table of the functions' names, with linear probing: number of a function + 1; 0: free. It has room for more
 * functions than MPI has. */
enum { SLOTS = 4096 };
static uint16_t slots[SLOTS];

static uint16_t *slot_of(const char *function)
{
    size_t at = hiera_hash_text(HIERA_HASH_BEGIN, function) % SLOTS;
    while (slots[at] && strcmp(hiera_mpi_calls[slots[at] - 1].function, function) != 0)
        at = (at + 1) % SLOTS;
    return &slots[at];
}

void hiera_mpi_names_load(void)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        *slot_of(hiera_mpi_calls[i].function) = (uint16_t)(i + 1);
}

unsigned hiera_mpi_call_of(const char *name)
{
    uint16_t number = hiera_mpi_is_of_c(name) ? *slot_of(strchr(name, '_') + 1) : 0;
    return number ? number - 1u : hiera_mpi_call_count;
}
