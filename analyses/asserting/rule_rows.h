/** Result of a rule on all ranks, as a row of the measure `assertions`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

enum { HIERA_RULE_COLUMNS = 17 };
extern const HieraColumn hiera_rule_columns[HIERA_RULE_COLUMNS];
/** Columns with --by rank: as hiera_rule_columns, with a column `rank` behind `rule`. */
extern const HieraColumn hiera_rule_rank_columns[HIERA_RULE_COLUMNS + 1];

typedef struct {
    HieraVerdicts verdicts;
    guint32 n_ranks, n_good; /* number of ranks that executed the rule, and of those on which each execution holds */
    GString *failed;         /* ranks on which the rule failed, as text such as "0-3 7" */
    gint64 first, last;      /* range of failed ranks that is not in `failed` yet; last < first: none */
    GArray *ranks;           /* HieraRankVerdicts, for a row of each rank; NULL: only the row of all ranks is wanted */
} HieraRuleRow;

typedef struct {
    gint64 rank;
    HieraVerdicts verdicts;
} HieraRankVerdicts;

/** Begin the row of a rule. @param by_rank  whether hiera_rule_row_write also adds a row for each rank */
void hiera_rule_row_init(HieraRuleRow *row, gboolean by_rank);
void hiera_rule_row_clear(HieraRuleRow *row);

/** Add the verdicts of a rank. Call it for ranks in ascending order. @param rank  -1: verdicts on the whole job */
void hiera_rule_row_add(HieraRuleRow *row, const HieraVerdicts *verdicts, gint64 rank);

/** Add the row, and with `by_rank` a row for each rank, to a table of hiera_rule_columns or …_rank_columns. */
void hiera_rule_row_write(HieraRuleRow *row, const HieraRule *rule, HieraTable *table);
