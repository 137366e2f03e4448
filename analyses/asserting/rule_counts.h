/** Running totals of all counters of the rules of --assert on one rank, and which of them an operation raises. */
#ifndef HIERA_RULE_COUNTS_H
#define HIERA_RULE_COUNTS_H

#include "assertions/assertions.h"
#include "hiera_measure.h"

/** What the rules have to do with a call site; found out at its first operation. */
typedef struct {
    gboolean known;
    GArray *counters; /* guint32: counters that its operations may raise */
    GArray *rules;    /* guint32: rules that are about its executions */
} HieraSiteUse;

typedef struct {
    HieraCatalog *catalog;
    const HieraRule *rules;
    const HieraCounter *counters;
    guint n_rules, n_counters;
    gint64 *totals;      /* by counter */
    gboolean *hidden;    /* by counter: some of its calls were only counted … */
    gint64 *hidden_sums; /* … and what these were together */
    gboolean open;       /* an MPI call has no end */
    GArray *uses;        /* HieraSiteUse, by id of the site */
    GHashTable *posted;  /* number of a request → what was posted */
    guint32 comm;        /* the communicator asked for last, */
    const char *comm_id;
} HieraRuleCounts;

/** Begin with the rules of a scope, which must outlive the counts. */
void hiera_rule_counts_init(HieraRuleCounts *counts, const HieraScope *scope);
void hiera_rule_counts_clear(HieraRuleCounts *counts);

/** What the rules have to do with a site; valid until the next call. */
const HieraSiteUse *hiera_rule_counts_peek_use(HieraRuleCounts *counts, const HieraSite *site);

/** The next operation; of MPI only outermost calls. */
void hiera_rule_counts_add(HieraRuleCounts *counts, const HieraOperation *operation);

/** What the collector only counted. */
void hiera_rule_counts_add_filtered(HieraRuleCounts *counts, const HieraFiltered *filtered);

#endif
