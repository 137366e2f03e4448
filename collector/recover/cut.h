/* Traces that are cut short: their processes were killed, and nothing on this computer completes them. */
#ifndef HIERA_RECOVER_CUT_H
#define HIERA_RECOVER_CUT_H

#include <stdint.h>

/* Name those of a folder that were written to since then (seconds since 1970), and the computers that may know more.
 * @return how many there are */
unsigned hiera_cut_name(const char *folder, int64_t since_s);

#endif
