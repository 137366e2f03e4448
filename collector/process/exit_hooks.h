/* Wrappers of the exits that bypass destructors: _exit, _Exit, quick_exit. */
#pragma once

/* Look up libc's functions, which the wrappers call. */
void hiera_exits_load(void);
/* From here on the status of exit() is noted. To be called when main() runs: what libc is told before comes to its turn
 * after the destructors. */
void hiera_exits_begin(void);
/* Return the status with which the process ends by exit() or by a return from main(); HIERA_NO_VALUE: not known. */
int hiera_exits_status(void);
