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
typedef struct HieraRules HieraRules; /* rules of --assert (assertions/assertions.h) */
typedef struct HieraRuleValues HieraRuleValues;

/** Type of a table's cells. */
typedef enum {
    HIERA_CELL_INTEGER,
    HIERA_CELL_TEXT,
    HIERA_CELL_SECONDS, /* a time, stored in nanoseconds */
    HIERA_CELL_PERCENT, /* a percentage, stored in hundredths of a percent */
    HIERA_CELL_BYTES,
    HIERA_CELL_BAR,  /* a bar that a terminal draws, in hundredths of a percent; other formats leave the column out */
    HIERA_CELL_PATH, /* text: a call path, steps separated by HIERA_PATH_SEPARATOR; a table shows the last step,
                        indented */
    HIERA_CELL_CALLERS,  /* text: a call path; a table shows all steps, or the last ones that fit: for rows that form no
                            tree */
    HIERA_CELL_PROSE,    /* text: a sentence, broken at the width of the line (HIERA_PROSE_COLUMNS) */
    HIERA_CELL_SENTENCE, /* text: too long for a column, so a table has it in lines of its own below its row */
    HIERA_CELL_FIGURE,   /* text: a number without unit, which JSON writes as a number; "": none, null in JSON */
    HIERA_CELL_RATE      /* bytes per second */
} HieraCellType;
#define HIERA_PATH_SEPARATOR '\x1f' /* stands between names of a call path: XML allows no such character in names */

/** Size in bytes of the buffers that the following format functions need. */
#define HIERA_NUMBER_BYTES 32

/** Write a time, a number of bytes or hundredths of a percent as a person reads them: "352 µs", "1.44 MB", "59.0 %"; no
 * time and no bytes are "0". */
HIERA_API void hiera_time_format(char *buffer, gint64 ns);
HIERA_API void hiera_bytes_format(char *buffer, gint64 n_bytes);
HIERA_API void hiera_percent_format(char *buffer, gint64 hundredths);

/** Role of a column: rows that agree in all keys become one row, and their sums are added up. Details (of rows
 * whose keys all differ) are dropped where a terminal is too narrow, from the right; the most useful ones
 * stand last. Doubts limit the meaning of a row: they are details if all are empty or 0, and are always shown
 * otherwise. Answers are the point of a measure, but cannot be added up: they are dropped after the sums. */
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
    const char *text; /* must live as long as the table: text of a call site or of hiera_table_keep */
} HieraCell;

/** Value of a number that is not known, or not defined (0 of 0). A column with such a value has no total. */
#define HIERA_UNKNOWN G_MININT64
static inline gboolean hiera_cell_is_unknown(const HieraColumn *column, const HieraCell *cell)
{
    return column->type != HIERA_CELL_TEXT && cell->number == HIERA_UNKNOWN; /* no other text has this address */
}

/** The columns of an answer in sentences. A table of them is written without a head: the topic where a new one begins,
 * the sentence with its bar (none if it is negative), and behind the last sentence of a topic the measures that show
 * more (hiera_prose_join_more). */
#define HIERA_PROSE_COLUMNS                                                                                            \
    {"topic", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"sentence", HIERA_CELL_PROSE, HIERA_ROLE_KEY},                        \
        {"bar", HIERA_CELL_BAR, HIERA_ROLE_DETAIL}, {"more", HIERA_CELL_TEXT, HIERA_ROLE_KEY},

/** Return a shorter sentence for HIERA_PROSE_COLUMNS: "(…)" replaces the parameters of C++ functions, so that it names
 * a function, not its overload; "<…>" replaces template arguments if they do not fit a line. To be freed with g_free.
 */
HIERA_API char *hiera_prose_shorten(const char *sentence);

/** Number of lines that a sentence of HIERA_PROSE_COLUMNS takes on a screen of 80 columns. */
HIERA_API guint hiera_prose_count_lines(const char *sentence);

/** Add the measures that show more of a sentence, `more`, to those of its topic, unless already there or "". */
HIERA_API void hiera_prose_gather_more(GPtrArray *mores, const char *more);

