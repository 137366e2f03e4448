/* Finds Hiera's libraries, and chooses those that fit the programs of a command. */
#pragma once

#include "launcher.h"

/* Find the folder of libhiera: in the build folder, or where hiera-run is installed. Call this first. */
void hiera_library_locate(void);

/* Return the paths of libhiera for all MPIs that Hiera was built for, the default MPI first. */
const HieraWords *hiera_library_all(void);

/* Return the path of the libhiera that fits a command's MPI. Exits with an error if there is none. */
const char *hiera_library_for(const HieraCommand *command);

/* Whether the command's program is linked with another MPI than its launcher belongs to. */
bool hiera_library_is_alien(const HieraCommand *command);

/* Return the library of wrappers `name`: a path, or the name of a level that comes with Hiera. NULL: there is none. */
const char *hiera_library_level(const char *name);
const char *hiera_library_levels_dir(void);

/* Append the libraries of wrappers for all libraries that the command's programs are linked with. */
void hiera_library_add_levels(HieraWords *to, const HieraCommand *command);

/* Append the sanitizer runtimes that the programs are linked with. These must be preloaded first. */
void hiera_library_add_sanitizers(HieraWords *to, const HieraCommand *command);

/* Return the path of the library that counts the program's allocations; NULL: it is not installed. */
const char *hiera_library_malloc(void);

/* Return the library for markers of NVTX and Caliper, or NULL. The two other functions return whether a program needs
 * its functions, and whether a program uses the library that NVTX_INJECTION64_PATH names. */
const char *hiera_library_markers(void);
bool hiera_library_needs_markers(char **words);
bool hiera_library_has_nvtx(char **words);
