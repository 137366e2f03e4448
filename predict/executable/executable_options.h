/* The options of hiera-predict executable. */
#ifndef HIERA_PREDICT_EXECUTABLE_OPTIONS_H
#define HIERA_PREDICT_EXECUTABLE_OPTIONS_H

#include <glib.h>

/* The words, as they are written; NULL: not given. */
typedef struct {
    char *path;      /* of the program */
    char *libraries; /* own, none, or patterns */
    char *arguments; /* of the program */
    char *processes; /* 1,2,4 */
    char *clock, *machine, *message, *files, *loops, *branches, *draw, *reduce, *cost;
    char **decisions;   /* FILE:LINE=yes[:RANKS] */
    char **cycles;      /* FUNCTION=CYCLES */
    char *calibrate_by; /* trace, or seconds */
    char *profile;      /* trace */
    char *graph;        /* function whose vertices are shown */
    char *dot;          /* file for its flow chart */
    int simulations, seed;
    gboolean per_process;
} ExecutableWords;

/* The most of its options. */
enum { EXECUTABLE_OPTIONS_MOST = 32 };

/* Set the entries of its options, which are taken into `words`; the words must outlive them.
 * @param entries  receives them. @return  how many */
guint executable_options_set(ExecutableWords *words, GOptionEntry entries[EXECUTABLE_OPTIONS_MOST]);
void executable_words_clear(ExecutableWords *words);

#endif
