/** Measures: one named question with rows as its answer. A new measure is one new file and one new row in the table of
 * measures; it sees operations one by one, or the graph, but no XML and no files. */
#ifndef HIERA_MEASURE_H
#define HIERA_MEASURE_H

#include "hiera_trace.h"

typedef struct HieraGraph HieraGraph;

/** What a cell holds. */
typedef enum {
    HIERA_CELL_INTEGER,
    HIERA_CELL_TEXT,
    HIERA_CELL_SECONDS, /* kept in nanoseconds */
    HIERA_CELL_PERCENT, /* kept in hundredths of a percent */
    HIERA_CELL_PATH     /* text: steps with HIERA_PATH_SEPARATOR between them, in a terminal the last one, indented */
} HieraCellType;
#define HIERA_PATH_SEPARATOR '\x1f' /* no XML document contains it, so no name in a trace does */

/** What a column is for: rows that agree in all keys become one row, and their sums are added up. Details (of rows
 * whose keys all differ) are left out where a terminal is too narrow for them, from the right; those that tell most go
 * last. */
typedef enum { HIERA_ROLE_KEY, HIERA_ROLE_SUM, HIERA_ROLE_DETAIL, HIERA_ROLE_TELLING } HieraRole;

typedef struct {
    const char *name;
    HieraCellType type;
    HieraRole role;
} HieraColumn;

typedef union {
    gint64 number;
    const char *text; /* must live as long as the table; the strings of a site do, and those that it keeps */
} HieraCell;

typedef struct HieraTable HieraTable;
/** @param title  the measure's name; must outlive the table, as must the columns */
HIERA_API HieraTable *hiera_table_new(const char *title, const HieraColumn *columns, guint n_columns);
HIERA_API void hiera_table_free(HieraTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTable, hiera_table_free)
/** Append a row; one cell per column. */
HIERA_API void hiera_table_add(HieraTable *table, const HieraCell *cells);
/** Keep a copy of a text for the cells of a table. */
HIERA_API const char *hiera_table_keep(HieraTable *table, const char *text);
/** Sort the rows by the columns from the left, numbers as numbers, texts by bytes, and add up those with equal keys. */
HIERA_API void hiera_table_settle(HieraTable *table);
/** A finding if sums of the table do not fit into 64 bits (HIERA_TOO_LARGE). */
HIERA_API void hiera_table_check_range(const HieraTable *table, HieraFindings *findings);
HIERA_API guint hiera_table_count(const HieraTable *table);
HIERA_API const HieraCell *hiera_table_peek_row(const HieraTable *table, guint row);

/** What narrows a measure. The graph is always that of the whole trace; only the operations that are asked about are
 * narrowed. An operation lies between two times if it starts at or after the first and before the second. */
typedef struct {
    const HieraRanks *ranks; /* NULL: all */
    const char *level;       /* NULL: all */
    gint64 depth;            /* -1: all */
    gint64 from_ns, to_ns;   /* G_MININT64, G_MAXINT64: all */
} HieraScope;
#define HIERA_SCOPE_ALL ((HieraScope){.depth = -1, .from_ns = G_MININT64, .to_ns = G_MAXINT64})
HIERA_API gboolean hiera_scope_accepts_site(const HieraScope *scope, const HieraSite *site);
HIERA_API gboolean hiera_scope_accepts(const HieraScope *scope, const HieraSite *site, guint32 depth, gint64 start_ns);
HIERA_API gboolean hiera_scope_accepts_rank(const HieraScope *scope, gint64 rank);
/** Whether the level and the depth of an operation are in the scope. */
HIERA_API gboolean hiera_scope_accepts_place(const HieraScope *scope, const HieraSite *site, guint32 depth);
/** Whether some moment of a span lies between the scope's times; the start of one that is only a moment. */
HIERA_API gboolean hiera_scope_touches(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);
/** The part of a span that lies between the scope's times, in nanoseconds. */
HIERA_API gint64 hiera_scope_clip(const HieraScope *scope, gint64 start_ns, gint64 finish_ns);

/** A measure needs either the operations one by one (constant memory) or the graph. */
typedef enum { HIERA_NEED_STREAM, HIERA_NEED_GRAPH } HieraNeed;

typedef struct {
    const char *name;
    const char *help; /* one line */
    const HieraColumn *columns;
    guint n_columns;
    HieraNeed need;
    gboolean ordered; /* the order of the rows is the answer: they are not settled */
    gboolean whole;   /* it gets all operations, and the scope is its own business; otherwise those in the scope */
    /** NEED_STREAM: begin → state for one processor; operation; end adds rows (not if @table is NULL) and frees state.
     */
    gpointer (*begin)(const HieraScope *scope, const HieraProcessor *processor);
    void (*operation)(gpointer state, const HieraOperation *operation);
    void (*end)(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table);
    /** NEED_STREAM, may be NULL: what the collector only counted. */
    void (*filtered)(gpointer state, const HieraFiltered *filtered);
    /** NEED_STREAM, of a measure about all processors together, in place of `end`: open → state for all; merge adds one
     * processor's state to it and frees that (@keep false: leaves it out); close adds rows (not if @table is NULL) and
     * frees the state for all. */
    gpointer (*open)(const HieraScope *scope);
    void (*merge)(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep);
    void (*close)(gpointer all, const HieraCatalog *catalog, HieraTable *table);
    /** NEED_GRAPH. */
    gboolean (*run)(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error);
} HieraMeasure;

/** A sink for hiera_load that drives one measure of NEED_STREAM. @param table takes the rows */
typedef struct HieraStream HieraStream;
HIERA_API HieraStream *hiera_stream_new(const HieraMeasure *measure, const HieraScope *scope,
                                        const HieraCatalog *catalog, HieraTable *table);
HIERA_API void hiera_stream_free(HieraStream *stream);
/** After hiera_load: the table gets its last rows. */
HIERA_API void hiera_stream_finish(HieraStream *stream);
HIERA_API HieraSink hiera_stream_sink(HieraStream *stream);

/** How answers are written: X(identifier, name). */
#define HIERA_FORMATS(X) X(TABLE, "table") X(CSV, "csv") X(JSON, "json")
typedef enum {
#define X(identifier, name) HIERA_FORMAT_##identifier,
    HIERA_FORMATS(X)
#undef X
} HieraFormat;

/** Write answers.
 *
 * table: aligned, on a terminal as wide as that, a title where there are several. csv: RFC 4180, a header line each, an empty
 * line between them. json: one object, a member per measure that is a list of rows; `partial` and `findings`.
 *
 * @param findings  what makes the answers partial; in csv they are not written */
HIERA_API void hiera_tables_write(HieraTable *const *tables, guint n_tables, HieraFormat format,
                                  const HieraFindings *findings, FILE *stream);

#endif
