/** Traces in memory, as columns. hiera_load.h reads them; problems found are in hiera_findings.h.
 *
 * This hides XML, files and threads. A trace is one array per attribute; row i of every array is operation i, in
 * document order, processor after processor (by rank), so that a subtree is a contiguous range of rows. */
#ifndef HIERA_TRACE_H
#define HIERA_TRACE_H

#include "hiera_findings.h"
#include "kinds.h"
#include <glib.h>

/** Domain of every GError of this library, and its error codes. */
#define HIERA_GRAPH_ERROR hiera_graph_error_quark()
typedef enum {
    HIERA_GRAPH_ERROR_READ,   /* none of the traces could be read */
    HIERA_GRAPH_ERROR_USE,    /* the caller's or user's request makes no sense */
    HIERA_GRAPH_ERROR_OUTPUT, /* the answer could not be written */
    HIERA_GRAPH_ERROR_MEMORY  /* a library used below (igraph, …) ran out of memory or failed */
} HieraGraphError;

/** Return the error domain HIERA_GRAPH_ERROR. */
HIERA_API GQuark hiera_graph_error_quark(void);

/** What an operation does to other ranks: send, receive, …; the rows of dtd/kinds.h. */
typedef enum {
#define X(identifier, name, collective) HIERA_KIND_##identifier,
    HIERA_KINDS(X)
#undef X
} HieraKind;

/** Whether operations of a kind are collective: all members of the communicator call them. */
HIERA_API gboolean hiera_kind_collective(HieraKind kind);

/** Index that means: no row, no processor, no communicator. */
#define HIERA_NONE G_MAXUINT32
/** Value of a missing rank or tag. */
#define HIERA_ABSENT G_MININT32
/** Special ranks: MPI_PROC_NULL; MPI_ROOT; MPI_ANY_SOURCE (or a tag: MPI_ANY_TAG) if the real value is not known. */
#define HIERA_PROC_NULL (-1)
#define HIERA_ROOT      (-2)
#define HIERA_ANY       (-3)
/** World rank of a process of another MPI job. */
#define HIERA_STRANGER (-4)
/** HieraOperation.parent of an operation at depth 0. */
#define HIERA_NO_PARENT G_MAXUINT64
/** Finish time of an operation without end in the trace; a HieraTrace has the last time seen in the trace instead. */
#define HIERA_TIME_OPEN G_MAXINT64

/** HieraProcessor.clock_error_ns of a clock that was not compared with the job's clock, or only at the start. */
#define HIERA_CLOCK_ERROR_UNKNOWN (-1)

/** HieraProcessor.seam of a trace that has calls of loops as sums only (element `hieraTurns`). */
#define HIERA_SEAM_LOOPS "folded loops"

/** A call site: everything about an operation that repeats. Sites are unique: two operations with the same level, name,
 * file and line share one. Strings are UTF-8, interned (equal strings have equal pointers) and live as long as the
 * catalog that made them. */
typedef struct {
    guint32 id;       /* 0, 1, … in order of first appearance; can differ each time that files are read in parallel */
    guint32 line;     /* source line of the call; 0: unknown */
    HieraKind kind;   /* what the call does to other ranks; LOCAL unless the level is mpi */
    HieraKind starts; /* of a call that makes a persistent request: what each start of the request does; else LOCAL */
    gboolean mpi;     /* whether the level is `mpi` */
    gboolean known;   /* whether the MPI level's table has the operation, or the level is not `mpi` */
    const char *level;      /* library layer that was called: "mpi", "oops", … */
    const char *operation;  /* name of the operation; of a method without its class */
    const char *class_name; /* class of a method; of other operations "" */
    const char *file;       /* source file of the call, as in the trace */
    const char *short_file; /* shortest end of `file` that is unique, for tables; set when all traces are read */
} HieraSite;

/** Numbers of messages and collective calls before the start of a trace that begins later than the run. */
typedef struct HieraBefore HieraBefore;

/** Threads of a rank's program between init and finalize, also those that were not recorded (element `hieraUsage`). */
typedef struct {
    gint64 time_ns;      /* processor time of all these threads; 0: not in the trace */
    gint64 recorded_ns;  /* part of it of the main thread and of threads with operations */
    gint64 n_threads;    /* most threads at one time, as far as it was seen; 0: not in the trace */
    gint64 n_unrecorded; /* most threads without operations at one time, as far as it was seen */
    gint64 n_cpus;       /* processors that the threads may use; 0: not in the trace */
    gint64 queued_ns;    /* time in which recorded threads could run and waited for a processor; 0: none, or unknown */
    gboolean has_openmp; /* whether a library of OpenMP is loaded */
} HieraThreadUse;

