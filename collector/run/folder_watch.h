/* Watches with inotify for files made in the folder of the traces while the command runs. A look at the end only would
 * miss files that were moved or removed before. */
#pragma once

typedef enum HieraMade {
    HIERA_MADE_NOTHING, /* no trace was made in the folder on this host */
    HIERA_MADE_TRACE,   /* a trace was made in the folder itself */
    HIERA_MADE_UNKNOWN /* not known: the folder, or one in which Hiera may have written, was made or removed; or inotify
                          is not available */
} HieraMade;

/* Begin to watch the folder for traces, which need not exist yet. */
void hiera_folder_watch_begin(const char *folder);
HieraMade hiera_folder_watch_end(void);
