/* Texts of rules that must be right. */
#ifndef HIERA_TEST_PARSED_RULES_H
#define HIERA_TEST_PARSED_RULES_H

#include "assertions/assertions.h"

#include <check.h>
#include <string.h>

static inline HieraRules *must_parse(const char *text, const HieraRuleValues *values)
{
    char report[HIERA_RULES_REPORT];
    HieraRules *rules = hiera_rules_parse("rules.txt", text, strlen(text), values, report);
    ck_assert_msg(rules, "%s", report);
    return rules;
}

/* The n-th rule of a text. */
static inline const HieraRule *rule_of(const HieraRules *rules, unsigned i)
{
    unsigned n;
    const HieraRule *all = hiera_rules_peek(rules, &n);
    ck_assert_uint_lt(i, n);
    return &all[i];
}

#endif
