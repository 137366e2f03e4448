/* Where the dynamic linker finds libraries, as ld.so(8) says. */
#pragma once

#include "linked_file.h"

typedef struct HieraLibraryPath HieraLibraryPath;

/* Prepare to find libraries for a machine: EM_X86_64, …. To be freed with hiera_library_path_free. */
HieraLibraryPath *hiera_library_path_new(guint machine);
void hiera_library_path_free(HieraLibraryPath *path);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLibraryPath, hiera_library_path_free)

/* Find and open a library.
 *
 * @param by  HieraLinkedFile *: the file that needs the library, then the file that needs that one, and so on to the
 * executable
 * @return NULL if it is not found; to be freed with hiera_linked_file_free */
HieraLinkedFile *hiera_library_path_find(HieraLibraryPath *path, const char *name, const GPtrArray *by);
