/* Exits that bypass destructors: _exit, _Exit, quick_exit. */
#ifndef HIERA_EXIT_HOOKS_H
#define HIERA_EXIT_HOOKS_H

/* Look up libc's functions, which our wrappers call. */
void hiera_exits_load(void);

#endif
