/* What is said when the command has ended and left no trace, or perhaps none, and of what reasons there are signs. */
#ifndef HIERA_RUN_SILENT_H
#define HIERA_RUN_SILENT_H

#include "launcher.h"

/* Is this setting 0? */
bool hiera_silent_is_off(const char *setting);

/* Is the command to leave a trace, and in the folder that hiera-run knows? */
bool hiera_silent_is_meant(const HieraCommand *command);

typedef void HieraSay(const char *format, ...);

typedef struct HieraSilence {
    bool is_known;    /* there was no trace */
    bool has_earlier; /* an earlier run has left one */
    bool is_failed;   /* the command has */
} HieraSilence;

/* `preload`: what was to be preloaded. */
void hiera_silent_say(HieraSay *say, const HieraCommand *command, const char *preload, HieraSilence silence);

#endif
