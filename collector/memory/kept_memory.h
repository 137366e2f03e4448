/* Memory that survives the process: pieces of a file in the host's memory file system, or in the folder of the traces.
 *
 * If the file cannot be made or has no room, memory is private as usual, and nothing survives: hiera_kept_refusal()
 * returns the reason. Disk blocks of the file are reserved before they are mapped, so that a full file system raises no
 * SIGBUS. The functions take no lock and do not call malloc: any thread may call them, also in a signal handler. They
 * keep errno. */
#pragma once

#include "kept_file.h"

#include <stdbool.h>
#include <stddef.h>

/* Make the file in this folder, and reserve `room` bytes for the first pieces. `in_memory`: the folder must be in a
 * memory file system. After a failure another folder may be tried. Returns whether there is a file now. */
bool hiera_kept_begin(const char *folder, bool in_memory, size_t room);

/* Return the header of the file; NULL: there is no file, so no memory survives the process. */
HieraKeptHeader *hiera_kept_header(void);

/* Allocate zeroed memory, in whole pages; NULL if there is none. Free it with the same number of bytes. */
void *hiera_kept_map(size_t bytes);
void hiera_kept_unmap(void *memory, size_t bytes);

/* Return the best address for a mapping of so many bytes, if parts of it will be kept: it must be free in another
 * process, too. NULL: any address. */
void *hiera_kept_place(size_t bytes);

/* Move pages with their content into the file, at the same address. Call hiera_kept_forget() before unmapping them. */
bool hiera_kept_cover(void *address, size_t bytes);
void hiera_kept_forget(void *address);

/* Remove the file, when all that is in its memory has been written to the trace. */
void hiera_kept_end(void);

/* Called in a forked child: give it its own copy of the memory; false if there is too little memory. The parent's file
 * stays. The child may make one, too. */
bool hiera_kept_in_child(void);

/* Return why nothing is kept; NULL: memory is kept, or that was not asked for. The second function: whether the file
 * system lacked room. */
const char *hiera_kept_refusal(void);
bool hiera_kept_lacked_room(void);

/* Get the address range of libhiera's variables that are marked HIERA_KEPT (kept.h). */
void hiera_kept_statics(void **begin, size_t *bytes);
