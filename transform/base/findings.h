/* Findings: errors, warnings and notes about traces. Findings with equal code and subject become one finding with a
 * count. Each code keeps the text of its first 1000 different findings; further findings are only counted. */
#pragma once

#include "hiera_findings.h"
#include "hiera_pack.h"

/* Greatest number of findings of one code whose text is kept; the others are only counted. */
#define HIERA_FINDINGS_KEPT 1000

/* Add a finding.
 *
 * @param file     copied
 * @param line     in the file, from 1; 0 if unknown
 * @param subject  findings with the same code and subject are equal; NULL: equal to no other finding */
void hiera_findings_add(HieraFindings *findings, HieraFindingCode code, const char *file, guint32 line,
                        const char *subject, const char *format, ...) G_GNUC_PRINTF(6, 7);
/* Where a finding is: in a trace, and in the program. */
typedef struct {
    const char *file; /* of the trace; "": none */
    guint32 line;
    HieraFindingCall calls[2]; /* as in HieraFinding; file NULL: not known */
} HieraFindingAt;
/* Like hiera_findings_add(), with the calls that the finding is about. */
void hiera_findings_add_at(HieraFindings *findings, HieraFindingCode code, const HieraFindingAt *at,
                           const char *subject, const char *format, ...) G_GNUC_PRINTF(5, 6);
void hiera_findings_add_list(HieraFindings *findings, HieraFindingCode code, const HieraFindingAt *at,
                             const char *subject, const char *format, va_list arguments) G_GNUC_PRINTF(5, 0);
/* Count an equal finding once more. Return FALSE if there is none; then call hiera_findings_add(). For frequent
 * findings: saves formatting a text that is already there. */
gboolean hiera_findings_repeat(HieraFindings *findings, HieraFindingCode code, const char *subject);
/* Return the number of findings added so far; each of several equal findings is counted. */
guint64 hiera_findings_sum(const HieraFindings *findings);
/* Move all findings of `from` to the end of `into`; the counts of equal findings are added. `from` becomes empty. */
void hiera_findings_merge(HieraFindings *into, HieraFindings *from);
/* Move the finding at `index` to the end of `into`, with its count. */
void hiera_findings_move(HieraFindings *findings, guint index, HieraFindings *into);
/* Serialize all findings for another process; hiera_findings_unpack() adds them to an empty list there. */
void hiera_findings_pack(const HieraFindings *findings, HieraPacker *to);
void hiera_findings_unpack(HieraFindings *findings, HieraUnpacker *from);
/* Keep the text of all findings, not only of the first 1000 of a code: for lists that are joined from several
 * processes. */
void hiera_findings_keep_all(HieraFindings *findings);
/* Set the sort key of the findings that are added from now on: their position in the list of all processes. */
void hiera_findings_set_place(HieraFindings *findings, guint64 place);
/* Move all findings of one process into a list that keeps all. Of equal findings the one with the smaller place stays,
 * with the counts of both. At the end, hiera_findings_sort() sorts the list by place. */
void hiera_findings_join(HieraFindings *all, HieraFindings *part);
void hiera_findings_sort(HieraFindings *all);
/* Whether findings of a code mean an incomplete trace (`partial`), or an unreadable one: columns of HIERA_FINDINGS. */
gboolean hiera_finding_partial(HieraFindingCode code);
/* Whether findings of a code say what an answer is about, and stand below it as those do that make it partial. */
gboolean hiera_finding_is_about(HieraFindingCode code);
gboolean hiera_finding_unreadable(HieraFindingCode code);
