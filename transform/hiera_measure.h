/** Measures: one named question with rows as its answer. A new measure is one new file and one new row in the table of
 * measures; it sees operations one by one, or the graph, but no XML and no files. */
#ifndef HIERA_MEASURE_H
#define HIERA_MEASURE_H

#include "hiera_load.h"
#include "hiera_match.h"
#include "hiera_pack.h"
#include "hiera_trace.h"
#include <stdio.h>

typedef struct HieraGraph HieraGraph;
typedef struct HieraRules HieraRules; /* assertions/assertions.h */
typedef struct HieraRuleValues HieraRuleValues;

/** What a cell holds. */
typedef enum {
    HIERA_CELL_INTEGER,
    HIERA_CELL_TEXT,
    HIERA_CELL_SECONDS, /* kept in nanoseconds */
    HIERA_CELL_PERCENT, /* kept in hundredths of a percent */
    HIERA_CELL_BYTES,
    HIERA_CELL_BAR,      /* hundredths of a percent that a terminal draws; other formats leave the column out */
    HIERA_CELL_PATH,     /* text: steps with HIERA_PATH_SEPARATOR between them, in a table the last one, indented */
    HIERA_CELL_CALLERS,  /* the same text, in a table all steps, or the last ones that fit: if the rows are no tree */
    HIERA_CELL_PROSE,    /* text: a sentence, broken at the width of the line. See HIERA_PROSE_COLUMNS */
    HIERA_CELL_SENTENCE, /* text that is too long for a column: in a table, in lines of its own below its row */
    HIERA_CELL_FIGURE,   /* text: a number without unit, or "": in JSON a number, or null */
    HIERA_CELL_RATE      /* bytes in a second */
} HieraCellType;
#define HIERA_PATH_SEPARATOR '\x1f' /* no XML document contains it, so no name in a trace does */

/** Size of the buffers of the following functions. */
#define HIERA_NUMBER_BYTES 32

/** Write a time, a number of bytes or hundredths of a percent as a person reads them: "352 µs", "1.44 MB", "59.0 %"; no
 * time and no bytes are "0". */
HIERA_API void hiera_time_format(char *buffer, gint64 ns);
HIERA_API void hiera_bytes_format(char *buffer, gint64 n_bytes);
HIERA_API void hiera_percent_format(char *buffer, gint64 hundredths);

/** What a column is for: rows that agree in all keys become one row, and their sums are added up. Details (of rows
 * whose keys all differ) are left out where a terminal is too narrow for them, from the right; those that tell most go
 * last. Doubts limit what a row says: they are details if all are empty or 0, and are always shown otherwise. Answers
 * are what a measure is asked for, but cannot be added up: they stay longer than sums. */
typedef enum {
    HIERA_ROLE_KEY,
    HIERA_ROLE_SUM,
    HIERA_ROLE_DETAIL,
    HIERA_ROLE_TELLING,
    HIERA_ROLE_DOUBT,
    HIERA_ROLE_ANSWER
} HieraRole;

typedef struct {
    const char *name;
    HieraCellType type;
    HieraRole role;
} HieraColumn;

typedef union {
    gint64 number;
    const char *text; /* must live as long as the table; the strings of a site do, and those that it keeps */
} HieraCell;

/** The number of a cell of percents that is not known, or that nothing defines (0 of 0). Columns with it do not add up.
 */
#define HIERA_UNKNOWN G_MININT64
static inline gboolean hiera_cell_is_unknown(const HieraColumn *column, const HieraCell *cell)
{
    return column->type == HIERA_CELL_PERCENT && cell->number == HIERA_UNKNOWN;
}

/** The columns of an answer in sentences. A table of them is written without a head: the topic where a new one begins,
 * the sentence with its bar (none if it is negative), and behind the last sentence of a topic what shows more of it
 * (hiera_prose_join_more). */
#define HIERA_PROSE_COLUMNS                                                                                            \
    {"topic", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"sentence", HIERA_CELL_PROSE, HIERA_ROLE_KEY},                        \
        {"bar", HIERA_CELL_BAR, HIERA_ROLE_DETAIL}, {"more", HIERA_CELL_TEXT, HIERA_ROLE_KEY},

/** Return a sentence for such an answer: with "(…)" for the parameters of functions of C++. It names a function, and
 * not its overload; with "<…>" for arguments of templates if no line has room for them. To be freed with g_free. */
HIERA_API char *hiera_prose_shorten(const char *sentence);

