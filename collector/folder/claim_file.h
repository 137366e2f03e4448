/* About one file in the folder of traces: whether Hiera wrote it, and whether a running process writes it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { HIERA_HEAD_MAX = 4096 };

/* HELD: this process has the lock. BUSY: another process has it. UNKNOWN: the file system has no locks. */
typedef enum HieraLock { HIERA_LOCK_HELD, HIERA_LOCK_BUSY, HIERA_LOCK_UNKNOWN } HieraLock;

/* Lock the file for writing until it is closed or this process ends. */
HieraLock hiera_claim_lock(int fd);

/* Take a shared lock on the file. If this process has the exclusive lock, that becomes a shared one. */
HieraLock hiera_claim_lock_shared(int fd);

/* Return what hiera_claim_lock() would return, without taking the lock. */
HieraLock hiera_claim_look(int fd);

/* Read the head (first bytes) of a file; returns its length. A compressed trace has an uncompressed head. */
size_t hiera_claim_read_head(int fd, char head[HIERA_HEAD_MAX]);

/* Find a text in the head, or NULL; copy the value of an attribute, given as ` pid="` (empty if there is none); test
 * whether the head mentions Hiera. */
const char *hiera_claim_find(const char *head, size_t n, const char *text);
void hiera_claim_copy_attribute(char *to, size_t room, const char *head, size_t n, const char *begin);
bool hiera_claim_mentions(const char *head, size_t n);

/* Whether the user owns the file, and the file is empty or has `mark` in its head (NULL: mentions Hiera). */
bool hiera_claim_is_ours(int fd, const char *path, const char *mark);

/* The text that the head of a trace, or of a container of traces, contains; the path's suffix tells which. */
const char *hiera_claim_mark_of(const char *path);

/* For file systems without locks: whether the process that writes this trace seems to run. */
bool hiera_claim_seems_to_live(int fd);

/* Whether `path` still leads to the file that is open as `fd`. */
bool hiera_claim_still_stands(const char *path, int fd);
