/** Checks the rules of --assert and the assertions in the source on one rank: passes the
 * operations of its trace in document order to a meter (assertions/meter.h). */
#pragma once

#include "assertions/meter/meter.h"
#include "hiera_measure.h"

typedef struct HieraRuleMeter HieraRuleMeter;

/** Begin with a rank. The scope must outlive the meter. */
HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor);

/** Take the next operation of the rank. */
void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation);

/** Take the link between an operation and its assertion. */
void hiera_rule_meter_add_asserted(HieraRuleMeter *meter, const HieraAsserted *asserted);

/** Take calls that the collector only counted. */
void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered);

/** End after all operations: evaluate what is still open, and the rules about the whole run of the rank.
 *
 * @return the outcome of --assert, owned by the meter; NULL if the scope has no rules */
const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor);

/** Called with an assertion in the source, and its verdicts on the rank; valid until the call returns. */
typedef void (*HieraSourceVisit)(gpointer user, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts,
                                 gint64 rank);

/** Do the same for the assertions in the source. */
void hiera_rule_meter_finish_source(HieraRuleMeter *meter, const HieraProcessor *processor, HieraSourceVisit visit,
                                    gpointer user);

void hiera_rule_meter_free(HieraRuleMeter *meter);
