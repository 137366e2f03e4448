/* Chooses the libraries to preload. A libhiera is identified by the MPI library that it needs, libhiera-abi by its
 * name, a library of wrappers by a description in the file. See library.h. */
#include "library.h"

#include "loaded/elf.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static HieraWords libraries;
static const char *levels_dir, *markers, *counting;

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static const char *one_of(const char *folder, const char *name)
{
    char *path = hiera_words_format("%s/%s", folder, name);
    return is_there(path) ? path : NULL;
}

/* Take the libraries from a folder; its wrappers are in `levels` below it. Returns whether libhiera is there. */
static bool try_folder(const char *folder, const char *levels)
{
    HieraWords names = {0};
    hiera_words_split(&names, HIERA_MPIS, ' ');
    for (size_t i = 0; i < names.n; i++) {
        char *path = hiera_words_format("%s/libhiera-%s.so", folder, names.at[i]);
        if (is_there(path))
            hiera_words_add(&libraries, path);
    }
    markers = one_of(folder, "libhiera-markers.so");
    counting = one_of(folder, "libhiera-malloc.so");
    levels_dir = hiera_words_format("%s/%s", folder, levels);
    return libraries.n > 0;
}

void hiera_library_locate(void)
{
    char here[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash = n > 0 ? strrchr(here, '/') : NULL;
    if (slash) {
        *slash = '\0';
        char *libdir = realpath(hiera_words_format("%s/%s", here, HIERA_LIBDIR_FROM_BINDIR), NULL);
        if (try_folder(here, "levels") || (libdir && try_folder(libdir, "hiera")))
            return;
    }
    try_folder(HIERA_LIBDIR, "hiera");
}

const HieraWords *hiera_library_all(void)
{
    return &libraries;
}

const char *hiera_library_markers(void)
{
    return markers;
}

const char *hiera_library_malloc(void)
{
    return counting;
}

const char *hiera_library_levels_dir(void)
{
    return levels_dir;
}

static bool is_mpich(const char *soname)
{
    return hiera_words_begins(soname, "libmpich.so") || strcmp(soname, "libmpi.so.12") == 0;
}

/* Whether the MPI library `soname` works with launchers of this kind. */
static bool suits(HieraLauncherKind kind, const char *soname)
{
    bool is_open_mpi =
        !is_mpich(soname) && hiera_words_begins(soname, "libmpi.so.") && strlen(soname) > strlen("libmpi.so.1");
    if (kind == HIERA_LAUNCHER_OPENMPI)
        return is_open_mpi;
    return kind == HIERA_LAUNCHER_HYDRA ? is_mpich(soname) : false;
}

static void fail_for(const char *what, const char *advice)
{
    hiera_run_fail("no libhiera for %s; looked at: %s%s", what,
                   libraries.n > 0 ? hiera_words_join(&libraries, ' ') : HIERA_LIBDIR, advice);
}

static const char *for_program(const char *mpi)
{
    for (size_t i = 0; i < libraries.n; i++) {
        const char *own = hiera_elf_mpi_of(libraries.at[i]);
        if (own && hiera_elf_is_same_mpi(own, mpi))
            return libraries.at[i];
    }
    fail_for(hiera_words_format("the program's MPI (%s)", mpi), "");
    return NULL;
}

/* Return the libhiera for the launcher's MPI, for programs not linked with an MPI (scripts, interpreters). */
static const char *for_launcher(const HieraCommand *command)
{
    for (size_t i = 0; i < libraries.n; i++) {
        const char *own = hiera_elf_mpi_of(libraries.at[i]);
        if (own && suits(command->kind, own))
            return libraries.at[i];
    }
    fail_for(hiera_words_format("the MPI of %s", command->words[command->launcher]), "; name one with --library=SO");
    return NULL;
}

const char *hiera_library_for(const HieraCommand *command)
{
    if (command->n_programs > 0)
        return for_program(hiera_loader_mpi(&command->programs[0].linked));
    if (command->is_static)
        hiera_run_fail("%s: wholly static, nothing can be preloaded into it; link it with libhiera.a (docs/install.md)",
                       command->is_static);
    if (command->foreign)
        hiera_run_fail(
            "%s: of another C library than libhiera, which cannot be loaded into it; build Hiera with that one",
            command->foreign);
    if (command->kind != HIERA_LAUNCHER_NONE)
        return for_launcher(command);
    if (command->has_hiera && libraries.n > 0)
        return libraries.at[0]; /* any: nothing is preloaded into it */
    hiera_run_fail(
        "%s: not linked with an MPI library that is known; if it starts a job of one, as a script does, name "
        "the libhiera of that one with --library=SO: %s",
        command->words[command->named], libraries.n > 0 ? hiera_words_join(&libraries, ' ') : HIERA_LIBDIR);
}

bool hiera_library_is_alien(const HieraCommand *command)
{
    bool is_known = command->kind == HIERA_LAUNCHER_OPENMPI || command->kind == HIERA_LAUNCHER_HYDRA;
    const char *mpi = is_known && command->n_programs > 0 ? hiera_loader_mpi(&command->programs[0].linked) : NULL;
    return mpi && hiera_elf_is_mpi(mpi) && !hiera_elf_is_abi(mpi) && !suits(command->kind, mpi);
}