/** One MPI rank. Times are in nanoseconds from the job's common start. */
typedef struct {
    guint32 rank;
    gint64 init_ns, finalize_ns; /* times of MPI_Init, MPI_Finalize; finalize_ns of a trace cut short: its last time */
    gint64 flush_ns;             /* time that the collector itself took, in all threads */
    gint64 own_ns;    /* part of flush_ns in the main thread outside of MPI calls, between init and finalize */
    gint64 size;      /* number of ranks of the job; 0: not in the trace */
    const char *path; /* path of the rank's trace file, as the user wrote it */
    const char *application, *job, *host; /* names of the program, job and host; "": not in the trace */
    guint64 first, n_operations;          /* the rank's first row in the trace, and number of rows */
    const char *predicted;                /* how the rank's times were predicted; "": they were recorded */
    const char *clock; /* name of the rank's clock: ranks with the same name share one clock; "": not in the trace */
    gint64 clock_error_ns;     /* greatest possible difference between the rank's times and the job's */
    gboolean threaded;         /* whether there are operations of threads other than the main thread */
    gboolean has_openmp;       /* whether some of these are operations of OpenMP */
    gboolean calls_in_threads; /* whether threads other than the main thread have called MPI */
    guint32 last_thread;       /* greatest number of a thread that has operations */
    const char *threads;       /* MPI's level of thread support, as "MPI_THREAD_FUNNELED"; "": not in the trace */
    gboolean cut;              /* whether the trace lacks its end, MPI_Finalize, or ends of operations */
    gboolean ended;            /* whether a cut trace says how its process ended, or if `alive` what it did */
    const char *end;           /* how it ended if not normally: "signal 15 (SIGTERM)", …; "stopped" if it is; "" */
    gint64 end_ns;             /* when the process ended, or was seen; 0: not in the trace */
    const char *stack;    /* where its threads are, if the process still runs, the main thread first; "": not known */
    gint32 end_signal;    /* number of the signal that ended the process; 0: no signal */
    gboolean alive;       /* whether the process still runs, as far as this host can tell */
    gboolean compact;     /* whether the trace file is in the compact encoding */
    gint64 lost_calls;    /* number of calls that could not be recorded, as far as the trace says it */
    const char *past;     /* why it lacks calls whose number is not known (past Hiera, in memory); "": none */
    guint64 n_summed;     /* number of operations that stand for several calls; these are no rows of the trace */
    guint64 n_waits;      /* number of operations that stand for several calls and say how long these waited */
    const char *seam;     /* why single operations stop before the trace does, or have gaps; "": they are complete */
    gint64 seam_ns;       /* time at which single operations stop, or of the first gap */
    HieraBefore *before;  /* counts of calls before the trace, if it begins late (at init_ns); else NULL */
    HieraThreadUse usage; /* threads of the program, and their processor time */
    gint64 paused_calls;  /* number of MPI calls made while the program had recording switched off */
    guint32 number;       /* index of the rank in HieraTrace.processors */
    guint32 attributes;   /* bit i: the rank's trace has values of HieraAttributeValue.column i */
} HieraProcessor;

/** Whether a rank may have made calls that its trace lacks, because they go past Hiera. */
static inline gboolean hiera_processor_is_past(const HieraProcessor *processor)
{
    return processor->past && *processor->past;
}

/** A request that an operation names, or a message that MPI_Mprobe and its like returned. */
typedef struct {
    gint64 number; /* unique in its processor for the whole run; 0: no request; negative: a message */
    gint32 source; /* rank in the communicator; HIERA_ABSENT: not in the trace */
    gint32 tag;
    gint64 bytes; /* bytes received; -1: not in the trace */
} HieraRequest;

/** Requests that a call tested without success: those with the numbers `first` to `first` + `n` - 1. `first` = 0:
 * requests that are not known. A probe that found no message has exactly one HieraPending, with `n` = 0. */
typedef struct {
    gint64 first;
    guint32 n;
    guint32 row; /* row of the call that tested the requests; not set in a HieraOperation */
} HieraPending;

