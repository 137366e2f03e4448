/* The files beside the traces: configuration, grammars, stylesheet. */
#ifndef HIERA_COMPANION_FILES_H
#define HIERA_COMPANION_FILES_H

#include <stdbool.h>

/* The trace files that the configuration lists: those of n ranks, or the n containers of which these are the first
 * ranks. */
typedef struct HieraFileList {
    const int *ranks; /* ascending; NULL: 0 to n - 1 */
    int n;
    bool are_containers;
} HieraFileList;

/* Write the files for a job of `size` processes. */
void hiera_files_write(const char *dir, const char *application, int size, const HieraFileList *list);
/* Does the configuration exist? */
bool hiera_files_are_there(const char *dir);

/* The application's name: the setting, or else the program's name. */
const char *hiera_files_application(void);

#endif
