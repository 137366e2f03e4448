/** Outcome of rules and assertions on one rank, sent from one process to another. */
#pragma once

#include "rule_meter.h"
#include "source_rows.h"

typedef struct HieraSentOutcome HieraSentOutcome;

/** Pack the results of a rank's meter, after all operations were added.
 *
 * @param rules  rules of --assert, with which the meter was made; NULL if none */
void hiera_sent_outcome_pack(HieraRuleMeter *meter, const HieraRules *rules, const HieraProcessor *processor,
                             HieraPacker *to);
HieraSentOutcome *hiera_sent_outcome_unpack(const HieraRules *rules, HieraUnpacker *from);
void hiera_sent_outcome_free(HieraSentOutcome *sent);

/** Return the outcome of the rules of --assert; NULL if there are no rules. */
const HieraOutcome *hiera_sent_outcome_peek(const HieraSentOutcome *sent);

/** Add the verdicts on assertions in the source to the rows of all ranks. */
void hiera_sent_outcome_add_source(const HieraSentOutcome *sent, HieraSourceRows *rows);
