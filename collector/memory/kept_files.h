/* The files of kept memory that processes have left, or are using now. Compiled into hiera-recover and hiera-run as
 * well. */
#pragma once

#include "kept_file.h"

#include <stdbool.h>

typedef struct HieraKeptFound {
    const char *path;
    const HieraKeptHeader *header; /* header of the file, without `pieces` */
    bool is_here;                  /* the file's process ran on this computer; else it is not known whether it lives */
    bool lives;                    /* whether the file's process lives */
    bool is_known;                 /* whether `lives` can be relied on; not if the process ran in a container */
    bool has_trace;                /* the trace of the file's process exists, and is the same file (device and inode) */
} HieraKeptFound;

/* Call `visit` for each file of this user in the host's memory file system and in a folder of traces (NULL: in none).
 */
void hiera_kept_files_walk(const char *folder, void (*visit)(const HieraKeptFound *found, void *data), void *data);
