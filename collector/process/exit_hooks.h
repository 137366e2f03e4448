/* Exits that bypass destructors: _exit, _Exit, quick_exit. */
#pragma once

/* Look up libc's functions, which our wrappers call. */
void hiera_exits_load(void);
