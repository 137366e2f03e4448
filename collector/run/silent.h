/* Messages when the command has ended and left no trace, or perhaps none: the possible reasons, as far as there are
 * signs of them. */
#pragma once

#include "launcher.h"

/* Whether this setting is 0. */
bool hiera_silent_is_off(const char *setting);

/* Whether the command is meant to leave a trace, in the folder that hiera-run knows. */
bool hiera_silent_is_meant(const HieraCommand *command);

typedef void HieraSay(const char *format, ...);

typedef struct HieraSilence {
    bool is_known;    /* true if there certainly was no trace */
    bool has_earlier; /* true if an earlier run has left a trace */
    bool is_failed;   /* true if the command has failed */
} HieraSilence;

/* Print the message. `preload`: the libraries that were to be preloaded. */
void hiera_silent_say(HieraSay *say, const HieraCommand *command, const char *preload, HieraSilence silence);
