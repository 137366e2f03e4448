/* See other_tools.h. Each MPI function has two names, MPI_X and PMPI_X, so that one tool can intercept it. Of two
 * tools, the first in the order of libraries gets the calls of the program. If that is Hiera, it passes them on
 * (next_functions.h). If it is the other tool, Hiera does not see these calls: they go to PMPI_X directly. */
#include "other_tools.h"

#include "base/message.h"
#include "handing_on.h"
#include "loaded/loaded_symbols.h"
#include "mpi/call/call_record.h"
#include "next_functions.h"
#include "places/site_text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 4,
    NAMES = 640
}; /* MOST: maximum number of programs and libraries that are reported; NAMES: bytes for the names of their functions */

typedef struct Names {
    unsigned all, shown;
    char text[NAMES]; /* names separated by ", "; as many as there is room for */
} Names;

typedef struct Company {
    char name[64];
    bool is_program;
    Names functions,
        recorded; /* MPI functions that this object has; those of them whose calls are recorded by default */
} Company;

static Company in_front[MOST], strangers[MOST]; /* strangers: behind Hiera, and may not pass calls on to MPI */
static unsigned n_in_front, n_strangers, n_missing;
static char missing[2 * MOST][NAMES + 160];

static void add_name(Names *names, const char *name)
{
    size_t used = strlen(names->text), n = strlen(name);
    while (n > 0 && name[n - 1] == '_')
        n--;
    if (names->all == names->shown && used + n + sizeof ", and 1000 more" < NAMES)
        names->shown += snprintf(names->text + used, NAMES - used, "%s%.*s", used ? ", " : "", (int)n, name) > 0;
    names->all++;
}

static void say_how_many_more(Names *names)
{
    size_t used = strlen(names->text);
    if (names->all > names->shown)
        snprintf(names->text + used, NAMES - used, " and %u more", names->all - names->shown);
}

/* Add a wrapper. An object that refers to the twin of a function calls it directly, past Hiera. (An object that asks
 * the dynamic linker for the next MPI_X gets Hiera's. And a Fortran name is not reserved for MPI.) */
static void add_wrapper(Company *company, const HieraSymbols *object, const HieraMpiCall *call, const char *name)
{
    if (!hiera_symbols_find(object, name) || !hiera_symbols_ask(object, hiera_next_is_twin, name))
        return;
    add_name(&company->functions, name);
    if (strcmp(call->group, "env") != 0)
        add_name(&company->recorded, name);
}

static bool is_name(const char *asked, const void *name)
{
    return strcmp(asked, name) == 0;
}

/* Whether MPI's Fortran function with this PMPI name calls MPI_X of C, as in MPICH: then Hiera sees the call. */
static bool comes_by_c(const char *twin, const char *function)
{
    HieraSymbols library;
    char name[72];
    snprintf(name, sizeof name, "MPI_%s", function);
    return hiera_symbols_at(dlsym(RTLD_DEFAULT, twin), &library) && hiera_symbols_ask(&library, is_name, name);
}

/* Write pmpi_x, the Fortran PMPI name of a function. @return the length of mpi_x */
static size_t put_fortran_twin(char twin[96], const HieraMpiCall *call)
{
    size_t n = 4;
    strcpy(twin, "pmpi_");
    for (const char *at = call->function; *at && n < 80; at++)
        twin[1 + n++] = (char)tolower((unsigned char)*at);
    return n;
}

static void add_of_fortran(Company *company, const HieraSymbols *object, const HieraMpiCall *call)
{
    static const char *const ends[] = {"_", "", "__", "_f08_", "_f08ts_"};
    char twin[96], *name = twin + 1;
    size_t n = put_fortran_twin(twin, call);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        strcpy(name + n, ends[i]);
        if (hiera_symbols_find(object, name) && !comes_by_c(twin, call->function))
            add_wrapper(company, object, call, name);
    }
}

static void add_functions(Company *company, const HieraSymbols *object)
{
    char name[72];
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        snprintf(name, sizeof name, "MPI_%s", hiera_mpi_calls[i].function);
        add_wrapper(company, object, &hiera_mpi_calls[i], name);
        add_of_fortran(company, object, &hiera_mpi_calls[i]);
    }
}

/* Report wrappers of an object before Hiera in the dynamic linker's order. @return 1, the end: this is Hiera */
static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraSymbols object;
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &object))
        return 0;
    if (hiera_next_is_ours(&object))
        return 1;
    if (n_in_front < MOST && !hiera_symbols_find(&object, "PMPI_Init") &&
        hiera_symbols_ask(&object, hiera_next_goes_on, NULL)) {
        Company *company = &in_front[n_in_front];
        company->is_program = info->dlpi_name[0] == '\0';
        snprintf(company->name, sizeof company->name, "%s",
                 company->is_program ? program_invocation_short_name : hiera_base_name(info->dlpi_name));
        add_functions(company, &object);
        say_how_many_more(&company->functions);
        say_how_many_more(&company->recorded);
        n_in_front += company->functions.all > 0;
    }
    return 0;
}

/* --- objects behind Hiera that may not pass calls on to MPI --- */

