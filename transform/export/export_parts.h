/* Files that several processes make together: each makes what is in it of its own processors, and the one that leads
 * puts that together. Of one process all that is what there would be without this. */
#ifndef HIERA_EXPORT_PARTS_H
#define HIERA_EXPORT_PARTS_H

#include "base/output_file.h"
#include "hiera_measure.h"

/* As hiera_output_file_open(). All processes call this; for those that do not lead there is no stream.
 * @return FALSE in all of them if there is no file; the one that leads has an error */
gboolean hiera_export_open(HieraOutputFile *output, const HieraScope *scope, const char *path, GError **error);
/* As hiera_output_file_close(), for what could be written. */
gboolean hiera_export_close(HieraOutputFile *output, GError **error);

/* As hiera_parallel_agree_on_error(). */
gboolean hiera_export_agree_on_error(const HieraScope *scope, GError **error);

/* The least number of all processes. */
gint64 hiera_export_least(const HieraScope *scope, const HieraTrace *trace, gint64 here);

/* Writes what the file has of a processor, index in the trace. */
typedef void HieraExportPart(guint32 processor, FILE *stream, gpointer user);
/* Write the parts of all processors, in their order. What others than the one that leads write is in memory until it is
 * their turn.
 *
 * @param stream  of the output */
void hiera_export_write_parts(const HieraScope *scope, const HieraTrace *trace, HieraExportPart *write, FILE *stream,
                              gpointer user);

#endif
