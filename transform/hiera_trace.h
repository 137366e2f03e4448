/** Traces in memory, as columns. hiera_load.h reads them; problems found are in hiera_findings.h.
 *
 * This hides XML, files and threads. A trace is one array per attribute; row i of every array is operation i, in
 * document order, processor after processor (by rank), so that a subtree is a contiguous range of rows. */
#ifndef HIERA_TRACE_H
#define HIERA_TRACE_H

#include "hiera_findings.h"
#include "kinds.h"
#include <glib.h>

/** Errors: the domain of every GError of this library. */
#define HIERA_GRAPH_ERROR hiera_graph_error_quark()
typedef enum {
    HIERA_GRAPH_ERROR_READ,   /* nothing could be read */
    HIERA_GRAPH_ERROR_USE,    /* the request makes no sense */
    HIERA_GRAPH_ERROR_OUTPUT, /* the answer could not be written */
    HIERA_GRAPH_ERROR_MEMORY  /* a library below ran out of memory or failed */
} HieraGraphError;

/** The domain itself; see HIERA_GRAPH_ERROR. */
HIERA_API GQuark hiera_graph_error_quark(void);

/** What an operation does to other ranks; the rows of dtd/kinds.h. */
typedef enum {
#define X(identifier, name, collective) HIERA_KIND_##identifier,
    HIERA_KINDS(X)
#undef X
} HieraKind;

/** Whether operations of a kind are collective: all members of the communicator call them. */
HIERA_API gboolean hiera_kind_collective(HieraKind kind);

/** An index that means: no row, no processor, no communicator. */
#define HIERA_NONE G_MAXUINT32
/** A missing rank or tag. */
#define HIERA_ABSENT G_MININT32
/** Special ranks: MPI_PROC_NULL; MPI_ROOT; a wildcard that the trace does not resolve. */
#define HIERA_PROC_NULL (-1)
#define HIERA_ROOT      (-2)
#define HIERA_ANY       (-3)
/** World rank of a process of another job. */
#define HIERA_STRANGER (-4)
/** The parent of an operation at depth 0. */
#define HIERA_NO_PARENT G_MAXUINT64
/** The finish time of an operation that is still open; in a HieraTrace it is replaced by the last time seen. */
#define HIERA_TIME_OPEN G_MAXINT64

/** The error of a clock that was not compared with the job's, or only at the start. */
#define HIERA_CLOCK_ERROR_UNKNOWN (-1)

/** HieraProcessor.seam of a trace in which repeated calls are sums (`hieraTurns`). */
#define HIERA_SEAM_LOOPS "folded loops"

/** A call site: everything about an operation that repeats. Sites are unique: two operations with the same level, name,
 * file and line share one. Strings are UTF-8, interned (equal strings have equal pointers) and live as long as the
 * catalog that made them. */
typedef struct {
    guint32 id;       /* 0, 1, … in order of first appearance; differs between runs when files are read in parallel */
    guint32 line;     /* 0 where unknown */
    HieraKind kind;   /* LOCAL unless the level is mpi */
    HieraKind starts; /* what each start does of the persistent request that the operation makes; else LOCAL */
    gboolean mpi;     /* the level is `mpi` */
    gboolean known;   /* the operation is in the table of the MPI level, or the level is another one */
    const char *level;      /* mpi, oops, … */
    const char *operation;  /* name; of a method without its class */
    const char *class_name; /* class of a method, else "" */
    const char *file;       /* path as in the trace */
    const char *short_file; /* shortened path for tables: as much of its end as makes it unique; set when all is read */
} HieraSite;

/** State of communication before the start of a trace that begins later than the run. */
typedef struct HieraBefore HieraBefore;

