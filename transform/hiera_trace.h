/** Traces in memory: what was read, as columns. hiera_load.h reads them; what was found wrong is in hiera_findings.h.
 *
 * What this hides: XML, files and threads. A trace is one array per attribute; row i of every array is operation i, in
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

/** No row, no processor, no communicator. */
#define HIERA_NONE G_MAXUINT32
/** A rank or tag that is not there. */
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

/** HieraProcessor.seam of traces in which calls that come again and again are sums (`hieraTurns`). */
#define HIERA_SEAM_LOOPS "folded loops"

/** A call site: everything about an operation that repeats. Sites are unique: two operations with the same level, name,
 * file and line share one. Strings are UTF-8, interned (equal strings have equal pointers) and live as long as the
 * catalog that made them. */
typedef struct {
    guint32 id;       /* 0, 1, … in order of first appearance; differs between runs when files are read in parallel */
    guint32 line;     /* 0 where unknown */
    HieraKind kind;   /* LOCAL unless the level is mpi */
    HieraKind starts; /* what each start of the persistent request does that the operation makes; else LOCAL */
    gboolean mpi;     /* the level is mpi */
    gboolean known;   /* the operation stands in the table of the MPI level, or the level is another one */
    const char *level;      /* mpi, oops, … */
    const char *operation;  /* of a method its name */
    const char *class_name; /* of a method its class, else "" */
    const char *file;       /* as the trace has it */
    const char *short_file; /* as tables show it: as much of its end as tells it from other files; once all is read */
} HieraSite;

/** What went before a trace that begins later. */
typedef struct HieraBefore HieraBefore;

