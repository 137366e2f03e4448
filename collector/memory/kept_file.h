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

/* A part of the file, mapped at `address` in the process; `address` is set last, and cleared first. */
typedef struct HieraKeptPiece {
    uint64_t address; /* address of the mapped part; 0: the entry is unused; 1: the part is being made */
    uint64_t bytes, offset;
} HieraKeptPiece;

/* Identity of a process, which another process with the same process number does not have. */
typedef struct HieraKeptProcess {
    int64_t pid;
    uint64_t start; /* start time of the process, as in /proc/PID/stat */
    uint64_t space; /* inode of the namespace of its process number (/proc/self/ns/pid) */
    char boot[40];  /* boot id of its computer */
} HieraKeptProcess;

typedef struct HieraKeptHeader {
    char magic[8];
    uint64_t header_bytes; /* size of this struct; a different size means another build of libhiera */
    HieraKeptProcess process;
    int64_t made_s; /* time when the file was made, in seconds since 1970 */
    uint64_t end;   /* end of the file in bytes, where the next piece begins */
    uint64_t job;   /* id of the job, the same in all of its ranks */
    int32_t rank;   /* rank of the process; -1: before MPI_Init */
    uint32_t build_bytes;
    unsigned char build[HIERA_KEPT_BUILD]; /* build id of libhiera */
    uint64_t library_begin, library_end;   /* address range of libhiera in the process */
    uint64_t statics, statics_bytes;       /* address and size of libhiera's variables marked HIERA_KEPT */
    uint64_t maps, maps_bytes;             /* address and size of a text with lines of /proc/PID/maps */
    char host[256];
    char library[PATH_MAX], folder[PATH_MAX]; /* path of libhiera; path of the folder of the traces */
    char trace[PATH_MAX];                     /* path of the trace file; empty before MPI_Init */
    uint64_t device, inode;                   /* device and inode of the trace file */
    uint64_t later_inode;               /* inode of the file that will replace the trace (HIERA_MODE=window); 0: none */
    char search[PATH_MAX];              /* the process's LD_LIBRARY_PATH */
    char run[64];                       /* the process's HIERA_RUN: id of the hiera-run around the job; empty: none */
    char settings[HIERA_KEPT_SETTINGS]; /* settings that the writer needs: NAME=VALUE, each with a NUL; an empty one
                                           ends the list */
    HieraKeptPiece pieces[HIERA_KEPT_PIECES];
} HieraKeptHeader;
