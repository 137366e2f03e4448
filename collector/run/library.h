/* The libraries of Hiera: where they are, and which of them suit the programs of a command. */
#ifndef HIERA_RUN_LIBRARY_H
#define HIERA_RUN_LIBRARY_H

#include "launcher.h"

/* Where libhiera lies: in the build folder, or where it is installed as seen from this program. */
void hiera_library_locate(void);

/* The files of libhiera for all MPIs, the first one first. */
const HieraWords *hiera_library_all(void);

/* The libhiera for a command; does not return if there is none. */
const char *hiera_library_for(const HieraCommand *command);

/* Does the program belong to another MPI than the launcher? */
bool hiera_library_is_alien(const HieraCommand *command);

/* The wrappers named `name`: a file, or a level that comes with Hiera. NULL if there is none. */
const char *hiera_library_level(const char *name);
const char *hiera_library_levels_dir(void);

/* Append the wrappers of the libraries that the programs are linked with. */
void hiera_library_add_levels(HieraWords *to, const HieraCommand *command);

/* Append the runtimes of sanitizers that the programs are linked with: they insist on being the first libraries. */
void hiera_library_add_sanitizers(HieraWords *to, const HieraCommand *command);

/* The library for markers of NVTX and Caliper, or NULL; whether the words of the command need its functions, and
 * whether one of them asks the library that NVTX_INJECTION64_PATH names. */
const char *hiera_library_markers(void);
bool hiera_library_needs_markers(char **words);
bool hiera_library_has_nvtx(char **words);

#endif
