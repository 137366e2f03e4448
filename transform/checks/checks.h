/* The checks of a matched trace (--validate), and helpers that they share. */
#pragma once

#include "base/findings.h"
#include "hiera_match.h"
#include "hiera_measure.h"
#include "matching/match.h"

/* Position of a part in a run that is read in parts (hiera_parts.h). Both arrays are by processor. */
typedef struct {
    const guint32 *around; /* number of the processor's first operations that were in the part before, too */
    const guint64 *before; /* number of the processor's operations in all earlier parts */
} HieraCheckedPart;

typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    HieraFindings *findings;
    const HieraScope *scope;      /* its own processors are checked: all, or this process's if there are several */
    const HieraCheckedPart *part; /* part of the run that `trace` is; NULL: the trace is the whole run */
} HieraCheck;

/* Whether an operation was also in the previous part of the run. @param processor  the operation's processor */
gboolean hiera_check_is_around(const HieraCheck *check, guint32 processor, guint32 row);
/* Return an operation's number in the whole run: it rises with the processor, and within one in document order. */
guint64 hiera_check_number(const HieraCheck *check, guint32 processor, guint32 row);

/* For several processes: set the position of the findings that follow. Findings of a check from all processes are
 * sorted by `phase`, then by `number`, which is the order in which a single process adds them. */
void hiera_check_stand(const HieraCheck *check, guint phase, guint32 number);
/* Like hiera_check_stand(), with an operation in place of a number: its row if one process had all ranks. */
void hiera_check_stand_at(const HieraCheck *check, guint phase, guint32 row);

/* Add a finding about the call of a row, and that of another one on the other side.
 *
 * @param other    HIERA_NONE: there is none, or it is not known
 * @param subject  as in hiera_findings_add() */
void hiera_check_add(const HieraCheck *check, HieraFindingCode code, guint32 row, guint32 other, const char *subject,
                     const char *format, ...) G_GNUC_PRINTF(6, 7);

/* Whether this process checks an operation: the operation's processor is one of its own. */
gboolean hiera_check_is_own(const HieraCheck *check, guint32 row);

/* Return the trace file of an operation, as the user named it. */
const char *hiera_check_path(const HieraCheck *check, guint32 row);
/* Return the line of an operation's element in its trace file; 0 if the lines were not kept. */
guint32 hiera_check_line(const HieraCheck *check, guint32 row);
/* Return the name and the call site of an operation, like "send (md.c:58)"; to be freed with g_free. */
char *hiera_check_describe(const HieraCheck *check, guint32 row);
char *hiera_check_describe_site(const HieraSite *site);
/* Return the world rank of the process that executed an operation. */
guint32 hiera_check_rank(const HieraCheck *check, guint32 row);

/* Whether a receive, or a call that starts one, asks for messages of any source. */
gboolean hiera_check_asks_any_source(const HieraCheck *check, guint32 row);

/* How a check works on a run that is read in parts. */
typedef enum {
    HIERA_CHECK_ALONE, /* checks each part alone; findings have counts of the whole run, so any finding has the run read
                          as a whole */
    HIERA_CHECK_LATER, /* checks each part alone; findings are right if no earlier part has any; else the run is read as
                          a whole */
    HIERA_CHECK_REMEMBERS /* needs data of earlier parts, which check_parts.c keeps */
} HieraCheckParting;

/* The checks, in the order of their findings: X(name, whether findings of several processes may be equal,
 * HIERA_CHECK_…: how it works in parts); hiera_check_NAME is in check_NAME.c.
 * To add one: write the file, and add its row here and its line in meson.build. */
#define HIERA_CHECKS(X)                                                                                                \
    X(unmatched, FALSE, LATER)     /* every operation that needs a partner has one */                                  \
    X(hierarchy, FALSE, REMEMBERS) /* children are inside their parents, in time and in the tree */                    \
    X(epochs, FALSE, ALONE)        /* epochs of windows begin and end by MPI's rules */                                \
    X(causality, FALSE, LATER)     /* no message is received before it was sent */                                     \
    X(messages, FALSE, ALONE)      /* messages are received with the size with which they were sent */                 \
    X(collectives, TRUE, ALONE)    /* the sizes that members pass to a collective agree */                             \
    X(types, TRUE, ALONE)          /* both sides have the same types, and operators are defined for theirs */          \
    X(buffers, FALSE, ALONE)       /* nobody uses memory that a call which is not complete still has */                \
    X(windows, FALSE, ALONE)       /* accesses of several ranks to the memory of a window have an order */             \
    X(arguments, TRUE, ALONE)      /* calls have arguments that MPI allows */                                          \
    X(requests, FALSE, ALONE)      /* requests are started, freed and completed by MPI's rules */                      \
    X(unbuffered, FALSE, ALONE)    /* no rank depends on buffers of MPI */                                             \
    X(races, FALSE, ALONE)         /* which receives from any source could have got another message */                 \
    X(threads, FALSE, ALONE)       /* threads call MPI as its level of thread support and its collectives allow */     \
    X(views, TRUE, ALONE)          /* what is read and written has the types of the view of its file */                \
    X(timed, FALSE, ALONE)         /* exact times of functions and loops agree with each other */                      \
    X(leaks, FALSE, REMEMBERS)     /* a rank frees its requests, communicators, windows, files and datatypes */
#define X(name, may_be_equal, parting) void hiera_check_##name(const HieraCheck *check);
HIERA_CHECKS(X)
#undef X

/* The tables of --validate, in their order: X(name, least number of rows to be shown); hiera_check_table_NAME makes
 * one. */
#define HIERA_CHECK_TABLES(X)                                                                                          \
    X(conservation, 1) /* messages and bytes of each communicator */                                                   \
    X(hierarchy, 2)    /* time and bytes of each level; not shown for a single level, as it would say nothing new */

#define X(name, at_least) HieraTable *hiera_check_table_##name(const HieraMatch *match, const HieraScope *scope);
HIERA_CHECK_TABLES(X)
#undef X

/* Return the tables that have enough rows: HieraTable, in a GPtrArray that owns them. Sums that do not fit become
 * findings. All processes call it; only the tables of process 0 count. */
GPtrArray *hiera_check_make_tables(const HieraMatch *match, const HieraScope *scope, HieraFindings *findings);

/* Run the checks in several processes, which all call this: each checks its own processors, and process 0 gets the
 * findings of all, as if it had checked all. */
void hiera_check_together(const HieraMatch *match, const HieraScope *scope, HieraFindings *findings);
