/* Memory that survives the process: pieces of a file in the host's memory file system, or in the folder of the traces.
 *
 * If the file cannot be made or has no room, memory is private as usual, and nothing survives: hiera_kept_refusal()
 * says why. The blocks of the file are reserved before they are mapped, so that a full file system raises no SIGBUS.
 * Nothing here takes a lock or calls malloc: any thread, also in a signal handler. Keeps errno. */
#ifndef HIERA_KEPT_MEMORY_H
#define HIERA_KEPT_MEMORY_H

#include "kept_file.h"

#include <stdbool.h>
#include <stddef.h>

/* Make the file in this folder, and reserve so much room for the first pieces. `in_memory`: that must be a memory file
 * system. If there is none now, it may be tried again in another folder. Returns whether there is one now. */
bool hiera_kept_begin(const char *folder, bool in_memory, size_t room);

/* The head of the file; NULL: nothing is kept. */
HieraKeptHeader *hiera_kept_header(void);

/* New memory, zeroed, in whole pages; NULL if there is none. Free it with its bytes. */
void *hiera_kept_map(size_t bytes);
void hiera_kept_unmap(void *memory, size_t bytes);

/* Where a mapping of so many bytes is best, if parts of it will be kept: another process must have nothing there. NULL:
 * anywhere. */
void *hiera_kept_place(size_t bytes);

/* Move pages, with what is in them, into the file. hiera_kept_forget() before they are unmapped. */
bool hiera_kept_cover(void *address, size_t bytes);
void hiera_kept_forget(void *address);

/* All that was kept is written elsewhere: remove the file. */
void hiera_kept_end(void);

/* In a forked child: from now on its memory is its own, unless there is too little: then false. The parent's file
 * stays. The child may begin one, too. */
bool hiera_kept_in_child(void);

/* Why nothing is kept any more, NULL: it is, or was not asked for. Was it for want of room in the file system? */
const char *hiera_kept_refusal(void);
bool hiera_kept_lacked_room(void);

/* The variables with HIERA_KEPT (kept.h). */
void hiera_kept_statics(void **begin, size_t *bytes);

#endif
