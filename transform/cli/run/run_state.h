/* State of a run while it is processed. run_together.h reads the traces, run.h answers and writes. */
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
    GPtrArray *tables;     /* array of HieraTable, one per measure */
    GPtrArray *streams;    /* HieraStream, one per measure that takes operations one by one */
    GPtrArray *readable;   /* paths of the traces that could be read, by rank */
    GArray *processors;    /* HieraProcessor, one for each of these traces */
    ScopeCheck *scope;     /* NULL if the scope selects everything */
    WhereStream *where;    /* NULL if there is no --where, or it is decided with the trace in memory */
    HieraBuilder *builder; /* NULL if operations are not kept in memory */
    HieraTrace *trace;
    HieraScope narrowed; /* the scope of the options, with the operations for which --where holds */
    guint8 *chosen;      /* chosen operations, used by `narrowed`; NULL without --where */
    HieraMatch *match;   /* NULL if not needed, or owned by the graph */
    HieraGraph *graph;   /* NULL if not needed */
    gboolean failed;     /* a rule of --assert does not hold, or a clause of --probe could not go on */
    Progress progress;
    gboolean says_progress;
    gboolean streams_where;  /* --where is decided while the traces are read */
    gboolean checked;        /* several processes together have done --validate; */
    GPtrArray *check_tables; /* its tables: HieraTable; NULL if not asked for */
    gboolean shares;         /* this is one of several processes that keep the operations distributed */
    HieraSharing sharing;    /* the operations of this process, if `shares` */
    PageAnswers *page;       /* answers for the page that several processes compute together; NULL if none */
    gboolean page_together;  /* the processes also write the page together */
    gboolean gathered;       /* run_gather_left_over() has been called */
    HieraLeftOver *left;     /* in process 0, if a rank has not ended: what ranks may wait for; NULL if not needed */
} Run;

/* @param in_memory  decide --where with the trace in memory, even if the expression does not need it
 * @param shares     whether several processes may keep the operations distributed */
void run_init(Run *run, const Options *options, gboolean in_memory, gboolean shares);
void run_clear(Run *run);

/* Read the traces. @return the number of processors that were read */
guint run_read(Run *run, GError **error);

/* Whether the output is the report of --validate. */
gboolean run_reports_validation(const Run *run);

/* Called by all processes after they have distributed the operations and chosen those of --where. */
gboolean run_gather_left_over(Run *run, GError **error);

/* Choose the operations for which --where holds, and hand all operations to the measures that take them one by one,
 * unless either was done while the traces were read. */
gboolean run_choose(Run *run, GError **error);
