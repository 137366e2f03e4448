/* Facts about one file in the folder of traces: whether Hiera wrote it, and whether a running process writes it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { HIERA_HEAD_MAX = 4096 };

/* HELD: we have the lock. BUSY: another process has it. UNKNOWN: the file system has no locks. */
typedef enum HieraLock { HIERA_LOCK_HELD, HIERA_LOCK_BUSY, HIERA_LOCK_UNKNOWN } HieraLock;

/* Lock the file until it is closed or this process ends. */
HieraLock hiera_claim_lock(int fd);

/* Hold a shared lock on the file. An exclusive lock that we have becomes a shared one. */
HieraLock hiera_claim_lock_shared(int fd);

/* The result that hiera_claim_lock() would have, without taking the lock. */
HieraLock hiera_claim_look(int fd);

/* Read the head of a file; returns its length. The head of a compressed trace is stored uncompressed. */
size_t hiera_claim_read_head(int fd, char head[HIERA_HEAD_MAX]);

/* Find a text in the head, or NULL; copy the value of an attribute, given as ` pid="` (empty if there is none); test
 * whether the head mentions Hiera. */
const char *hiera_claim_find(const char *head, size_t n, const char *text);
void hiera_claim_copy_attribute(char *to, size_t room, const char *head, size_t n, const char *begin);
bool hiera_claim_mentions(const char *head, size_t n);

/* True if the file at this path belongs to the user, and is empty or has `mark` in its head (NULL: mentions Hiera). */
bool hiera_claim_is_ours(int fd, const char *path, const char *mark);

/* The text that marks a trace, or a container of traces, chosen by the name of the file. */
const char *hiera_claim_mark_of(const char *path);

/* For file systems without locks: true if the process of this trace seems to run. */
bool hiera_claim_seems_to_live(int fd);

/* True if the path still leads to the open file. */
bool hiera_claim_still_stands(const char *path, int fd);