/** One rank. Times in nanoseconds from the job's common start. */
typedef struct {
    guint32 rank;
    gint64 init_ns, finalize_ns; /* finalize: the last time seen where the trace is cut short */
    gint64 flush_ns;             /* what the collector took for itself, of all threads */
    gint64 own_ns;    /* of it what it took of the main thread's time outside of MPI, between init and finalize */
    gint64 size;      /* ranks of the job as the trace says, 0 where it does not */
    const char *path; /* of its file, as the user wrote it */
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

/** A request as an operation names it, or a message that a matched probe took. */
typedef struct {
    gint64 number; /* unique in its processor over time; 0: none; negative: a message */
    gint32 source; /* rank in the communicator, HIERA_ABSENT where the trace does not say */
    gint32 tag;
    gint64 bytes; /* -1 where the trace does not say */
} HieraRequest;

/** Requests that a call tested in vain: those with the numbers `first` to `first` + `n` - 1. `first` = 0: requests that
 * are not known; of a probe that found no message the only one, with `n` = 0. */
typedef struct {
    gint64 first;
    guint32 n;
    guint32 row; /* of the test; not set in a HieraOperation */
} HieraPending;

/** Arguments that few operations have, so that they are no columns; see hiera_trace_peek_sparse. */
typedef struct {
    guint32 other; /* like comm: the one that the call makes; the group of an epoch; HIERA_NONE where there is none */
    gint32 rtag;   /* of a send-receive `rtag`, of a reduction its operator (HIERA_REDUCTIONS), else HIERA_ABSENT */
    gint64 rbytes; /* of a send-receive and a collective what it received; -1 where the trace does not say */
} HieraSparse;

/** Bytes of a trace with n_sparse operations that have a HieraSparse; 4 more per operation where the lines of the
 * elements are kept, and 16 more per HieraPending. */
#define HIERA_TRACE_BYTES(n_operations, n_requests, n_sparse)                                                          \
    ((gsize)(n_operations)*60 + (gsize)(n_operations) / 4 + (gsize)(n_requests)*24 + (gsize)(n_sparse)*16)

/** Columns of a trace: X(type, name). */
#define HIERA_COLUMNS(X)                                                                                               \
    X(guint32, site)   /* into sites */                                                                                \
    X(guint32, parent) /* row, or HIERA_NONE at depth 0 */                                                             \
    X(guint32, depth)  /* 0 for children of the processor or of a thread */                                            \
    X(guint32, thread) /* 0 for the main thread */                                                                     \
    X(gint64, start_ns)                                                                                                \
    X(gint64, finish_ns)                                                                                               \
    X(guint32, comm)     /* into communicators (windows and files too), HIERA_NONE where there is none */              \
    X(gint32, peer)      /* `dest` of what sends, `root` of what is rooted, the target of what is one-sided */         \
    X(gint32, source)    /* `rem` of what receives: rank in the communicator, like `peer` */                           \
    X(gint32, tag)       /* `tag`, of a send-receive `stag`, of a test of a window `flag`, of its lock `lock_type` */  \
    X(guint32, requests) /* first of its requests; they end where those of the next row begin */                       \
    X(gint64, bytes)     /* -1 where the trace does not say */

/** One operation as the reader meets it: a row that stands alone. */
typedef struct {
    const HieraSite *site;
    guint64 index;  /* in its processor, document order */
    guint64 parent; /* index, or HIERA_NO_PARENT */
    guint32 depth, thread;
    guint32 element_line;       /* line of the element in the trace file */
    gint64 start_ns, finish_ns; /* finish may be HIERA_TIME_OPEN */
    guint32 comm, other;
    gint32 peer, source, tag, rtag;
    gint64 bytes, rbytes;
    gint64 posted; /* for how many bytes a receive is posted; -1 where the trace does not say */
    const HieraRequest *requests;
    guint n_requests;
    const HieraPending *pending;
    guint n_pending;
    gboolean missed;              /* a probe that found no message */
    gboolean failed;              /* it returned an error, or did not return */
    gboolean any_source, any_tag; /* the program had asked for any source or tag, whatever came */
    gboolean refused;             /* --where does not hold for it */
} HieraOperation;

/** An operation that stands for several calls (hiera_summed.h). */
typedef struct HieraSummed HieraSummed;

/** What one processor did and the collector, as asked, only counted. */
typedef struct {
    const HieraSite *site; /* without file and line */
    guint32 comm, thread;  /* as in the columns */
    gint64 count;
    gint64 bytes, rbytes; /* -1 where the trace does not say */
    gint64 time_ns;       /* of all together, as in the columns */
} HieraFiltered;

typedef struct {
    guint32 processor;
    HieraFiltered sum;
} HieraFilteredOf;

/** A line of what a probe script has found in a processor. */
typedef struct {
    guint32 processor;
    const char *line; /* owned by the catalog */
} HieraSavedLine;

/** Samples at one place of machine code, in one region or call of a thread; or a sampled thread as a whole (`object` is
 * NULL). */
typedef struct {
    guint32 processor;  /* index, in a trace */
    guint32 thread;     /* HIERA_THREADS_ENDED: all those that have ended */
    gboolean in_mpi;    /* in an MPI call */
    guint32 zero;       /* here and below instead of bytes that nobody sets: processes send records to each other */
    const char *path;   /* the operations around it, HIERA_PATH_SEPARATOR between them; "": none. The texts are owned by
                           the catalog */
    const char *object; /* path of the program or library; "": not known */
    const char *build;  /* its build id in hexadecimal; "" if it is not known */
    const char *trace;  /* path of the trace */
    guint64 offset;     /* of the place, from the first page of the object in memory; an address if that is not known */
    gint64 count;       /* samples; of a thread: those that were lost */
    gint64 time_ns;     /* for which they stand; of a thread: its CPU time */
} HieraSampled;
#define HIERA_THREADS_ENDED ((guint32)G_MAXINT32)

/** What a HieraTimed is about. */
typedef enum {
    HIERA_TIMED_ALL,      /* the functions and loops that follow: `count` of their events did not fit */
    HIERA_TIMED_FUNCTION, /* a function that was timed, */
    HIERA_TIMED_LOOP,     /* a loop in it, */
    HIERA_TIMED_NOT       /* and one that was left alone */
} HieraTimedKind;

/** Exact times of a function or loop of a processor, of all its threads. They come in the order of the document: those
 * inside follow what is around them. */
typedef struct {
    guint32 processor; /* index, in a trace */
    HieraTimedKind kind;
    guint32 depth; /* 0: a function; of a loop, how many are around it, with the function */
    guint32 zero;
    const char *operation; /* the function. The texts are owned by the catalog */
    const char *file;      /* of its lines; "": not known */
    const char *reason;    /* why it was left alone; "" if it was not */
    guint32 line, last_line;
    gboolean irreducible;      /* a loop with several entries */
    gboolean too_deep;         /* a loop that was not timed: it lies deeper than was asked for */
    gint64 count, open;        /* executions that have ended, and that have not */
    gint64 iterations;         /* of a loop */
    gint64 time_ns, own_ns;    /* of all executions; without the functions that they call */
    gint64 min_ns, max_ns;     /* of one execution */
    gint64 threads, thread_ns; /* how many have executed it, and the time of the one that took longest */
    gint64 events, event_ns;   /* how many were observed meanwhile, and what each of them takes */
} HieraTimed;

/** A time in which the collector took the main thread, outside of MPI calls and of operations that stand for several
 * calls. */
typedef struct {
    guint32 processor;
    guint32 depth;  /* how many operations are around it */
    guint64 before; /* index, in its processor, of the first operation behind it in the document */
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
/** These, and what comes between operations. */
#define HIERA_OWN_TIME_TEXTS(T)
#define HIERA_ATTRIBUTE_VALUE_TEXTS(T) T(text)
#define HIERA_RECORDS(X)                                                                                               \
    HIERA_END_RECORDS(X)                                                                                               \
    X(HieraOwnTime, own_time, HIERA_OWN_TIME_TEXTS)                                                                    \
    X(HieraAttributeValue, attribute, HIERA_ATTRIBUTE_VALUE_TEXTS)

#define HIERA_LEVEL_ASSERT "assert" /* what an assertion in the source is about */

/** Which assertion in the source of the program an operation of the level HIERA_LEVEL_ASSERT belongs to. The operation
 * is the innermost one at its depth. */
typedef struct {
    guint32 processor;
    guint32 depth;    /* of the operation */
    guint64 before;   /* index, in its processor, of the first operation behind it in the document */
    const char *file; /* where it stands */
    guint32 line;
    guint32 zero;
    const char *variables; /* as the operation ended: "name=value name=value"; "" if it has none */
} HieraAsserted;

/** A counter of which operations have values. Unique by its name. */
typedef struct {
    const char *name; /* "proc:rss" */
    const char *unit; /* "B", "ns", …; "": a number of things */
    gboolean level;   /* the value of an operation is that at its end; else by how much it has grown */
} HieraTraceCounter;

/** What a counter counted during an operation. */
typedef struct {
    guint64 index; /* of the operation, in its processor */
    guint32 row;   /* of the operation, in a trace */
    guint32 depth; /* of the operation, which is the last one at its depth */
    const HieraTraceCounter *counter;
    gdouble value;
} HieraCounted;

typedef struct HieraCatalog HieraCatalog;

/** How the functions below find things quickly. */
typedef struct HieraTraceIndex HieraTraceIndex;

/** Columns that a trace has only if they are asked for, as bits. */
enum {
    HIERA_KEEP_LINES = 1,    /* element_line */
    HIERA_KEEP_POSTED = 2,   /* posted: 8 bytes per operation */
    HIERA_KEEP_WILDCARDS = 4 /* any_source, any_tag: 4 bytes per operation that asked for that */
};

/** Everything read, read-only for its users. */
typedef struct {
    guint32 n_operations, n_processors, n_requests;
#define X(type, name) type *name;
    HIERA_COLUMNS(X)
#undef X
    guint32 *element_line;   /* NULL unless asked for */
    gint64 *posted;          /* likewise */
    const HieraSite **sites; /* indexed by the column site; owned by the catalog */
    HieraRequest *request;   /* indexed by the column requests */
    GArray *pending;         /* HieraPending, by row */
    GArray *filtered;        /* HieraFilteredOf, by processor */
    GArray *summed;          /* HieraSummedOf (hiera_summed.h), by processor, in the order of the document */
    GArray *asserted;        /* HieraAsserted, by processor, in the order of the document */
    GArray *saved;           /* HieraSavedLine, by processor, in the order of the document */
#define X(type, name, texts) GArray *name; /* of `type`, by processor, in the order of the document */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;            /* HieraCounted, by row */
    GArray *failed;             /* guint32: rows of calls that returned an error, or did not return, rising */
    GArray *open;               /* guint32: rows of operations that had not ended, rising */
    GArray *any_source;         /* guint32: rows of receives, and of probes that found a message, which asked for any
                                   source, rising; empty unless asked for */
    GArray *any_tag;            /* likewise for any tag */
    HieraProcessor *processors; /* by rank */
    HieraCatalog *catalog;
    HieraTraceIndex *index;
} HieraTrace;

/** Whether `bytes` of the calls of a site is what they give to MPI, to send it or to write it into a file; else it is
 * what they got (a receive, a probe, a get, a read), or what each start of a request gives. */
HIERA_API gboolean hiera_site_gives(const HieraSite *site);

/** Order of two sites by level, class, operation, file and line; 0 if they are the same. */
HIERA_API gint hiera_site_compare(const HieraSite *a, const HieraSite *b);

/** Return the file, without its folder, and the line of a site, like "ring.c:10"; only the file (of a program without
 * debug information: the object and address) if the line is unknown; "" if both are. To be freed with g_free. */
HIERA_API char *hiera_site_place(const HieraSite *site);

/** Greatest difference of the clocks of two processors in nanoseconds: 0 if they use the same clock, which is assumed
 * if the traces do not name it; HIERA_CLOCK_ERROR_UNKNOWN if an error is not known. */
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

/** Whether a receive or probe asked for messages of any source, or with any tag; its column has what came. FALSE where
 * the trace does not keep that (HIERA_KEEP_WILDCARDS). O(log n). */
HIERA_API gboolean hiera_trace_asks_any_source(const HieraTrace *trace, guint32 row);
HIERA_API gboolean hiera_trace_asks_any_tag(const HieraTrace *trace, guint32 row);

/** Whether an operation has no end in the trace; its finish time is the last time of its processor. O(log n). */
HIERA_API gboolean hiera_trace_is_open(const HieraTrace *trace, guint32 row);

/** Index of the first time of the collector in a processor: of HieraTrace.own_time, or behind it. O(log n). */
HIERA_API guint hiera_trace_find_own_time(const HieraTrace *trace, guint32 processor);

/** The value of an attribute that is asked for (HieraAttributeValue.column) of an operation, or of a processor, where
 * `row` is its first; NULL: the trace has none. O(log n). */
HIERA_API const HieraAttributeValue *hiera_trace_find_attribute(const HieraTrace *trace, guint32 row, guint column);

/** Requests that an operation names.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are; 0: none */
HIERA_API guint hiera_trace_peek_requests(const HieraTrace *trace, guint32 row, const HieraRequest **first);

/** What counters counted during an operation.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are. O(log n) */
HIERA_API guint hiera_trace_peek_counted(const HieraTrace *trace, guint32 row, const HieraCounted **first);

/** What an operation tested in vain.
 *
 * @param first  becomes the first of them, owned by the trace; the others are behind it
 * @return how many there are; 0: it was no test or probe, or with success, or the trace does not say. O(log n). */
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

/** What a sum of absurd values becomes that does not fit into 64 bits. It stays so, whatever is added or taken away, so
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

/** Number of call sites; their ids are 0, 1, … below it. */
HIERA_API guint32 hiera_catalog_count_sites(const HieraCatalog *catalog);

/** The call site with an id; owned by the catalog. */
HIERA_API const HieraSite *hiera_catalog_peek_site(const HieraCatalog *catalog, guint32 id);

/** The id in the traces of a communicator, window or file, as the columns have it; also while traces are read. Owned by
 * the catalog. */
HIERA_API const char *hiera_catalog_find_id(HieraCatalog *catalog, guint32 index);

/** How many members a communicator has, of an intercommunicator in the local group; 0 if they are not known, as those
 * of windows and files. Also while traces are read. */
HIERA_API gint64 hiera_catalog_count_members(HieraCatalog *catalog, guint32 index);

/** The counter with this name; NULL if no trace has it. Once all is read. Owned by the catalog. */
HIERA_API const HieraTraceCounter *hiera_catalog_find_counter(const HieraCatalog *catalog, const char *name);

/** Free a trace; its catalog stays. NULL is allowed. */
HIERA_API void hiera_trace_free(HieraTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTrace, hiera_trace_free)

#endif