/** How many lines a sentence of such an answer takes on a screen of 80 columns. */
HIERA_API guint hiera_prose_count_lines(const char *sentence);

/** Add what shows more of a sentence to that of its topic, unless it is there already or "". */
HIERA_API void hiera_prose_gather_more(GPtrArray *mores, const char *more);

/** Return the line below a topic, "more: …"; "" if there is nothing. To be freed with g_free. */
HIERA_API char *hiera_prose_join_more(GPtrArray *mores);

/** Make an empty table.
 *
 * @param title      the measure's name; must outlive the table
 * @param columns    n_columns of them; must outlive the table
 * @return the table, to be freed by hiera_table_free */
HIERA_API HieraTable *hiera_table_new(const char *title, const HieraColumn *columns, guint n_columns);

/** Free a table and the texts that it keeps. NULL is allowed. */
HIERA_API void hiera_table_free(HieraTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTable, hiera_table_free)

/** Append a row.
 *
 * @param cells  one per column, copied; their texts are not: see HieraCell */
HIERA_API void hiera_table_add(HieraTable *table, const HieraCell *cells);

/** Say what it means if the table has no rows.
 *
 * @param sentence  must outlive the table; NULL: nothing in particular */
HIERA_API void hiera_table_explain_nothing(HieraTable *table, const char *sentence);

/** Say which operation shows best what the row says that was added last: the page leads from the one to the other.
 *
 * @param operation  row of the trace */
HIERA_API void hiera_table_point(HieraTable *table, guint32 operation);

/** Copy a text for the cells of a table.
 *
 * @return the copy, owned by the table */
HIERA_API const char *hiera_table_keep(HieraTable *table, const char *text);

/** Sort the rows by the columns from the left, numbers as numbers, texts by bytes, and make one row of those that agree
 * in all keys, their sums added up. */
HIERA_API void hiera_table_settle(HieraTable *table);

/** Say what limits all rows; only the last such sentence counts.
 *
 * @param sentence  copied; NULL: nothing */
HIERA_API void hiera_table_limit(HieraTable *table, HieraFindingCode code, const char *sentence);

/** Add a finding for what limits the table, and HIERA_FINDING_RANGE if a cell of it is HIERA_TOO_LARGE. */
HIERA_API void hiera_table_check(const HieraTable *table, HieraFindings *findings);

/** The title of a table; as hiera_table_new got it. */
HIERA_API const char *hiera_table_peek_title(const HieraTable *table);

/** The columns of a table.
 *
 * @param n_columns  becomes how many there are
 * @return the columns, owned by the table or by who made it */
HIERA_API const HieraColumn *hiera_table_peek_columns(const HieraTable *table, guint *n_columns);

/** Replace the columns of a table, which gets no more rows, by some of them.
 *
 * @param columns  indices of n columns, in the wanted order; an index may occur twice */
HIERA_API void hiera_table_choose(HieraTable *table, const guint *columns, guint n);

/** Number of rows. */
HIERA_API guint hiera_table_count(const HieraTable *table);

/** The operation to which a row points; HIERA_NONE: to none. Rows of a table that was settled or sorted point to none.
 */
HIERA_API guint32 hiera_table_peek_operation(const HieraTable *table, guint row);

/** The cells of a row (from 0), one per column; owned by the table, valid until a row is added or the table settled. */
HIERA_API const HieraCell *hiera_table_peek_row(const HieraTable *table, guint row);

/** Counters that a measure is to tell about. */
typedef struct {
    guint n;
    const char *const *names;
    HieraColumn *columns; /* of the table, n_columns of them: the measure sets their types when all is read */
    guint n_columns;
} HieraScopeCounters;

/** What narrows and shapes a measure. Partners and the graph are always those of the whole trace; only the operations
 * that are asked about are narrowed. An operation lies between two times if it starts at or after the first and before
 * the second. */
