/* Commands that hiera-run --attach gives a process: samples, searches, levels to record, whether to record at all. */
#pragma once

#include <stddef.h>

/* Let hiera-run --attach reach this process. hiera_commands_begin() is called when the process has joined its job. */
void hiera_commands_begin(void);
void hiera_commands_complain(void);
