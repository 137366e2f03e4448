#include "openmp_library.h"

#include "base/kept.h"

#include <link.h>
#include <string.h>

static char found[64] HIERA_KEPT;

static int note(struct dl_phdr_info *object, size_t bytes, void *nothing)
{
    static const char *const names[] = {"libgomp.", "libomp.", "libomp5.", "libiomp5.", "libnvomp.", "libcraymp."};
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    (void)bytes;
    (void)nothing;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0 && strlen(name) < sizeof found) {
            strcpy(found, name);
            return 1;
        }
    return 0;
}

void hiera_openmp_find(void)
{
    if (!found[0])
        dl_iterate_phdr(note, NULL);
}

const char *hiera_openmp_library(void)
{
    return found;
}