/** One rank. Times in nanoseconds from the job's common start. */
typedef struct {
    guint32 rank;
    gint64 init_ns, finalize_ns; /* finalize: the last time in the trace if it is cut short */
    gint64 flush_ns;             /* time that the collector took, of all threads */
    gint64 own_ns;               /* part of flush_ns in the main thread outside of MPI, between init and finalize */
    gint64 size;                 /* number of ranks of the job, 0 if the trace does not say */
    const char *path;            /* path of its trace file, as the user wrote it */
    const char *application, *job, *host; /* "" where the trace does not say */
    guint64 first, n_operations;          /* rows of the trace */
    const char *predicted;                /* how its times were predicted; "": they were recorded */
    const char *clock;                    /* the same name, the same clock; "" where the trace does not say */
    gint64 clock_error_ns;                /* its times are not farther from the job's than this */
    gboolean threaded;                    /* has operations of further threads */
    gboolean cut;                         /* the trace ends too early */
    gboolean ended;                       /* … but says how and when its process ended */
    const char *end;                      /* how it ended, if not normally: "signal 15 (SIGTERM)", …; else "" */
    gint64 end_ns;                        /* when; 0 where the trace does not say */
    gint32 end_signal;                    /* 0 if it was no signal */
    gboolean alive;                       /* its process still runs, as far as this host can tell */
    gboolean compact;                     /* its trace is in the compact spelling */
    gint64 lost_calls;                    /* calls that could not be recorded, as far as the trace says how many */
    guint64 n_summed;                     /* operations that stand for several calls; they are no rows */
    guint64 n_waits;                      /* how many of them know how long their calls waited (HieraSummed.members) */
    const char *seam;                     /* why single operations end before the trace, or have gaps, else "" */
    gint64 seam_ns;                       /* when they end, or the first gap begins */
    HieraBefore *before; /* of a trace with the last part of the run alone, which begins at init_ns; else NULL */
    gint64 paused_calls; /* MPI calls that came while the program had recording switched off */
    guint32 number;      /* its place among the processors of the trace */
    guint32 attributes;  /* bit i: its trace has a value of the attribute i that is asked for */
} HieraProcessor;

/** A request that an operation names, or a message that a matched probe took. */
typedef struct {
    gint64 number; /* unique in its processor over time; 0: none; negative: a message */
    gint32 source; /* rank in the communicator, HIERA_ABSENT where the trace does not say */
    gint32 tag;
    gint64 bytes; /* -1 where the trace does not say */
} HieraRequest;

/** Requests that a call tested without success: those with the numbers `first` to `first` + `n` - 1. `first` = 0:
 * requests that are not known. A probe that found no message has exactly one HieraPending, with `n` = 0. */
typedef struct {
    gint64 first;
    guint32 n;
    guint32 row; /* row of the test; not set in a HieraOperation */
} HieraPending;

/** Arguments that few operations have, so that they are no columns; see hiera_trace_peek_sparse. */
typedef struct {
    guint32 other; /* index of a second communicator: the one that the call makes, or the group of an epoch; HIERA_NONE
                      if there is none */
    gint32 rtag;   /* `rtag` of a send-receive, or operator of a reduction (HIERA_REDUCTIONS), else HIERA_ABSENT */
    gint64 rbytes; /* bytes that a send-receive or collective received; -1 if the trace does not say */
} HieraSparse;

/** Bytes of a trace with n_sparse operations that have a HieraSparse; 4 more per operation if element lines
 * are kept, and 16 more per HieraPending. */
#define HIERA_TRACE_BYTES(n_operations, n_requests, n_sparse)                                                          \
    ((gsize)(n_operations)*60 + (gsize)(n_operations) / 4 + (gsize)(n_requests)*24 + (gsize)(n_sparse)*16)

/** Columns of a trace: X(type, name). */
#define HIERA_COLUMNS(X)                                                                                               \
    X(guint32, site)   /* index into `sites` */                                                                        \
    X(guint32, parent) /* row of the parent, or HIERA_NONE at depth 0 */                                               \
    X(guint32, depth)  /* 0 for children of the processor or of a thread */                                            \
    X(guint32, thread) /* 0 for the main thread */                                                                     \
    X(gint64, start_ns)                                                                                                \
    X(gint64, finish_ns)                                                                                               \
    X(guint32, comm)     /* index into communicators (windows and files too), HIERA_NONE if there is none */           \
    X(gint32, peer)      /* `dest` of a send, `root` of a rooted collective, or target of a one-sided call */          \
    X(gint32, source)    /* `rem` of a receive: rank in the communicator, like `peer` */                               \
    X(gint32, tag)       /* `tag`; of a send-receive `stag`, of a test of a window `flag`, of its lock `lock_type` */  \
    X(guint32, requests) /* index of its first request; its requests end where those of the next row begin */          \
    X(gint64, bytes)     /* -1 where the trace does not say */

/** One operation while it is read, before it becomes a row. */
typedef struct {
    const HieraSite *site;
    guint64 index;  /* number of the operation in its processor, in document order */
    guint64 parent; /* `index` of its parent, or HIERA_NO_PARENT */
    guint32 depth, thread;
    guint32 element_line;       /* line of the element in the trace file */
    gint64 start_ns, finish_ns; /* finish may be HIERA_TIME_OPEN */
    guint32 comm, other;
    gint32 peer, source, tag, rtag;
    gint64 bytes, rbytes;
    gint64 posted; /* bytes of the buffer that a receive posts; -1 if the trace does not say */
    const HieraRequest *requests;
    guint n_requests;
    const HieraPending *pending;
    guint n_pending;
    gboolean missed;              /* a probe that found no message */
    gboolean failed;              /* the call returned an error, or did not return */
    gboolean any_source, any_tag; /* the program asked for any source or any tag */
    gboolean refused;             /* --where is false for the operation */
} HieraOperation;

