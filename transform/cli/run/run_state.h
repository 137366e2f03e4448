/* State while the traces of one run are processed. run_together.h reads the traces, run.h answers and writes. */
#pragma once

#include "cli/options/scope_check.h"
#include "matching/passes/left_over.h"
#include "page_write.h"
#include "progress.h"
#include "sharing/share.h"
#include "where_stream.h"

typedef struct {
    const Options *options;
    HieraCatalog *catalog;
    HieraFindings *findings;
    GPtrArray *paths;
    GPtrArray *tables;     /* HieraTable: the answer of each measure */
    GPtrArray *streams;    /* HieraStream of each measure that takes operations one by one */
    GPtrArray *readable;   /* paths of the traces that could be read, by rank */
    GArray *processors;    /* HieraProcessor of each trace in `readable` */
    ScopeCheck *scope;     /* checks that the scope selects something; NULL: the scope selects everything */
    WhereStream *where;    /* decides --where during reading; NULL: no --where, or it is decided in memory */
    HieraBuilder *builder; /* makes the columns of `trace`; NULL: operations are not kept in memory */
    HieraTrace *trace;
    HieraScope narrowed; /* the scope of the options, with the operations for which --where holds */
    guint8 *chosen;      /* by row: 1 where --where holds; `narrowed` points to it; NULL: no --where */
    HieraMatch *match;   /* partners of operations; NULL: not needed, or owned by the graph */
    HieraGraph *graph;   /* NULL: not needed */
    gboolean failed;     /* whether a rule of --assert does not hold, or a clause of the --probe script was stopped */
    Progress progress;
    gboolean says_progress;
    gboolean streams_where;  /* whether --where is decided while the traces are read */
    gboolean checked;        /* whether several processes together, or part after part, have done --validate */
    GPtrArray *check_tables; /* HieraTable: tables of --validate, if `checked`; NULL: not asked for */
    gboolean shares;         /* whether this is one of several processes, over which the operations are distributed */
    HieraSharing sharing;    /* if `shares`: which operations this process has */
    PageAnswers *page;       /* what several processes compute together for the page; NULL: one process does */
    gboolean page_together;  /* whether the processes also compose the page together */
    gboolean gathered;       /* whether run_gather_left_over() has been called */
    HieraLeftOver *left; /* in process 0, if a rank has not ended: what ranks may still wait for; NULL: not needed */
} Run;

/* @param in_memory  decide --where with the trace in memory, even if the expression does not need it
 * @param shares     whether several processes may keep the operations distributed */
void run_init(Run *run, const Options *options, gboolean in_memory, gboolean shares);
void run_clear(Run *run);

/* Read the traces. @return the number of processors in them */
guint run_read(Run *run, GError **error);

/* Whether standard output gets the report of --validate, in place of tables of measures. */
gboolean run_reports_validation(const Run *run);

/* Collect in process 0 what ranks may still wait for. All processes call it, after run_choose(). */
gboolean run_gather_left_over(Run *run, GError **error);

/* Choose the operations for which --where holds, and hand all operations to the measures that take them one by one,
 * unless either was done while the traces were read. */
gboolean run_choose(Run *run, GError **error);
