/* The report on the rules (expect/) in this process, written at its end. */
#pragma once

/* The process has joined its job: from now on executions may be stored in the folder of the report. Called with the
 * lock held. */
void hiera_rules_report_begin(void);

/* Write the report, if there are rules. Called with the lock held. Safe in a signal handler. */
void hiera_rules_report(void);

/* Print on standard error if the report could not be written. */
void hiera_rules_report_complain(void);