typedef struct {
    const HieraRanks *ranks; /* NULL: all */
    const char *level;       /* NULL: all */
    const char *without;     /* operations of this level are not in it; NULL: all are */
    gint64 depth;            /* -1: all */
    gint64 from_ns, to_ns;   /* G_MININT64, G_MAXINT64: all */
    gboolean where;          /* there is a --where: it holds for operations that are not `refused`, */
    const guint8 *chosen;    /* and by row of the trace: 1 where it holds; NULL: everywhere, or there is no trace */
    const guint8
        *own; /* by processor of the trace: 1 if this process answers for it; NULL: for all, there is one process */
    const guint *process;   /* by processor of the trace, of several processes: which of them has all its operations */
    const GPtrArray *rows;  /* by processor of the trace, if another process has all its operations: which of them this
                               one has (GArray of guint32, from 0, rising); else NULL. NULL: there is one process, or no
                               measure is `together` */
    const guint32 *first;   /* by processor of the trace, of several processes: the row of its first operation if one
                               process had all, and behind the last one how many it had; NULL: those of the trace */
    const HieraMatch *left; /* of several processes, for the one that leads, if a rank has not ended by itself: all that
                               ranks may wait for, of all of them; else NULL */
    const guint8 *left_chosen; /* `chosen` by row of that */
    const gint64 *waiting;  /* by row of the trace: nanoseconds of waiting in the scope's times; NULL: not found out */
    const char *by;         /* a word of the measure's `by`; NULL: its first one */
    guint bins;             /* how many bins a measure with bins shows; 0: as many as it finds good */
    gint64 fail_above;      /* by how much a run may be slower, in hundredths of a percent; -1: as much as it is */
    gboolean weak;          /* runs scale weakly: each rank has as much to compute; else all ranks together have */
    const char *thresholds; /* what a measure with thresholds changes in them, like "io=5"; NULL: nothing */
    const HieraScopeCounters *counters; /* of --counters; NULL: none */
    const HieraRules *rules;            /* of --assert; NULL: none */
    const HieraRuleValues *values;      /* of `${NAME}`, for assertions in the source; NULL: none */
    HieraCatalog *catalog;              /* of the traces; set if there are rules */
} HieraScope;
#define HIERA_SCOPE_ALL ((HieraScope){.depth = -1, .from_ns = G_MININT64, .to_ns = G_MAXINT64, .fail_above = -1})

/** Whether an operation is in the scope but for its rank and its start: its level and depth, and --where. */
HIERA_API gboolean hiera_scope_accepts_operation(const HieraScope *scope, const HieraOperation *operation);

/** The same for what stands for several calls. */
HIERA_API gboolean hiera_scope_accepts_summed(const HieraScope *scope, const HieraSummed *summed);

