/* See other_mpi.h. The MPI of the program is the MPI library that the program needs, directly or through its libraries;
 * an MPI library that is loaded only because this library needs it does not count. A program that needs none may load
 * one later, as interpreters do. */
#include "other_mpi.h"

#include "base/message.h"
#include "job/launcher_env.h"
#include "loaded/elf.h"
#include "loaded/loaded_symbols.h"
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECTS = 1024 };

/* A loaded file: the program or a shared library. */
typedef struct Object {
    const char *path;
    HieraSymbols symbols;
    bool is_programs; /* whether the program needs this file, directly or through its libraries */
} Object;

static struct {
    Object at[OBJECTS];
    size_t n;
} objects;

/* --- the files that are loaded --- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int take(struct dl_phdr_info *info, size_t size, void *unused)
{
    Object *object = &objects.at[objects.n];
    (void)size;
    (void)unused;
    *object = (Object){.path = info->dlpi_name};
    objects.n += hiera_symbols_read(info, &object->symbols);
    return objects.n == OBJECTS;
}

static const char *soname_of(const Object *object)
{
    const char *name = hiera_symbols_library(&object->symbols);
    return name[0] ? name : base_of(object->path);
}

static bool is_mpi(const char *library, const void *unused)
{
    (void)unused;
    return hiera_elf_is_mpi(library);
}

/* Return the name of the MPI library that a loaded file itself needs; NULL: it needs none. A library with the ABI of
 * MPI 5.0 may stand above an older MPI, which is its own affair. */
static const char *mpi_of(const Object *object)
{
    if (hiera_elf_is_abi_collector(soname_of(object)))
        return "libmpi_abi.so";
    return hiera_elf_is_abi(soname_of(object)) ? NULL : hiera_symbols_need(&object->symbols, is_mpi, NULL);
}

/* List the loaded files, and return the entry of libhiera. NULL: libhiera is linked into the program, so its MPI is the
 * right one. */
static const Object *look(void)
{
    HieraSymbols own;
    bool is_known = hiera_symbols_at((const void *)(uintptr_t)hiera_other_mpi_leave, &own);
    objects.n = 0;
    dl_iterate_phdr(take, NULL);
    for (size_t i = 1; i < objects.n && is_known; i++) /* from 1, as the first object is the program */
        if (objects.at[i].symbols.dynamic == own.dynamic)
            return &objects.at[i];
    return NULL;
}

/* Return a loaded MPI library other than `mpi`, or NULL. If `mpi` is not loaded under its own name, a symbolic link led
 * to a library with another name (MPICH and its relatives): it is the same MPI. libhiera-abi loads none. */
static const char *other_than(const char *mpi)
{
    const char *other = NULL;
    bool is_loaded = mpi && hiera_elf_is_abi(mpi);
    for (size_t i = 0; mpi && i < objects.n; i++) {
        const char *soname = soname_of(&objects.at[i]);
        bool is_it = hiera_elf_is_same_mpi(soname, mpi);
        is_loaded = is_loaded || is_it;
        if (!other && !is_it && hiera_elf_is_mpi(soname))
            other = soname;
    }
    return is_loaded ? other : NULL;
}

/* --- the MPI library that the program needs --- */

/* Mark the library of this name as needed by the program. @return  false: go on with the next library */
static bool mark(const char *name, const void *unused)
{
    (void)unused;
    for (size_t i = 0; i < objects.n; i++)
        if (!objects.at[i].is_programs &&
            (strcmp(name, soname_of(&objects.at[i])) == 0 || strcmp(name, objects.at[i].path) == 0))
            objects.at[i].is_programs = true;
    return false;
}

static void mark_needed(void)
{
    bool is_done[OBJECTS] = {false};
    objects.at[0].is_programs = true;
    for (size_t i = 0; i < objects.n;) {
        if (!objects.at[i].is_programs || is_done[i]) {
            i++;
            continue;
        }
        is_done[i] = true;
        if (!hiera_elf_is_abi(soname_of(&objects.at[i])))
            hiera_symbols_need(&objects.at[i].symbols, mark, NULL);
        i = 0;
    }
}

