/** Result of a rule on all ranks, as a row of the measure `assertions`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

enum { HIERA_RULE_COLUMNS = 17 };
extern const HieraColumn hiera_rule_columns[HIERA_RULE_COLUMNS];
/** The columns by rank: a column for the rank follows the rule. */
extern const HieraColumn hiera_rule_rank_columns[HIERA_RULE_COLUMNS + 1];

typedef struct {
    HieraVerdicts verdicts;
    guint32 n_ranks, n_good; /* number of ranks with an execution, and of those on which all hold */
    GString *failed;         /* ranks on which it failed, as text such as "0-3 7" */
    gint64 first, last;      /* range of ranks that is not in `failed` yet; last < first: none */
    GArray *ranks;           /* HieraRankVerdicts; NULL if not asked for */
} HieraRuleRow;

typedef struct {
    gint64 rank;
    HieraVerdicts verdicts;
} HieraRankVerdicts;

/** @param by_rank  whether to add a row for each rank, too */
void hiera_rule_row_init(HieraRuleRow *row, gboolean by_rank);
void hiera_rule_row_clear(HieraRuleRow *row);

/** Add the evaluations of a rank. Call it for ranks in ascending order. @param rank  -1: not of a single rank */
void hiera_rule_row_add(HieraRuleRow *row, const HieraVerdicts *verdicts, gint64 rank);

/** Add the row to a table that has these columns. */
void hiera_rule_row_write(HieraRuleRow *row, const HieraRule *rule, HieraTable *table);
