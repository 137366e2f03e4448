/* What hiera-run --attach can tell a process: which samples, levels and searches run, and whether it records. */
#ifndef HIERA_COMMANDS_H
#define HIERA_COMMANDS_H

#include <stddef.h>

/* When the process has joined its job. */
void hiera_commands_begin(void);
void hiera_commands_complain(void);

#endif