/* Return the program's MPI library; NULL: it needs none, or the one that this libhiera is for. */
static const char *programs_mpi(const char *own)
{
    const char *found = NULL;
    mark_needed();
    for (size_t i = 0; i < objects.n; i++) {
        const char *soname = soname_of(&objects.at[i]);
        if (!objects.at[i].is_programs || !hiera_elf_is_mpi(soname))
            continue;
        if (hiera_elf_is_same_mpi(soname, own))
            return NULL;
        found = soname;
    }
    return found;
}

/* --- starting the program again, with the libhiera for its MPI library --- */

/* Return the path of the libhiera for the MPI library `mpi`, in the folder of this libhiera; NULL: there is none. */
static const char *libhiera_for(const char *mpi, const char *own)
{
    char pattern[PATH_MAX];
    glob_t found;
    const char *fits = NULL;
    if (snprintf(pattern, sizeof pattern, "%.*slibhiera-*.so", (int)(base_of(own) - own), own) >= (int)sizeof pattern ||
        glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !fits; i++) {
        const char *its = hiera_elf_mpi_of(found.gl_pathv[i]);
        fits = its && hiera_elf_is_same_mpi(its, mpi) ? found.gl_pathv[i] : NULL;
    }
    return fits;
}

/* Read the arguments from the kernel: if the command names the dynamic loader, the loader has removed its own words
 * from argv. NULL: they cannot be read. */
static char **read_arguments(void)
{
    enum { PIECE = 64 << 10 };
    char *text = NULL, **arguments = NULL;
    size_t bytes = 0, n = 0;
    ssize_t got = 1;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && got > 0 && (text = realloc(text, bytes + PIECE)) && (got = read(fd, text + bytes, PIECE)) > 0)
        bytes += (size_t)got;
    if (fd >= 0)
        close(fd);
    if (!text || bytes == 0 || text[bytes - 1] != '\0' || !(arguments = calloc(bytes + 1, sizeof *arguments)))
        return NULL;
    for (char *at = text; at < text + bytes; at += strlen(at) + 1)
        arguments[n++] = at;
    return arguments;
}

static bool set_preload(const char *own, const char *instead)
{
    const char *list = getenv("LD_PRELOAD"), *name = base_of(own);
    char *to = list ? malloc(strlen(list) + (instead ? strlen(instead) : 0) + 3) : NULL;
    if (!to || !hiera_preload_copy(to, list, name, strlen(name), instead))
        return false; /* libhiera is not in the list, so the program would start itself again for ever */
    return to[0] ? setenv("LD_PRELOAD", to, 1) == 0 : unsetenv("LD_PRELOAD") == 0;
}

/* Print a message in one process of the job only, not in each rank. */
static void say(const char *what, const char *mpi)
{
    if (hiera_launch_read_any().rank <= 0)
        hiera_message("%s needs %s, the library of another MPI%s", program_invocation_short_name, mpi, what);
}

bool hiera_other_mpi_leave(void)
{
    char program[PATH_MAX] = "";
    const Object *own = look();
    const char *own_mpi = own ? mpi_of(own) : NULL, *mpi = other_than(own_mpi) ? programs_mpi(own_mpi) : NULL;
    if (!mpi)
        return false;
    const char *fits = libhiera_for(mpi, own->path);
    char **arguments = read_arguments();
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0 && n < (ssize_t)sizeof program - 1 && arguments && set_preload(own->path, fits)) {
        if (!fits)
            say(", for which there is no libhiera: it runs without", mpi);
        execv(program, arguments);
    }
    say(" than the libhiera that is preloaded: nothing is recorded, and it may fail", mpi);
    return true;
}

void hiera_other_mpi_complain(void)
{
    const Object *own = look();
    const char *own_mpi = own ? mpi_of(own) : NULL, *other = other_than(own_mpi);
    for (size_t i = 0; other && i < objects.n; i++) {
        const char *mpi = mpi_of(&objects.at[i]);
        if (mpi && strcmp(mpi, other) == 0 && &objects.at[i] != own)
            hiera_message("%s needs %s, but this process has the libhiera of %s: calls of one MPI would reach the "
                          "other. Choose the libhiera "
                          "for it (hiera-run --library), or start it without LD_PRELOAD",
                          objects.at[i].path, mpi, own_mpi);
        if (mpi && strcmp(mpi, other) == 0 && &objects.at[i] != own)
            return;
    }
}
