/* The words of a command line: which word is the launcher of the job, and which are its programs. */
#pragma once

#include "loader.h"

typedef enum HieraLauncherKind {
    HIERA_LAUNCHER_NONE,
    HIERA_LAUNCHER_OPENMPI,
    HIERA_LAUNCHER_HYDRA,
    HIERA_LAUNCHER_SLURM,
    HIERA_LAUNCHER_UNKNOWN
} HieraLauncherKind;

/* A program in the command line. */
typedef struct HieraCommandProgram {
    const char *path;
    HieraLinked linked;
} HieraCommandProgram;

typedef struct HieraCommand {
    char **words; /* ends with NULL */
    HieraLauncherKind kind;
    size_t launcher; /* index of the launcher's word; without a launcher, of the word before which the environment is
                        set */
    size_t named;    /* index of the word that error messages name: the program, if it is known */
    HieraCommandProgram *programs; /* programs that are linked with an MPI */
    size_t n_programs;
    size_t n_others;       /* number of programs that are not linked with an MPI */
    const char *other;     /* first of the other programs, if it cannot load an MPI later; or NULL */
    const char *is_static; /* the first static program without Hiera; or NULL */
} HieraCommand;

/* Examine all words. Exits with an error if the first word is not a command. */
HieraCommand hiera_launcher_read(char **words);

/* File of a command: the word itself if it is a path, else found by PATH; NULL if there is none. */
const char *hiera_launcher_file(const char *word);
