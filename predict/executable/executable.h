/* Predicts a program from its executable: hiera-predict executable. */
#pragma once

#include "executable_options.h"
#include "machine/machine_options.h"

/* Make the tables of a program that was never run.
 *
 * @param output   NULL, or a folder for traces of the predicted run; then there must be one number of processes
 * @param command  the command line, written to the traces
 * @param notes  receives char *: assumptions made
 * @param incomplete  receives whether calls of MPI may be missing; only set if they may
 * @param error  HIERA_GRAPH_ERROR_USE if an option makes no sense, HIERA_GRAPH_ERROR_READ if the file cannot be read;
 * otherwise the program does not end on this machine
 * @return HieraTable, in an array that owns them; NULL with an error */
GPtrArray *executable_make_tables(const ExecutableWords *words, const MachineOptions *machine, const char *output,
                                  const char *command, GPtrArray *notes, gboolean *incomplete, GError **error);
