/* Hiera's libraries: find them, and choose those that fit the programs of a command. */
#pragma once

#include "launcher.h"

/* Find the folder of libhiera: in the build folder, or in the installation of this program. */
void hiera_library_locate(void);

/* Return the files of libhiera for all MPIs; the default MPI is first. */
const HieraWords *hiera_library_all(void);

/* Return the libhiera that fits a command. Exits with an error if there is none. */
const char *hiera_library_for(const HieraCommand *command);

/* True if program and launcher belong to different MPIs. */
bool hiera_library_is_alien(const HieraCommand *command);

/* Return the library of wrappers `name`: a file, or a level that comes with Hiera. NULL if there is none. */
const char *hiera_library_level(const char *name);
const char *hiera_library_levels_dir(void);

/* Append the wrappers of all libraries that the programs are linked with. */
void hiera_library_add_levels(HieraWords *to, const HieraCommand *command);

/* Append the sanitizer runtimes that the programs are linked with. They must be the first libraries. */
void hiera_library_add_sanitizers(HieraWords *to, const HieraCommand *command);

/* Return the library that counts what the program allocates, or NULL. */
const char *hiera_library_malloc(void);

/* Return the library for markers of NVTX and Caliper, or NULL. The two other functions return whether a program needs
 * its functions, and whether a program uses the library that NVTX_INJECTION64_PATH names. */
const char *hiera_library_markers(void);
bool hiera_library_needs_markers(char **words);
bool hiera_library_has_nvtx(char **words);
