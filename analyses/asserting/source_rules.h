/** Assertions in the source of a program, as found in the trace of one rank: an operation of level `assert` is an
 * execution of an assertion, and its name is the asserted condition. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

typedef struct HieraSourceRules HieraSourceRules;

/** Make an empty set of rules. @param values  values of `${NAME}`, which must outlive the set; NULL if none */
HieraSourceRules *hiera_source_rules_new(const HieraRuleValues *values);
void hiera_source_rules_free(HieraSourceRules *source);

const HieraRules *hiera_source_rules_peek(const HieraSourceRules *source);

/** Return the number of the rule that operations of a call site execute, made if it is new; HIERA_NONE: no rule. */
guint32 hiera_source_rules_find(HieraSourceRules *source, const HieraSite *site);

/** Set the file and line of a rule in the source. */
void hiera_source_rules_set_place(HieraSourceRules *source, guint32 rule, const char *file, guint32 line);

/** Return place and condition of a rule. Until hiera_source_rules_set_place, its place is that of the call site. */
HieraSourceAssertion hiera_source_rules_get(const HieraSourceRules *source, guint32 rule);

/** Parse "name=value name=value".
 *
 * @param values  by variable of the rule; NaN if the text does not have it */
void hiera_source_rules_read_variables(const HieraSourceRules *source, guint32 rule, const char *text,
                                       double values[HIERA_MOST_VARIABLES]);