static Company *stranger_of(const char *name)
{
    unsigned i = 0;
    while (i < n_strangers && strncmp(strangers[i].name, name, sizeof strangers[i].name - 1) != 0)
        i++;
    if (i == MOST)
        return NULL;
    snprintf(strangers[i].name, sizeof strangers[i].name, "%s", name);
    n_strangers = i == n_strangers ? i + 1 : n_strangers;
    return &strangers[i];
}

static void add_strangers_function(const void *address, const HieraMpiCall *call, const char *name)
{
    Dl_info info;
    Company *company = dladdr(address, &info) ? stranger_of(hiera_base_name(info.dli_fname)) : NULL;
    if (!company)
        return;
    add_name(&company->functions, name);
    if (strcmp(call->group, "env") != 0)
        add_name(&company->recorded, name);
}

/* Whether a call of this Fortran name (the twin's name without its first letter) goes to an object that is neither MPI
 * nor known to pass it on. An object that also has MPI_Init may be a dummy MPI of another part of the program. */
static bool is_strangers(const void *function, const char *twin)
{
    HieraSymbols object;
    return hiera_symbols_at(function, &object) && !hiera_next_is_ours(&object) && !hiera_symbols_find(&object, twin) &&
           !hiera_symbols_find(&object, "mpi_init_") && !hiera_symbols_ask(&object, hiera_next_is_twin, twin + 1) &&
           !hiera_needed_ask(&object, hiera_next_is_twin, twin + 1);
}

static void find_strangers_of_fortran(const HieraMpiCall *call)
{
    static const char *const ends[] = {"_", "_f08_"};
    char twin[96];
    size_t n = put_fortran_twin(twin, call);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        strcpy(twin + 1 + n, ends[i]);
        const void *function = dlsym(RTLD_NEXT, twin + 1);
        if (function && is_strangers(function, twin) && !comes_by_c(twin, call->function))
            add_strangers_function(function, call, twin + 1);
    }
}

/* Called when MPI_Init of the real MPI has run, so these objects are no dummy MPI. (Functions that depend on the caller
 * do not count.) */
static void find_strangers(void)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        HieraNextFunction *function = hiera_mpi_other(i, NULL);
        char name[72];
        void *address;
        memcpy(&address, &function, sizeof address);
        snprintf(name, sizeof name, "MPI_%s", hiera_mpi_calls[i].function);
        if (function)
            add_strangers_function(address, &hiera_mpi_calls[i], name);
        find_strangers_of_fortran(&hiera_mpi_calls[i]);
    }
    for (unsigned i = 0; i < n_strangers; i++) {
        say_how_many_more(&strangers[i].functions);
        say_how_many_more(&strangers[i].recorded);
    }
}

static void add_missing(const Company *company, const char *what)
{
    if (company->recorded.all > 0)
        snprintf(missing[n_missing++], sizeof missing[0], "calls of %.*s go to %.*s, %s", NAMES - 1,
                 company->recorded.text, (int)sizeof company->name - 1, company->name, what);
}

void hiera_company_find(void)
{
    if (n_in_front + n_strangers > 0)
        return;
    dl_iterate_phdr(look_at, NULL);
    find_strangers();
    for (unsigned i = 0; i < n_in_front; i++)
        add_missing(&in_front[i], "which may hand them on past Hiera");
    for (unsigned i = 0; i < n_strangers; i++)
        add_missing(&strangers[i], "which nobody knows to hand them on to MPI");
}

const char *hiera_company_missing(unsigned i)
{
    return i < n_missing ? missing[i] : NULL;
}

/* Report a PMPI tool that Hiera calls: the first one found, and how many functions it has. */
static void report_behind(void)
{
    const char *name = NULL;
    unsigned n = 0;
    for (unsigned i = 0; hiera_next_has_tool && i < hiera_mpi_call_count; i++) {
        void *next;
        Dl_info info;
        memcpy(&next, hiera_mpi_calls[i].next, sizeof next);
        if (hiera_next_owner(next, i) != HIERA_OWNER_TOOL || !dladdr(next, &info) || !info.dli_fname)
            continue;
        name = name ? name : hiera_base_name(info.dli_fname);
        n++;
    }
    if (name)
        hiera_message("%s intercepts MPI calls too (%u functions), behind Hiera: it gets them from Hiera, and its time "
                      "is in theirs",
                      name, n);
}

void hiera_company_report(void)
{
    for (unsigned i = 0; i < n_in_front; i++)
        if (in_front[i].is_program)
            hiera_message(
                "%s has wrappers of its own for %s: calls of them that it hands on by PMPI do not come to Hiera, so "
                "the traces lack them. "
                "Build it without them, or put them into a shared library behind libhiera, which then calls them",
                in_front[i].name, in_front[i].functions.text);
        else
            hiera_message("%s intercepts MPI calls before Hiera: the traces lack calls of %s. Preload or link Hiera "
                          "before it: Hiera then calls it",
                          in_front[i].name, in_front[i].functions.text);
    for (unsigned i = 0; i < n_strangers; i++)
        hiera_message("%s has %s, and nothing says whether it hands calls on to MPI: they are left to it, and the "
                      "traces lack them. "
                      "Link it with the library by which it reaches MPI",
                      strangers[i].name, strangers[i].functions.text);
    report_behind();
}
