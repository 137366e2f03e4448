#include "places.h"

#include "run/words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Path of the folder that contains this program. */
static const char *here(void)
{
    char path[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash = n > 0 ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    return hiera_words_format("%s", path);
}

/* Return the first path that exists: in the build folder, relative to this program, or in the installation prefix. */
static const char *choose(const char *built, const char *from_bindir, const char *folder, const char *name)
{
    char *paths[] = {hiera_words_format("%s/%s/%s", here(), built, name),
                     hiera_words_format("%s/%s/%s", here(), from_bindir, name),
                     hiera_words_format("%s/%s", folder, name)};
    for (unsigned i = 0; i < 3; i++) {
        if (access(paths[i], R_OK) == 0)
            return realpath(paths[i], NULL);
    }
    return NULL;
}

const char *hiera_places_parser(void)
{
    return choose(".", HIERA_LIBEXECDIR_FROM_BINDIR, HIERA_LIBEXECDIR, "hiera-cc-parse");
}

const char *hiera_places_header(void)
{
    return choose("include", HIERA_INCLUDEDIR_FROM_BINDIR, HIERA_INCLUDEDIR, "hiera.h");
}

const char *hiera_places_libraries(void)
{
    const char *library = choose("..", HIERA_LIBDIR_FROM_BINDIR, HIERA_LIBDIR, "libhiera.so");
    if (!library)
        return NULL;
    /* the folder of the library that libhiera.so, perhaps a symbolic link, leads to */
    return hiera_words_format("%.*s", (int)(strrchr(library, '/') - library), library);
}
