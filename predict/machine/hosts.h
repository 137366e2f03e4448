/* On which host each rank runs, as recorded or by --mapping. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    guint32 *host;    /* by index of the rank: index of its host in `names` */
    GPtrArray *names; /* names of the hosts, owned; "": the trace names no host */
} Hosts;

/* Number the hosts of a trace in the order of their first rank. Ranks without a host in the trace share one host.
 * @param hosts  to be cleared */
void hosts_init(Hosts *hosts, const HieraTrace *trace);
/* Place the ranks on other hosts.
 *
 * @param hosts    current places, or empty
 * @param ranks    MPI ranks of the n root elements
 * @param mapping  "block:N": N consecutive ranks on each host; "cyclic:N": on N hosts in turn; otherwise a file with
 * lines of ranks and the name of their host
 * @param error    says which line is wrong, or which rank has no host; then `hosts` is unchanged */
gboolean hosts_map(Hosts *hosts, const guint32 *ranks, guint32 n, const char *mapping, GError **error);
void hosts_clear(Hosts *hosts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Hosts, hosts_clear)
