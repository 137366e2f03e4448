/* See other_tools.h. Each MPI function has two names, MPI_X and PMPI_X, so that one tool can intercept it. A tool
 * before Hiera in the order of libraries, or the program's own wrappers, call PMPI_X, and Hiera sees these calls
 * (other_doors.h). A tool behind it gets the calls from Hiera (next_functions.h). */
#include "other_tools.h"

#include "base/message.h"
#include "handing_on.h"
#include "loaded/loaded_symbols.h"
#include "mpi/call/call_record.h"
#include "mpi_names.h"
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
    Names functions,
        recorded; /* MPI functions that this object has; those of them whose calls are recorded by default */
} Company;

static Company strangers[MOST]; /* objects behind Hiera that may not pass calls on to MPI */
static unsigned n_strangers, n_missing;
static char missing[MOST][NAMES + 160];

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

static bool is_name(const char *asked, const void *name)
{
    return strcmp(asked, name) == 0;
}

/* Whether MPI's Fortran function with this PMPI name calls a function of C, as in MPICH: then Hiera sees the call. */
static bool comes_by_c(const char *twin, const char *function)
{
    HieraSymbols library;
    return hiera_symbols_at(dlsym(RTLD_DEFAULT, twin), &library) && hiera_symbols_ask(&library, is_name, function);
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

static void find_strangers_of_fortran(const HieraMpiCall *call, const char *name)
{
    static const char *const ends[] = {"_", "_f08_"};
    char twin[96];
    size_t n = put_fortran_twin(twin, call);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        strcpy(twin + 1 + n, ends[i]);
        const void *function = dlsym(RTLD_NEXT, twin + 1);
        if (function && is_strangers(function, twin) && !comes_by_c(twin, name))
            add_strangers_function(function, call, twin + 1);
    }
}

/* Called when MPI_Init of the real MPI has run, so these objects are no dummy MPI. (Functions that depend on the caller
 * do not count.) */
static void find_strangers(void)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        HieraNextFunction *function = hiera_mpi_other(i, NULL);
        HieraTwinName names;
        const char *name = hiera_mpi_name_of(i, &names);
        void *address;
        memcpy(&address, &function, sizeof address);
        if (function)
            add_strangers_function(address, &hiera_mpi_calls[i], name);
        find_strangers_of_fortran(&hiera_mpi_calls[i], name);
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
    if (n_strangers > 0)
        return;
    find_strangers();
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
    for (unsigned i = 0; i < n_strangers; i++)
        hiera_message("%s has %s, and nothing says whether it hands calls on to MPI: they are left to it, and the "
                      "traces lack them. "
                      "Link it with the library by which it reaches MPI",
                      strangers[i].name, strangers[i].functions.text);
    report_behind();
}
