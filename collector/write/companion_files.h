/* The files beside the traces: configuration, grammars, stylesheet. */
#pragma once

#include <stdbool.h>

/* The trace files that the configuration lists: the files of n ranks, or n containers, each given by its first rank. */
typedef struct HieraFileList {
    const int *ranks; /* ranks in ascending order; NULL: 0 to n - 1 */
    int n;
    bool are_containers;
} HieraFileList;

/* Write the files for a job of `size` processes. */
void hiera_files_write(const char *dir, const char *application, int size, const HieraFileList *list);
/* Whether the configuration exists. */
bool hiera_files_are_there(const char *dir);

/* Return the application's name: the setting, or else the program's name. */
const char *hiera_files_application(void);
