/* See library.h. The library lies in the build folder, or is installed: beside the program first, since an installation may have
 * been moved. */
#include "library.h"
#include "hiera_trace.h"
#include <dlfcn.h>
#include <string.h>

/* Path of the library in a folder as it is seen from that of the program; NULL if it is not there. To be freed with g_free. */
static char *find_in(const char *folder, const char *file)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *here = program ? g_path_get_dirname(program) : g_strdup(".");
    g_autofree char *base = g_path_is_absolute(folder) ? g_strdup(folder) : g_build_filename(here, folder, NULL);
    char *path = g_build_filename(base, file, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        g_clear_pointer(&path, g_free);
    return path;
}

static char *find(const char *file)
{
    static const char *const folders[] = {"../parallel", HIERA_LIBDIR_FROM_BINDIR, HIERA_LIBDIR};
    char *path = NULL;
    for (guint i = 0; !path && i < G_N_ELEMENTS(folders); i++)
        path = find_in(folders[i], file);
    return path;
}

const HieraTransport *hiera_parallel_library_load(const char *mpi, GError **error)
{
    gboolean is_path = strchr(mpi, '/') != NULL;
    g_autofree char *file = is_path ? g_strdup(mpi) : g_strdup_printf("libhiera-parallel-%s.so", mpi);
    g_autofree char *path = is_path ? g_strdup(mpi) : find(file);
    /* What MPI loads itself looks for MPI's functions among those that all see. */
    gpointer library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    const HieraTransport *transport = library ? dlsym(library, HIERA_TRANSPORT) : NULL;
    if (!transport)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "started by a launcher of MPI, but %s %s: build Hiera with this MPI, name another one with "
                    "HIERA_PARALLEL=NAME, or let HIERA_PARALLEL=no make each process work alone",
                    file, path ? dlerror() : "is not there");
    return transport;
}
