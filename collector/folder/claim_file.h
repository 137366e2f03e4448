/* One file in the folder of the traces: is it ours, and does a process that lives write it? */
#ifndef HIERA_CLAIM_FILE_H
#define HIERA_CLAIM_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { HIERA_HEAD_MAX = 4096 };

/* UNKNOWN: the file system has no locks. */
typedef enum HieraLock { HIERA_LOCK_HELD, HIERA_LOCK_BUSY, HIERA_LOCK_UNKNOWN } HieraLock;

/* Lock the file until it is closed or this process ends. */
HieraLock hiera_claim_lock(int fd);

/* What that would return, without doing it. */
HieraLock hiera_claim_look(int fd);

/* The beginning of a file as a text; returns its length. Compressed traces begin with a block that is only stored. */
size_t hiera_claim_read_head(int fd, char head[HIERA_HEAD_MAX]);

/* Where that text is in the head, or NULL; the value of an attribute that begins so (` pid="`), empty if it has none.
 */
const char *hiera_claim_find(const char *head, size_t n, const char *text);
void hiera_claim_copy_attribute(char *to, size_t room, const char *head, size_t n, const char *begin);
bool hiera_claim_mentions(const char *head, size_t n); /* Hiera */

/* Is the file, at this path, the user's own, and empty or with `mark` in its head (NULL: with Hiera's name)? */
bool hiera_claim_is_ours(int fd, const char *path, const char *mark);
extern const char hiera_claim_of_trace[]; /* the mark of a trace */

/* Where there are no locks: does the process of this trace live? */
bool hiera_claim_seems_to_live(int fd);

/* Is what stands at the path the file that is open? */
bool hiera_claim_still_stands(const char *path, int fd);

#endif
