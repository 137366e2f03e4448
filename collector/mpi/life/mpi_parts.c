#include "mpi_parts.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 512 };

static struct Part {
    char *path;
    const char *name; /* in `path`: "mtl_psm2.so" of …/mca_mtl_psm2.so; meaningless for a libmca_….so */
    bool may_be_unused;
} parts[PARTS_MOST];
static unsigned n_parts;
static bool are_unused; /* whether parts that note() finds from now on may be unused by MPI */

static struct Part *find(const char *path)
{
    struct Part *part = parts;
    while (part < parts + n_parts && strcmp(part->path, path) != 0)
        part++;
    return part;
}

static int note(struct dl_phdr_info *info, size_t size, void *nothing)
{
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    bool is_part = strncmp(name, "mca_", 4) == 0 || strncmp(name, "libmca_", 7) == 0;
    (void)size;
    (void)nothing;
    if (!is_part || find(info->dlpi_name) < parts + n_parts || n_parts == PARTS_MOST)
        return 0;
    struct Part part = {.path = strdup(info->dlpi_name), .may_be_unused = are_unused};
    if (part.path) {
        part.name = part.path + (name - info->dlpi_name) + 4;
        parts[n_parts++] = part;
    }
    return 0;
}

void hiera_parts_note(bool is_begun)
{
    are_unused = is_begun;
    dl_iterate_phdr(note, NULL);
}

void hiera_parts_compare(void)
{
    are_unused = true;
    dl_iterate_phdr(note, NULL);
    for (unsigned i = 0; i < n_parts; i++) {
        void *library = dlopen(parts[i].path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (library)
            dlclose(library);
    }
}

bool hiera_part_may_be_unused(const char *variable)
{
    for (unsigned i = 0; i < n_parts; i++) {
        size_t n = strcspn(parts[i].name, ".");
        if (parts[i].may_be_unused && strncmp(variable, parts[i].name, n) == 0 && variable[n] == '_')
            return true;
    }
    return false;
}
