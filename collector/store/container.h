/* The container that this process shares with others of its host (dtd/container.h): the file, its extents and who may
 * write them.
 *
 * Room is taken by writing an extent behind the end of the file, with one system call. The kernel lets no other process
 * of the host write in between, so ranks need neither messages nor locks nor shared memory, and an extent is
 * always complete, unless the disk is full or the process is killed during that call. A rank overwrites only
 * extents of its own.
 *
 * Descriptors, locks and the path belong to the process; members are in member.h. Called with the session's lock held.
 */
#pragma once

#include "dtd/container.h"
#include "store.h"

#include <stdbool.h>
#include <sys/types.h>

/* Make the container for `members` ranks in an open file, which is empty and locked (folder/claim.h). Takes over `fd`.
 * Returns 0 or the error. */
int hiera_container_make(const char *path, int fd, uint32_t members, unsigned long long job);

/* Use the container that another process has made. Returns 0 or the errno. */
int hiera_container_join(const char *path);

/* Note that because of this errno no trace can be written into the container. Returns the errno. */
int hiera_container_refuse(int error);

/* Whether traces of this process belong in a container. *error: errno that prevents writing there, or 0. */
bool hiera_container_is_used(int *error);

/* Write new traces and parts into files of their own. Those in the container can still be read. */
void hiera_container_forget(void);

/* Move the container's state into kept memory, which has just been created. */
void hiera_container_keep(void);

/* These do for the container what the functions hiera_store_… with the same endings do for a store. */
bool hiera_container_check(void);
int hiera_container_open_again(bool reads);
HieraStorePlace hiera_container_place(void);
void hiera_container_leave_to_parent(void);

/* Take room for an extent of head->bytes bytes that begins with n bytes of text. If the disk has less room, the extent
 * is smaller: then head->bytes and *n are reduced. `head` becomes the head of the extent; *offset its position. A free
 * extent of this process is used first. Returns 0 or the error. */
int hiera_container_take(HieraExtentHead *head, const char *bytes, size_t *n, uint64_t *offset);

/* Free an extent of this process, for reuse by its other traces. */
void hiera_container_give(uint64_t offset, HieraExtentHead head);

/* Read or write the head of an extent, which must be one of this container. Return 0 or the errno. */
int hiera_container_read_head(uint64_t offset, HieraExtentHead *head);
int hiera_container_write_head(uint64_t offset, HieraExtentHead *head);

/* Read or write bytes of an extent; `position` counts from the end of its head. Return 0 or the errno. */
int hiera_container_read(uint64_t offset, size_t position, char *bytes, size_t n);
int hiera_container_write(uint64_t offset, size_t position, const char *bytes, size_t n);

/* Free the disk space of an extent behind its first `used` bytes of text, if the file system can. */
void hiera_container_trim(uint64_t offset, const HieraExtentHead *head, size_t used);
