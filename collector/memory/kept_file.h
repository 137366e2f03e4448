/* The file of kept memory: what a process has recorded, and what names it, so that it is still there when the process
 * is killed. hiera-recover reads it.
 *
 * A piece of the file is a piece of the process's memory, at the address at which it was there: pointers in it hold if
 * it is mapped at that address again. Only the same build of libhiera understands the rest. */
#ifndef HIERA_KEPT_FILE_H
#define HIERA_KEPT_FILE_H

#include "dtd/kept.h"

#include <limits.h>
#include <stdint.h>

#define HIERA_KEPT_MAGIC "hieraK1"

enum { HIERA_KEPT_PIECES = 2048, HIERA_KEPT_BUILD = 32, HIERA_KEPT_SETTINGS = 8 << 10, HIERA_KEPT_PAGE = 4096 };

/* `address` is the last that is set, and the first that is taken away. */
typedef struct HieraKeptPiece {
    uint64_t address; /* 0: none; 1: one that is being made */
    uint64_t bytes, offset;
} HieraKeptPiece;

/* A process, so that another one with its number is not taken for it. */
typedef struct HieraKeptProcess {
    int64_t pid;
    uint64_t start; /* as in /proc/PID/stat */
    uint64_t space; /* of its number (/proc/self/ns/pid) */
    char boot[40];  /* of the computer */
} HieraKeptProcess;

typedef struct HieraKeptHeader {
    char magic[8];
    uint64_t header_bytes; /* of this: another layout is another build */
    HieraKeptProcess process;
    int64_t made_s; /* when, in seconds since 1970 */
    uint64_t end;   /* of the file: where the next piece begins */
    uint64_t job;   /* the same in all ranks of a job */
    int32_t rank;   /* -1: before MPI_Init */
    uint32_t build_bytes;
    unsigned char build[HIERA_KEPT_BUILD]; /* id of the libhiera */
    uint64_t library_begin, library_end;   /* its addresses */
    uint64_t statics, statics_bytes;       /* its variables that are kept */
    uint64_t maps, maps_bytes;             /* text: what was mapped where, lines as in /proc/PID/maps */
    char host[256];
    char library[PATH_MAX], folder[PATH_MAX]; /* of the traces */
    char trace[PATH_MAX];                     /* the file of the trace; after MPI_Init */
    uint64_t device, inode;                   /* … which tell it from another one of that name */
    uint64_t later_inode;                     /* of the file that is just taking its place (HIERA_MODE=window), or 0 */
    char search[PATH_MAX];                    /* LD_LIBRARY_PATH */
    char run[64];                             /* HIERA_RUN: of the hiera-run that waits for its job; empty: none does */
    char settings[HIERA_KEPT_SETTINGS]; /* that the writer needs: NAME=VALUE and a NUL each; an empty one ends them */
    HieraKeptPiece pieces[HIERA_KEPT_PIECES];
} HieraKeptHeader;

#endif
