/* The records of a process that goes on running, read from outside. Nothing is asked of the process, and it does not
 * notice. A process that completes a trace (recover.h) uses this instead of the memory of a dead process and of its
 * trace file: it works on copies. */
#pragma once

#include "memory/taken_memory.h"
#include "record/record.h"

#include <stdint.h>

/* Copy the kept memory of a process into this one, at its addresses, as it was at one moment.
 *
 * If the process calls MPI all the time, there is no moment in which nothing changes. Then each record counts that was
 * complete when reading began, and the records of a thread that changed meanwhile end before its last one.
 *
 * @param file    descriptor of the file of kept memory
 * @param header  becomes the header of the file
 * @param until   becomes the time, in ticks, up to which everything is known
 * @param report  room for a text of 512 bytes: why it failed
 * @return HIERA_TAKEN_DAMAGED also if the process writes its trace again and again without a pause */
HieraTakenMemory hiera_live_take(int file, HieraKeptHeader *header, uint64_t *until);

/* Whether the records of a thread are whole: a file of another computer may come in parts. */
bool hiera_live_is_whole(const HieraThread *thread);

/* What the main thread of the process has done up to a time, in ticks. */
typedef struct HieraLook {
    uint64_t mpi_ns;     /* time in MPI calls, since MPI_Init */
    uint64_t longest_ns; /* time of the longest call of the last `seconds`; 0: there is none */
    const char *name;    /* its function without MPI_; "": there is none */
    const char *site;    /* attributes of its place: ` file="solve.c" line="88"` */
} HieraLook;

void hiera_live_look(uint64_t until, unsigned seconds, HieraLook *look);

/* Let the trace and its parts be copies in a folder from now on. Their files are open for reading (`reads` of
 * hiera_trace_file_open_again). Returns NULL, or why that is not possible. */
const char *hiera_live_copy_files(const char *folder);
