/* The options of hiera-predict executable. */
#pragma once

#include <glib.h>

/* Values of the options as texts, not interpreted yet; NULL: the option is not given. */
typedef struct {
    char *path;      /* path of the program */
    char *libraries; /* value of --libraries: own, none, or patterns */
    char *arguments; /* arguments of the program */
    char *processes; /* numbers of processes, such as "1,2,4" */
    char *clock, *machine, *message, *files, *loops, *branches, *draw, *reduce, *cost;
    char **decisions;   /* --decide: which way a branch goes, FILE:LINE=yes[:RANKS] */
    char **cycles;      /* --cycles: cost of a library function, FUNCTION=CYCLES */
    char *calibrate_by; /* --calibrate-by: a trace, or seconds of computation, by which cycles are scaled */
    char *profile;      /* --profile: a trace that says how often loops are repeated */
    char *graph;        /* --graph: name of the function whose vertices are shown */
    char *dot;          /* --dot: output file for the flow chart of the function that --graph names */
    int simulations, seed;
    gboolean per_process, explain;
} ExecutableWords;

/* Greatest number of option entries. */
enum { EXECUTABLE_OPTIONS_MOST = 32 };

/* Make the option entries, which are parsed into `words`; `words` must outlive them.
 * @param entries  receives the entries. @return  their number */
guint executable_options_set(ExecutableWords *words, GOptionEntry entries[EXECUTABLE_OPTIONS_MOST]);
void executable_words_clear(ExecutableWords *words);
