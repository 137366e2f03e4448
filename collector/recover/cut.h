/* Names traces without an end, whose processes were killed and which nothing on this computer can complete. */
#pragma once

#include <stdint.h>

/* Print the names of such traces in a folder that were written to since then (seconds since 1970), and the computers
 * that may have kept memory. @return how many there are */
unsigned hiera_cut_name(const char *folder, int64_t since_s);
