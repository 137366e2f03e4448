/* --suppress: findings that somebody has looked at and does not want to see again. A line of the file is the name of a
 * rule, a pattern of places (FILE:LINE of a call, with * and ?), and the reason; # begins a comment. */
#pragma once

#include "hiera_findings.h"

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
