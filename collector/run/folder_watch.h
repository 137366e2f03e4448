/* What is made in the folder of the traces while the command runs: the kernel tells it (inotify). Who looks at the end
 * only does not see what was moved, or removed, before. */
#ifndef HIERA_RUN_FOLDER_WATCH_H
#define HIERA_RUN_FOLDER_WATCH_H

typedef enum HieraMade {
    HIERA_MADE_NOTHING, /* on this host */
    HIERA_MADE_TRACE,   /* in the folder itself */
    HIERA_MADE_UNKNOWN  /* the folder, or one in which Hiera may have written, came or went; or there was nobody to tell
                         */
} HieraMade;

/* The folder need not exist. */
void hiera_folder_watch_begin(const char *folder);
HieraMade hiera_folder_watch_end(void);

#endif
