/** Assertions in the source of a program, as the trace of one rank has them: an operation of the level `assert` is an
 * execution of one, and its name is what it expects. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

typedef struct HieraSourceRules HieraSourceRules;

/** None at first. @param values  of `${NAME}`; must outlive them; NULL: none */
HieraSourceRules *hiera_source_rules_new(const HieraRuleValues *values);
void hiera_source_rules_free(HieraSourceRules *source);

const HieraRules *hiera_source_rules_peek(const HieraSourceRules *source);

/** The number of the rule that an operation is an execution of, which is added if it is new; HIERA_NONE if it is none.
 */
guint32 hiera_source_rules_find(HieraSourceRules *source, const HieraSite *site);

/** Where the rule stands in the source. */
void hiera_source_rules_set_place(HieraSourceRules *source, guint32 rule, const char *file, guint32 line);

/** Where it stands, and what it expects; until its place is known, that of its call site. */
HieraSourceAssertion hiera_source_rules_get(const HieraSourceRules *source, guint32 rule);

/** Read "name=value name=value".
 *
 * @param values  by variable of the rule; not a number if it is not there */
void hiera_source_rules_read_variables(const HieraSourceRules *source, guint32 rule, const char *text,
                                       double values[HIERA_MOST_VARIABLES]);
