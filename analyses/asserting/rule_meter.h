/** The rules of --assert and the assertions in the source on one rank: tells a meter (assertions/meter.h) the
 * operations of its trace in document order. */
#pragma once

#include "assertions/meter/meter.h"
#include "hiera_measure.h"

typedef struct HieraRuleMeter HieraRuleMeter;

/** Begin with a rank. The scope must outlive the meter. */
HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor);

/** The next operation of the rank. */
void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation);

/** Which assertion an operation belongs to. */
void hiera_rule_meter_add_asserted(HieraRuleMeter *meter, const HieraAsserted *asserted);

/** What the collector only counted. */
void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered);

/** All operations were added: evaluate what is open, and the rules about the whole run of the rank.
 *
 * @return the outcome of --assert, owned by the meter; NULL: the scope has no rules */
const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor);

/** Called with an assertion in the source, and what became of it on the rank; valid until the call returns. */
typedef void (*HieraSourceVisit)(gpointer user, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts,
                                 gint64 rank);

/** The same for the assertions in the source. */
void hiera_rule_meter_finish_source(HieraRuleMeter *meter, const HieraProcessor *processor, HieraSourceVisit visit,
                                    gpointer user);

void hiera_rule_meter_free(HieraRuleMeter *meter);
