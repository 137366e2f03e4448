/* Wrappers of the exits that bypass destructors: _exit, _Exit, quick_exit. */
#pragma once

/* Look up libc's functions, which the wrappers call. */
void hiera_exits_load(void);
