/* The domain of errors of the page: a trace that cannot be read, a page that cannot be written. */
#ifndef HIERA_PAGE_ERROR_H
#define HIERA_PAGE_ERROR_H

#include <glib.h>

#define HIERA_PAGE_ERROR hiera_page_error_quark()
GQuark hiera_page_error_quark(void);

#endif
