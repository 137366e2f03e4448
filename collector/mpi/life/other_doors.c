#include "other_doors.h"

#include "base/settings.h"
#include "door_targets.h"
#include "dtd/lost.h"
#include "loaded/redirect.h"
#include "mpi/call/call_record.h"
#include "mpi/call/own_calls.h"
#include "mpi_names.h"
#include "next_functions.h"
#include "places/site_text.h"
#include "static_calls.h"
#include "twins.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

/* --- references of loaded objects --- */

/* Whether a reference that is not bound yet, since it leads into its own object, will be bound to MPI: a PMPI name is
 * MPI's in any case. */
static bool will_be_mpis(const HieraDoorCaller *caller, const char *name, const void *now)
{
    bool is_mpis = hiera_mpi_is_twin(name, NULL) || (!hiera_mpi_is_of_c(name) && hiera_door_objects.fortran_is_first);
    return is_mpis && hiera_door_is_inside(caller->info, (uintptr_t)now);
}

/* Whether Hiera itself uses a reference of the program that it is part of: a conversion of Fortran's handles. */
static bool is_shared_with_us(const HieraDoorCaller *caller, const char *name)
{
    return caller->object.base == hiera_door_objects.ours.base && (strstr(name, "_f2c") || strstr(name, "_c2f"));
}

/* Calls of the program are led to a wrapper, or to code that notes them where a tool behind Hiera has the function.
 * Other references of PMPI names are bound to MPI now, since these names lead to Hiera later on. */
static const void *lead_reference(const char *name, const void *now, void *data)
{
    HieraDoorCaller *caller = data;
    const void *function = hiera_door_function_of(name);
    if (!function || (now != function && !will_be_mpis(caller, name, now)))
        return now;
    bool is_programs = !is_shared_with_us(caller, name) && hiera_door_is_programs(caller, name);
    const void *wrapper = is_programs ? hiera_door_wrapper_of(name) : NULL;
    if (wrapper || !hiera_door_find_led(name))
        return wrapper ? wrapper : now;
    return is_programs ? hiera_twin_of(hiera_mpi_call_of(name)) : function;
}

static int lead_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraDoorCaller caller = {.info = info};
    (void)size;
    (void)unused;
    if (hiera_symbols_read(info, &caller.object) &&
        !(hiera_door_objects.is_part && caller.object.base == hiera_door_objects.ours.base))
        hiera_redirect_references(info, lead_reference, &caller);
    return 0;
}

static void take_fortran(void)
{
    for (const HieraOwnFortran *own = hiera_own_fortran; own->twin; own++) {
        const void *function = hiera_door_function_of_fortran(own->twin);
        if (function)
            memcpy(own->pointer, &function, sizeof function);
    }
}

/* Lead the references of the program that Hiera is part of. Hiera's own calls do not use them from now on. */
static int lead_ours(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraDoorCaller caller = {.info = info};
    HieraTwinName name;
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &caller.object) || caller.object.base != hiera_door_objects.ours.base)
        return 0;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        hiera_mpi_name_of(i, &name);
        const void *function = hiera_symbols_find(&hiera_door_objects.mpi, name.pmpi);
        if (function && !hiera_next_behind(i))
            memcpy(hiera_mpi_calls[i].next, &function, sizeof function);
    }
    hiera_door_objects.is_part = true;
    hiera_redirect_references(info, lead_reference, &caller);
    hiera_own_take(&hiera_door_objects.mpi); /* these pointers are references, too */
    take_fortran();
    return 1;
}

/* --- names in the symbol tables of MPI's libraries --- */

/* Return the functions whose PMPI names may lead to Hiera (Objects.led). What stands in for MPI's function by the same
 * PMPI name may look it up later to reach MPI. */
static const void **choose_led(void)
{
    HieraTwinName name;
    const void **led = calloc(hiera_mpi_call_count, sizeof *led);
    for (unsigned i = 0; led && i < hiera_mpi_call_count; i++) {
        hiera_mpi_name_of(i, &name);
        const void *function = hiera_symbols_find(&hiera_door_objects.mpi, name.pmpi);
        led[i] = hiera_twin_of(i) && dlsym(RTLD_DEFAULT, name.pmpi) == function ? function : NULL;
    }
    return led;
}

