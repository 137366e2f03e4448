#include "own_library.h"

/* Return the path of the library in a folder relative to the program's; NULL if it is not there. To be freed with
 * g_free. */
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

char *hiera_own_library_find(const char *built, const char *file)
{
    const char *const folders[] = {built, HIERA_LIBDIR_FROM_BINDIR, HIERA_LIBDIR};
    char *path = NULL;
    for (guint i = 0; !path && i < G_N_ELEMENTS(folders); i++)
        path = find_in(folders[i], file);
    return path;
}