/** An operation that stands for several calls (hiera_summed.h). */
typedef struct HieraSummed HieraSummed;

/** Calls of one rank that the collector only counted, as a filter asked. */
typedef struct {
    const HieraSite *site; /* call site without file and line */
    guint32 comm, thread;  /* as in the columns */
    gint64 count;
    gint64 bytes, rbytes; /* -1 where the trace does not say */
    gint64 time_ns;       /* total time, as in the columns */
} HieraFiltered;

typedef struct {
    guint32 processor;
    HieraFiltered sum;
} HieraFilteredOf;

/** A line of a probe script's result in a processor. */
typedef struct {
    guint32 processor;
    const char *line; /* owned by the catalog */
} HieraSavedLine;

/** Samples at one place of machine code, in one region or call of a thread; or all samples of a thread (`object` is
 * NULL). */
typedef struct {
    guint32 processor;  /* index in a trace */
    guint32 thread;     /* number of the thread; HIERA_THREADS_ENDED: all threads that have ended */
    gboolean in_mpi;    /* the samples lie in an MPI call */
    guint32 zero;       /* sets padding bytes here and below to 0, as processes send records to each other */
    const char *path;   /* names of the operations around it, separated by HIERA_PATH_SEPARATOR; "": none. The texts are
                         * owned by   the catalog */
    const char *object; /* path of the program or library; "": not known */
    const char *build;  /* build id of `object` in hexadecimal; "": not known */
    const char *trace;  /* path of the trace */
    guint64 offset;     /* offset from the object's first page in memory; an address if that is not known */
    gint64 count;       /* number of samples; for a whole thread: number of lost samples */
    gint64 time_ns;     /* time that the samples stand for; for a whole thread: its CPU time */
} HieraSampled;
#define HIERA_THREADS_ENDED ((guint32)G_MAXINT32)

/** Kind of a HieraTimed. */
typedef enum {
    HIERA_TIMED_ALL,      /* head of the functions and loops that follow: `count` of their events did not fit */
    HIERA_TIMED_FUNCTION, /* a function that was timed */
    HIERA_TIMED_LOOP,     /* a loop in that function */
    HIERA_TIMED_NOT       /* a function that was not timed */
} HieraTimedKind;

/** Exact times of a function or loop of a processor, over all its threads, in document order: inner ones
 * follow the outer one. */
typedef struct {
    guint32 processor; /* index in a trace */
    HieraTimedKind kind;
    guint32 depth; /* 0 for a function; for a loop, number of loops around it plus 1 for the function */
    guint32 zero;
    const char *operation; /* name of the function. The texts are owned by the catalog */
    const char *file;      /* source file of its lines; "": not known */
    const char *reason;    /* why the function was not timed; "" if it was */
    guint32 line, last_line;
    gboolean irreducible;      /* a loop with several entries */
    gboolean too_deep;         /* a loop that was not timed because it is nested too deep */
    gint64 count, open;        /* number of executions that have ended, and that have not */
    gint64 iterations;         /* number of iterations of a loop */
    gint64 time_ns, own_ns;    /* time of all executions, and without the functions that they call */
    gint64 min_ns, max_ns;     /* shortest and longest execution */
    gint64 threads, thread_ns; /* number of threads that executed it, and the time of the thread that took longest */
    gint64 events, event_ns;   /* number of events recorded inside it, and the time that each event costs */
} HieraTimed;

/** A time that the collector took from the main thread, outside of MPI calls and of operations that stand for several
 * calls. */
typedef struct {
    guint32 processor;
    guint32 depth;  /* number of operations around it */
    guint64 before; /* index in its processor of the first operation after it in the document */
    gint64 start_ns, finish_ns;
} HieraOwnTime;

/** The value of an attribute that an expression asks for by its name (docs/expressions.md). Values of an operation, and
 * before those of the first one the values of the processor, come before it. */
typedef struct {
    guint32 processor; /* index, in a trace */
    guint32 column;    /* of base/attribute_columns.h */
    guint64 index;     /* of the operation, in its processor; 0: of the first one, or of the processor */
    gint64 number;     /* 0 if it is a text */
    const char *text;  /* NULL if it is a number; owned by the catalog */
} HieraAttributeValue;