/** The same for a row of a trace. */
HIERA_API gboolean hiera_scope_accepts_row(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Whether a time lies in the scope's times. */
HIERA_API gboolean hiera_scope_accepts_time(const HieraScope *scope, gint64 start_ns);

/** Whether the level of a call site is in the scope. */
HIERA_API gboolean hiera_scope_accepts_site(const HieraScope *scope, const HieraSite *site);

/** Whether a world rank is in the scope. */
HIERA_API gboolean hiera_scope_accepts_rank(const HieraScope *scope, gint64 rank);

/** Whether a span has a part between the scope's times; of a span without length, whether its start lies there. */
HIERA_API gboolean hiera_scope_touches(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);

/** Whether this process answers for a processor of the trace. */
static inline gboolean hiera_scope_is_own(const HieraScope *scope, guint32 processor)
{
    return !scope->own || scope->own[processor];
}

/** Return which operation of its processor a row of the trace is, from 0: the same in all processes. */
HIERA_API guint32 hiera_scope_number(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Return which row that operation is where one process has all operations. */
HIERA_API guint32 hiera_scope_row_of_all(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Return how many operations one process has that has all. */
static inline guint32 hiera_scope_count_operations(const HieraScope *scope, const HieraTrace *trace)
{
    return scope->first ? scope->first[trace->n_processors] : trace->n_operations;
}

/** For several processes (`own` of the scope), which all call the same of these in the same order. Without others
 * nothing happens. */

/** Whether this process is the one that gives the answer. */
HIERA_API gboolean hiera_scope_leads(const HieraScope *scope);

/** What the one that leads decides. */
HIERA_API gboolean hiera_scope_agree(const HieraScope *scope, gboolean decision);

/** Packs what a process has to tell, and unpacks it from one that has told it. */
typedef void (*HieraTellPart)(HieraPacker *to, gpointer user);
typedef void (*HieraHearPart)(HieraUnpacker *from, gpointer user);

/** Each process packs its part; the one that leads unpacks those of all, process after process, its own too. */
HIERA_API void hiera_scope_gather(const HieraScope *scope, const HieraTrace *trace, HieraTellPart tell,
                                  HieraHearPart hear, gpointer user);

/** Each of the others packs its part, and the one that leads unpacks those, process after process: it adds them to its
 * own. Of one process there is nothing to do. */
HIERA_API void hiera_scope_gather_others(const HieraScope *scope, const HieraTrace *trace, HieraTellPart tell,
                                         HieraHearPart hear, gpointer user);

/** The same for n numbers: those of the one that leads become the sums of all, with hiera_plus. */
HIERA_API void hiera_scope_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 *numbers, gsize n);

/** The same for an array: the elements of the others, which point to nothing, come behind those of the one that leads.
 */
HIERA_API void hiera_scope_gather_array(const HieraScope *scope, const HieraTrace *trace, GArray *array);

/** The process that leads packs, and all others unpack that. */
HIERA_API void hiera_scope_tell(const HieraScope *scope, const HieraTrace *trace, HieraTellPart tell,
                                HieraHearPart hear, gpointer user);

/** The same for an array: the elements of the one that leads, which point to nothing, take the place of those of the
 * others. */
HIERA_API void hiera_scope_tell_array(const HieraScope *scope, const HieraTrace *trace, GArray *array);

/** How many processes there are, and which of them, from 0, this one is. */
HIERA_API guint hiera_scope_count_processes(const HieraScope *scope);
HIERA_API guint hiera_scope_process(const HieraScope *scope);

/** Packs what a process has to tell a certain one, and unpacks what a certain one has told. */
typedef void (*HieraTellTo)(HieraPacker *to, guint process, gpointer user);
typedef void (*HieraHearFrom)(HieraUnpacker *from, guint process, gpointer user);

/** Each process packs something for each, itself too, and unpacks what each has packed for it; in any order of
 * processes. What one has heard of another is in memory until it is unpacked. */
HIERA_API void hiera_scope_exchange(const HieraScope *scope, const HieraTrace *trace, HieraTellTo tell,
                                    HieraHearFrom hear, gpointer user);

/** Each process has found something of each operation of its own processors: now also of those of others that it has.
 * The scope has `rows`.
 *
 * @param values  by row of the trace, with so many bytes each */
HIERA_API void hiera_scope_share_values(const HieraScope *scope, const HieraTrace *trace, gpointer values, gsize bytes);

/** One process after the other: it unpacks what those before it have told it, acts, and tells those behind it. */
typedef struct {
    HieraHearFrom hear;
    void (*act)(gpointer user);
    HieraTellTo tell;
} HieraRelay;

/** @param backward  the last one begins */
HIERA_API void hiera_scope_take_turns(const HieraScope *scope, const HieraTrace *trace, gboolean backward,
                                      const HieraRelay *turn, gpointer user);

/** The others add the rows of the one that leads. */
HIERA_API void hiera_scope_tell_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows);

/** The one that leads adds the rows of the others, process after process. */
HIERA_API void hiera_scope_gather_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows);

/** Index of the scope's `by` among the words of a measure; 0 if the scope names none.
 *
 * @param words  `by` of the measure
 * @return -1 if the scope's word is not among them */
HIERA_API gint hiera_scope_find_by(const HieraScope *scope, const char *words);

/** Nanoseconds of a span that lie between the scope's times. */
HIERA_API gint64 hiera_scope_clip(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);

/** What one of several runs was. */
typedef struct {
    const char *name; /* as the user named it */
    gpointer all;     /* the measure's state for all its processors, or its digest */
    gpointer found;   /* what `look` returned; NULL if it was not called */
    const HieraCatalog *catalog;
} HieraRun;

/** What a comparison of runs says beside the table. Texts are NULL or to be freed with g_free. */
typedef struct {
    char *note;
    char *failure; /* why the threshold of the scope is passed; lines */
} HieraComparison;

/** Whether a comparison of runs needs the waiting of the scope, for which runs are read into memory, one after the
 * other. */
typedef enum {
    HIERA_WAITS_NOT,
    HIERA_WAITS_IF_SMALL, /* unless the traces of a run are large; then it does without */
    HIERA_WAITS_ALWAYS
} HieraWaitsNeed;

/** What a trace says of operations that it has told before; each may be NULL. */
typedef struct {
    void (*asserted)(gpointer state, const HieraAsserted *asserted); /* which assertion an operation belongs to */
    /** What was counted during an operation, also one that is not in the scope; operations inside it may have been told
     * meanwhile. */
    void (*counted)(gpointer state, const HieraCounted *counted);
    void (*saved)(gpointer state, const char *line); /* a line of what a probe script has found in the processor */
    /** Places where a thread of the processor was (`sampled`), exact times of functions and loops (`timed`), times of
     * the collector (`own_time`, before the operations behind them). */
#define X(type, name, texts) void (*name)(gpointer state, const type *name);
    HIERA_RECORDS(X)
#undef X
} HieraRecordOps;

