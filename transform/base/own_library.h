/* Return the path of a library: in the build folder, or where it is installed; beside the program first, since an
 * installation may have been moved.
 *
 * @param built  its folder in the build, relative to that of the program, as "../parallel"
 * @param file   its name
 * @return  to be freed with g_free; NULL if it is not there */
#pragma once

#include <glib.h>

/* Path of a library: in the build folder, or where it is installed; beside the program first, since an installation may
 * have been moved.
 *
 * @param built  its folder in the build, seen from that of the program, as "../parallel"
 * @param file   its name
 * @return  to be freed with g_free; NULL if it is not there */
char *hiera_own_library_find(const char *built, const char *file);
