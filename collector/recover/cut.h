/* Traces that are cut short: their processes were killed, and nothing on this computer completes them. */
#ifndef HIERA_RECOVER_CUT_H
#define HIERA_RECOVER_CUT_H

/* Name those of a folder. @return how many there are */
unsigned hiera_cut_name(const char *folder);

#endif