/** Records that a trace has of a processor beside its operations, at its end: X(type, name, texts). Their first member
 * is `processor`; T(member) is a text that the catalog owns. All that keeps, packs and hands over records comes from
 * these rows: a new kind is a row here, its functions in hiera_pack.h, and what reads its elements. */
#define HIERA_SAMPLED_TEXTS(T) T(path) T(object) T(build) T(trace)
#define HIERA_TIMED_TEXTS(T)   T(operation) T(file) T(reason)
#define HIERA_END_RECORDS(X)                                                                                           \
    X(HieraSampled, sampled, HIERA_SAMPLED_TEXTS)                                                                      \
    X(HieraTimed, timed, HIERA_TIMED_TEXTS)
/** HIERA_END_RECORDS, and the records that stand between operations. */
#define HIERA_OWN_TIME_TEXTS(T)
#define HIERA_ATTRIBUTE_VALUE_TEXTS(T) T(text)
#define HIERA_RECORDS(X)                                                                                               \
    HIERA_END_RECORDS(X)                                                                                               \
    X(HieraOwnTime, own_time, HIERA_OWN_TIME_TEXTS)                                                                    \
    X(HieraAttributeValue, attribute, HIERA_ATTRIBUTE_VALUE_TEXTS)

#define HIERA_LEVEL_ASSERT "assert" /* level of an operation that an assertion in the source is about */

/** The assertion in the program's source that an operation of the level HIERA_LEVEL_ASSERT belongs to. The operation
 * is the last one at its depth. */
typedef struct {
    guint32 processor;
    guint32 depth;    /* depth of the operation */
    guint64 before;   /* index in its processor of the first operation after it in the document */
    const char *file; /* source file of the assertion */
    guint32 line;
    guint32 zero;
    const char *variables; /* variables at the end of the operation: "name=value name=value"; "" if it has none */
} HieraAsserted;

/** A counter that operations have values of. Its name is unique. */
typedef struct {
    const char *name; /* for example "proc:rss" */
    const char *unit; /* unit: "B", "ns", …; "": a number of things */
    gboolean level; /* the value is that at the operation's end (a gauge); else it is the growth during the operation */
} HieraTraceCounter;

/** Value of a counter for an operation. */
typedef struct {
    guint64 index; /* number of the operation in its processor */
    guint32 row;   /* row of the operation in a trace */
    guint32 depth; /* depth of the operation, which is the last one at this depth */
    const HieraTraceCounter *counter;
    gdouble value;
} HieraCounted;

typedef struct HieraCatalog HieraCatalog;

/** Index by which the functions below search quickly. */
typedef struct HieraTraceIndex HieraTraceIndex;

/** Bits for optional columns of a trace. */
enum {
    HIERA_KEEP_LINES = 1,    /* element_line */
    HIERA_KEEP_POSTED = 2,   /* posted: 8 bytes per operation */
    HIERA_KEEP_WILDCARDS = 4 /* any_source, any_tag: 4 bytes per operation that asked for that */
};

/** All operations that were read; read-only for its users. */
typedef struct {
    guint32 n_operations, n_processors, n_requests;
#define X(type, name) type *name;
    HIERA_COLUMNS(X)
#undef X
    guint32 *element_line;   /* line in the trace file; NULL unless asked for */
    gint64 *posted;          /* bytes that a receive posts; NULL unless asked for */
    const HieraSite **sites; /* call sites, indexed by the column `site`; owned by the catalog */
    HieraRequest *request;   /* requests, indexed by the column `requests` */
    GArray *pending;         /* HieraPending, by row */
    GArray *filtered;        /* HieraFilteredOf, by processor */
    GArray *summed;          /* HieraSummedOf (hiera_summed.h), by processor, in the order of the document */
    GArray *asserted;        /* HieraAsserted, by processor, in the order of the document */
    GArray *saved;           /* HieraSavedLine, by processor, in the order of the document */
#define X(type, name, texts) GArray *name; /* records of type `type`, by processor, in the order of the document */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;            /* HieraCounted, by row */
    GArray *failed;             /* guint32: rows of calls that returned an error, or did not return, rising */
    GArray *open;               /* guint32: rows of operations that had not ended, rising */
    GArray *any_source;         /* guint32: rows of receives, and of probes that found a message, which asked for any
                                   source, rising; empty unless asked for */
    GArray *any_tag;            /* the same for any tag */
    HieraProcessor *processors; /* by rank */
    HieraCatalog *catalog;
    HieraTraceIndex *index;
} HieraTrace;

