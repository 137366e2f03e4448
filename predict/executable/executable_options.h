/* The options of hiera-predict about an executable that was never run. */
#ifndef HIERA_PREDICT_EXECUTABLE_OPTIONS_H
#define HIERA_PREDICT_EXECUTABLE_OPTIONS_H

#include <glib.h>

/* The words, as they are written; NULL: not given. */
typedef struct {
    char *path;      /* --executable */
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

/* Make the group of options; they are taken into `words`, which must outlive the group. */
GOptionGroup *executable_options_group(ExecutableWords *words);
/* Refuse one of them that is given twice. */
gboolean executable_options_check_once(int argc, char **argv, GError **error);
/* @return the first option that was given beside --executable; NULL: none */
const char *executable_words_find_given(const ExecutableWords *words);
void executable_words_clear(ExecutableWords *words);

#endif
