/* The error domain of the page, for traces that cannot be read and pages that cannot be written. */
#ifndef HIERA_PAGE_ERROR_H
#define HIERA_PAGE_ERROR_H

#include <glib.h>

#define HIERA_PAGE_ERROR hiera_page_error_quark()
GQuark hiera_page_error_quark(void);

#endif
