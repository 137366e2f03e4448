/* Findings: what is wrong, said once. Equal findings (same code and subject) are one with a count, and of each code a
 * bounded number is kept in words; the rest is only counted. */
#ifndef HIERA_FINDINGS_H
#define HIERA_FINDINGS_H

#include "hiera_trace.h"

/* Findings of one code kept in words. */
#define HIERA_FINDINGS_KEPT 1000

/* Add a finding. `subject` says what makes two findings equal; NULL: it is unlike all others. */
void hiera_findings_add(HieraFindings *findings, HieraFindingCode code, const char *file, guint32 line,
                        const char *subject, const char *format, ...) G_GNUC_PRINTF(6, 7);
/* Whether an equal finding is there; if so, count it once more. Saves the words of a finding that is made often. */
gboolean hiera_findings_repeat(HieraFindings *findings, HieraFindingCode code, const char *subject);
/* How many have been added, equal ones too. */
guint64 hiera_findings_sum(const HieraFindings *findings);
/* Move all of `from` behind those of `into`; equal ones are added up. */
void hiera_findings_merge(HieraFindings *into, HieraFindings *from);
gboolean hiera_finding_partial(HieraFindingCode code);
gboolean hiera_finding_unreadable(HieraFindingCode code);

#endif
