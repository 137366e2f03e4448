/* Wrappers of execve and its family: they write the trace before another program replaces this one. */
#pragma once

/* Look up libc's functions, which our wrappers call. */
void hiera_exec_load(void);
