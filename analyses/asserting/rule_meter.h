/** The rules of --assert on one rank: tells a meter (assertions/meter.h) the operations of its trace in document order. */
#ifndef HIERA_RULE_METER_H
#define HIERA_RULE_METER_H

#include "assertions/meter.h"
#include "hiera_measure.h"

typedef struct HieraRuleMeter HieraRuleMeter;

/** Begin with a rank. The scope must outlive the meter; it has rules. */
HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor);

/** The next operation of the rank. */
void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation);

/** What the collector only counted. */
void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered);

/** All operations were added: evaluate what is open, and the rules about the whole run of the rank.
 *
 * @return the outcome, owned by the meter */
const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor);

void hiera_rule_meter_free(HieraRuleMeter *meter);

#endif
