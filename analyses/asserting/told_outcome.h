/** What became of rules and assertions on one rank, as one of several processes tells it another one. */
#pragma once

#include "rule_meter.h"
#include "source_rows.h"

typedef struct HieraToldOutcome HieraToldOutcome;

/** Tell what the meter of a rank has found, to which all operations were added.
 *
 * @param rules  of --assert, with which it began; NULL: none */
void hiera_told_outcome_pack(HieraRuleMeter *meter, const HieraRules *rules, const HieraProcessor *processor,
                             HieraPacker *to);
HieraToldOutcome *hiera_told_outcome_unpack(const HieraRules *rules, HieraUnpacker *from);
void hiera_told_outcome_free(HieraToldOutcome *told);

/** The outcome of --assert; NULL: there are no rules. */
const HieraOutcome *hiera_told_outcome_peek(const HieraToldOutcome *told);

/** Add what became of assertions in the source to rows. */
void hiera_told_outcome_add_source(const HieraToldOutcome *told, HieraSourceRows *rows);
