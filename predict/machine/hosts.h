/* On which host each rank is. */
#ifndef HIERA_PREDICT_HOSTS_H
#define HIERA_PREDICT_HOSTS_H

#include "hiera_trace.h"

typedef struct {
    guint32 *host;    /* by index of the processor: a number below names->len */
    GPtrArray *names; /* of the hosts, owned; "" may be one */
} Hosts;

/* Number the hosts of a trace in the order of their first rank. Ranks whose trace names none are on one host.
 * @param hosts  to be cleared */
void hosts_init(Hosts *hosts, const HieraTrace *trace);
/* Place the ranks elsewhere.
 *
 * @param hosts    where they are now, or empty
 * @param ranks    of the n processors
 * @param mapping  "block:N": N ranks after another on each host; "cyclic:N": on N hosts in turn; else a file with lines
 *                 of ranks and the name of their host
 * @param error    says which line is wrong, or which rank has no host; then the hosts are as before */
gboolean hosts_map(Hosts *hosts, const guint32 *ranks, guint32 n, const char *mapping, GError **error);
void hosts_clear(Hosts *hosts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Hosts, hosts_clear)

#endif