/** Whether `bytes` of the calls of a site are bytes given to MPI, to send them or to write them to a file; else they
 * are bytes got (by a receive, probe, get or read), or the bytes that each start of a request gives. */
HIERA_API gboolean hiera_site_gives(const HieraSite *site);

/** Order of two sites by level, class, operation, file and line; 0 if they are the same. */
HIERA_API gint hiera_site_compare(const HieraSite *a, const HieraSite *b);

/** Return the file, without its folder, and the line of a site, like "ring.c:10"; only the file (of a program without
 * debug information: the object and address) if the line is unknown; "" if both are. To be freed with g_free. */
HIERA_API char *hiera_site_place(const HieraSite *site);

/** Return the greatest possible difference of two processors' clocks in nanoseconds: 0 if they use the same clock,
 * which is assumed if the traces do not name it; HIERA_CLOCK_ERROR_UNKNOWN if an error is not known. */
HIERA_API gint64 hiera_clocks_differ_by(const HieraProcessor *a, const HieraProcessor *b);

/** Site of an operation; owned by the catalog of the trace. */
static inline const HieraSite *hiera_trace_peek_site(const HieraTrace *trace, guint32 row)
{
    return trace->sites[trace->site[row]];
}

/** Index of the processor that executed an operation. O(1) where processors have about as many operations each. */
HIERA_API guint32 hiera_trace_find_processor(const HieraTrace *trace, guint32 row);

/** Index of the processor with a world rank, HIERA_NONE if no trace of it was read. O(log P). */
HIERA_API guint32 hiera_trace_find_rank(const HieraTrace *trace, gint64 rank);

/** The sparse arguments of an operation, each HIERA_NONE, HIERA_ABSENT or -1 if it has none; owned by the trace. O(1).
 */
HIERA_API const HieraSparse *hiera_trace_peek_sparse(const HieraTrace *trace, guint32 row);

/** Whether a call returned an error, or did not return. O(log n). */
HIERA_API gboolean hiera_trace_is_failed(const HieraTrace *trace, guint32 row);

/** Whether a receive or probe asked for messages of any source, or with any tag; its column has the real one. FALSE
 * where the trace does not keep that (HIERA_KEEP_WILDCARDS). O(log n). */
HIERA_API gboolean hiera_trace_asks_any_source(const HieraTrace *trace, guint32 row);
HIERA_API gboolean hiera_trace_asks_any_tag(const HieraTrace *trace, guint32 row);

/** Whether an operation has no end in the trace; its finish time is the last time of its processor. O(log n). */
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

/** A list of ranks. */
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

/** Append the ranks from `first` to `last` to a list in the notation of ranks, as `0-3 7`. */
HIERA_API void hiera_ranks_append_range(GString *text, gint64 first, gint64 last);

/** Value of a sum that does not fit into 64 bits. It stays so, whatever is added or subtracted, so
 * that a table shows which of its numbers are not known. */
#define HIERA_TOO_LARGE G_MAXINT64

/** a + b, or HIERA_TOO_LARGE. */
static inline gint64 hiera_plus(gint64 a, gint64 b)
{
    gint64 sum;
    return a == HIERA_TOO_LARGE || b == HIERA_TOO_LARGE || __builtin_add_overflow(a, b, &sum) ? HIERA_TOO_LARGE : sum;
}

/** a - b, or HIERA_TOO_LARGE. */
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

/** Number of call sites; their ids count from 0. */
HIERA_API guint32 hiera_catalog_count_sites(const HieraCatalog *catalog);

/** The call site with an id; owned by the catalog. */
HIERA_API const HieraSite *hiera_catalog_peek_site(const HieraCatalog *catalog, guint32 id);

/** Id, in the traces, of a communicator, window or file by its index in the columns; also while traces are read. Owned
 * by the catalog. */
HIERA_API const char *hiera_catalog_find_id(HieraCatalog *catalog, guint32 index);

/** Number of members of a communicator (of an intercommunicator: in the local group); 0 if they are not known, as for
 * windows and files. Also while traces are read. */
HIERA_API gint64 hiera_catalog_count_members(HieraCatalog *catalog, guint32 index);

/** The counter with this name; NULL if no trace has it. Only after all is read. Owned by the catalog. */
HIERA_API const HieraTraceCounter *hiera_catalog_find_counter(const HieraCatalog *catalog, const char *name);

/** Free a trace; its catalog stays. NULL is allowed. */
HIERA_API void hiera_trace_free(HieraTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTrace, hiera_trace_free)

#endif
