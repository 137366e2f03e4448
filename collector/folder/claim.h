/* Claims: a folder of traces belongs to one job while the job runs.
 *
 * Each process holds a lock on its trace until it ends. A container of traces is locked jointly by the processes that
 * write into it. The first process of a job also holds a lock on hieraCollector.xml. The kernel releases locks however
 * a process ends, so no lock is left behind. On a file system without locks, the head of a trace tells which process
 * writes it.
 *
 * If a file that the job needs belongs to another running job, or is a link, a FIFO or not a trace, it stays as it is,
 * and the job uses a folder of its own inside this one. Files of a finished job are replaced by new files of the same
 * name: an old file that is still open, or has a second name (hard link), keeps its content. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Claim the trace, or the container of traces, at `path`; the second function claims hieraCollector.xml and the other
 * files beside the traces. Existing files are not changed yet.
 *
 * @return  0; or HIERA_ERROR_FOREIGN or HIERA_ERROR_BUSY, then *name is the file in question. Other obstacles (no
 * permission, full disk) return 0: they are reported when the file is written */
int hiera_claim_trace(const char *path);
int hiera_claim_companions(const char *dir, const char **name);

/* Give up the claims on the trace and hieraCollector.xml, and remove files that were created by claiming them. */
void hiera_claim_drop(void);

/* Create the trace file, empty and locked. Returns its descriptor; -1 on failure, with the reason in *error. */
int hiera_claim_make_trace(const char *path, int *error);

/* Rename the locked trace file `from` to `path`. Returns 0 or the error. */
int hiera_claim_rename_trace(const char *from, const char *path);

/* Write hieraCollector.xml; the second function writes a grammar or the stylesheet. A file is written completely or not
 * at all. */
void hiera_claim_put_collector(const char *dir, const char *text, size_t n);
void hiera_claim_put_companion(const char *dir, const char *name, const char *text, size_t n);

/* Lock a trace file that was opened again. Returns false if another job has locked the file. */
bool hiera_claim_lock_again(int fd);

/* Lock a container of traces jointly with other writing processes. Returns false if another job has locked it. */
bool hiera_claim_share(int fd);

/* Whether a running job other than `job` writes the trace at this path. */
bool hiera_claim_is_of_other(const char *path, unsigned long long job);

/* Remove traces of earlier jobs with this suffix, except the n traces of `ranks` (ascending; NULL: ranks 0 to n - 1);
 * or, if the suffix is that of containers, the containers not named by these ranks. */
void hiera_claim_remove_old(const char *dir, const int *ranks, int n, const char *suffix);

/* Remove reports on rules by ranks of other jobs: assertions0-JOB.tsv if all ranks of that job have ended;
 * assertions0.tsv, which belongs to traces, if `is_ours`: the folder has been claimed for this job. */
void hiera_claim_remove_reports(const char *dir, unsigned long long job, bool is_ours);

/* At MPI_Finalize: release the lock on hieraCollector.xml, but keep the one on the trace until the process ends. */
void hiera_claim_leave_companions(void);

/* In a child of fork: forget the claim on hieraCollector.xml, which belongs to the parent. */
void hiera_claim_leave_to_parent(void);