/** Return the line below a topic, "more: …", from its hints; "": no hints. To be freed with g_free. */
HIERA_API char *hiera_prose_join_more(GPtrArray *mores);

/** Make an empty table.
 *
 * @param title      the measure's name; must outlive the table
 * @param columns    array of `n_columns`; must outlive the table
 * @return the table, to be freed by hiera_table_free */
HIERA_API HieraTable *hiera_table_new(const char *title, const HieraColumn *columns, guint n_columns);

/** Free a table and the texts of hiera_table_keep. NULL is allowed. */
HIERA_API void hiera_table_free(HieraTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTable, hiera_table_free)

/** Append a row.
 *
 * @param cells  one per column, copied; their texts are not: see HieraCell */
HIERA_API void hiera_table_add(HieraTable *table, const HieraCell *cells);

/** Set the sentence that explains an empty table.
 *
 * @param sentence  must outlive the table; NULL: no explanation */
HIERA_API void hiera_table_explain_nothing(HieraTable *table, const char *sentence);

/** Link the row that was added last to the operation that shows it best: the page has a link there.
 *
 * @param operation  row of the trace */
HIERA_API void hiera_table_point(HieraTable *table, guint32 operation);

/** Copy a text for the cells of a table.
 *
 * @return the copy, owned by the table */
HIERA_API const char *hiera_table_keep(HieraTable *table, const char *text);

/** Sort the rows by the columns from the left, numbers as numbers, texts by bytes, and merge rows that agree
 * in all keys; their sums are added up. */
HIERA_API void hiera_table_settle(HieraTable *table);

/** Set the sentence about a limit of all rows; only the last such sentence counts.
 *
 * @param sentence  copied; NULL: no limit */
HIERA_API void hiera_table_limit(HieraTable *table, HieraFindingCode code, const char *sentence);

/** Add a sentence that stands beside that one. NULL is allowed: it adds nothing. */
HIERA_API void hiera_table_limit_too(HieraTable *table, HieraFindingCode code, const char *sentence);

/** Add findings for the limits of the table (hiera_table_limit), and HIERA_FINDING_RANGE if a cell of it is
 * HIERA_TOO_LARGE. */
HIERA_API void hiera_table_check(const HieraTable *table, HieraFindings *findings);

/** Return the title of a table, as it was given to hiera_table_new. */
HIERA_API const char *hiera_table_peek_title(const HieraTable *table);

/** The columns of a table.
 *
 * @param n_columns  becomes how many there are
 * @return the columns, owned by the table or by who made it */
HIERA_API const HieraColumn *hiera_table_peek_columns(const HieraTable *table, guint *n_columns);

/** Replace the columns of a table by some of them; no rows may be added afterwards.
 *
 * @param columns  indices of n columns, in the wanted order; an index may occur twice */
HIERA_API void hiera_table_choose(HieraTable *table, const guint *columns, guint n);

/** Return the number of rows of a table. */
HIERA_API guint hiera_table_count(const HieraTable *table);

/** The operation that a row is linked to; HIERA_NONE if there is none. Rows of a table that was settled or sorted have
 * none. */
HIERA_API guint32 hiera_table_peek_operation(const HieraTable *table, guint row);

/** Return the cells of a row (from 0), one per column; owned by the table, valid until its rows are changed. */
HIERA_API const HieraCell *hiera_table_peek_row(const HieraTable *table, guint row);

/** Counters (--counters) whose values a measure shows. */
typedef struct {
    guint n;
    const char *const *names;
    HieraColumn *columns; /* the table's `n_columns` columns: the measure sets their types when all traces are read */
    guint n_columns;
} HieraScopeCounters;

