/* Traces → the one document that the stylesheet makes a page of: a root `hieraReport` with their `processor` elements.
 *
 * Only what the page will show becomes a tree, so that memory depends on the page and not on the traces. */
#ifndef HIERA_PAGE_DOCUMENT_H
#define HIERA_PAGE_DOCUMENT_H

#include <glib.h>
#include <libxml/tree.h>

/* See hiera_page_write for what is kept. To be freed with xmlFreeDoc; NULL with an error (HIERA_PAGE_ERROR) if a file
 * cannot be read or is no trace. */
xmlDocPtr hiera_page_document_read(const char *const *traces, gsize n_traces, guint64 max_operations, GError **error);

#endif
