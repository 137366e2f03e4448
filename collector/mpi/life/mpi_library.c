/* See mpi_library.h. */
#include "mpi_library.h"

#ifdef HIERA_ABI

#include "base/life.h"
#include "base/message.h"
#include "loaded/elf.h"
#include "loaded/loaded_symbols.h"
#include "loaded/redirect.h"
#include "other_doors.h"

#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool hiera_mpi_was_found;

/* A linker with --as-needed keeps libmpi_abi.so in a program only for a name that is not weak. This one is referred to
 * from a section that is not loaded, so it is never bound: a process without MPI starts, with LD_BIND_NOW too. */
__asm__(".pushsection .hiera_needs,\"\"\n .balign 8\n .dc.a PMPI_Abi_get_version\n .popsection");

typedef int Version(int *, int *);
static Version *abi_version; /* MPI's; looked for before this name leads to Hiera (other_doors.h) */

int hiera_mpi_abi_version(int *major, int *minor)
{
    return abi_version ? abi_version(major, minor) : MPI_ERR_UNSUPPORTED_OPERATION;
}

/* Store the path of the loaded library of the ABI. */
static int look_for_mpi(struct dl_phdr_info *info, size_t size, void *path)
{
    HieraSymbols symbols;
    (void)size;
    if (!hiera_symbols_read(info, &symbols) || !hiera_elf_is_abi(hiera_symbols_library(&symbols)))
        return 0;
    snprintf(path, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

/* A reference that was bound when there was no MPI is NULL: its function is there now. */
static const void *bind_now(const char *name, const void *now, void *unused)
{
    (void)unused;
    return now || strncmp(name, "PMPI_", 5) != 0 ? now : dlsym(RTLD_DEFAULT, name);
}

static int bind_own(struct dl_phdr_info *info, size_t size, void *own)
{
    HieraSymbols symbols;
    (void)size;
    if (hiera_symbols_read(info, &symbols) && symbols.base == ((const HieraSymbols *)own)->base)
        hiera_redirect_references(info, bind_now, NULL);
    return 0;
}

/* Find PMPI_Init, and make it global if the program has it for itself alone. */
static bool find_mpi(void)
{
    char path[PATH_MAX] = "";
    if (dlsym(RTLD_DEFAULT, "PMPI_Init"))
        return true;
    dl_iterate_phdr(look_for_mpi, path);
    return path[0] && dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

bool hiera_mpi_is_there(void)
{
    static bool is_late; /* whether there was no MPI when this process began */
    HieraSymbols own;
    if (hiera_mpi_was_found)
        return true;
    if (!find_mpi()) {
        is_late = true;
        return false;
    }
    abi_version = (Version *)dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version");
    if (is_late && hiera_symbols_at((const void *)(uintptr_t)hiera_mpi_find, &own))
        dl_iterate_phdr(bind_own, &own);
    __atomic_store_n(&hiera_mpi_was_found, true, __ATOMIC_RELEASE);
    if (is_late && !hiera_life.closed)
        hiera_doors_open();
    return true;
}

void hiera_mpi_find(void)
{
    if (hiera_mpi_is_there())
        return;
    hiera_message("this process calls MPI and has no libmpi_abi.so; is the program linked with it?");
    _exit(127); /* calls Hiera's wrapper of _exit, which writes the trace */
}

#endif
