/* Files that several processes write together: each makes the parts of its own processors, and process 0
 * concatenates them. With one process the result is the same. */
#pragma once

#include "base/output_file.h"
#include "hiera_measure.h"

/* Like hiera_output_file_open(), but called by all processes; only process 0 gets a stream.
 * @return FALSE in all of them if the file cannot be opened; process 0 has an error */
gboolean hiera_export_open(HieraOutputFile *output, const HieraScope *scope, const char *path, GError **error);
/* Close a complete file, like hiera_output_file_close(); processes without a stream do nothing. */
gboolean hiera_export_close(HieraOutputFile *output, GError **error);

/* Like hiera_parallel_agree_on_error(): an error of one process stops all. @return whether there is no error */
gboolean hiera_export_agree_on_error(const HieraScope *scope, GError **error);

/* Return, in all processes, the minimum of the numbers that they pass as `here`. */
gint64 hiera_export_least(const HieraScope *scope, const HieraTrace *trace, gint64 here);

/* Callback that writes the part of a file about one processor. @param processor  index in the trace */
typedef void HieraExportPart(guint32 processor, FILE *stream, gpointer user);
/* Write the parts of all processors, in their order. Parts of other processes are kept in memory until
 * they are sent.
 *
 * @param stream  the output */
void hiera_export_write_parts(const HieraScope *scope, const HieraTrace *trace, HieraExportPart *write, FILE *stream,
                              gpointer user);
