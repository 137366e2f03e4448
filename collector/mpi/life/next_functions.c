#include "next_functions.h"

#include "handing_on.h"
#include "mpi/call/call_record.h"
#include "mpi/call/callbacks.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/own_calls.h"
#include "mpi_names.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool hiera_next_has_tool;

static HieraNextFunction *
    *others; /* by MPI function: a function of this name, not MPI's, that all callers reach; NULL: there is none */
static const void **behind; /* by MPI function: the function of a tool or of another one that its wrapper calls; NULL:
                               none */
static bool depends;        /* whether the caller decides what a call reaches: only Hiera needs MPI in this process */

static bool is_same(const char *library, const void *other)
{
    return strcmp(library, other) == 0;
}

/* Whether an object that refers to this external name may call MPI: it is a PMPI name, or dlsym. */
bool hiera_next_goes_on(const char *asked, const void *unused)
{
    return hiera_mpi_is_twin(asked, unused) || strcmp(asked, "dlsym") == 0;
}

/* Whether `asked` is the PMPI name of the door's function, as in Fortran or C. A name without an underscore at its end
 * may be a function with any arguments, so its twin must be the same name with a p. */
bool hiera_next_is_twin(const char *asked, const void *data)
{
    const char *name = data;
    size_t n = strlen(name);
    bool decorated = n > 0 && name[n - 1] == '_';
    while (n > 0 && name[n - 1] == '_')
        n--;
    if ((asked[0] != 'p' && asked[0] != 'P') || (decorated ? strncasecmp : strncmp)(asked + 1, name, n) != 0)
        return false;
    return strspn(asked + 1 + n, "_") == strlen(asked + 1 + n);
}

bool hiera_next_is_ours(const HieraSymbols *object)
{
    HieraSymbols ours;
    return hiera_symbols_at((const void *)(uintptr_t)hiera_next_is_ours, &ours) && ours.base == object->base;
}

/* Whether an object belongs to MPI: it has the PMPI function, or is a library that Hiera needs. */
static bool is_mpi(const HieraSymbols *object, const char *pmpi)
{
    HieraSymbols ours;
    const char *library = hiera_symbols_library(object);
    if (hiera_symbols_find(object, pmpi))
        return true;
    return library[0] && hiera_symbols_at((const void *)(uintptr_t)hiera_next_is_ours, &ours) &&
           hiera_symbols_library(&ours)[0] && hiera_symbols_need(&ours, is_same, library);
}

HieraFunctionOwner hiera_next_owner(const void *function, unsigned call)
{
    HieraSymbols object;
    HieraTwinName name;
    hiera_mpi_name_of(call, &name);
    if (!hiera_symbols_at(function, &object))
        return HIERA_OWNER_NOBODY;
    if (hiera_next_is_ours(&object))
        return HIERA_OWNER_HIERA;
    if (is_mpi(&object, name.pmpi))
        return HIERA_OWNER_MPI;
    bool goes_on =
        hiera_symbols_ask(&object, hiera_next_goes_on, NULL) || hiera_needed_ask(&object, hiera_mpi_is_twin, NULL);
    return goes_on ? HIERA_OWNER_TOOL : HIERA_OWNER_OTHER;
}

/* Store the function that all callers reach next after Hiera's, if it is a tool's or another one that is not MPI's. */
static void look_behind(unsigned call)
{
    HieraTwinName name;
    void *next = dlsym(RTLD_NEXT, hiera_mpi_name_of(call, &name));
    HieraFunctionOwner owner = next ? hiera_next_owner(next, call) : HIERA_OWNER_NOBODY;
    if (behind)
        behind[call] = owner == HIERA_OWNER_TOOL || owner == HIERA_OWNER_OTHER ? next : NULL;
    if (owner == HIERA_OWNER_TOOL) {
        hiera_next_has_tool = true;
        hiera_callbacks_know_tool(next);
        memcpy(hiera_mpi_calls[call].next, &next, sizeof next);
    } else if (owner == HIERA_OWNER_OTHER && others) {
        others[call] = (HieraNextFunction *)next;
        hiera_mpi_filtered[call] |= HIERA_FILTERED_OTHER;
    }
}

typedef struct Survey {
    const char *mpi;  /* soname of the MPI library in use */
    bool is_company;  /* whether another object than MPI and Hiera has functions of MPI, or refers to PMPI names */
    bool is_mpi_used; /* whether an object other than Hiera needs the MPI library */
} Survey;