static void lead_names(const HieraRedirect *table)
{
    HieraTwinName name;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        const void *wrapper = (const void *)(uintptr_t)hiera_mpi_calls[i].wrapper;
        const void *twin = hiera_door_objects.led && hiera_door_objects.led[i] ? hiera_twin_of(i) : NULL;
        hiera_mpi_name_of(i, &name);
        if (twin || !hiera_next_behind(i))
            hiera_redirect_symbol(table, name.pmpi + 1, hiera_next_behind(i) ? twin : wrapper);
        if (twin)
            hiera_redirect_symbol(table, name.pmpi, twin);
    }
}

/* Names with one underscore at their end, which nearly all compilers make. A name whose twin is another function keeps
 * its own, which nothing else has; and one that a tool behind Hiera has, too, leads the tool to MPI. */
static const void *lead_name_of_fortran(const char *name, const void *now, void *unused)
{
    size_t n = strlen(name);
    (void)unused;
    if (strncmp(name, "mpi_", 4) != 0 || name[n - 1] != '_' || name[n - 2] == '_' ||
        now != hiera_door_function_of_fortran(name))
        return now;
    const void *wrapper = hiera_door_wrapper_of(name);
    return wrapper && dlsym(RTLD_NEXT, name) == now ? wrapper : now;
}

static void lead_names_of_fortran(void)
{
    for (unsigned i = 0; i < hiera_door_objects.n_fortran && !hiera_next_has_tool; i++) {
        HieraRedirect table;
        if (!hiera_redirect_open(hiera_door_objects.fortran[i].symbols, &table))
            continue;
        hiera_redirect_symbols(&table, lead_name_of_fortran, NULL);
        hiera_redirect_close(&table);
    }
}

static void lead_all(void)
{
    HieraRedirect table;
    hiera_door_objects.is_open = hiera_redirect_open((const void *)(uintptr_t)hiera_own.Init, &table);
    if (hiera_door_objects.is_open && !hiera_door_objects.led)
        hiera_door_objects.led = choose_led();
    hiera_door_objects.has_company = hiera_next_is_any_behind();
    if (strncmp(hiera_symbols_library(&hiera_door_objects.ours), "libhiera", 8) != 0 && !hiera_door_objects.is_part)
        dl_iterate_phdr(lead_ours, NULL);
    dl_iterate_phdr(lead_references, NULL);
    lead_names_of_fortran();
    if (hiera_door_objects.is_open) {
        lead_names(&table);
        hiera_redirect_close(&table);
    }
}

void hiera_doors_open(void)
{
    static bool is_busy; /* another thread does the same */
    if (__atomic_exchange_n(&is_busy, true, __ATOMIC_ACQUIRE))
        return;
    bool is_shared = hiera_symbols_at((const void *)(uintptr_t)hiera_own.Init, &hiera_door_objects.mpi) &&
                     hiera_symbols_at((const void *)(uintptr_t)hiera_doors_open, &hiera_door_objects.ours) &&
                     hiera_door_objects.mpi.base != hiera_door_objects.ours.base;
    if (is_shared)
        hiera_door_find_fortran();
    if (is_shared && strcmp(hiera_settings.bind, "tables") == 0)
        lead_all();
    __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
}

void hiera_doors_open_again(void)
{
    if (hiera_door_objects.mpi.dynamic)
        hiera_doors_open();
}

/* --- what may have come past Hiera --- */

static char missing[MOST + 1][160]; /* the last one has the number of those that it lacks */
static unsigned n_missing;

static void say_missing(const char *whose, const char *where)
{
    if (n_missing < MOST)
        snprintf(missing[n_missing], sizeof missing[0], "calls%s%.64s %.80s", *whose ? " of " : "", whose, where);
    else
        snprintf(missing[MOST], sizeof missing[0], "calls of %u more programs or libraries may go past Hiera to MPI",
                 n_missing - MOST + 1);
    n_missing++;
}

typedef struct Reach {
    HieraDoorCaller caller;
    bool is_bound, is_used; /* whether a reference leads to MPI; whether a call has bound it */
} Reach;

/* Whether a reference of the program that Hiera is part of is a pointer by which Hiera calls MPI. */
static bool is_own_pointer(const HieraDoorCaller *caller, const char *name, const void *place)
{
    uintptr_t own = (uintptr_t)place - (uintptr_t)&hiera_own;
    bool is = is_shared_with_us(caller, name) || own < sizeof hiera_own;
    for (unsigned i = 0; !is && caller->object.base == hiera_door_objects.ours.base && hiera_own_fortran[i].twin; i++)
        is = hiera_own_fortran[i].pointer == place;
    return is;
}

