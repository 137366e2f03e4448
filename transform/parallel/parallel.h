/* Several processes of hiera-transform that an MPI launcher started together. Process 0 leads: only it prints and
 * decides, and writes files that all share. The others follow: they take the same way through the program, but read
 * only their share, and receive the decisions of process 0. A process that is alone leads, and then no function here
 * does anything. */
#pragma once

#include <glib.h>

/* Close the output of processes other than 0. To be called before anything is printed. */
void hiera_parallel_silence(void);
/* Load MPI and begin to work with the other processes. @return FALSE with an error if that is not possible */
gboolean hiera_parallel_begin(GError **error);
/* End MPI and so the work of all processes. @return in every process, the `status` of process 0 */
int hiera_parallel_end(int status);

/* Whether a launcher started this process together with others. Then its output goes through the launcher, which may
 * have given it a terminal of its own: the width of the user's terminal is not known. */
gboolean hiera_parallel_is_launched(void);
gboolean hiera_parallel_leads(void);
/* Return the number of processes; 1: this process is alone. */
guint hiera_parallel_size(void);
guint hiera_parallel_rank(void);
/* Number of threads that this process may use while the others work: as --threads says, or its share of the host's
 * CPUs. */
guint hiera_parallel_threads(void);
/* In process 0: work without the other processes from now on. */
void hiera_parallel_go_alone(void);

/* Return process 0's `decision` in every process. All processes call it. */
gboolean hiera_parallel_agree(gboolean decision);
/* Return in all processes whether `here` is true in any of them. All processes call it. */
gboolean hiera_parallel_any(gboolean here);
/* If any process has an error, set an error in all: in process 0 its own, or that of the first process that has one.
 * All processes call it. @return whether there is none */
gboolean hiera_parallel_agree_on_error(GError **error);
/* In process 0: broadcast bytes to all other processes. */
void hiera_parallel_broadcast(const guint8 *bytes, gsize n);
/* In other processes: receive what process 0 broadcasts, to be freed with g_free. If process 0 has ended, end, too. */
guint8 *hiera_parallel_receive_broadcast(gsize *n);
/* Send bytes to process `to`. May wait until that process calls hiera_parallel_receive. */
void hiera_parallel_send(guint to, const guint8 *bytes, gsize n);
/* Receive bytes from process `from`; to be freed with g_free. */
guint8 *hiera_parallel_receive(guint from, gsize *n);
/* Pairing of processes: any two meet in one of the rounds from 1 to hiera_parallel_rounds() - 1, and in a round each
 * meets at most one other: hiera_parallel_meets() returns it; if there is no process of that number, none. If the
 * process with the lower number sends first, there is no deadlock. Processes with numbers that differ by 1 meet in few
 * of the rounds: as neighbouring ranks exchange most data, they do so at the same time. */
guint hiera_parallel_rounds(void);
guint hiera_parallel_meets(guint round);
