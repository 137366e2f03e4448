#include "door.h"

#include "loaded/loaded_symbols.h"
#include "mpi/call/door_entry.h"
#include "mpi/call/own_calls.h"
#include "mpi/life/handing_on.h"
#include "mpi/life/next_functions.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

HIERA_DOOR_ENTRY("hiera_door_undecided", "hiera_door_decide")

/* --- owner of a function: MPI, a tool, or another library --- */

static bool is_of_mpi(const char *library, const void *mpi)
{
    return strcmp(library, mpi) == 0 || hiera_is_of_mpi(library);
}

/* Whether an object is MPI's: it has the twin (the name with a p), and is MPI itself or needs MPI. A dummy MPI may have
 * twins, too. */
static bool is_mpi(const HieraSymbols *object, const HieraFortranDoor *door)
{
    HieraSymbols mpi;
    return hiera_symbols_find(object, door->entry->twin) &&
           hiera_symbols_at((const void *)(uintptr_t)hiera_own.Send, &mpi) &&
           (mpi.base == object->base || hiera_symbols_need(object, is_of_mpi, hiera_symbols_library(&mpi)));
}

static HieraFunctionOwner owner_of(const HieraFortranDoor *door, const void *function)
{
    HieraSymbols object;
    if (!hiera_symbols_at(function, &object) || hiera_next_is_ours(&object))
        return HIERA_OWNER_NOBODY;
    if (is_mpi(&object, door))
        return HIERA_OWNER_MPI;
    bool goes_on = hiera_symbols_ask(&object, hiera_next_is_twin, door->name) ||
                   hiera_needed_ask(&object, hiera_next_is_twin, door->name);
    return goes_on ? HIERA_OWNER_TOOL : HIERA_OWNER_OTHER;
}

/* --- the function that a call would have reached without Hiera --- */

static bool is_name(const char *asked, const void *name)
{
    return strcmp(asked, name) == 0;
}

/* Whether the program or library that the call site is in refers to this name at all. */
static bool knows(const void *site, const char *name)
{
    HieraSymbols object;
    return !hiera_symbols_at(site, &object) || hiera_symbols_ask(&object, is_name, name);
}

typedef struct Others {
    const HieraFortranDoor *door;
    void *function;
} Others;

static int look_for_others(struct dl_phdr_info *object, size_t size, void *data)
{
    Others *others = data;
    HieraSymbols symbols;
    (void)size;
    void *function = hiera_symbols_read(object, &symbols) ? hiera_symbols_find(&symbols, others->door->name) : NULL;
    HieraFunctionOwner owner = owner_of(others->door, function);
    others->function = owner == HIERA_OWNER_OTHER || owner == HIERA_OWNER_TOOL ? function : NULL;
    return others->function != NULL;
}

/* The caller's object does not refer to the name, so it calls through a pointer, which comes from an object that does:
 * the one that has a function of this name itself. */
static void *find_elsewhere(const HieraFortranDoor *door)
{
    Others others = {door, NULL};
    dl_iterate_phdr(look_for_others, &others);
    return others.function;
}

/* Whether this function, found behind Hiera, is Hiera's: then MPI's name has been led here (life/other_doors.h). */
static bool is_led(const void *function)
{
    HieraSymbols object;
    return hiera_symbols_at(function, &object) && hiera_next_is_ours(&object);
}

/* Choose the target of a call. *final: whether the target is the same for every caller, and stays so. Objects that the
 * program began with come before objects that are loaded later. */
static HieraFortranCode *decide(HieraFortranDoor *door, const void *site, bool *final)
{
    void *next = dlsym(RTLD_NEXT, door->name);
    HieraFunctionOwner owner = is_led(next) ? HIERA_OWNER_MPI : owner_of(door, next);
    *final = owner == HIERA_OWNER_MPI || owner == HIERA_OWNER_TOOL;
    if (owner == HIERA_OWNER_NOBODY) {
        next = hiera_symbols_find_for(site, door->name);
        next = next || knows(site, door->name) ? next : find_elsewhere(door);
        owner = owner_of(door, next);
    }
    if (owner == HIERA_OWNER_OTHER)
        return (HieraFortranCode *)next;
    /* In these cases call `next`, not its PMPI twin: then a PMPI tool behind Hiera sees the calls. */
    if (owner == HIERA_OWNER_TOOL || (owner == HIERA_OWNER_MPI && hiera_next_has_tool))
        __atomic_store_n(&door->entry->forward, (HieraFortranCode *)next, __ATOMIC_RELEASE);
    return door->own;
}

/* --- how long the target chosen for a Fortran name stays valid --- */

/* Store in *changes how often shared libraries were loaded and unloaded, plus one. */
static int count_changes(struct dl_phdr_info *object, size_t size, void *changes)
{
    (void)size;
    *(uint64_t *)changes = object->dlpi_adds + object->dlpi_subs + 1;
    return 1;
}

/* Each thread keeps its last decision, which is valid for the same caller. If only MPI has the name, all callers mean
 * MPI's function. */
HieraFortranCode *hiera_door_decide(HieraFortranDoor *door, const void *site)
{
    static __thread struct {
        const HieraFortranDoor *door;
        const void *site;
        uint64_t changes;
        HieraFortranCode *to;
    } last __attribute__((tls_model("initial-exec")));
    int saved_errno = errno;
    uint64_t changes = 0;
    dl_iterate_phdr(count_changes, &changes);
    if (__atomic_load_n(&door->alone, __ATOMIC_RELAXED) == changes)
        return door->own;
    if (last.door != door || last.site != site || last.changes != changes) {
        bool final;
        last.to = decide(door, site, &final);
        last.door = door;
        last.site = site;
        last.changes = changes;
        if (final)
            __atomic_store_n(&door->to, last.to, __ATOMIC_RELEASE);
        else if (last.to == door->own && !find_elsewhere(door))
            __atomic_store_n(&door->alone, changes, __ATOMIC_RELAXED);
    }
    errno = saved_errno;
    return last.to;
}