/** Options that the user can give to a measure. */
typedef struct {
    const char *by;    /* one of the words in HieraMeasure.by; NULL: the first one */
    guint bins;        /* number of bins of a histogram; 0: the measure chooses */
    gint64 fail_above; /* greatest accepted slow-down against the reference run, in hundredths of a percent; -1: any */
    gboolean weak;     /* weak scaling: runs have the same work per rank; FALSE: the same work in total */
    const char *thresholds; /* thresholds of the measure that the user has changed, like "io=5"; NULL: none */
    const HieraScopeCounters *counters; /* counters that --counters names; NULL: none */
    const HieraRules *rules;            /* rules that --assert names; NULL: none */
    const HieraRuleValues *values;      /* values of `${NAME}` in assertions of the source; NULL: none */
    HieraCatalog *catalog;              /* catalog of the traces; set if `rules` is */
} HieraMeasureOptions;

/** Data of the run that this process has, of several processes. All members are NULL if there is one process. */
typedef struct {
    const guint8 *own;    /* by processor of the trace: 1 if this process computes the results about this processor */
    const guint *process; /* by processor of the trace: number of the process that has all of its operations */
    /** By processor of the trace, if another process has all of its operations: GArray of guint32, rising: indices in
     * the processor of the operations that this process has; else NULL. NULL: no measure has HIERA_MEASURE_TOGETHER. */
    const GPtrArray *rows;
    /** By processor of the trace: row that its first operation would have if one process had all operations, and at the
     * end their number. */
    const guint32 *first;
    /** Only in process 0, if a rank has not ended by itself: matches of all operations that any rank may wait for; else
     * NULL. */
    const HieraMatch *left;
    const guint8 *left_chosen; /* by row of the trace of `left`: 1 where --where holds; as HieraScope.chosen */
} HieraProcessShare;

/** Operations that a measure is about, its options, and the share of this process. Partners and the graph are always
 * those of the whole trace; only the operations that the measure is about are narrowed. An operation lies between two
 * times if it starts at or after the first and before the second. */
typedef struct {
    const HieraRanks *ranks; /* ranks whose operations are included; NULL: all ranks */
    const char *level;       /* the only level that is included; NULL: all levels */
    const char *without;     /* level that is left out; NULL: none */
    gint64 depth;            /* the only nesting depth that is included; -1: all */
    gint64 from_ns, to_ns;   /* operations that start in [from, to) are included; G_MININT64, G_MAXINT64: all */
    gboolean where;          /* whether there is a --where; HieraOperation.refused says where it is false */
    const guint8 *chosen;    /* by row of the trace: 1 where --where holds; NULL: all rows, or there is no trace */
    const gint64 *waiting;   /* by row of the trace: ns of waiting within the times of the scope; NULL: not computed */
    HieraMeasureOptions options;
    HieraProcessShare share;
} HieraScope;
#define HIERA_SCOPE_ALL                                                                                                \
    ((HieraScope){.depth = -1, .from_ns = G_MININT64, .to_ns = G_MAXINT64, .options = {.fail_above = -1}})

/** Whether the scope includes an operation by its level, depth and --where; rank and start time are not checked. */
HIERA_API gboolean hiera_scope_accepts_operation(const HieraScope *scope, const HieraOperation *operation);

/** Whether the scope includes an operation that stands for several calls, by level, depth and --where. */
HIERA_API gboolean hiera_scope_accepts_summed(const HieraScope *scope, const HieraSummed *summed);

