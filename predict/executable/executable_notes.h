/* Notes on what the prediction of an executable does not take into account. */
#pragma once

#include "executable_sums.h"

/* @param sums         of the last number of processes
 * @param has_threads  whether --machine threads= gives the number of threads of an OpenMP region
 * @param notes        char *: a note is added for each subject */
void executable_notes_add(const ExecutableSums *sums, gboolean has_threads, GPtrArray *notes);
