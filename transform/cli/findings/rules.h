/* Findings of --validate for people and code hosts: rules, which explain them; known findings, which are left out;
 * SARIF.
 *
 * A rule is what a finding is about, for a reader who meets it the first time. There is one for each name of a kind of
 * findings (HIERA_FINDINGS); in the name of a rule a blank is a '-'. */
#pragma once

#include "hiera_findings.h"
#include <stdio.h>

typedef struct {
    const char *name;    /* that of the kind, as "missing rank" */
    const char *section; /* of MPI 4.1, as "3.3.1"; "": the rule is none of MPI's */
    const char *title;   /* of that section */
    const char *text;    /* the rule, a sentence */
    const char *means;   /* what a finding means for the program, or for the answers of hiera-transform */
    const char *change;  /* what to do if it is broken, for the reader of a list; NULL: the finding itself says that */
    const char *wrong, *right; /* lines of a program; NULL: the rule is not about calls */
} Rule;

extern const Rule rules_all[]; /* all of them (rules_table.c) */
extern const guint rules_n;

/* Return the rule of a kind of findings; the last one if it has none. */
const Rule *rules_peek(HieraFindingCode code);
/* Return the rule with a name, as "missing-rank"; NULL with an error that has all names. */
const Rule *rules_find(const char *option, const char *name, GError **error);
/* Return the greatest severity of its findings: with it the rule is broken for certain. */
HieraSeverity rules_severity(const Rule *rule);
/* Return the name of a rule as users write it, as "missing-rank"; to be freed with g_free. */
char *rules_name(const Rule *rule);
/* Return where MPI has the rule, as "MPI 4.1, 3.3.1"; "" if it is none of MPI's. To be freed with g_free. */
char *rules_section(const Rule *rule);

/* Write all that is known of a rule, for --explain. */
void rules_explain(const Rule *rule, FILE *stream);
/* Write a line for each rule. */
void rules_list(FILE *stream);

/* --- --suppress: findings that somebody has looked at and does not want to see again ---
 * A line of the file is the name of a rule, a pattern of places (FILE:LINE of a call, with * and ?), and the reason;
 * # begins a comment. */

typedef struct Suppressions Suppressions;

/* Read the file of --suppress. @return NULL with an error that names the line */
Suppressions *suppressions_read(const char *path, GError **error);
void suppressions_free(Suppressions *suppressions);

/* Move the findings that a line suppresses out of `findings`, and add one for each line that suppresses nothing. What
 * could not be read is never suppressed. */
void suppressions_apply(Suppressions *suppressions, HieraFindings *findings);

/* Return the findings that were moved. */
const HieraFindings *suppressions_peek(const Suppressions *suppressions);
/* Return the reason why finding `index` of these was moved. */
const char *suppressions_peek_reason(const Suppressions *suppressions, guint index);

/* --- --format sarif --- */

/* Write one run of SARIF. A finding stands at its call in the program; one that is about none, in the trace file.
 * @param suppressions  its findings are written as suppressed; NULL: none */
void sarif_write(const HieraFindings *findings, const Suppressions *suppressions, FILE *stream);