/** Whether the scope includes an operation given by its row in a trace, by level, depth and --where. */
HIERA_API gboolean hiera_scope_accepts_row(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Whether a time lies between the scope's `from_ns` (included) and `to_ns` (excluded). */
HIERA_API gboolean hiera_scope_accepts_time(const HieraScope *scope, gint64 start_ns);

/** Whether the level of a call site is in the scope. */
HIERA_API gboolean hiera_scope_accepts_site(const HieraScope *scope, const HieraSite *site);

/** Whether a world rank is in the scope. */
HIERA_API gboolean hiera_scope_accepts_rank(const HieraScope *scope, gint64 rank);

/** Whether a span of time overlaps the scope's times; for an empty span: whether its start lies in them. */
HIERA_API gboolean hiera_scope_touches(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);

/** Whether this process computes the results about a processor of the trace; true if there is only one process. */
static inline gboolean hiera_scope_is_own(const HieraScope *scope, guint32 processor)
{
    return !scope->share.own || scope->share.own[processor];
}

/** Return the index of an operation among all operations of its processor, from 0: the same in all processes. */
HIERA_API guint32 hiera_scope_number(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Return the row that an operation would have in a trace with the operations of all processes. */
HIERA_API guint32 hiera_scope_row_of_all(const HieraScope *scope, const HieraTrace *trace, guint32 row);

/** Return the number of operations of all processes together. */
static inline guint32 hiera_scope_count_operations(const HieraScope *scope, const HieraTrace *trace)
{
    return scope->share.first ? scope->share.first[trace->n_processors] : trace->n_operations;
}

/** For several processes (`own` of the scope): all of them call the same of these functions in the same order. In a
 * single process nothing happens. */

/** Whether this process is number 0, which writes the answer. */
HIERA_API gboolean hiera_scope_leads(const HieraScope *scope);

/** Return process 0's `decision` in every process. */
HIERA_API gboolean hiera_scope_agree(const HieraScope *scope, gboolean decision);

/** Callbacks for data between processes: the sender's packs data as bytes, the receiver's unpacks them. */
typedef void (*HieraTellPart)(HieraPacker *to, gpointer user);
typedef void (*HieraHearPart)(HieraUnpacker *from, gpointer user);

/** Each process packs its data; process 0 unpacks all of them, including its own, in order of the processes. */
HIERA_API void hiera_scope_gather(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack,
                                  HieraHearPart unpack, gpointer user);

/** Every process but 0 packs its part, and process 0 unpacks these, process after process: it adds them to its
 * own. With one process there is nothing to do. */
HIERA_API void hiera_scope_gather_others(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack,
                                         HieraHearPart unpack, gpointer user);

/** In process 0, replace each of n numbers by its sum over all processes, added by hiera_plus. */
HIERA_API void hiera_scope_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 *numbers, gsize n);

/** In process 0, append the other processes' elements to the array. Elements must have no pointers. */
HIERA_API void hiera_scope_gather_array(const HieraScope *scope, const HieraTrace *trace, GArray *array);

/** Broadcast: process 0 packs data, and all other processes unpack them. */
HIERA_API void hiera_scope_tell(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack,
                                HieraHearPart unpack, gpointer user);

/** Broadcast an array: in the other processes, the elements of process 0 replace theirs. Elements must have no
 * pointers. */
HIERA_API void hiera_scope_tell_array(const HieraScope *scope, const HieraTrace *trace, GArray *array);

/** Return the number of processes; return the number of this process, from 0. */
HIERA_API guint hiera_scope_count_processes(const HieraScope *scope);
HIERA_API guint hiera_scope_process(const HieraScope *scope);

/** Callbacks for data between processes: pack those for process `process`; unpack those from process `process`. */
typedef void (*HieraTellTo)(HieraPacker *to, guint process, gpointer user);
typedef void (*HieraHearFrom)(HieraUnpacker *from, guint process, gpointer user);

/** Each process packs something for each, itself too, and unpacks what each has packed for it; in any order of
 * processes. The bytes received from a process are in memory until they are unpacked. */
HIERA_API void hiera_scope_exchange(const HieraScope *scope, const HieraTrace *trace, HieraTellTo pack,
                                    HieraHearFrom unpack, gpointer user);

/** Complete an array of values, one per row of the trace: each process has set those of its own ranks' operations, and
 * gets those of other ranks' operations that it holds. The scope has `rows`.
 *
 * @param values  by row of the trace, `bytes` bytes each */
HIERA_API void hiera_scope_share_values(const HieraScope *scope, const HieraTrace *trace, gpointer values, gsize bytes);

/** Work of one process after the other: it unpacks data from the processes before it, acts, and packs data for those
 * behind it. */
typedef struct {
    HieraHearFrom hear;
    void (*act)(gpointer user);
    HieraTellTo tell;
} HieraRelay;

/** Run a relay in the order of the processes. @param backward  begin with the last process */
HIERA_API void hiera_scope_take_turns(const HieraScope *scope, const HieraTrace *trace, gboolean backward,
                                      const HieraRelay *turn, gpointer user);

/** All processes but 0 add the rows of process 0's table to their own table. */
HIERA_API void hiera_scope_tell_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows);