/** Arguments that only few operations have, so that columns would waste memory (hiera_trace_peek_sparse). */
typedef struct {
    guint32 other; /* index of a second communicator: the one that the call makes, or the group of an epoch; HIERA_NONE
                      if there is none */
    gint32 rtag;   /* `rtag` of a send-receive, operator of a reduction (HIERA_REDUCTIONS), number of a construct of
                      OpenMP (constructs.h); else HIERA_ABSENT */
    gint64 rbytes; /* bytes that a send-receive or collective received; -1: not in the trace */
} HieraSparse;

/** Bytes of a trace with n_sparse operations that have a HieraSparse; 4 more per operation if element lines
 * are kept, and 16 more per HieraPending. */
#define HIERA_TRACE_BYTES(n_operations, n_requests, n_sparse)                                                          \
    ((gsize)(n_operations)*60 + (gsize)(n_operations) / 4 + (gsize)(n_requests)*24 + (gsize)(n_sparse)*16)

/** Columns of a trace, arrays by row: X(element type, name). */
#define HIERA_COLUMNS(X)                                                                                               \
    X(guint32, site)   /* index into HieraTrace.sites: call site */                                                    \
    X(guint32, parent) /* row of the calling operation; HIERA_NONE at depth 0 */                                       \
    X(guint32, depth)  /* nesting depth; 0 for operations that no other one contains */                                \
    X(guint32, thread) /* number of the thread; 0 for the main thread */                                               \
    X(gint64, start_ns)                                                                                                \
    X(gint64, finish_ns)                                                                                               \
    X(guint32, comm)     /* index into communicators (windows and files too); HIERA_NONE: the call has none */         \
    X(gint32, peer)      /* `dest` of a send, `root` of a rooted collective, or target of a one-sided call */          \
    X(gint32, source)    /* `rem` of a receive: rank in the communicator, like `peer` */                               \
    X(gint32, tag)       /* `tag`; of a send-receive `stag`, of a test of a window `flag`, of its lock `lock_type` */  \
    X(guint32, requests) /* index of the row's first request; the next row's first one ends the list */                \
    X(gint64, bytes)     /* bytes sent, of a receive bytes received; -1: not in the trace */

/** One operation while its trace is read, before it becomes a row of a HieraTrace. */
typedef struct {
    const HieraSite *site;
    guint64 index;  /* number of the operation in its processor, from 0, in document order */
    guint64 parent; /* `index` of the calling operation; HIERA_NO_PARENT at depth 0 */
    guint32 depth, thread;
    guint32 element_line;       /* line of the element in the trace file */
    gint64 start_ns, finish_ns; /* finish_ns: HIERA_TIME_OPEN if the trace has no end of the operation */
    guint32 comm, other;
    gint32 peer, source, tag, rtag;
    gint64 bytes, rbytes;
    gint64 posted; /* size in bytes of the buffer given to a receive; -1: not in the trace */
    const HieraRequest *requests;
    guint n_requests;
    const HieraPending *pending;
    guint n_pending;
    gboolean missed;              /* whether the operation is a probe that found no message */
    gboolean failed;              /* whether the call returned an error, or did not return */
    gboolean any_source, any_tag; /* whether a receive or probe asked for MPI_ANY_SOURCE, or for MPI_ANY_TAG */
    gboolean refused;             /* whether --where is false for the operation */
} HieraOperation;

/** An operation that stands for several calls (hiera_summed.h). */
typedef struct HieraSummed HieraSummed;

/** Number and total time of a rank's calls that a filter excluded from recording; the collector only counted them. */
typedef struct {
    const HieraSite *site; /* level and name of the calls: a call site without file and line */
    guint32 comm, thread;  /* communicator and thread, as in the columns of these names in HieraTrace */
    gint64 count;
    gint64 bytes, rbytes; /* total bytes sent and received; -1: not in the trace */
    gint64 time_ns;       /* total time of the calls */
} HieraFiltered;

typedef struct {
    guint32 processor;
    HieraFiltered sum;
} HieraFilteredOf;

/** A line of a probe script's result in one rank, as the trace has it (element `hieraAggregation`). */
typedef struct {
    guint32 processor;
    const char *line; /* text of the line, owned by the catalog */
} HieraSavedLine;

/** Samples at one place of machine code, in one region or call of a thread; or all samples of a thread (`object` is
 * NULL). */
