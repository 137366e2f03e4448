/* Reads the options of hiera-run. They are one table, from which the help and the test of the man page are made. */
#pragma once

#include "words.h"

/* X(field of HieraRunOptions, name, argument or NULL, help) */
#define HIERA_RUN_OPTIONS(X)                                                                                           \
    X(dir, "dir", "DIR", "folder of the traces (HIERA_DIR), default: the current one")                                 \
    X(library, "library", "SO", "preload this libhiera instead of the one that suits the program")                     \
    X(level, "level", "NAME",                                                                                          \
      "record calls of a library that the program loads later: a\n"                                                    \
      "level that comes with Hiera, or a file made by hiera-wrap")                                                     \
    X(no_levels, "no-levels", NULL, "preload only libhiera, and the levels of --level")                                \
    X(assert_, "assert", "FILE",                                                                                       \
      "check these rules while the program runs (HIERA_ASSERT), and\n"                                                 \
      "print what became of them: exit status 1 if one fails")                                                         \
    X(baseline, "baseline", "RUN", "the kept run that baseline() in these rules stands for")                           \
    X(assertions, "assertions", NULL,                                                                                  \
      "print at the end of the program what became of the assertions\n"                                                \
      "in its source, with the same exit status; --assert does too")                                                   \
    X(check, "check", NULL,                                                                                            \
      "print at the end what hiera-transform --validate finds: exit\n"                                                 \
      "status 1 if there is an error")                                                                                 \
    X(suppress, "suppress", "FILE", "findings of --check that are known, with reasons")                                \
    X(probe, "probe", "SCRIPT",                                                                                        \
      "run this probe script, that of this file, or the ready one of\n"                                                \
      "this name, in the program (HIERA_PROBE)")                                                                       \
    X(attach, "attach", "FOLDER",                                                                                      \
      "tell a running job, started with HIERA_ATTACH=1, which has its\n"                                               \
      "traces in FOLDER, what to do: sample=1, search=1, levels=all,\n"                                                \
      "record=0; none: say what is on. For ranks on this host")                                                        \
    X(watch, "watch", "SECONDS",                                                                                       \
      "print a line at such intervals on what the job does: its\n"                                                     \
      "efficiency since the last line, who lets others wait, the\n"                                                    \
      "longest call. For ranks on this host")                                                                          \
    X(doctor, "doctor", NULL, "say why there is no trace, line or level; COMMAND is not run")                          \
    X(print, "print", NULL, "print the command that would be run, and stop")                                           \
    X(settings, "settings", NULL, "print the settings (environment variables) of the collector")                       \
    X(counters, "counters", NULL,                                                                                      \
      "print the counters of this machine, or with PATTERN... as the\n"                                                \
      "COMMAND those: hiera-run --counters 'proc:self/*'. MPI's are\n"                                                 \
      "those of the MPI of a program: --counters ./app 'mpi:*'")                                                       \
    X(quiet, "quiet", NULL, "no notes, and no line about the traces at the end of the job")                            \
    X(version, "version", NULL, "print the version")                                                                   \
    X(help, "help", NULL, "print this help")                                                                           \
    X(help_all, "help-all", NULL, "print it and all settings, with the names in them")

typedef struct HieraRunOptions {
#define X(field, name, argument, help) HieraWords field; /* the option's values in order; for a flag its name */
    HIERA_RUN_OPTIONS(X)
#undef X
    char **command; /* words behind the options, the command to run; ends with NULL */
} HieraRunOptions;

/* Read the options in `words`, without the program's name. Exits with an error if they are wrong. */
HieraRunOptions hiera_run_options_read(char **words);

char *hiera_run_help(void);