/** Process 0 adds the rows of the other processes' tables to its own, in order of the processes. */
HIERA_API void hiera_scope_gather_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows);

/** Index of the scope's `by` among the words of a measure; 0 if the scope names none.
 *
 * @param words  `by` of the measure
 * @return -1 if the scope's word is not among them */
HIERA_API gint hiera_scope_find_by(const HieraScope *scope, const char *words);

/** Return how many nanoseconds of a span of time lie within the scope's times. */
HIERA_API gint64 hiera_scope_clip(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);

/** One of the runs that a measure compares. */
typedef struct {
    const char *name; /* name of the run as the user wrote it */
    gpointer all;     /* the measure's state for all ranks of the run, or the result of HieraRunsOps.digest */
    gpointer found;   /* the result of HieraRunsOps.look; NULL if it was not called */
    const HieraCatalog *catalog;
} HieraRun;

/** Remarks on a comparison of runs, written beside the table. Each text is NULL or to be freed with g_free. */
typedef struct {
    char *note;
    char *failure; /* lines that say where `fail_above` of the scope's options is exceeded */
} HieraComparison;

/** Whether a comparison of runs needs `waiting` of the scope. For that, runs are read into memory, one after the
 * other. */
typedef enum {
    HIERA_WAITS_NOT,
    HIERA_WAITS_IF_SMALL, /* a comparison uses `waiting`, unless the traces of a run are large */
    HIERA_WAITS_ALWAYS
} HieraWaitsNeed;

/** Callbacks for records that belong to operations or to their rank; each may be NULL. */
typedef struct {
    void (*asserted)(gpointer state, const HieraAsserted *asserted); /* assertion about an operation passed before */
    /** Counter values of an operation, also of one that is not in the scope; operations inside it may have been passed
     * meanwhile. */
    void (*counted)(gpointer state, const HieraCounted *counted);
    void (*saved)(gpointer state, const char *line); /* a result line of a probe script for the rank */
    /** Samples of the rank's threads (`sampled`), exact times of functions and loops (`timed`), times that the
     * collector took (`own_time`, passed before the operations behind them). */
#define X(type, name, texts) void (*name)(gpointer state, const type *name);
    HIERA_RECORDS(X)
#undef X
} HieraRecordOps;

/** How a measure reads one rank, operation by operation, in constant memory. The operations of one rank are passed by
 * one thread at a time, but several threads may pass several ranks. */
typedef struct {
    /** Return the state for one rank, which the other callbacks get. */
    gpointer (*begin)(const HieraScope *scope, const HieraProcessor *processor);
    /** Take the next operation of the rank, which is valid until the call returns. */
    void (*operation)(gpointer state, const HieraOperation *operation);
    /** Calls that the collector only counted. May be NULL. */
    void (*filtered)(gpointer state, const HieraFiltered *filtered);
    /** An operation that stands for several calls, passed in document order. NULL: the
     * measure is about single operations, and gets no others. */
    void (*summed)(gpointer state, const HieraSummed *summed);
    HieraRecordOps records;
    /** Both may be NULL: for several processes (HieraSink.pack). Pack the state of a rank whose trace has been read as
     * bytes; and make such a state again, used by `end` and `merge` only. */
    void (*pack)(gpointer state, const HieraProcessor *processor, HieraPacker *to);
    gpointer (*unpack)(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from);
} HieraReadOps;

/** A measure that reads operations one by one, and each of whose rows is about one rank. */
typedef struct {
    HieraReadOps read;
    /** Add the rank's rows to the table, unless @table is NULL, and free the rank's state. */
    void (*end)(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table);
} HieraRankOps;

