/** The page: traces → one self-contained HTML file, made by the stylesheet of the trace through libxslt.
 *
 * What this hides: libxml2's tree and libxslt. The stylesheet (dtd/visual.xsl) is the only description of how a trace
 * looks; this module gives it one document, `hieraReport`, that holds the `processor` elements of all the traces. */
#ifndef HIERA_HTML_PAGE_H
#define HIERA_HTML_PAGE_H

#include <glib.h>

/** Write a page that shows some traces.
 *
 * The document given to the stylesheet is bounded: of each trace the first `max_operations` operations (complete
 * subtrees, in document order; those around the last one stay, shortened) are kept, the rest is counted in the
 * attribute `omitted` of its `processor`, and the page says so; so are operations nested deeper than 200 levels, which
 * `deeper` counts once more. It takes about 9 kB of memory and 450 bytes of page per operation kept. A trace that is
 * cut short is closed where it ends and marked `cut="yes"`. No network is used and no file is read but the traces:
 * external entities and DTDs are not loaded.
 *
 * @param traces          paths of the trace files, in the order in which they are to appear
 * @param n_traces        how many there are
 * @param stylesheet      the stylesheet's text (not its path), NUL-terminated
 * @param max_operations  operations shown per trace; 0 means no limit
 * @param output          path of the page; "-" is standard output
 * @param error           return location; domain HIERA_PAGE_ERROR (page_error.h); the message begins with `FILE:LINE: `
 * where known
 * @return true if the page was written whole; on false a partial output file is removed */
gboolean hiera_page_write(const char *const *traces, gsize n_traces, const char *stylesheet, guint64 max_operations,
                          const char *output, GError **error);

#endif
