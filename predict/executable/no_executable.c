/* Takes the place of executable.c if Capstone or elfutils are missing: all calls fail. See executable.h. */
#include "executable.h"
#include "hiera_trace.h"

GPtrArray *executable_make_tables(const ExecutableWords *words, const MachineOptions *machine, const char *output,
                                  const char *command, GPtrArray *notes, gboolean *incomplete, GError **error)
{
    (void)words;
    (void)machine;
    (void)output;
    (void)command;
    (void)notes;
    (void)incomplete;
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "'hiera-predict executable' is not in this build, which has no Capstone or elfutils, or was set up "
                "with -Dimage=disabled (see docs/install.md)");
    return NULL;
}