/** How a measure reads one processor, operation by operation, in constant memory. An operation is handed over by one
 * thread at a time for each rank, but by several for several ranks. */
typedef struct {
    /** The state for one processor, which the others get. */
    gpointer (*begin)(const HieraScope *scope, const HieraProcessor *processor);
    /** The next operation of the processor, valid until the call returns. */
    void (*operation)(gpointer state, const HieraOperation *operation);
    /** May be NULL: what the collector only counted. */
    void (*filtered)(gpointer state, const HieraFiltered *filtered);
    /** An operation that stands for several calls; in the document it is where the operations around it are. NULL: the
     * measure asks about single operations, and sees no others. */
    void (*summed)(gpointer state, const HieraSummed *summed);
    HieraRecordOps records;
    /** Both may be NULL: for several processes (HieraSink.pack). The state of a processor whose trace has been read as
     * bytes; and a state like it, for `end` and `merge` alone. */
    void (*pack)(gpointer state, const HieraProcessor *processor, HieraPacker *to);
    gpointer (*unpack)(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from);
} HieraReadOps;

/** A measure whose rows are about one rank each. */
typedef struct {
    HieraReadOps read;
    /** Add the processor's rows, unless @table is NULL, and free the state. */
    void (*end)(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table);
} HieraRankOps;

/** A measure whose rows are about all ranks together. */
typedef struct {
    HieraReadOps read;
    /** The state for all processors of a run. */
    gpointer (*open)(const HieraScope *scope);
    /** Add one processor's state to that of all, unless @keep is false, and free it. By rank, in one thread. */
    void (*merge)(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep);
    /** Add the rows, unless @table is NULL, and free the state for all. */
    void (*close)(gpointer all, const HieraCatalog *catalog, HieraTable *table);
} HieraJobOps;

/** A measure that compares several runs. */
typedef struct {
    HieraJobOps each; /* how each run is read; `close` gets no table */
    /** NULL: it reads operations one by one. What the measure keeps of a run, from all its operations and their
     * partners; then `each` has `close` alone. */
    gpointer (*digest)(const HieraMatch *match, const HieraScope *scope);
    /** With `waits` of the measure: keep something of a run while it is in memory, and free that. */
    gpointer (*look)(const HieraMatch *match, const HieraScope *scope);
    void (*forget)(gpointer found);
    /** Add the rows. @param runs  n_runs of them, at least two; the first is the reference */
    void (*compare)(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                    HieraComparison *comparison);
} HieraRunsOps;

/** What a measure understands, and what is true of it. */
typedef enum {
    HIERA_MEASURE_BINS = 1 << 0,            /* it understands --bins */
    HIERA_MEASURE_FAIL_ABOVE = 1 << 1,      /* it understands --fail-above */
    HIERA_MEASURE_THRESHOLDS = 1 << 2,      /* it understands --thresholds */
    HIERA_MEASURE_SCALING = 1 << 3,         /* it understands --scaling */
    HIERA_MEASURE_COUNTER_COLUMNS = 1 << 4, /* with --counters its columns are followed by one of each counter */
    HIERA_MEASURE_ASSERTS = 1 << 5,         /* it tells what became of rules and assertions */
    HIERA_MEASURE_ORDERED = 1 << 6,         /* the order of the rows is the answer: they are not settled */
    HIERA_MEASURE_SUMS = 1 << 7, /* find, graph: it counts what stands for several calls (HieraTrace.summed), too */
    HIERA_MEASURE_MEASURED_WAITS = 1 << 8, /* find, runs: of sums it tells the waiting that profiles have measured
                                              (HieraSummed.members) */
    HIERA_MEASURE_WHOLE = 1 << 9, /* it reads all operations, and narrows them itself; else only those in the scope */
    HIERA_MEASURE_TOGETHER = 1 << 10, /* find: several processes call `find`, each with the operations that it
                                         has to know; the table of one counts (hiera_scope_leads) */
    HIERA_MEASURE_ENDED = 1 << 11,    /* the latter only if all ranks have ended by themselves: else one process gets
                                         all operations */
    HIERA_MEASURE_VERTICES = 1 << 12  /* its rows are vertices of the graph: the page does not show it */
} HieraMeasureFlags;

