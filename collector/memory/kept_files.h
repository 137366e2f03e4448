/* The files of kept memory that processes have left, or have now. Compiled into hiera-recover and hiera-run as well. */
#ifndef HIERA_KEPT_FILES_H
#define HIERA_KEPT_FILES_H

#include "kept_file.h"

#include <stdbool.h>

typedef struct HieraKeptFound {
    const char *path;
    const HieraKeptHeader *header; /* without its pieces */
    bool is_here;                  /* it is of this computer; else nobody knows whether its process lives */
    bool lives;                    /* the process does, */
    bool is_known;                 /* or does not; else nobody knows here, since it ran in a container */
    bool has_trace;                /* its trace is there, and is that one */
} HieraKeptFound;

/* Call `visit` for each file of this user in the host's memory file system and in a folder of traces (NULL: in none).
 */
void hiera_kept_files_walk(const char *folder, void (*visit)(const HieraKeptFound *found, void *data), void *data);

#endif