/** A measure that reads operations one by one, and whose rows are about all ranks together. */
typedef struct {
    HieraReadOps read;
    /** Return the measure's state for all ranks of a run. */
    gpointer (*open)(const HieraScope *scope);
    /** Add one rank's state to the state of all, unless @keep is false, and free it. By rank, all in one thread. */
    void (*merge)(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep);
    /** Add the measure's rows to the table, unless @table is NULL, and free the state of all ranks. */
    void (*close)(gpointer all, const HieraCatalog *catalog, HieraTable *table);
} HieraJobOps;

/** A measure that compares several runs. */
typedef struct {
    HieraJobOps each; /* how each run is read; HieraJobOps.close gets no table */
    /** NULL: the measure reads operations one by one. Else: return the data that it keeps of a run, from all operations
     * and their partners; then only `close` of `each` is set. */
    gpointer (*digest)(const HieraMatch *match, const HieraScope *scope);
    /** If `waits` of the measure is set: return data of a run while the run is in memory; free such data. */
    gpointer (*look)(const HieraMatch *match, const HieraScope *scope);
    void (*forget)(gpointer found);
    /** Add the rows of the comparison. @param runs  n_runs of them, at least two; the first is the reference */
    void (*compare)(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                    HieraComparison *comparison);
} HieraRunsOps;

/** Options that a measure understands, and its properties. */
typedef enum {
    HIERA_MEASURE_BINS = 1 << 0,            /* the measure understands --bins */
    HIERA_MEASURE_FAIL_ABOVE = 1 << 1,      /* the measure understands --fail-above */
    HIERA_MEASURE_THRESHOLDS = 1 << 2,      /* the measure understands --thresholds */
    HIERA_MEASURE_SCALING = 1 << 3,         /* the measure understands --scaling */
    HIERA_MEASURE_COUNTER_COLUMNS = 1 << 4, /* with --counters, one column per counter follows the measure's columns */
    HIERA_MEASURE_ASSERTS = 1 << 5,         /* the measure reports the results of rules and assertions */
    HIERA_MEASURE_ORDERED = 1 << 6,         /* the order of rows is the answer, so hiera_table_settle is not called */
    HIERA_MEASURE_SUMS = 1 << 7, /* with `find`, `graph`: operations that stand for several calls are counted, too */
    HIERA_MEASURE_MEASURED_WAITS = 1 << 8, /* with `find`, `runs`: for sums of calls it reports the waiting that
                                              profiles have measured (HieraSummed.members) */
    HIERA_MEASURE_WHOLE = 1 << 9, /* the measure applies the scope itself; others get only operations in the scope */
    HIERA_MEASURE_TOGETHER = 1 << 10, /* with `find`: several processes call it, each with the operations that it needs;
                                         the table of process 0 counts (hiera_scope_leads) */
    HIERA_MEASURE_ENDED = 1 << 11,    /* HIERA_MEASURE_TOGETHER only if all ranks have ended by themselves; else one
                                         process gets all operations */
    HIERA_MEASURE_VERTICES = 1 << 12  /* rows are vertices of the graph, so the HTML page does not show this measure */
} HieraMeasureFlags;

/** A measure: a named question with rows as its answer. Set one of rank, job, find, graph and runs; or only forms. */
typedef struct HieraMeasure HieraMeasure;
struct HieraMeasure {
    const char *name;
    const char *help;    /* description of the measure in one line */
    const char *by;      /* words allowed for --by, separated by commas, the default first; NULL: no --by */
    const char *nothing; /* message on a terminal if there are no rows; NULL: a general one */
    const char *refusal; /* why sums of calls are not enough, and which measure to use instead; NULL: a general text */
    const HieraColumn *columns;
    guint n_columns;
    guint flags; /* HieraMeasureFlags, combined */
    HieraWaitsNeed waits;
    /** For a measure whose columns or operations depend on --by: the measure that answers for each word of `by`, in
     * their order. The measure itself then has only `name`, `help` and `by`. NULL: it answers for all words. */
    const HieraMeasure *const *forms;
    /** The measure used instead if --counters names some. NULL: --counters is not supported. */
    const HieraMeasure *counters;
    /** The measure used instead for several runs: it has `runs`, or its `forms` have. NULL: not supported. */
    const HieraMeasure *of_runs;

