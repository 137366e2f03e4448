/* Wrappers of execve and its family: they write the trace before another program replaces this one. */
#ifndef HIERA_EXEC_HOOKS_H
#define HIERA_EXEC_HOOKS_H

/* Look up libc's functions, which our wrappers call. */
void hiera_exec_load(void);

#endif
