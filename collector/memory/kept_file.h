/* The file of kept memory: the records of a process and the data that they refer to, which are still there when the
 * process is killed. hiera-recover reads it.
 *
 * A piece of the file is a piece of the process's memory, with its address there: pointers in it are valid if
 * it is mapped at that address again. Only the same build of libhiera understands the rest. */
#pragma once

#include "dtd/kept.h"

#include <limits.h>
#include <stdint.h>

#define HIERA_KEPT_MAGIC "hieraK1"

enum { HIERA_KEPT_PIECES = 2048, HIERA_KEPT_BUILD = 32, HIERA_KEPT_SETTINGS = 8 << 10, HIERA_KEPT_PAGE = 4096 };

/* `address` is set last, and cleared first. */
typedef struct HieraKeptPiece {
    uint64_t address; /* 0: no piece; 1: the piece is being made */
    uint64_t bytes, offset;
} HieraKeptPiece;

/* Identity of a process, so that another process with the same number is not confused with it. */
typedef struct HieraKeptProcess {
    int64_t pid;
    uint64_t start; /* start time, as in /proc/PID/stat */
    uint64_t space; /* namespace of the process number (/proc/self/ns/pid) */
    char boot[40];  /* boot id of the computer */
} HieraKeptProcess;

typedef struct HieraKeptHeader {
    char magic[8];
    uint64_t header_bytes; /* size of this header: another layout means another build */
    HieraKeptProcess process;
    int64_t made_s; /* time when it was made, in seconds since 1970 */
    uint64_t end;   /* end of the file, where the next piece begins */
    uint64_t job;   /* id of the job, the same in all its ranks */
    int32_t rank;   /* rank of the process; -1: before MPI_Init */
    uint32_t build_bytes;
    unsigned char build[HIERA_KEPT_BUILD]; /* build id of libhiera */
    uint64_t library_begin, library_end;   /* address range of libhiera */
    uint64_t statics, statics_bytes;       /* address and size of its variables that are kept */
    uint64_t maps, maps_bytes;             /* text: list of mappings, with lines as in /proc/PID/maps */
    char host[256];
    char library[PATH_MAX], folder[PATH_MAX]; /* path of libhiera; folder of the traces */
    char trace[PATH_MAX];                     /* file of the trace; set after MPI_Init */
    uint64_t device, inode;                   /* device and inode of that file */
    uint64_t later_inode;               /* inode of the file that is about to replace it (HIERA_MODE=window); 0: none */
    char search[PATH_MAX];              /* value of LD_LIBRARY_PATH */
    char run[64];                       /* value of HIERA_RUN: the hiera-run that waits for this job; empty: none */
    char settings[HIERA_KEPT_SETTINGS]; /* settings that the writer needs: NAME=VALUE, each with a NUL; an empty one
                                           ends the list */
    HieraKeptPiece pieces[HIERA_KEPT_PIECES];
} HieraKeptHeader;
