#include "other_doors.h"

#include "base/settings.h"
#include "handing_on.h"
#include "loaded/redirect.h"
#include "mpi/call/call_record.h"
#include "next_functions.h"
#include "places/site_text.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST = 4 };

typedef struct Objects {
    HieraSymbols mpi, ours;
    HieraSymbols fortran[MOST]; /* MPI's Fortran libraries that call C by PMPI names, which Hiera does not see */
    unsigned n_fortran;
    bool is_behind,
        fortran_is_first; /* whether Hiera was among the objects before; one of `fortran` comes before Hiera */
} Objects;

static Objects objects; /* those of this process, since the doors were opened */

static const char *plain_of(const char *name)
{
    return strncasecmp(name, "pmpi_", 5) == 0 ? name + 1 : name;
}

static bool is_of_c(const char *name)
{
    return strncmp(plain_of(name), "MPI_", 4) == 0;
}

/* Return MPI's own function with this name, of C or Fortran. MPI_X may lead to Hiera already, so PMPI_X is asked for.
 */
static const void *function_of(const char *name)
{
    char pmpi[96] = "P";
    const void *function = NULL;
    if (strncasecmp(plain_of(name), "mpi_", 4) != 0 || strlen(name) > sizeof pmpi - 2)
        return NULL;
    if (is_of_c(name))
        return hiera_symbols_find(&objects.mpi, name == plain_of(name) ? strcat(pmpi, name) : name);
    for (unsigned i = 0; i < objects.n_fortran && !function; i++)
        function = hiera_symbols_find(&objects.fortran[i], name);
    return function;
}

/* Return Hiera's function for an MPI name or its PMPI twin; NULL: it has none, or a tool behind Hiera has the function:
 * the tool's own calls of these names must reach MPI. */
static const void *wrapper_of(const char *name)
{
    for (unsigned i = 0; is_of_c(name) && i < hiera_mpi_call_count; i++)
        if (strcmp(hiera_mpi_calls[i].function, plain_of(name) + 4) == 0)
            return hiera_next_is_behind(i) ? NULL : (const void *)(uintptr_t)hiera_mpi_calls[i].wrapper;
    return hiera_next_has_tool ? NULL : hiera_symbols_find(&objects.ours, plain_of(name));
}

/* Whether a reference that is not bound yet will be bound to MPI: a PMPI name is MPI's in any case. */
static bool will_be_mpis(const char *name)
{
    return plain_of(name) != name || (!is_of_c(name) && objects.fortran_is_first);
}

static bool is_mpi(const char *name, const void *unused)
{
    (void)unused;
    return strncasecmp(name, "mpi_", 4) == 0;
}

/* Whether the object has wrappers of MPI functions, and this name is none of their twins: a tool's own question to MPI,
 * which is no call of the program. */
static bool is_question(const HieraSymbols *object, const char *name)
{
    return plain_of(name) != name && !hiera_symbols_entry(object, plain_of(name)) &&
           hiera_symbols_define(object, is_mpi, NULL);
}

static const void *lead_to_wrapper(const char *name, const void *now, const void *object)
{
    HieraSymbols at;
    const void *function = function_of(name);
    if (function && (is_question(object, name) || hiera_symbols_entry(object, name)))
        return now; /* the object's own function of this name is no MPI, either */
    bool is_bound = function && now == function;
    bool is_unbound = function && !is_bound && will_be_mpis(name) && hiera_symbols_at(now, &at) &&
                      at.base == ((const HieraSymbols *)object)->base;
    const void *wrapper = is_bound || is_unbound ? wrapper_of(name) : NULL;
    return wrapper ? wrapper : now;
}

static bool is_pmpi(const char *name, const void *unused)
{
    (void)unused;
    return strncmp(name, "PMPI_", 5) == 0;
}

/* Whether the object is MPI itself, one of its libraries or components (mca_io_romio321.so), or stands in for it. */
static bool is_mpis(const HieraSymbols *object)
{
    const char *library = hiera_symbols_library(object);
    return object->base == objects.mpi.base || hiera_is_of_mpi(library) || strncmp(library, "mca_", 4) == 0 ||
           strncmp(library, "libmca_", 7) == 0 || hiera_symbols_define(object, is_pmpi, NULL);
}