typedef struct {
    guint32 processor;  /* index in HieraTrace.processors */
    guint32 thread;     /* number of the thread; HIERA_THREADS_ENDED: all threads that have ended */
    gboolean in_mpi;    /* whether the samples lie in an MPI call */
    guint32 zero;       /* always 0, instead of padding bytes: processes send records to each other as bytes */
    const char *path;   /* call path: names of the operations around the samples, separated by HIERA_PATH_SEPARATOR; "":
                           none. All texts are owned by the catalog */
    const char *object; /* path of the program or library that was sampled; "": not known */
    const char *build;  /* build id of `object` in hexadecimal; "": not known */
    const char *trace;  /* path of the trace file */
    guint64 offset; /* offset from the first page of `object` in memory; an absolute address if `object` is not known */
    gint64 count;   /* number of samples; for a whole thread: number of lost samples */
    gint64 time_ns; /* time that the samples stand for; for a whole thread: its CPU time */
} HieraSampled;
#define HIERA_THREADS_ENDED ((guint32)G_MAXINT32)

/** What a HieraTimed record stands for. */
typedef enum {
    HIERA_TIMED_ALL, /* head of the records that follow: `count` function and loop events did not fit into the buffer */
    HIERA_TIMED_FUNCTION, /* a function that was timed */
    HIERA_TIMED_LOOP,     /* a loop in the last HIERA_TIMED_FUNCTION before */
    HIERA_TIMED_NOT       /* a function that could not be timed; see `reason` */
} HieraTimedKind;

/** Exact times of a function or loop of a processor, over all its threads, in document order: inner ones
 * follow the outer one. */
typedef struct {
    guint32 processor; /* index in HieraTrace.processors */
    HieraTimedKind kind;
    guint32 depth;         /* 0 for a function; for a loop 1 plus the number of loops around it */
    gboolean is_estimated; /* whether not all iterations of a loop were counted */
    const char *operation; /* name of the function. All texts are owned by the catalog */
    const char *file;      /* source file of `line` and `last_line`; "": not known */
    const char *reason;    /* why the function was not timed; "": it was */
    const char *by_thread; /* which threads took how long, as "thread:seconds thread:seconds"; "": not known */
    guint32 line, last_line;
    gboolean irreducible;      /* whether a loop has several entry points */
    gboolean too_deep;         /* whether a loop was not timed because it is nested too deep */
    gint64 count, open;        /* number of executions that have ended; number of those that have not */
    gint64 iterations;         /* number of iterations of a loop, in all executions */
    gint64 time_ns, own_ns;    /* time of all executions; the same without the time of functions that they call */
    gint64 min_ns, max_ns;     /* durations of the shortest and the longest execution */
    gint64 threads, thread_ns; /* number of threads that executed the code; longest time that one thread spent in it */
    gint64 timed;              /* number of executions that were timed, by which the others are estimated */
    gint64 uncertainty_ns;     /* by how much time_ns may be wrong */
    gint64 watched_ns;         /* how long a function was timed; 0: not known, or a loop */
    gint64 inner; /* number of executions of a function inside another one of the same thread; of a loop: that of its
                     function, whose loops may then be inside themselves */
    gint64 own_uncertainty_ns; /* by how much own_ns may be wrong */
    gint64 iterations_doubt;   /* by how much `iterations` may be wrong, if they are estimated */
} HieraTimed;

/** A time that the collector took from the main thread, outside of MPI calls and of operations that stand for several
 * calls. */
typedef struct {
    guint32 processor;
    guint32 depth;  /* number of operations that were open at this time */
    guint64 before; /* index in its processor of the first operation after this time in the document */
    gint64 start_ns, finish_ns;
} HieraOwnTime;

/** The value of an attribute that an expression asks for by its name (docs/expressions.md). Values of an operation, and
 * before those of the first one the values of the processor, come before it. */
typedef struct {
    guint32 processor; /* index in HieraTrace.processors */
    guint32 column;    /* index of the requested attribute (base/attribute_columns.h) */
    guint64 index;     /* index of the operation in its processor; 0: the first operation, or the processor itself */
    gint64 number;     /* value as a number; 0 if the attribute is a text */
    const char *text;  /* value as a text, owned by the catalog; NULL if the attribute is a number */
} HieraAttributeValue;

