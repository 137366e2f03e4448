/* --format sarif: the findings of --validate in SARIF 2.1.0, for code hosts. */
#pragma once

#include "suppressions.h"
#include <stdio.h>

/* Write one run of SARIF. A finding stands at its call in the program; one that is about none, in the trace file.
 * @param suppressions  its findings are written as suppressed; NULL: none */
void sarif_write(const HieraFindings *findings, const Suppressions *suppressions, FILE *stream);
