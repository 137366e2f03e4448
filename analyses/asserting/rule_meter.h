/** The rules of --assert on one rank: a walk through its operations in document order that keeps running totals of all
 * counters. Where an execution begins that a rule is about, the totals are noted; where it ends, the differences are
 * the rule's values. So regions may nest, and memory grows with the depth and with the requests that are open alone. */
#ifndef HIERA_RULE_METER_H
#define HIERA_RULE_METER_H

#include "assertions/assertions.h"
#include "hiera_measure.h"

typedef struct HieraRuleMeter HieraRuleMeter;

/** What became of the rules on one rank. */
typedef struct {
    guint32 rank;
    gint64 size;             /* ranks of the job; 0: unknown */
    HieraVerdicts *verdicts; /* by rule */
    gint64 *totals;          /* by counter: of the whole run */
    gboolean *unknown;       /* by counter: the total is not known */
    gint64 wall_ns;          /* of the whole run */
    gboolean wall_unknown;
} HieraRuleOutcome;

/** Begin with a rank. The scope must outlive the meter; it has rules. */
HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor);

/** The next operation of the rank. */
void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation);

/** What the collector only counted. */
void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered);

/** All operations were added: evaluate what is open, and the rules about the whole run of the rank.
 *
 * @return the outcome, owned by the meter */
const HieraRuleOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor);

void hiera_rule_meter_free(HieraRuleMeter *meter);

#endif
