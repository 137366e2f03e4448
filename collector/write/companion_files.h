/* The files beside the traces: configuration, grammars, stylesheet. */
#ifndef HIERA_COMPANION_FILES_H
#define HIERA_COMPANION_FILES_H

#include <stdbool.h>

/* Traces of `n` of `size` processes: those of `ranks`, NULL for the first n. */
void hiera_files_write(const char *dir, const char *application, int size, const int *ranks, int n);
bool hiera_files_are_there(const char *dir);

/* The application's name: the setting, or the program's. */
const char *hiera_files_application(void);

#endif
