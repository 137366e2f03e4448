/* The files of this process whose functions may be moved. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_LOADED_FILES = 512 };

typedef struct HieraLoadedFiles {
    char *paths[HIERA_LOADED_FILES + 1]; /* paths as the dynamic linker has them, the program first; ends with NULL */
    uintptr_t bases[HIERA_LOADED_FILES];
    size_t n;
} HieraLoadedFiles;

/* List the files, without those whose code runs between an event and its sum. Allocates memory. */
void hiera_loaded_files_list(HieraLoadedFiles *files);
void hiera_loaded_files_free(HieraLoadedFiles *files);

/* Whether the file is one of those that are left out. */
bool hiera_loaded_file_is_own(const char *path);
