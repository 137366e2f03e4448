/* What is said when the command has ended and left no trace, or perhaps none, and of what reasons there are signs. */
#ifndef HIERA_RUN_SILENT_H
#define HIERA_RUN_SILENT_H

#include "launcher.h"

/* Is this setting 0? */
bool hiera_silent_is_off(const char *setting);

/* Is the command to leave a trace, and in the folder that hiera-run knows? */
bool hiera_silent_is_meant(const HieraCommand *command);

/* `preload`: what was to be preloaded. `is_known`: there was none. */
void hiera_silent_say(void (*say)(const char *format, ...), const HieraCommand *command, const char *preload,
                      bool is_known);

#endif
