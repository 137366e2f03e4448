/* What became of the rules in this process (expect/), at its end. */
#ifndef HIERA_RULES_REPORT_H
#define HIERA_RULES_REPORT_H

/* The process has joined its job: executions may be kept in the folder of the report. Called with the lock held. */
void hiera_rules_report_begin(void);

/* Write the report, if there are rules. Called with the lock held. Safe in a signal handler. */
void hiera_rules_report(void);

/* Say on standard error if it could not be written. */
void hiera_rules_report_complain(void);

#endif
