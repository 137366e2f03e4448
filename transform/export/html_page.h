/** The page: writes traces as one self-contained HTML file.
 *
 * Hides libxml2's tree and libxslt. Only the stylesheet (dtd/visual.xsl) knows how a trace looks. It is applied to
 * one document, `hieraReport`, which contains the `processor` elements of all traces. */
#ifndef HIERA_HTML_PAGE_H
#define HIERA_HTML_PAGE_H

#include <glib.h>

/** Write a page that shows some traces.
 *
 * The size of the document is limited. Of each trace the first `max_operations` operations in document order are
 * shown. Further operations are counted in the attribute `omitted` of `processor`, and the page says so. Operations
 * nested deeper than 200 levels are omitted, too; the attribute `deeper` counts these alone. An operation that is
 * shown takes about 9 kB of memory and 450 bytes of the page. A trace that is cut short is shown up to its end and
 * marked `cut="yes"`. The network is not used, and no files are read but the traces: external entities and DTDs are
 * not loaded.
 *
 * @param traces          paths of the trace files, in the order in which they are shown
 * @param n_traces        number of traces
 * @param stylesheet      text of the stylesheet (not its path), NUL-terminated
 * @param max_operations  operations shown of each trace; 0: no limit
 * @param output          path of the page; "-": standard output
 * @param error           domain HIERA_PAGE_ERROR (page_error.h); the message begins with `FILE:LINE: ` if they are
 *                        known
 * @return                true if the whole page was written; if not, no partial file is left */
gboolean hiera_page_write(const char *const *traces, gsize n_traces, const char *stylesheet, guint64 max_operations,
                          const char *output, GError **error);

#endif
