/* Wrappers of execve and its relatives: they write the trace before another program replaces this one. */
#pragma once

/* Look up libc's functions, which the wrappers call. */
void hiera_exec_load(void);
