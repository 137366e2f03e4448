/* Reads traces into the document that the stylesheet turns into a page: a root `hieraReport` with the `processor`
 * elements of the traces.
 *
 * Only elements that the page shows become part of the tree, so memory depends on the page, not on the traces. */
#ifndef HIERA_PAGE_DOCUMENT_H
#define HIERA_PAGE_DOCUMENT_H

#include <glib.h>
#include <libxml/tree.h>

/* Return the document of some traces, to be freed with xmlFreeDoc. hiera_page_write() says which operations it has.
 * @return  NULL with an error (HIERA_PAGE_ERROR) if a file cannot be read or is not a trace */
xmlDocPtr hiera_page_document_read(const char *const *traces, gsize n_traces, guint64 max_operations, GError **error);

#endif
