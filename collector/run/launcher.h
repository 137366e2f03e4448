/* The words of a command line: which one starts the processes of the job, which are programs. */
#ifndef HIERA_RUN_LAUNCHER_H
#define HIERA_RUN_LAUNCHER_H

#include "loader.h"

typedef enum HieraLauncherKind {
    HIERA_LAUNCHER_NONE,
    HIERA_LAUNCHER_OPENMPI,
    HIERA_LAUNCHER_HYDRA,
    HIERA_LAUNCHER_SLURM,
    HIERA_LAUNCHER_UNKNOWN
} HieraLauncherKind;

/* A program among the words. */
typedef struct HieraProgram {
    const char *path;
    HieraLinked linked;
} HieraProgram;

typedef struct HieraCommand {
    char **words; /* NULL behind the last one */
    HieraLauncherKind kind;
    size_t launcher;        /* its word; without one: the word before which the environment is set */
    size_t named;           /* the word that errors are about: the program, as far as it can be told */
    HieraProgram *programs; /* the files that are linked with an MPI */
    size_t n_programs;
    size_t n_others;       /* other programs */
    const char *other;     /* the first one of these, if it cannot load an MPI later; or NULL */
    const char *is_static; /* the first one into which nothing can be preloaded, and that has no Hiera; or NULL */
} HieraCommand;

/* Look at all words. The first one is a command that exists, else this does not return. */
HieraCommand hiera_launcher_read(char **words);

/* The file of a word: the word itself, or what PATH has for it; or NULL. */
const char *hiera_launcher_file(const char *word);

#endif
