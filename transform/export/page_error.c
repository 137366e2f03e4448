#include "page_error.h"

G_DEFINE_QUARK(hiera - page - error - quark, hiera_page_error)
