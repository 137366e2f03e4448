#include "library.h"
#include "base/own_library.h"
#include "hiera_trace.h"
#include <dlfcn.h>
#include <string.h>

gconstpointer hiera_parallel_library_load(const char *mpi, const char *built, const char *table, GError **error)
{
    gboolean is_path = strchr(mpi, '/') != NULL;
    g_autofree char *file = is_path ? g_strdup(mpi) : g_strdup_printf("libhiera-parallel-%s.so", mpi);
    g_autofree char *path = is_path ? g_strdup(mpi) : hiera_own_library_find(built, file);
    /* RTLD_GLOBAL, because plug-ins that MPI loads look up MPI's functions among global symbols. */
    gpointer library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    gconstpointer found = library ? dlsym(library, table) : NULL;
    if (!found)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "started by a launcher of MPI, but %s %s: build Hiera with this MPI, name another one with "
                    "HIERA_PARALLEL=NAME, or let HIERA_PARALLEL=no make each process work alone",
                    file, path ? dlerror() : "is not there");
    return found;
}
