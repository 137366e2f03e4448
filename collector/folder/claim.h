/* The folder of the traces belongs to one job as long as that lives.
 *
 * Each process holds a lock on the file of its trace until it ends, the first one of a job also on hieraCollector.xml.
 * The kernel gives the locks back however the process ends, so nothing can be left behind. On a file system without
 * locks the head of a trace tells whether its process lives.
 *
 * What a job needs and may not have (a file of another job that lives; a link, a FIFO, a file that is no trace) is left
 * as it is: the job goes to a folder of its own within that one. What an earlier job has left is replaced, by another
 * file of the same name: who still has the old one open, or a second name for it, keeps it whole. */
#ifndef HIERA_CLAIM_H
#define HIERA_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

/* May this process write its trace there; hieraCollector.xml and what stands beside it? 0, HIERA_ERROR_FOREIGN or
 * HIERA_ERROR_BUSY: then *name is the file. Where it cannot be written for other reasons it may: who writes says why.
 * Until the claim is used nothing that was there is changed. */
int hiera_claim_trace(const char *path);
int hiera_claim_companions(const char *dir, const char **name);

/* Give up both: what was made for them is removed. */
void hiera_claim_drop(void);

/* Make the trace's file, empty and locked: its descriptor; -1: *error says why. */
int hiera_claim_make_trace(const char *path, int *error);

/* Give the locked file at `from` the name `path`. Returns 0 or the error. */
int hiera_claim_rename_trace(const char *from, const char *path);

/* Write hieraCollector.xml; one of the grammars or the stylesheet. Whole, or not at all. */
void hiera_claim_put_collector(const char *dir, const char *text, size_t n);
void hiera_claim_put_companion(const char *dir, const char *name, const char *text, size_t n);

/* Lock a trace's file that was opened again. False: another job has it. */
bool hiera_claim_lock_again(int fd);

/* Does another job that lives, not `job`, write the trace at this path? */
bool hiera_claim_is_of_other(const char *path, unsigned long long job);

/* Remove the traces of earlier jobs: all but those of `ranks` (ascending; NULL: the first n) with this suffix. */
void hiera_claim_remove_old(const char *dir, const int *ranks, int n, const char *suffix);

/* MPI ends: from now on each process holds its own trace alone. */
void hiera_claim_leave_companions(void);

/* A forked child holds no claim. */
void hiera_claim_leave_to_parent(void);

#endif
