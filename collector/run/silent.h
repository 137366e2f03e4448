/* What is said when the command has ended and has left no trace, and of what reasons there are signs. */
#ifndef HIERA_RUN_SILENT_H
#define HIERA_RUN_SILENT_H

#include "launcher.h"

/* Is this setting 0? */
bool hiera_silent_is_off(const char *setting);

/* Is the command to leave a trace, and in the folder that hiera-run knows? */
bool hiera_silent_is_meant(const HieraCommand *command);

/* `preload`: what was to be preloaded. */
void hiera_silent_say(void (*say)(const char *format, ...), const HieraCommand *command, const char *preload);

#endif
