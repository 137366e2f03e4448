/* Lists the loaded files (program and libraries) whose functions may be copied to time their loops. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_LOADED_FILES = 512 };

typedef struct HieraLoadedFiles {
    char *paths[HIERA_LOADED_FILES + 1]; /* the dynamic linker's paths, the program first; NULL at the end */
    uintptr_t bases[HIERA_LOADED_FILES];
    size_t n;
} HieraLoadedFiles;

/* List the loaded files without libhiera, libc and the dynamic linker, whose code runs in events. Allocates memory. */
void hiera_loaded_files_list(HieraLoadedFiles *files);
void hiera_loaded_files_free(HieraLoadedFiles *files);

/* Whether hiera_loaded_files_list() leaves the file out. */
bool hiera_loaded_file_is_own(const char *path);
