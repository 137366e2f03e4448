/* Several processes of hiera-transform that a launcher of MPI started together. Process 0 leads: it alone prints and
 * decides, and writes what is one file; the others follow: they go the same way through the program, but read only
 * their share, and learn from process 0 what it decided. A process that is alone leads, and no function here does
 * anything. */
#ifndef HIERA_PARALLEL_H
#define HIERA_PARALLEL_H

#include <glib.h>

/* Before anything is printed: those that follow print nothing from now on. */
void hiera_parallel_silence(void);
/* Load MPI and begin to work together. @return FALSE with an error if that is not possible */
gboolean hiera_parallel_begin(GError **error);
/* End together. @return the exit status of process 0 */
int hiera_parallel_end(int status);

/* Did a launcher start this process beside others? What it prints goes through the launcher, then, which may have given
 * it a terminal of its own: how wide the lines are that are read in the end is not known. */
gboolean hiera_parallel_is_launched(void);
gboolean hiera_parallel_leads(void);
/* How many processes there are; 1: this one is alone. */
guint hiera_parallel_size(void);
guint hiera_parallel_rank(void);
/* How many threads this process may use while the others work: as many as --threads says, or its share of the host's
 * processors. */
guint hiera_parallel_threads(void);
/* Process 0: do without the others from now on. */
void hiera_parallel_go_alone(void);

/* What process 0 decided, in all. */
gboolean hiera_parallel_agree(gboolean decision);
/* Whether something is so in any process. All call it, and all get the answer. */
gboolean hiera_parallel_any(gboolean here);
/* Where any process has an error, all have one afterwards; process 0 its own, or that of the first one that has one.
 * All call it. @return whether there is none */
gboolean hiera_parallel_agree_on_error(GError **error);
/* Process 0: to all others. */
void hiera_parallel_tell(const guint8 *bytes, gsize n);
/* The others: what process 0 told; to be freed with g_free. If it has ended, this process ends, too. */
guint8 *hiera_parallel_hear(gsize *n);
/* To another process. It may wait until that one receives it. */
void hiera_parallel_send(guint to, const guint8 *bytes, gsize n);
/* What another one sent; to be freed with g_free. */
guint8 *hiera_parallel_receive(guint from, gsize *n);
/* Any two processes meet in one of the rounds from 1 to hiera_parallel_rounds() - 1, in which each has one other at
 * most: the process that this one meets; none if there is no process of that number. If of two the one with the lower
 * number sends first, none waits for ever. Processes with numbers that differ by 1 meet in few of the rounds: as ranks
 * of neighbours have most to tell each other, they do so at the same time. */
guint hiera_parallel_rounds(void);
guint hiera_parallel_meets(guint round);

#endif
