/** What became of a rule on all ranks, as a row of the measure `assertions`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

enum { HIERA_RULE_COLUMNS = 17 };
extern const HieraColumn hiera_rule_columns[HIERA_RULE_COLUMNS];
/** The same by rank: the rank stands behind the rule. */
extern const HieraColumn hiera_rule_rank_columns[HIERA_RULE_COLUMNS + 1];

typedef struct {
    HieraVerdicts verdicts;
    guint32 n_ranks, n_good; /* ranks that have an execution; on which all hold */
    GString *failed;         /* ranks on which it failed, in the notation of ranks */
    gint64 first, last;      /* the ranks that are to be appended there; last < first: none */
    GArray *ranks;           /* HieraRankVerdicts; NULL: they are not asked for */
} HieraRuleRow;

typedef struct {
    gint64 rank;
    HieraVerdicts verdicts;
} HieraRankVerdicts;

/** @param by_rank  add a row for each rank, too */
void hiera_rule_row_init(HieraRuleRow *row, gboolean by_rank);
void hiera_rule_row_clear(HieraRuleRow *row);

/** Add the evaluations of a rank; ranks come in rising order. @param rank  -1: of no rank in particular */
void hiera_rule_row_add(HieraRuleRow *row, const HieraVerdicts *verdicts, gint64 rank);

/** Add it to a table, which has the columns for it. */
void hiera_rule_row_write(HieraRuleRow *row, const HieraRule *rule, HieraTable *table);