/** A measure. It has one of rank, job, find, graph and runs; or none, and forms. */
typedef struct HieraMeasure HieraMeasure;
struct HieraMeasure {
    const char *name;
    const char *help;    /* one line */
    const char *by;      /* what --by may name, separated by commas, the default first; NULL: nothing */
    const char *nothing; /* what it means if there are no rows, for a terminal; NULL: nothing in particular */
    const char *refusal; /* why sums of calls are not enough, and what to ask instead; NULL: nothing in particular */
    const HieraColumn *columns;
    guint n_columns;
    guint flags; /* HieraMeasureFlags */
    HieraWaitsNeed waits;
    /** For a measure whose columns or operations depend on --by: the measure that answers for each word of `by`, in
     * their order. The measure itself then has only `name`, `help` and `by`. NULL: it answers for all words. */
    const HieraMeasure *const *forms;
    /** What answers if --counters names some. NULL: it does not understand that. */
    const HieraMeasure *counters;
    /** What answers if several runs are named: a measure with `runs`, or one with such forms. NULL: nothing. */
    const HieraMeasure *of_runs;

    const HieraRankOps *rank;
    const HieraJobOps *job;
    /** From all operations in columns, and their partners: add the rows. One process has those of all ranks. Of several
     * all call this if the measure has HIERA_MEASURE_TOGETHER; else one of them gets all operations, and calls it. A
     * measure with `graph` has it if several processes can do without the graph. @return false with an error if it is
     * not possible */
    gboolean (*find)(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error);
    /** From the graph of all operations: add the rows. @return likewise */
    gboolean (*graph)(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error);
    const HieraRunsOps *runs;
};

static inline gboolean hiera_measure_is(const HieraMeasure *measure, HieraMeasureFlags flag)
{
    return (measure->flags & (guint)flag) != 0;
}

/** How a measure reads all ranks of a run; NULL: it does not. */
static inline const HieraJobOps *hiera_measure_peek_job(const HieraMeasure *measure)
{
    return measure->runs ? &measure->runs->each : measure->job;
}

/** How a measure reads one processor; NULL: it has all operations in columns. */
static inline const HieraReadOps *hiera_measure_peek_read(const HieraMeasure *measure)
{
    const HieraJobOps *job = hiera_measure_peek_job(measure);
    if (job)
        return &job->read;
    return measure->rank ? &measure->rank->read : NULL;
}

/** Whether a measure counts what stands for several calls; if not, it is about single operations. */
static inline gboolean hiera_measure_takes_sums(const HieraMeasure *measure)
{
    const HieraReadOps *read = hiera_measure_peek_read(measure);
    return hiera_measure_is(measure, HIERA_MEASURE_SUMS) || (read && read->summed);
}

/** What drives a measure that reads processors while traces are read. */
typedef struct HieraStream HieraStream;

/** Begin a measure. All parameters must outlive the stream.
 *
 * @param measure  hiera_measure_peek_read is not NULL
 * @param table    takes the rows, with the measure's columns; NULL if it compares runs
 * @return the stream, to be freed by hiera_stream_free */
HIERA_API HieraStream *hiera_stream_new(const HieraMeasure *measure, const HieraScope *scope,
                                        const HieraCatalog *catalog, HieraTable *table);

/** Free a stream; one that was not finished adds no rows any more. */
HIERA_API void hiera_stream_free(HieraStream *stream);

/** After hiera_load: the measure adds its last rows. */
HIERA_API void hiera_stream_finish(HieraStream *stream);

/** After hiera_load, of a measure that compares runs: its state for all processors; owned by the stream. */
HIERA_API gpointer hiera_stream_peek(const HieraStream *stream);

/** The sink for hiera_load through which the measure gets its operations; valid as long as the stream. */
HIERA_API HieraSink hiera_stream_sink(HieraStream *stream);

/** How answers are written: X(identifier, name). */
#define HIERA_FORMATS(X) X(TABLE, "table") X(CSV, "csv") X(JSON, "json") X(JUNIT, "junit")
typedef enum {
#define X(identifier, name) HIERA_FORMAT_##identifier,
    HIERA_FORMATS(X)
#undef X
} HieraFormat;

/** Write tables as one answer. A stream that fails is not looked at: ask ferror.
 *
 * table: aligned, on a terminal as wide as that, a title where there are several. csv: RFC 4180, a header line each, an
 * empty line between them. json: one object, a member per measure that is a list of rows; `partial` and `findings`.
 * junit: XML of tests; a table has the columns of the measure `assertions`, and is the only one.
 *
 * @param findings  what makes the answers partial; in csv they are not written */
HIERA_API void hiera_tables_write(HieraTable *const *tables, guint n_tables, HieraFormat format,
                                  const HieraFindings *findings, FILE *stream);

#endif
