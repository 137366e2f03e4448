/* Writes what became of the rules (HIERA_ASSERT, expect/) in this process, at its end. */
#pragma once

/* The process has joined its job: from now on executions may be stored in the folder of the report. Called with the
 * lock held. */
void hiera_rules_report_begin(void);

/* Write the report, if there are rules. The caller holds the lock. Safe in a signal handler. */
void hiera_rules_report(void);

/* If hiera_rules_report() could not write the report, say so on standard error. */
void hiera_rules_report_complain(void);
