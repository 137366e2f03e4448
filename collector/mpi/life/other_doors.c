#include "other_doors.h"

#include "base/settings.h"
#include "handing_on.h"
#include "loaded/redirect.h"
#include "mpi/call/call_record.h"
#include "mpi_names.h"
#include "next_functions.h"
#include "places/site_text.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

typedef struct Objects {
    HieraSymbols mpi, ours;
    HieraSymbols fortran[MOST]; /* MPI's Fortran libraries that call C by PMPI names, which Hiera does not see */
    unsigned n_fortran;
    bool is_behind,
        fortran_is_first; /* whether Hiera was among the objects before; one of `fortran` comes before Hiera */
    bool is_locked;       /* whether the symbol table of MPI's library cannot be changed */
    const void **led; /* by MPI function: MPI's own, if its PMPI name leads to Hiera, too; else NULL. NULL: none does */
} Objects;

static Objects objects; /* those of this process, since the doors were opened */

/* --- the function that a name means, and the wrapper that a call should reach --- */

static const void *function_of_fortran(const char *name)
{
    HieraTwinName twin;
    const void *function = NULL;
    if (!hiera_mpi_is_twin(name, NULL))
        name = hiera_mpi_twin_of(name, &twin);
    for (unsigned i = 0; i < objects.n_fortran && name && !function; i++)
        function = hiera_symbols_find(&objects.fortran[i], name);
    return function;
}

/* Return MPI's function of C whose PMPI name leads to Hiera; NULL: it does not. */
static const void *find_led(const char *name)
{
    unsigned call = objects.led ? hiera_mpi_call_of(name) : hiera_mpi_call_count;
    return call < hiera_mpi_call_count ? objects.led[call] : NULL;
}

static const void *function_of_c(const char *name)
{
    HieraTwinName names;
    const char *twin = hiera_mpi_is_twin(name, NULL) ? name : hiera_mpi_twin_of(name, &names);
    const void *led = find_led(name);
    return led || !twin ? led : hiera_symbols_find(&objects.mpi, twin);
}

/* Return MPI's own function with this name, with or without P, of C or Fortran. */
static const void *function_of(const char *name)
{
    if (!hiera_mpi_is_name(hiera_mpi_name_without_p(name), NULL))
        return NULL;
    return hiera_mpi_is_of_c(name) ? function_of_c(name) : function_of_fortran(name);
}

/* Return Hiera's function for an MPI name or its PMPI twin; NULL: it has none, or a tool behind Hiera has the function:
 * the tool's own calls of these names must reach MPI. */
static const void *wrapper_of(const char *name)
{
    unsigned call = hiera_mpi_call_of(name);
    if (call < hiera_mpi_call_count)
        return hiera_next_is_behind(call) ? NULL : (const void *)(uintptr_t)hiera_mpi_calls[call].wrapper;
    return hiera_next_has_tool || hiera_mpi_is_of_c(name)
               ? NULL
               : hiera_symbols_find(&objects.ours, hiera_mpi_name_without_p(name));
}

/* --- references of loaded objects --- */

typedef struct Caller {
    const struct dl_phdr_info *info;
    HieraSymbols object;
    bool is_known; /* whether the members below are: few objects refer to MPI, and to find them out takes long */
    bool is_mpis; /* MPI itself, one of its libraries or components (mca_io_romio321.so), a stand-in for it, or Hiera */
    bool has_wrappers; /* the object has wrappers of MPI functions: it is a tool, or a program with wrappers of its own
                        */
} Caller;

static void know(Caller *caller)
{
    const HieraSymbols *object = &caller->object;
    const char *library = hiera_symbols_library(object);
    if (caller->is_known)
        return;
    caller->is_known = true;
    caller->is_mpis = object->base == objects.mpi.base || object->base == objects.ours.base ||
                      hiera_is_of_mpi(library) || strncmp(library, "mca_", 4) == 0 ||
                      strncmp(library, "libmca_", 7) == 0 || hiera_symbols_define(object, hiera_mpi_is_twin, NULL);
    caller->has_wrappers = hiera_symbols_define(object, hiera_mpi_is_name, NULL);
}

/* Whether a caller's references with this name are calls of the program. A tool asks MPI by PMPI names of functions for
 * which it has no wrapper; and an object's own function of this name is no MPI. */
static bool is_programs(Caller *caller, const char *name)
{
    know(caller);
    if (caller->is_mpis || hiera_symbols_entry(&caller->object, name))
        return false;
    const char *plain = hiera_mpi_name_without_p(name);
    return plain == name || !caller->has_wrappers || hiera_symbols_entry(&caller->object, plain);
}

