/* Finds in a command line the word that launches the job, and the words that are its programs. */
#pragma once

#include "loader.h"

typedef enum HieraLauncherKind {
    HIERA_LAUNCHER_NONE,
    HIERA_LAUNCHER_OPENMPI,
    HIERA_LAUNCHER_HYDRA,
    HIERA_LAUNCHER_SLURM,
    HIERA_LAUNCHER_UNKNOWN
} HieraLauncherKind;

/* A program of the job in the command line, and the libraries it is linked with. */
typedef struct HieraCommandProgram {
    const char *path;
    HieraLinked linked;
} HieraCommandProgram;

typedef struct HieraCommand {
    char **words; /* the command line; ends with NULL */
    HieraLauncherKind kind;
    size_t launcher; /* index of the launcher's word; without a launcher, of the word before which the environment is
                        set */
    size_t named;    /* index of the word that error messages name: launcher or program, if one of them is known */
    HieraCommandProgram *programs; /* programs that are linked with an MPI; an array of `n_programs` */
    size_t n_programs;
    size_t n_others;       /* number of programs in the command line that are not linked with an MPI */
    const char *other;     /* path of the first of these programs, unless it may load an MPI later; else NULL */
    const char *is_static; /* path of the first statically linked program that does not contain Hiera; NULL: none */
    bool has_hiera;        /* whether a statically linked program contains Hiera */
    const char *foreign;   /* path of the first program of another C library than hiera-run's; NULL: none */
} HieraCommand;

/* Find launcher and programs among the words. Exits with an error if the first word is not a command. */
HieraCommand hiera_launcher_read(char **words);

/* Return the file of a command: the word itself if it is a path, else what PATH finds; NULL: none. */
const char *hiera_launcher_file(const char *word);
