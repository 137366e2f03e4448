/** Checks the rules of --assert and the assertions in the source on one rank: passes the
 * operations of its trace in document order to a meter (assertions/meter.h). */
#pragma once

#include "assertions/meter/meter.h"
#include "hiera_measure.h"

typedef struct HieraRuleMeter HieraRuleMeter;

/** Make the meter of one rank. The scope must outlive the meter. To be freed by hiera_rule_meter_free. */
HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor);

/** Add the next operation of the rank to the values that the rules are judged by. */
void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation);

/** Set the assertion in the source that an operation executes. */
void hiera_rule_meter_add_asserted(HieraRuleMeter *meter, const HieraAsserted *asserted);

/** Add calls that a filter left out of the trace (their number, bytes and time) to these values of the rules. */
void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered);

/** End after all operations: evaluate what is still open, and the rules about the whole run of the rank.
 *
 * @return the outcome of --assert, owned by the meter; NULL if the scope has no rules */
const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor);

/** Called with an assertion in the source, and its verdicts on the rank; both are valid until the call returns. */
typedef void (*HieraSourceVisit)(gpointer user, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts,
                                 gint64 rank);

/** As hiera_rule_meter_finish, for the assertions in the source: `visit` gets each with its verdicts. */
void hiera_rule_meter_finish_source(HieraRuleMeter *meter, const HieraProcessor *processor, HieraSourceVisit visit,
                                    gpointer user);

void hiera_rule_meter_free(HieraRuleMeter *meter);
