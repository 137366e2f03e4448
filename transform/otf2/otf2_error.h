/* Errors of libotf2. By default libotf2 prints them; here the first one of each thread is kept, so that a caller can
 * make many calls and check once. */
#pragma once

#include <glib.h>

/* Forget the first error in this thread. Call it before the first function of libotf2. */
void hiera_otf2_error_clear(void);
/* Return the first error in this thread since hiera_otf2_error_clear(), valid until the next such call; NULL: none. */
const char *hiera_otf2_error_peek(void);