/** Records that a trace has of a processor beside its operations, at its end: X(type, name, texts). Their first member
 * is `processor`; T(member) is a text that the catalog owns. All that keeps, packs and hands over records comes from
 * these rows: a new kind is a row here, its functions in hiera_pack.h, and what reads its elements. */
#define HIERA_SAMPLED_TEXTS(T) T(path) T(object) T(build) T(trace)
#define HIERA_TIMED_TEXTS(T)   T(operation) T(file) T(reason) T(by_thread)
#define HIERA_END_RECORDS(X)                                                                                           \
    X(HieraSampled, sampled, HIERA_SAMPLED_TEXTS)                                                                      \
    X(HieraTimed, timed, HIERA_TIMED_TEXTS)
/** All kinds of records: HIERA_END_RECORDS, and those that stand between operations: X(type, name, texts). */
#define HIERA_OWN_TIME_TEXTS(T)
#define HIERA_ATTRIBUTE_VALUE_TEXTS(T) T(text)
#define HIERA_RECORDS(X)                                                                                               \
    HIERA_END_RECORDS(X)                                                                                               \
    X(HieraOwnTime, own_time, HIERA_OWN_TIME_TEXTS)                                                                    \
    X(HieraAttributeValue, attribute, HIERA_ATTRIBUTE_VALUE_TEXTS)

#define HIERA_LEVEL_ASSERT "assert" /* level of the operation that an assertion in the source is evaluated for */

/** The assertion in the program's source that an operation of the level HIERA_LEVEL_ASSERT belongs to. The operation
 * is the last one at its depth. */
typedef struct {
    guint32 processor;
    guint32 depth;    /* nesting depth of the operation */
    guint64 before;   /* index in its processor of the first operation after the assertion in the document */
    const char *file; /* source file of the assertion */
    guint32 line;
    guint32 zero;
    const char *variables; /* values of variables at the end of the operation: "name=value name=value"; "": none */
} HieraAsserted;

/** A counter (hardware event, memory size, …) of which operations have values. Its name is unique. */
typedef struct {
    const char *name; /* name as in --counters, for example "proc:rss" */
    const char *unit; /* unit: "B", "ns", …; "": a number of events or objects */
    gboolean level; /* whether a value is that at the operation's end (a gauge); else its growth during the operation */
} HieraTraceCounter;

/** Value of a counter during or after an operation. */
typedef struct {
    guint64 index; /* index of the operation in its processor */
    guint32 row;   /* row of the operation in a trace */
    guint32 depth; /* nesting depth of the operation, the last one at this depth before the value */
    const HieraTraceCounter *counter;
    gdouble value;
} HieraCounted;

typedef struct HieraCatalog HieraCatalog;

/** Indexes of a trace that make the search functions below fast. */
typedef struct HieraTraceIndex HieraTraceIndex;

/** Bits that choose optional columns of a trace. */
enum {
    HIERA_KEEP_LINES = 1,    /* the trace gets the column element_line */
    HIERA_KEEP_POSTED = 2,   /* the trace gets the column posted: 8 bytes per operation */
    HIERA_KEEP_WILDCARDS = 4 /* the trace gets any_source and any_tag: 4 bytes per row that is in them */
};

/** The operations of all ranks that were read, as columns; read-only for its users. */
typedef struct {
    guint32 n_operations, n_processors, n_requests;
#define X(type, name) type *name;
    HIERA_COLUMNS(X)
#undef X
    guint32 *element_line; /* line of the operation's element in the trace file, by row; NULL unless HIERA_KEEP_LINES */
    gint64 *posted;        /* size in bytes of the buffer given to a receive, by row; NULL unless HIERA_KEEP_POSTED */
    const HieraSite **sites; /* call sites, indexed by the column `site`; owned by the catalog */
    HieraRequest *request;   /* requests of all rows, indexed by the column `requests` */
    GArray *pending;         /* HieraPending, sorted by row */
    GArray *filtered;        /* HieraFilteredOf, sorted by processor */
    GArray *summed;          /* HieraSummedOf (hiera_summed.h), sorted by processor, then in document order */
    GArray *asserted;        /* HieraAsserted, sorted by processor, then in document order */
    GArray *saved;           /* HieraSavedLine, sorted by processor, then in document order */
#define X(type, name, texts) GArray *name; /* `type`, sorted by processor, then in document order */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;            /* HieraCounted, sorted by row */
    GArray *failed;             /* guint32: rows of calls that returned an error, or did not return; rising */
    GArray *open;               /* guint32: rows of operations without end in the trace; rising */
    GArray *any_source;         /* guint32: rows of receives, and of probes that found a message, which asked for any
                                   source, rising; empty unless asked for */
    GArray *any_tag;            /* guint32: rows that asked for any tag; otherwise as `any_source` */
    HieraProcessor *processors; /* `n_processors` ranks, sorted by rank */
    HieraCatalog *catalog;
    HieraTraceIndex *index;
} HieraTrace;

