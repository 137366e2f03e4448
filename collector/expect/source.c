/* Makes a rule of each assertion in the program's source, when the assertion is first executed. */
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "expect.h"
#include "job/job.h"
#include "memory/kept_heap.h"
#include "places/call_site.h"
#include "record/assertion.h"
#include "record/region_names.h"
#include "rules_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HieraAssertion *assertions; /* all assertions, as a linked list, newest first */
static HieraRuleValues *values;    /* the values that `${NAME}` has in assertions */
static bool is_started;

/* Print a report line by line, on the first rank only. */
static void complain(const char *report)
{
    if (hiera_life.joined && hiera_job.rank != hiera_job.first)
        return; /* only the first rank prints */
    while (*report) {
        size_t length = strcspn(report, "\n");
        hiera_message("%.*s", (int)length, report);
        report += length + (report[length] != '\0');
    }
}

/* Create the set of rules of the source, at first without rules. Return false if there is no memory. */
static bool start(void)
{
    char report[HIERA_RULES_REPORT];
    if (is_started)
        return hiera_expect_rules(HIERA_RULES_SOURCE) != NULL;
    is_started = true;
    if (!hiera_rule_values_file_read(hiera_settings.values, &values, report))
        complain(report);
    hiera_expect_set_rules(HIERA_RULES_SOURCE, hiera_rules_new(values));
    return hiera_expect_rules(HIERA_RULES_SOURCE) != NULL;
}

/* --- file and line of an assertion --- */

