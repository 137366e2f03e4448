/* See other_tools.h. Each MPI function has two names, MPI_X and PMPI_X, so that one tool can intercept it. Of two
 * tools, the first in the order of libraries gets the calls of the program, and the other one gets none. */
#include "other_tools.h"

#include "base/message.h"
#include "places/site_text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const asked[] = {"Init",  "Send",      "Recv",    "Isend",   "Wait",
                                    "Bcast", "Allreduce", "Barrier", "Finalize"};

/* The object file of a function: its load address and its name. */
static const void *object_of(const void *function, const char **name)
{
    Dl_info info;
    if (!function || !dladdr(function, &info) || !info.dli_fname)
        return NULL;
    *name = hiera_base_name(info.dli_fname);
    return info.dli_fbase;
}

/* MPI may have MPI_X and PMPI_X in two libraries. */
static bool is_mpi(const char *name)
{
    return strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libpmpi", 7) == 0;
}

static HieraCompany look(const char *function)
{
    char name[32], twin[32];
    const char *us = "", *first = "", *next = "", *mpi = "";
    snprintf(name, sizeof name, "MPI_%s", function);
    snprintf(twin, sizeof twin, "PMPI_%s", function);
    const void *our_object = object_of((const void *)hiera_company_find, &us);
    const void *first_object = object_of(dlsym(RTLD_DEFAULT, name), &first);
    const void *next_object = object_of(dlsym(RTLD_NEXT, name), &next);
    const void *mpi_object = object_of(dlsym(RTLD_DEFAULT, twin), &mpi);
    if (first_object && first_object != our_object && first_object != mpi_object && !is_mpi(first))
        return (HieraCompany){first, function, true};
    if (next_object && next_object != our_object && next_object != mpi_object && !is_mpi(next))
        return (HieraCompany){next, function, false};
    return (HieraCompany){NULL, NULL, false};
}

HieraCompany hiera_company_find(void)
{
    HieraCompany company = {NULL, NULL, false};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0] && !company.name; i++)
        company = look(asked[i]);
    return company;
}

void hiera_company_report(void)
{
    HieraCompany company = hiera_company_find();
    if (company.name)
        hiera_message("%s intercepts MPI calls too (MPI_%s), %s", company.name, company.function,
                      company.in_front
                          ? "before Hiera: these calls are missing in the trace; preload or link Hiera before it"
                          : "behind Hiera: it does not see the calls that Hiera records");
}
