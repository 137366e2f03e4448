/* Commands of hiera-run --attach to a process: which samples, levels and searches are on, and whether it records. */
#pragma once

#include <stddef.h>

/* hiera_commands_begin() is called when the process has joined its job. */
void hiera_commands_begin(void);
void hiera_commands_complain(void);
