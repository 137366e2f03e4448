/* Writes the files beside the traces: configuration, grammars, stylesheet. */
#pragma once

#include <stdbool.h>

/* The n trace files that the configuration lists: one for each rank, or containers, each given by its first rank. */
typedef struct HieraFileList {
    const int *ranks; /* ranks (of containers: first ranks) in ascending order; NULL: 0 to n - 1 */
    int n;
    bool are_containers;
} HieraFileList;

/* Write configuration, grammars and stylesheet for a job of `size` processes into the folder `dir`. */
void hiera_files_write(const char *dir, const char *application, int size, const HieraFileList *list);
/* Whether the configuration file exists in the folder `dir`. */
bool hiera_files_are_there(const char *dir);

/* Return the application's name for the traces: from the settings, else the name of the executable. */
const char *hiera_files_application(void);