/* Copy the source file of a call site into `file`, which has `room` bytes, and return the line; 0: unknown. */
static unsigned find_line(const void *site, char *file, size_t room)
{
    unsigned line = 0;
    const HieraSiteText *text = hiera_site_resolve(site);
    char attributes[512];
    size_t length = text->length < sizeof attributes - 1 ? text->length : sizeof attributes - 1;
    memcpy(attributes, text->attributes, length);
    attributes[length] = '\0';
    char *begin = strchr(attributes, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    snprintf(file, room, "%.*s", end ? (int)(end - begin - 1) : 0, end ? begin + 1 : "");
    if (end && sscanf(end + 1, " line=\"%u\"", &line) != 1)
        line = 0;
    return line;
}

/* --- finding or making the rule of an assertion --- */

static bool is_same(const HieraAssertion *known, const HieraAssertionAsked *asked)
{
    return known->place == asked->place && strcmp(known->text, asked->text) == 0 &&
           (!asked->file || known->line == asked->line);
}

/* Find the rule that an assertion with this file, line and text has already, as in another instance of a template. */
static bool find_rule(const char *file, unsigned line, const char *text, unsigned *number)
{
    unsigned n;
    const HieraRule *rules = hiera_rules_peek(hiera_expect_rules(HIERA_RULES_SOURCE), &n);
    for (*number = 0; *number < n; ++*number) {
        if (rules[*number].line == line && strcmp(rules[*number].source, file) == 0 &&
            strcmp(rules[*number].text, text) == 0)
            return true;
    }
    return false;
}

/* Return a copy of a name in memory that survives a kill, since the trace of a killed process needs the name. */
static const char *kept_name(const char *name)
{
    const char *copy = hiera_kept_copy(name);
    return copy ? copy : name;
}

static bool find_variables(HieraAssertion *assertion, const HieraAssertionAsked *asked, const HieraRule *rule,
                           char *report)
{
    unsigned which[HIERA_MOST_VARIABLES];
    /* Before the values come: in HIERA_ASSERT the text; in Fortran nothing, and their number is known at the end. */
    unsigned before = asked->spelled != NULL, n = asked->types ? asked->n + before : HIERA_MOST_VARIABLES;
    assertion->n = rule->n_variables;
    if (!hiera_rule_match_variables(rule, asked->spelled, before, n, which, report))
        return false;
    for (unsigned i = 0; i < assertion->n; i++) {
        assertion->measured[i] = (uint8_t)hiera_rule_measured(rule, i);
        if (assertion->measured[i] < HIERA_N_MEASURED) {
            assertion->asks |= UINT32_C(1) << assertion->measured[i];
            assertion->names[i] = kept_name(rule->variables[i]);
            continue;
        }
        assertion->which[i] = (uint8_t)(which[i] - before);
        assertion->types[i] = asked->types ? asked->types[assertion->which[i]] : 0;
        assertion->is_comm[i] = rule->comms >> i & 1;
        assertion->names[i] = kept_name(rule->variables[i]);
        if (asked->types && assertion->types[i] == 0) {
            snprintf(report, HIERA_RULES_REPORT, "%s:%u: '$%.60s' is a variable that is no number\n%.1000s",
                     rule->source, rule->line, rule->variables[i], rule->text);
            return false;
        }
        if (asked->types && assertion->is_comm[i] && !hiera_assertion_may_be_comm(assertion->types[i])) {
            snprintf(report, HIERA_RULES_REPORT, "%s:%u: '$%.60s' is no communicator\n%.1000s", rule->source,
                     rule->line, rule->variables[i], rule->text);
            return false;
        }
    }
    return true;
}

/* Set assertion->rule to its existing rule or a new one. Return false, and a report, if the assertion is wrong. */
static bool make_rule(HieraAssertion *assertion, const HieraAssertionAsked *asked, char *report)
{
    HieraRules *rules = hiera_expect_rules(HIERA_RULES_SOURCE);
    const HieraSourceAssertion stands = {assertion->file, assertion->line, asked->text};
    unsigned n;
    bool is_old = find_rule(assertion->file, assertion->line, asked->text, &assertion->rule);
    if (strlen(asked->text) > HIERA_REGION_TEXT_MAX) {
        snprintf(report, HIERA_RULES_REPORT, "%s:%u: the assertion is longer than %d bytes", assertion->file,
                 assertion->line, HIERA_REGION_TEXT_MAX);
        return false;
    }
    if (!is_old && !hiera_rules_add(rules, &stands, &assertion->rule, report))
        return false;
    if (find_variables(assertion, asked, &hiera_rules_peek(rules, &n)[assertion->rule], report))
        return true;
    if (!is_old)
        hiera_rules_drop(rules);
    return false;
}

static bool has_limit(const HieraAssertion *assertion, char *report)
{
    unsigned n;
    const HieraRules *rules = hiera_expect_rules(HIERA_RULES_SOURCE);
    return hiera_rule_report_limit(rules, &hiera_rules_peek(rules, &n)[assertion->rule], report);
}

static void drop(HieraAssertion *assertion)
{
    hiera_kept_give(assertion->text);
    hiera_kept_give(assertion->file);
    hiera_kept_give(assertion);
}

static HieraAssertion *make(const HieraAssertionAsked *asked)
{
    char resolved[256], report[HIERA_RULES_REPORT];
    HieraAssertion *assertion = hiera_kept_take(sizeof *assertion);
    if (!assertion)
        return NULL;
    assertion->place = asked->place;
    assertion->line = asked->file ? asked->line : find_line(asked->site, resolved, sizeof resolved);
    assertion->text = hiera_kept_copy(asked->text);
    assertion->file = hiera_kept_copy(asked->file ? asked->file : resolved);
    if (!assertion->text || !assertion->file) {
        drop(assertion);
        return NULL;
    }
    assertion->is_wrong = !make_rule(assertion, asked, report);
    if (assertion->is_wrong)
        assertion->asks = 0;
    if (assertion->is_wrong || has_limit(assertion, report))
        complain(report);
    assertion->id = assertions ? assertions->id + 1 : 1;
    assertion->next = assertions;
    return assertion;
}

const HieraAssertion *hiera_assertion_find(const HieraAssertionAsked *asked)
{
    int saved_errno = errno;
    if (!hiera_lock_enter())
        return NULL;
    HieraAssertion *assertion = assertions;
    while (assertion && !is_same(assertion, asked))
        assertion = assertion->next;
    if (!assertion && start()) {
        assertion = make(asked);
        if (assertion)
            assertions = assertion;
    }
    hiera_lock_leave();
    errno = saved_errno;
    return assertion;
}
