/* The files beside the traces: configuration, grammars, stylesheet. */
#ifndef HIERA_COMPANION_FILES_H
#define HIERA_COMPANION_FILES_H

#include <stdbool.h>

/* Write the files for a job of `size` processes, of which `n` have traces: those in `ranks`, or if NULL the first n. */
void hiera_files_write(const char *dir, const char *application, int size, const int *ranks, int n);
/* Does the configuration exist? */
bool hiera_files_are_there(const char *dir);

/* The application's name: the setting, or else the program's name. */
const char *hiera_files_application(void);

#endif
