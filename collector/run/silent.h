/* Messages when the command leaves no trace, or perhaps none: the possible reasons, as far as there are signs of them,
 * before it begins and when it has ended. */
#pragma once

#include "launcher.h"

/* Whether the environment variable `setting` is "0". */
bool hiera_silent_is_off(const char *setting);

/* Whether the command should leave a trace in the folder that hiera-run knows: none of its words changes that. */
bool hiera_silent_is_meant(const HieraCommand *command);

typedef void HieraSay(const char *format, ...);

/* Print, before the command begins, reasons why it will leave no trace, or a wrong one (by `say`), or may leave none
 * (by `doubt`). */
void hiera_silent_warn(HieraSay *say, HieraSay *doubt, const HieraCommand *command, const char *preload);

/* Print what may take away `preload` from the ranks: words of the command, scripts, rights of a file. @return whether
 * there is such a reason */
bool hiera_silent_reasons(HieraSay *say, const HieraCommand *command, const char *preload);

typedef struct HieraSilence {
    bool is_known;    /* true if it is certain that this run has left no trace */
    bool has_earlier; /* true if an earlier run has left a trace in the folder */
    bool is_failed;   /* true if the command has ended with an error */
} HieraSilence;

/* Print that the trace is missing, and possible reasons. `preload`: the libraries that were to be preloaded. */
void hiera_silent_say(HieraSay *say, const HieraCommand *command, const char *preload, HieraSilence silence);