/** Whether `bytes` of the calls of a site are bytes given to MPI, to send them or to write them to a file; else they
 * are bytes got (by a receive, probe, get or read), or the bytes that each start of a request gives. */
HIERA_API gboolean hiera_site_gives(const HieraSite *site);

/** Compare two call sites by level, class, operation, file and line, as for qsort; 0: they are the same. */
HIERA_API gint hiera_site_compare(const HieraSite *a, const HieraSite *b);

/** Return the file, without its folder, and the line of a site, like "ring.c:10"; only the file (of a program without
 * debug information: the object and address) if the line is unknown; "" if both are. To be freed with g_free. */
HIERA_API char *hiera_site_place(const HieraSite *site);

/** Return the greatest possible difference of two processors' clocks in nanoseconds: 0 if they use the same clock,
 * which is assumed if the traces do not name it; HIERA_CLOCK_ERROR_UNKNOWN if an error is not known. */
HIERA_API gint64 hiera_clocks_differ_by(const HieraProcessor *a, const HieraProcessor *b);

/** Return the call site of an operation; owned by the catalog of the trace. */
static inline const HieraSite *hiera_trace_peek_site(const HieraTrace *trace, guint32 row)
{
    return trace->sites[trace->site[row]];
}

/** Return why the number of calls is not known, for the first rank that lacks calls; NULL: no rank does. */
HIERA_API const char *hiera_trace_peek_past(const HieraTrace *trace);

/** Index of the processor that executed an operation. O(1) if processors have about equally many operations. */
HIERA_API guint32 hiera_trace_find_processor(const HieraTrace *trace, guint32 row);

/** Index of the processor with a world rank; HIERA_NONE: no trace of that rank was read. O(log P). */
HIERA_API guint32 hiera_trace_find_rank(const HieraTrace *trace, gint64 rank);

/** The sparse arguments of an operation, each HIERA_NONE, HIERA_ABSENT or -1 if it has none; owned by the trace. O(1).
 */
HIERA_API const HieraSparse *hiera_trace_peek_sparse(const HieraTrace *trace, guint32 row);

/** Whether the call of a row returned an error, or did not return. O(log n). */
HIERA_API gboolean hiera_trace_is_failed(const HieraTrace *trace, guint32 row);

/** Whether a receive or probe asked for messages of any source, or with any tag; its column has the real one. FALSE
 * where the trace does not keep that (HIERA_KEEP_WILDCARDS). O(log n). */
HIERA_API gboolean hiera_trace_asks_any_source(const HieraTrace *trace, guint32 row);
HIERA_API gboolean hiera_trace_asks_any_tag(const HieraTrace *trace, guint32 row);

/** Whether the trace lacks an operation's end; its finish time is then the last time of its processor. O(log n). */
HIERA_API gboolean hiera_trace_is_open(const HieraTrace *trace, guint32 row);

/** Index in HieraTrace.own_time of the first entry of a processor, or of the next processor's if it has none. O(log n).
 */
HIERA_API guint hiera_trace_find_own_time(const HieraTrace *trace, guint32 processor);

/** The value of an attribute that is asked for (HieraAttributeValue.column) of an operation, or of a processor, where
 * `row` is its first; NULL: the trace has none. O(log n). */
HIERA_API const HieraAttributeValue *hiera_trace_find_attribute(const HieraTrace *trace, guint32 row, guint column);

/** Requests that an operation names.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are; 0: none */
HIERA_API guint hiera_trace_peek_requests(const HieraTrace *trace, guint32 row, const HieraRequest **first);

/** Counter values of an operation.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are. O(log n) */
HIERA_API guint hiera_trace_peek_counted(const HieraTrace *trace, guint32 row, const HieraCounted **first);

/** Requests that an operation tested without success.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are; 0: no test or probe, a successful one, or the trace does not say. O(log n). */
HIERA_API guint hiera_trace_peek_pending(const HieraTrace *trace, guint32 row, const HieraPending **first);

