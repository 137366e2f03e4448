#include "loaded_files.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hiera_loaded_file_is_own(const char *path)
{
    static const char *const names[] = {"libhiera", "ld-linux", "libc.so", "linux-vdso", "libc-2", "ld-2"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static int add_file(struct dl_phdr_info *info, size_t size, void *data)
{
    HieraLoadedFiles *files = data;
    char program[4096];
    const char *path = info->dlpi_name;
    uintptr_t first = UINTPTR_MAX;
    (void)size;
    if (files->n == 0) {
        ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
        program[n > 0 ? n : 0] = '\0';
        path = program;
    }
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr < first)
            first = info->dlpi_phdr[i].p_vaddr & ~(uintptr_t)4095;
    if (files->n == HIERA_LOADED_FILES || !path[0] || hiera_loaded_file_is_own(path))
        return 0;
    files->bases[files->n] = info->dlpi_addr + first;
    files->paths[files->n++] = strdup(path);
    return 0;
}

void hiera_loaded_files_list(HieraLoadedFiles *files)
{
    files->n = 0;
    dl_iterate_phdr(add_file, files);
    files->paths[files->n] = NULL;
}

void hiera_loaded_files_free(HieraLoadedFiles *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->paths[i]);
}
