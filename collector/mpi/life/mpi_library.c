/* See mpi_library.h. */
#include "mpi_library.h"

#ifdef HIERA_ABI

#include "base/message.h"
#include "loaded/elf.h"
#include "loaded/loaded_symbols.h"
#include "loaded/redirect.h"

#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool hiera_mpi_was_found;

/* A linker with --as-needed keeps libmpi_abi.so in a program only for a name that is not weak. This one has no
 * relocation: it is never bound, so a process without MPI starts, with LD_BIND_NOW too. */
__asm__(".reloc 0, BFD_RELOC_NONE, PMPI_Abi_get_version");

int hiera_mpi_abi_version(int *major, int *minor)
{
    int (*version)(int *, int *);
    void *found = dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version");
    memcpy(&version, &found, sizeof version);
    return version ? version(major, minor) : MPI_ERR_UNSUPPORTED_OPERATION;
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
static const void *bind_now(const char *name, const void *now, const void *unused)
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

bool hiera_mpi_is_there(void)
{
    char path[PATH_MAX] = "";
    HieraSymbols own;
    if (hiera_mpi_was_found)
        return true;
    if (!dlsym(RTLD_DEFAULT, "PMPI_Init")) {
        dl_iterate_phdr(look_for_mpi, path);
        if (!path[0] || !dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL))
            return false;
    }
    bool is_early = (const void *)(uintptr_t)PMPI_Init != NULL; /* there was an MPI when this library was bound */
    if (!is_early && hiera_symbols_at((const void *)(uintptr_t)hiera_mpi_find, &own))
        dl_iterate_phdr(bind_own, &own);
    __atomic_store_n(&hiera_mpi_was_found, true, __ATOMIC_RELEASE);
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
