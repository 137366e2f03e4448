/* The files of kept memory that processes have left, or are using now. Compiled into hiera-recover and hiera-run as
 * well. */
#pragma once

#include "kept_file.h"

#include <stdbool.h>

typedef struct HieraKeptFound {
    const char *path;
    const HieraKeptHeader *header; /* header of the file, without its pieces */
    bool is_here;   /* true if it belongs to this computer; else it is not known whether its process lives */
    bool lives;     /* true if the process lives */
    bool is_known;  /* false if it is not known whether the process lives, because it ran in a container */
    bool has_trace; /* true if its trace exists, and is the same file */
} HieraKeptFound;

/* Call `visit` for each file of this user in the host's memory file system and in a folder of traces (NULL: in none).
 */
void hiera_kept_files_walk(const char *folder, void (*visit)(const HieraKeptFound *found, void *data), void *data);
