/* The container that this process shares with others of its host (dtd/container.h): the file, its extents and who may
 * write them.
 *
 * Room is taken by writing an extent behind the end of the file, with one system call. The kernel lets no other process
 * of the host write between its pieces, so ranks need neither messages nor locks nor shared memory, and an extent is
 * always whole; unless the disk is full or the process is killed in that very call. What overwrites only touches
 * extents of its own rank.
 *
 * Descriptors, locks and the path are of the process; members are in member.h. Called with the session's lock held. */
#ifndef HIERA_CONTAINER_H
#define HIERA_CONTAINER_H

#include "dtd/container.h"
#include "store.h"

#include <stdbool.h>
#include <sys/types.h>

/* Make the container in an open file, which is empty and locked (folder/claim.h), for so many ranks. Takes `fd`.
 * Returns 0 or the error. */
int hiera_container_make(const char *path, int fd, uint32_t members, unsigned long long job);

/* Use the container that another process has made. Returns 0 or the error. */
int hiera_container_join(const char *path);

/* There is no container, because of this error; which is returned. */
int hiera_container_refuse(int error);

/* Traces of this process are to be in a container; *error: why they cannot be, or 0. */
bool hiera_container_is_used(int *error);

/* What is known of it goes into kept memory, which has just begun. */
void hiera_container_keep(void);

/* As hiera_store_check(), hiera_store_open_again(), hiera_store_place() and hiera_store_leave_to_parent(). */
bool hiera_container_check(void);
int hiera_container_open_again(void);
HieraStorePlace hiera_container_place(void);
void hiera_container_leave_to_parent(void);

/* Take room for an extent of head->bytes bytes that begins with n bytes of text; or, if the disk has less, a smaller
 * one: then head->bytes and *n are what there is. `head` becomes that of the extent; *offset is where it is. A free
 * extent of this process is used first. Returns 0 or the error. */
int hiera_container_take(HieraExtentHead *head, const char *bytes, size_t *n, uint64_t *offset);

/* An extent of this process is not needed any more. */
void hiera_container_give(uint64_t offset, HieraExtentHead head);

/* Read and write an extent's head; it must be an extent of this container. Return 0 or the error. */
int hiera_container_read_head(uint64_t offset, HieraExtentHead *head);
int hiera_container_write_head(uint64_t offset, HieraExtentHead *head);

/* Read and write bytes behind a head. Return 0 or the error. */
int hiera_container_read(uint64_t offset, size_t position, char *bytes, size_t n);
int hiera_container_write(uint64_t offset, size_t position, const char *bytes, size_t n);

/* Give the room on the disk behind these bytes of an extent back, as far as the file system can. */
void hiera_container_trim(uint64_t offset, const HieraExtentHead *head, size_t used);

#endif