static void look_at_reference(const char *name, void *place, bool is_of_calls, void *data)
{
    Reach *reach = data;
    const void *function = reach->is_used ? NULL : hiera_door_function_of(name);
    if (!function || *(const void **)place != function || !hiera_door_is_programs(&reach->caller, name) ||
        is_own_pointer(&reach->caller, name, place))
        return;
    reach->is_bound = true;
    reach->is_used = is_of_calls && hiera_symbols_are_bound_late(&reach->caller.object);
}

static int look_at_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    Reach reach = {.caller.info = info};
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &reach.caller.object) ||
        (reach.caller.object.base == hiera_door_objects.ours.base && !hiera_door_objects.is_part))
        return 0;
    hiera_symbols_each_reference(&reach.caller.object, look_at_reference, &reach);
    if (reach.is_bound)
        say_missing(info->dlpi_name[0] ? hiera_base_name(info->dlpi_name) : program_invocation_short_name,
                    reach.is_used ? "go past Hiera to MPI" : "may go past Hiera to MPI");
    return 0;
}

/* glibc's list of the namespaces that dlmopen() makes: since 2.35, if r_version is 2 or more. */
typedef struct Namespace {
    struct r_debug debug;
    struct Namespace *next;
} Namespace;

static bool is_copy_used;

/* A copy of MPI in a namespace of its own has handles of its own, so Hiera's wrappers cannot serve its calls. */
static void look_at_copies(void)
{
    Namespace *first = (Namespace *)dlsym(RTLD_DEFAULT, "_r_debug");
    for (Namespace *at = first && first->debug.r_version >= 2 ? first->next : NULL; at; at = at->next)
        for (const struct link_map *map = at->debug.r_map; map; map = map->l_next) {
            HieraSymbols copy;
            char where[96];
            int is_used = 0;
            if (!hiera_symbols_of(map, &copy) ||
                strcmp(hiera_symbols_library(&copy), hiera_symbols_library(&hiera_door_objects.mpi)) != 0)
                continue;
            int (*initialized)(int *);
            void *address = hiera_symbols_find(&copy, "PMPI_Initialized");
            memcpy(&initialized, &address, sizeof address);
            if (!address || initialized(&is_used) != 0 || !is_used)
                continue;
            is_copy_used = true;
            snprintf(where, sizeof where, "go past Hiera to a second %.40s, loaded by dlmopen()",
                     hiera_symbols_library(&copy));
            say_missing("", where);
        }
}

static bool is_unseen;

/* A program that has MPI in it, as a library of the linker. Its code stays as it is, so one look is enough. */
static void look_at_static(void)
{
    static bool is_known;
    static HieraStaticCalls calls;
    if (!is_known)
        calls = hiera_static_calls_find();
    is_known = true;
    is_unseen = calls == HIERA_STATIC_UNKNOWN;
    if (calls == HIERA_STATIC_SOME)
        say_missing(program_invocation_short_name, "may go past Hiera to MPI");
}

void hiera_doors_look_past(void)
{
    n_missing = 0;
    if (hiera_door_objects.mpi.base == hiera_door_objects.ours.base) {
        if (hiera_own.Init)
            look_at_static();
        return;
    }
    if (!hiera_door_objects.led)
        hiera_door_find_fortran(); /* one may have come with a plug-in; else its calls of PMPI names come to Hiera */
    dl_iterate_phdr(look_at_references, NULL);
    if (!hiera_door_objects.is_open)
        say_missing("functions that dlsym() finds", "may go past Hiera to MPI");
    look_at_copies();
}

void hiera_doors_note_some(void)
{
    if (n_missing == 0 && !hiera_twin_past(0))
        strcpy(missing[n_missing++], "calls go past Hiera to MPI, and nothing says whose");
}

bool hiera_doors_copy_is_used(void)
{
    return is_copy_used;
}

const char *hiera_doors_missing(unsigned i)
{
    unsigned n = n_missing <= MOST ? n_missing : MOST + 1;
    if (is_unseen && i == n)
        return HIERA_LOST_UNSEEN;
    return i < n ? missing[i] : hiera_twin_past(i - n); /* of a static MPI there are none of the second kind */
}