    const HieraRankOps *rank;
    const HieraJobOps *job;
    /** From all operations in columns, and their partners: add the rows. A single process has the operations of all
     * ranks. Of several processes all call this if the measure has HIERA_MEASURE_TOGETHER; else one of them gets all
     * operations, and calls it. A measure with `graph` also has this if several processes can do without the graph.
     * @return false with an error if it is not possible */
    gboolean (*find)(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error);
    /** Add the rows, from the graph of all operations. @return false with an error if it is not possible */
    gboolean (*graph)(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error);
    const HieraRunsOps *runs;
};

static inline gboolean hiera_measure_is(const HieraMeasure *measure, HieraMeasureFlags flag)
{
    return (measure->flags & (guint)flag) != 0;
}

/** Return the callbacks by which a measure reads all ranks of a run; NULL: the measure has no such callbacks. */
static inline const HieraJobOps *hiera_measure_peek_job(const HieraMeasure *measure)
{
    return measure->runs ? &measure->runs->each : measure->job;
}

/** Return the callbacks by which a measure reads one rank; NULL if the measure needs all operations in columns. */
static inline const HieraReadOps *hiera_measure_peek_read(const HieraMeasure *measure)
{
    const HieraJobOps *job = hiera_measure_peek_job(measure);
    if (job)
        return &job->read;
    return measure->rank ? &measure->rank->read : NULL;
}

/** Whether a measure also counts operations that stand for several calls, not only single operations. */
static inline gboolean hiera_measure_takes_sums(const HieraMeasure *measure)
{
    const HieraReadOps *read = hiera_measure_peek_read(measure);
    return hiera_measure_is(measure, HIERA_MEASURE_SUMS) || (read && read->summed);
}

/** A sink of hiera_load (hiera_stream_sink) that runs a measure while traces are loaded. */
typedef struct HieraStream HieraStream;

/** Begin a measure. All parameters must outlive the stream.
 *
 * @param measure  hiera_measure_peek_read is not NULL
 * @param table    takes the rows, with the measure's columns; NULL if it compares runs
 * @return the stream, to be freed by hiera_stream_free */
HIERA_API HieraStream *hiera_stream_new(const HieraMeasure *measure, const HieraScope *scope,
                                        const HieraCatalog *catalog, HieraTable *table);

/** Free a stream; without hiera_stream_finish before, no more rows are added. */
HIERA_API void hiera_stream_free(HieraStream *stream);

/** Let the measure add its last rows. To be called after hiera_load. */
HIERA_API void hiera_stream_finish(HieraStream *stream);

/** Return the state for all processors of a measure that compares runs, after hiera_load; owned by the stream. */
HIERA_API gpointer hiera_stream_peek(const HieraStream *stream);

/** Return the sink for hiera_load through which the measure gets operations; valid as long as the stream. */
HIERA_API HieraSink hiera_stream_sink(HieraStream *stream);

/** Formats in which tables are written: X(identifier, name). */
#define HIERA_FORMATS(X) X(TABLE, "table") X(CSV, "csv") X(JSON, "json") X(JUNIT, "junit") X(BRIEF, "brief")
typedef enum {
#define X(identifier, name) HIERA_FORMAT_##identifier,
    HIERA_FORMATS(X)
#undef X
} HieraFormat;

/** Write tables as one answer. Errors of the stream are not checked: use ferror.
 *
 * table: aligned, on a terminal fitted to its width, with titles if there are several. csv: RFC 4180, a header line
 * each, an empty line between them. json: one object, a member per measure that is a list of rows; `columns` with their
 * types, `partial` and `findings`. brief: at most 2,000 characters; hiera-transform says there what to type for more.
 * junit: XML of tests; a table has the columns of the measure `assertions`, and is the only one.
 *
 * @param findings  what makes the answers partial; in csv they are not written */
HIERA_API void hiera_tables_write(HieraTable *const *tables, guint n_tables, HieraFormat format,
                                  const HieraFindings *findings, FILE *stream);

#endif
