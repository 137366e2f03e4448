/* What there is of a run while it is worked on. run_together.h reads the traces, run.h answers and writes. */
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
    GPtrArray *tables;     /* HieraTable, one per measure */
    GPtrArray *streams;    /* HieraStream, one per measure of NEED_STREAM */
    GPtrArray *readable;   /* paths of the traces that could be read, by rank */
    GArray *processors;    /* HieraProcessor, of these traces */
    ScopeCheck *scope;     /* NULL if the scope selects everything */
    WhereStream *where;    /* NULL if there is no --where, or it is decided with the trace in memory */
    HieraBuilder *builder; /* NULL if no operations are kept */
    HieraTrace *trace;
    HieraScope narrowed; /* the scope of the options, with the operations for which --where holds */
    guint8 *chosen;      /* of `narrowed`; NULL without --where */
    HieraMatch *match;   /* NULL if it is not needed, or only by the graph */
    HieraGraph *graph;   /* NULL if it is not needed */
    gboolean failed;     /* a rule of --assert does not hold, or a clause of --probe could not go on */
    Progress progress;
    gboolean says_progress;
    gboolean streams_where;  /* --where is decided while the traces are read */
    gboolean checked;        /* processes have shared what --validate finds, */
    GPtrArray *check_tables; /* and its tables: HieraTable; NULL: nobody asks */
    gboolean shares;         /* this is one of several processes that need not bring all operations together, */
    HieraSharing sharing;    /* and what it has */
    PageAnswers *page;       /* what several processes find together for the page; NULL: nothing */
    gboolean page_together;  /* and they make the page together */
    gboolean gathered;       /* what is left over has been asked for */
    HieraLeftOver *left;     /* of process 0, if a rank has not ended: what ranks may wait for; NULL: nobody asks */
} Run;

/* @param in_memory  decide --where with the trace in memory, even if the expression does not need it
 * @param shares     whether several processes may share the operations out */
void run_init(Run *run, const Options *options, gboolean in_memory, gboolean shares);
void run_clear(Run *run);

/* Read the traces. @return the number of processors that were read */
guint run_read(Run *run, GError **error);

/* Whether the answer is the report of --validate. */
gboolean run_reports_validation(const Run *run);

/* All processes call this that have shared the operations out, and have chosen. */
gboolean run_gather_left_over(Run *run, GError **error);

/* Choose the operations for which --where holds, if that was not done, and hand all operations to the measures that
 * read processors, unless that was done while the traces were read. */
gboolean run_choose(Run *run, GError **error);