/** A set of ranks, as a user writes it: `0-6:2 9`. */
typedef struct HieraRanks HieraRanks;

/** Parse the notation of ranks: `0-6:2 9` is 0, 2, 4, 6 and 9; commas separate too.
 *
 * @param error  HIERA_GRAPH_ERROR_USE if the text is no list of ranks
 * @return the ranks, to be freed by hiera_ranks_free, or NULL */
HIERA_API HieraRanks *hiera_ranks_parse(const char *text, GError **error);

/** Free a list of ranks. NULL is allowed. */
HIERA_API void hiera_ranks_free(HieraRanks *ranks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraRanks, hiera_ranks_free)

/** Whether a rank is in the list. */
HIERA_API gboolean hiera_ranks_contain(const HieraRanks *ranks, gint64 rank);

/** Append the ranks from `first` to `last` to a text in the notation of hiera_ranks_parse, like `0-3 7`. */
HIERA_API void hiera_ranks_append_range(GString *text, gint64 first, gint64 last);

/** Whether a `lock_type` is MPI_LOCK_SHARED: of Open MPI, of MPICH, or of the ABI of MPI 5.0. */
static inline gboolean hiera_lock_is_shared(gint32 type)
{
    return type == 2 || type == 235 || type == 302;
}

/** Value of a sum that does not fit into 64 bits. It stays so, whatever is added or subtracted, so
 * that a table shows which of its numbers are not known. */
#define HIERA_TOO_LARGE G_MAXINT64

/** Return a + b; HIERA_TOO_LARGE if the sum does not fit, or if a or b is HIERA_TOO_LARGE. */
static inline gint64 hiera_plus(gint64 a, gint64 b)
{
    gint64 sum;
    return a == HIERA_TOO_LARGE || b == HIERA_TOO_LARGE || __builtin_add_overflow(a, b, &sum) ? HIERA_TOO_LARGE : sum;
}

/** Return a - b; HIERA_TOO_LARGE if the difference does not fit, or if a or b is HIERA_TOO_LARGE. */
static inline gint64 hiera_minus(gint64 a, gint64 b)
{
    gint64 difference;
    return a == HIERA_TOO_LARGE || b == HIERA_TOO_LARGE || __builtin_sub_overflow(a, b, &difference) ? HIERA_TOO_LARGE
                                                                                                     : difference;
}

/** Parse decimal seconds exactly into nanoseconds. Digits behind the ninth are rounded to the nearest nanosecond.
 *
 * @param text    `length` bytes; need not be terminated
 * @param ns      unchanged if parsing fails
 * @return false if the text is no plain decimal number or does not fit */
HIERA_API gboolean hiera_seconds_parse(const char *text, gsize length, gint64 *ns);

/** Make an empty catalog: the call sites, communicators and strings that operations share. To be freed by
 * hiera_catalog_free. */
HIERA_API HieraCatalog *hiera_catalog_new(void);

/** Free a catalog, and with it all its strings and sites. NULL is allowed. */
HIERA_API void hiera_catalog_free(HieraCatalog *catalog);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraCatalog, hiera_catalog_free)

/** Return the number of call sites; their ids are 0 to this number less 1. */
HIERA_API guint32 hiera_catalog_count_sites(const HieraCatalog *catalog);

/** Return the call site with an id; owned by the catalog. */
HIERA_API const HieraSite *hiera_catalog_peek_site(const HieraCatalog *catalog, guint32 id);

/** Id, in the traces, of a communicator, window or file by its index in the columns; also while traces are read. Owned
 * by the catalog. */
HIERA_API const char *hiera_catalog_find_id(HieraCatalog *catalog, guint32 index);

/** Number of members of a communicator (of an intercommunicator: in the local group); 0 if they are not known, as for
 * windows and files. Also while traces are read. */
HIERA_API gint64 hiera_catalog_count_members(HieraCatalog *catalog, guint32 index);

/** Return the counter with this name, owned by the catalog; NULL: no trace has it. Only after all traces are read. */
HIERA_API const HieraTraceCounter *hiera_catalog_find_counter(const HieraCatalog *catalog, const char *name);

/** Free a trace; its catalog stays. NULL is allowed. */
HIERA_API void hiera_trace_free(HieraTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTrace, hiera_trace_free)

#endif