static bool has_some(const HieraSymbols *object)
{
    HieraTwinName name;
    bool found = false;
    for (unsigned i = 0; i < hiera_mpi_call_count && !found; i++)
        found = hiera_symbols_find(object, hiera_mpi_name_of(i, &name)) != NULL;
    return found;
}

static int survey(struct dl_phdr_info *info, size_t size, void *data)
{
    Survey *survey = data;
    HieraSymbols object;
    (void)size;
    if (!hiera_symbols_read(info, &object) || hiera_next_is_ours(&object))
        return 0;
    survey->is_mpi_used = survey->is_mpi_used || hiera_symbols_need(&object, is_same, survey->mpi);
    if (survey->is_company || is_mpi(&object, "PMPI_Init") || hiera_is_of_mpi(hiera_symbols_library(&object)))
        return 0;
    bool may_be = hiera_symbols_ask(&object, hiera_next_goes_on, NULL) || hiera_symbols_find(&object, "MPI_Init");
    survey->is_company = may_be && (hiera_symbols_ask(&object, hiera_mpi_is_twin, NULL) || has_some(&object));
    return 0;
}

/* If libhiera or MPI is linked statically, the MPI in the process counts as the program's own. */
void hiera_next_load(void)
{
    HieraSymbols mpi, ours;
    bool known = hiera_symbols_at((const void *)(uintptr_t)hiera_own.Init, &mpi) && hiera_symbols_library(&mpi)[0] &&
                 hiera_symbols_at((const void *)(uintptr_t)hiera_next_is_ours, &ours) &&
                 hiera_symbols_library(&ours)[0];
    Survey seen = {.mpi = known ? hiera_symbols_library(&mpi) : "", .is_mpi_used = !known};
    dl_iterate_phdr(survey, &seen);
    others = seen.is_company ? calloc(hiera_mpi_call_count, sizeof *others) : NULL;
    behind = seen.is_company ? calloc(hiera_mpi_call_count, sizeof *behind) : NULL;
    for (unsigned i = 0; seen.is_company && i < hiera_mpi_call_count; i++)
        look_behind(i);
    depends = !seen.is_mpi_used;
    for (unsigned i = 0; depends && i < hiera_mpi_call_count; i++)
        hiera_mpi_filtered[i] |= HIERA_FILTERED_OTHER;
}

const void *hiera_next_behind(unsigned call)
{
    return behind ? behind[call] : NULL;
}

bool hiera_next_is_any_behind(void)
{
    bool any = false;
    for (unsigned i = 0; i < hiera_mpi_call_count && !any; i++)
        any = hiera_next_behind(i) != NULL;
    return any;
}

void hiera_next_settle(void)
{
    if (!__atomic_exchange_n(&depends, false, __ATOMIC_ACQ_REL))
        return;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        if (!others || !others[i])
            __atomic_and_fetch(&hiera_mpi_filtered[i], (uint8_t)~HIERA_FILTERED_OTHER, __ATOMIC_RELAXED);
}

/* Like hiera_next_owner(), with a cache, because that function searches the loaded libraries. */
static HieraFunctionOwner known_owner(const void *function, unsigned call)
{
    static uint64_t
        answers[64]; /* cache: address of a function and its owner, in one word so that both are read at once */
    uint64_t key = (uint64_t)(uintptr_t)function << 3, *answer = &answers[(uintptr_t)function / 16 % 64];
    uint64_t known = __atomic_load_n(answer, __ATOMIC_RELAXED);
    if (known >> 3 == key >> 3)
        return (HieraFunctionOwner)(known & 7);
    HieraFunctionOwner owner = hiera_next_owner(function, call);
    __atomic_store_n(answer, key | (uint64_t)owner, __ATOMIC_RELAXED);
    return owner;
}

HieraNextFunction *hiera_mpi_other(unsigned call, const void *site)
{
    HieraTwinName name;
    if (others && others[call])
        return others[call];
    if (!__atomic_load_n(&depends, __ATOMIC_RELAXED))
        return NULL;
    void *found = hiera_symbols_find_for(site, hiera_mpi_name_of(call, &name));
    return found && known_owner(found, call) == HIERA_OWNER_OTHER ? (HieraNextFunction *)found : NULL;
}
