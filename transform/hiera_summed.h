/** Operations that stand for several calls: sums over calls at one place with the same callers, as profiles have them.
 *
 * They are neither rows of a trace nor HieraOperations, so code for single operations never sees them. Code that can
 * use sums reads them beside the rows (HieraSink.summed, HieraTrace.summed). */
#ifndef HIERA_SUMMED_H
#define HIERA_SUMMED_H

#include "hiera_trace.h"

/** A bin of a histogram: number of values with `bits` binary digits. bits = 0: the value 0; k: 2^(k-1) to 2^k - 1. */
typedef struct {
    guint64 bits; /* number of binary digits, 0 to 63 */
    gint64 calls;
} HieraBin;

/** What a HieraPart counts: whole calls, or the send or receive half of send-receives. */
typedef enum { HIERA_WAY_WHOLE, HIERA_WAY_SEND, HIERA_WAY_RECEIVE } HieraWay;

/** Part of a HieraSummed: sums over its calls, or their messages, with one communicator and peer. */
typedef struct {
    guint32 comm; /* index, as in the column `comm` of a trace */
    gint32 peer;  /* destination, real source, target or root, as a rank in `comm`; HIERA_ABSENT where there is none */
    HieraWay way;
    gboolean rest; /* whether this is the sum over all communicators and peers without a HieraPart of their own */
    gint64 calls;
    gint64 time_ns, bytes, rbytes; /* sums of time, bytes sent, bytes received; -1: not in the trace */
} HieraPart;

/** How long calls waited for other members of their communicator, as far as that was measured (HIERA_SYNC=1). */
typedef struct {
    gint64 calls, count; /* calls whose waiting is known (0: not measured); how many of them did wait */
    gint64 time_ns, max_ns;
} HieraWaited;

/** An operation that stands for several calls from one call site with the same callers. */
struct HieraSummed {
    const HieraSite *site;
    guint32 depth, thread;
    guint64 before;           /* number of single operations of the processor before this one in the document */
    guint32 element_line;     /* line of the element in the trace file */
    gint64 first_ns, last_ns; /* start of the first call; latest end of a call, HIERA_TIME_OPEN: none ended */
    gint64 calls, open;       /* number of calls, and how many of them have not ended */
    gint64 failed, missed;    /* calls that returned an error or did not return, probes and tests that found nothing */
    gint64 time_ns;           /* total time of the calls that have ended */
    gint64 min_ns, max_ns;    /* durations of shortest and longest call that ended; -1: none ended, or not in trace */
    gint64 open_since_ns;     /* start of the first of the calls that have not ended */
    gint64 bytes, rbytes;     /* bytes sent and received by all calls; -1: not in the trace */
    HieraWaited members, completion; /* waiting until the last member came; waiting at the end of the call, after the
                                        first member had left */
    gint64 exchange_ns;              /* time after the calls in which the ranks exchanged how long they waited */
    GArray *times, *sizes; /* HieraBin, rising by `bits`: times: durations in ns; sizes: bytes of calls and messages */
    GArray *parts;         /* HieraPart: the calls by communicator and peer */
};

/** An operation that stands for several calls, and the processor whose trace it is in. */
typedef struct {
    guint32 processor;
    HieraSummed *summed;
} HieraSummedOf;

/** Whether any rank has operations that stand for several calls; also a rank that another process has read. */
HIERA_API gboolean hiera_trace_has_sums(const HieraTrace *trace);

/** Whether a profile in the trace has measured how long calls waited (HIERA_SYNC=1). */
HIERA_API gboolean hiera_trace_has_waits(const HieraTrace *trace);

/** Return how long the calls of a summed operation waited in total, in ns, as far as that was measured. */
HIERA_API gint64 hiera_summed_waiting(const HieraSummed *summed);

/** Return the time of all calls in ns: those that have not ended last until `finalize_ns`, their processor's end. */
HIERA_API gint64 hiera_summed_time(const HieraSummed *summed, gint64 finalize_ns);

/** Return the part of hiera_summed_time that lies between two times. If several calls lie on both sides of one of the
 * times, it is the whole time. */
HIERA_API gint64 hiera_summed_time_between(const HieraSummed *summed, gint64 from_ns, gint64 to_ns);

/** Return the index in HieraTrace.summed of the first summed operation of a processor. O(log n) */
HIERA_API guint hiera_trace_find_summed(const HieraTrace *trace, guint32 processor);

/** Return a copy, to be freed by hiera_summed_free. */
HIERA_API HieraSummed *hiera_summed_copy(const HieraSummed *summed);
HIERA_API void hiera_summed_free(HieraSummed *summed);

#endif