/* Whether a reference that is not bound yet, since it leads into its own object, will be bound to MPI: a PMPI name is
 * MPI's in any case. */
static bool will_be_mpis(const Caller *caller, const char *name, const void *now)
{
    bool is_inside = false;
    if (!hiera_mpi_is_twin(name, NULL) && (hiera_mpi_is_of_c(name) || !objects.fortran_is_first))
        return false;
    for (unsigned i = 0; i < caller->info->dlpi_phnum && !is_inside; i++) {
        const ElfW(Phdr) *part = &caller->info->dlpi_phdr[i];
        is_inside = part->p_type == PT_LOAD && (uintptr_t)now - caller->info->dlpi_addr - part->p_vaddr < part->p_memsz;
    }
    return is_inside;
}

/* Calls of the program are led to a wrapper. Other references of PMPI names are bound to MPI now, since these names
 * lead to Hiera later on. */
static const void *lead_reference(const char *name, const void *now, void *data)
{
    Caller *caller = data;
    const void *function = function_of(name);
    if (!function || (now != function && !will_be_mpis(caller, name, now)))
        return now;
    const void *wrapper = is_programs(caller, name) ? wrapper_of(name) : NULL;
    if (wrapper)
        return wrapper;
    return find_led(name) ? function : now;
}

static int lead_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    Caller caller = {.info = info};
    (void)size;
    (void)unused;
    if (hiera_symbols_read(info, &caller.object))
        hiera_redirect_references(info, lead_reference, &caller);
    return 0;
}

/* --- names in the symbol tables of MPI's libraries --- */

/* Return the functions whose PMPI names may lead to Hiera (Objects.led). A tool behind Hiera may look them up later to
 * reach MPI, and so may what stands in for MPI's function by the same PMPI name. */
static const void **choose_led(void)
{
    HieraTwinName name;
    const void **led = hiera_next_is_any_behind() ? NULL : calloc(hiera_mpi_call_count, sizeof *led);
    for (unsigned i = 0; led && i < hiera_mpi_call_count; i++) {
        hiera_mpi_name_of(i, &name);
        const void *function = hiera_symbols_find(&objects.mpi, name.pmpi);
        led[i] = dlsym(RTLD_DEFAULT, name.pmpi) == function ? function : NULL;
    }
    return led;
}

static void lead_names(const HieraRedirect *table)
{
    HieraTwinName name;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        const void *wrapper = (const void *)(uintptr_t)hiera_mpi_calls[i].wrapper;
        hiera_mpi_name_of(i, &name);
        if (!hiera_next_is_behind(i))
            hiera_redirect_symbol(table, name.pmpi + 1, wrapper);
        if (objects.led && objects.led[i])
            hiera_redirect_symbol(table, name.pmpi, wrapper);
    }
}

/* Names with one underscore at their end, which nearly all compilers make. A name whose twin is another function keeps
 * its own, which nothing else has; and one that a tool behind Hiera has, too, leads the tool to MPI. */
static const void *lead_name_of_fortran(const char *name, const void *now, void *unused)
{
    size_t n = strlen(name);
    (void)unused;
    if (strncmp(name, "mpi_", 4) != 0 || name[n - 1] != '_' || name[n - 2] == '_' || now != function_of_fortran(name))
        return now;
    const void *wrapper = wrapper_of(name);
    return wrapper && dlsym(RTLD_NEXT, name) == now ? wrapper : now;
}

static void lead_names_of_fortran(void)
{
    for (unsigned i = 0; i < objects.n_fortran && !hiera_next_has_tool; i++) {
        HieraRedirect table;
        if (!hiera_redirect_open(objects.fortran[i].symbols, &table))
            continue;
        hiera_redirect_symbols(&table, lead_name_of_fortran, NULL);
        hiera_redirect_close(&table);
    }
}

static bool is_name(const char *asked, const void *name)
{
    return strcmp(asked, name) == 0;
}

static int look_for_fortran(struct dl_phdr_info *info, size_t size, void *unused)
{
    Caller caller = {.info = info};
    const HieraSymbols *object = &caller.object;
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &caller.object))
        return 0;
    objects.is_behind = objects.is_behind || object->base == objects.ours.base;
    if (objects.n_fortran == MOST || object->base == objects.mpi.base || object->base == objects.ours.base ||
        !hiera_symbols_ask(object, is_name, "PMPI_Send"))
        return 0;
    know(&caller);
    if (caller.is_mpis) {
        objects.fortran[objects.n_fortran++] = *object;
        objects.fortran_is_first = objects.fortran_is_first || !objects.is_behind;
    }
    return 0;
}