static int lead_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraSymbols object;
    (void)size;
    (void)unused;
    if (hiera_symbols_read(info, &object) && object.base != objects.ours.base && !is_mpis(&object))
        hiera_redirect_references(info, lead_to_wrapper, &object);
    return 0;
}

static void lead_names(const HieraRedirect *table)
{
    char name[72] = "MPI_";
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        strcpy(name + 4, hiera_mpi_calls[i].function);
        if (!hiera_next_is_behind(i))
            hiera_redirect_symbol(table, name, (const void *)(uintptr_t)hiera_mpi_calls[i].wrapper);
    }
}

static bool is_name(const char *asked, const void *name)
{
    return strcmp(asked, name) == 0;
}

static int look_for_fortran(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraSymbols object;
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &object))
        return 0;
    objects.is_behind = objects.is_behind || object.base == objects.ours.base;
    if (objects.n_fortran == MOST || object.base == objects.mpi.base || !is_mpis(&object) ||
        !hiera_symbols_ask(&object, is_name, "PMPI_Send"))
        return 0;
    objects.fortran[objects.n_fortran++] = object;
    objects.fortran_is_first = objects.fortran_is_first || !objects.is_behind;
    return 0;
}

void hiera_doors_open(void)
{
    HieraRedirect table;
    if (!hiera_symbols_at((const void *)(uintptr_t)PMPI_Init, &objects.mpi) ||
        !hiera_symbols_at((const void *)(uintptr_t)hiera_doors_open, &objects.ours) ||
        objects.mpi.base == objects.ours.base)
        return;
    dl_iterate_phdr(look_for_fortran, NULL);
    if (strcmp(hiera_settings.bind, "tables") != 0)
        return;
    dl_iterate_phdr(lead_references, NULL);
    if (hiera_redirect_open((const void *)(uintptr_t)PMPI_Init, &table)) {
        lead_names(&table);
        hiera_redirect_close(&table);
    }
}

/* --- what may have come past Hiera --- */

static char past[MOST][160];
static unsigned n_past;

typedef struct Past {
    const HieraSymbols *object;
    bool is_past;
} Past;

static void look_at_reference(const char *name, void *place, void *data)
{
    Past *of = data;
    const void *function = of->is_past ? NULL : function_of(name);
    of->is_past = of->is_past ||
                  (function && *(const void **)place == function && wrapper_of(name) && !is_question(of->object, name));
}

static int look_at_references(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraSymbols object;
    Past of = {&object, false};
    (void)size;
    (void)unused;
    if (n_past == MOST || !hiera_symbols_read(info, &object) || object.base == objects.ours.base || is_mpis(&object))
        return 0;
    hiera_symbols_each_reference(&object, look_at_reference, &of);
    if (of.is_past)
        snprintf(past[n_past++], sizeof past[0], "calls of %.64s go past Hiera to MPI",
                 info->dlpi_name[0] ? hiera_base_name(info->dlpi_name) : program_invocation_short_name);
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
        for (const struct link_map *map = at->debug.r_map; map && n_past < MOST; map = map->l_next) {
            HieraSymbols copy;
            int is_used = 0;
            if (!hiera_symbols_of(map, &copy) ||
                strcmp(hiera_symbols_library(&copy), hiera_symbols_library(&objects.mpi)) != 0)
                continue;
            int (*initialized)(int *);
            void *address = hiera_symbols_find(&copy, "PMPI_Initialized");
            memcpy(&initialized, &address, sizeof address);
            if (address && initialized(&is_used) == 0 && is_used)
                snprintf(past[n_past++], sizeof past[0], "calls go past Hiera to a second %.64s, loaded by dlmopen()",
                         hiera_symbols_library(&copy));
        }
}

void hiera_doors_look_past(void)
{
    if (n_past > 0 || objects.mpi.base == objects.ours.base)
        return;
    objects.n_fortran = 0; /* they may have come with a plug-in */
    dl_iterate_phdr(look_for_fortran, NULL);
    dl_iterate_phdr(look_at_references, NULL);
    look_at_copies();
}

const char *hiera_doors_missing(unsigned i)
{
    return i < n_past ? past[i] : NULL;
}
