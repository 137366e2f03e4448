/* The options of hiera-predict executable. */
#pragma once

#include <glib.h>

/* Option values as written; NULL: not given. */
typedef struct {
    char *path;      /* path of the program */
    char *libraries; /* value of --libraries: own, none, or patterns */
    char *arguments; /* arguments of the program */
    char *processes; /* numbers of processes: 1,2,4 */
    char *clock, *machine, *message, *files, *loops, *branches, *draw, *reduce, *cost;
    char **decisions;   /* FILE:LINE=yes[:RANKS] */
    char **cycles;      /* FUNCTION=CYCLES */
    char *calibrate_by; /* trace, or seconds of computation */
    char *profile;      /* trace with the times of loops */
    char *graph;        /* name of the function whose vertices are shown */
    char *dot;          /* file for its flow chart */
    int simulations, seed;
    gboolean per_process;
} ExecutableWords;

/* Greatest number of options. */
enum { EXECUTABLE_OPTIONS_MOST = 32 };

/* Make the option entries, which are parsed into `words`; `words` must outlive them.
 * @param entries  receives the entries. @return  their number */
guint executable_options_set(ExecutableWords *words, GOptionEntry entries[EXECUTABLE_OPTIONS_MOST]);
void executable_words_clear(ExecutableWords *words);