static void find_fortran(void)
{
    objects.n_fortran = 0;
    objects.is_behind = objects.fortran_is_first = false;
    dl_iterate_phdr(look_for_fortran, NULL);
}

static void lead_all(void)
{
    HieraRedirect table;
    objects.is_locked = !hiera_redirect_open((const void *)(uintptr_t)PMPI_Init, &table);
    if (!objects.is_locked && !objects.led)
        objects.led = choose_led();
    dl_iterate_phdr(lead_references, NULL);
    lead_names_of_fortran();
    if (!objects.is_locked) {
        lead_names(&table);
        hiera_redirect_close(&table);
    }
}

void hiera_doors_open(void)
{
    static bool is_busy; /* another thread does the same */
    if (__atomic_exchange_n(&is_busy, true, __ATOMIC_ACQUIRE))
        return;
    bool is_shared = hiera_symbols_at((const void *)(uintptr_t)PMPI_Init, &objects.mpi) &&
                     hiera_symbols_at((const void *)(uintptr_t)hiera_doors_open, &objects.ours) &&
                     objects.mpi.base != objects.ours.base;
    if (is_shared)
        find_fortran();
    if (is_shared && strcmp(hiera_settings.bind, "tables") == 0)
        lead_all();
    __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
}

bool hiera_doors_are_locked(void)
{
    return objects.is_locked;
}

void hiera_doors_open_again(void)
{
    if (objects.mpi.dynamic)
        hiera_doors_open();
}

/* --- what may have come past Hiera --- */

static char missing[MOST + 1][160]; /* the last one has the number of those that it lacks */
static unsigned n_missing;

__attribute__((format(printf, 1, 2))) static void say_missing(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    if (n_missing < MOST)
        vsnprintf(missing[n_missing], sizeof missing[0], form, values);
    else
        snprintf(missing[MOST], sizeof missing[0], "calls of %u more programs or libraries may go past Hiera to MPI",
                 n_missing - MOST + 1);
    va_end(values);
    n_missing++;
}

typedef struct Reach {
    Caller caller;
    bool is_bound, is_used; /* whether a reference leads to MPI; whether a call has bound it */
} Reach;

static void look_at_reference(const char *name, void *place, bool is_of_calls, void *data)
{
    Reach *reach = data;
    const void *function = reach->is_used ? NULL : function_of(name);
    if (!function || *(const void **)place != function || !is_programs(&reach->caller, name) || !wrapper_of(name))
        return;
    reach->is_bound = true;
    reach->is_used = is_of_calls && hiera_symbols_are_bound_late(&reach->caller.object);
}

static int look_at_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    Reach reach = {.caller.info = info};
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &reach.caller.object))
        return 0;
    hiera_symbols_each_reference(&reach.caller.object, look_at_reference, &reach);
    if (reach.is_bound)
        say_missing("calls of %.64s %s past Hiera to MPI",
                    info->dlpi_name[0] ? hiera_base_name(info->dlpi_name) : program_invocation_short_name,
                    reach.is_used ? "go" : "may go");
    return 0;
}

/* glibc's list of the namespaces that dlmopen() makes: since 2.35, if r_version is 2 or more. */
typedef struct Namespace {
    struct r_debug debug;
    struct Namespace *next;
} Namespace;

/* A copy of MPI in a namespace of its own has handles of its own, so Hiera's wrappers cannot serve its calls. */
static void look_at_copies(void)
{
    Namespace *first = (Namespace *)dlsym(RTLD_DEFAULT, "_r_debug");
    for (Namespace *at = first && first->debug.r_version >= 2 ? first->next : NULL; at; at = at->next)
        for (const struct link_map *map = at->debug.r_map; map; map = map->l_next) {
            HieraSymbols copy;
            int is_used = 0;
            if (!hiera_symbols_of(map, &copy) ||
                strcmp(hiera_symbols_library(&copy), hiera_symbols_library(&objects.mpi)) != 0)
                continue;
            int (*initialized)(int *);
            void *address = hiera_symbols_find(&copy, "PMPI_Initialized");
            memcpy(&initialized, &address, sizeof address);
            if (address && initialized(&is_used) == 0 && is_used)
                say_missing("calls go past Hiera to a second %.64s, loaded by dlmopen()", hiera_symbols_library(&copy));
        }
}

void hiera_doors_look_past(void)
{
    if (n_missing > 0 || objects.mpi.base == objects.ours.base)
        return;
    if (!objects.led)
        find_fortran(); /* one may have come with a plug-in; else its calls of PMPI names come to Hiera */
    dl_iterate_phdr(look_at_references, NULL);
    look_at_copies();
}

const char *hiera_doors_missing(unsigned i)
{
    return i < n_missing && i <= MOST ? missing[i] : NULL;
}
