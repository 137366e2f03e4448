/* The test cases; each is in a file of its own. */
#ifndef HIERA_SUITES_H
#define HIERA_SUITES_H

#include <check.h>

TCase *attribute_columns_tests(void);
TCase *attributes_tests(void);
TCase *numbers_tests(void);
TCase *on_demand_tests(void);
TCase *messages_tests(void);
TCase *pending_tests(void);
TCase *probes_tests(void);
TCase *collectives_tests(void);
TCase *meter_tests(void);
TCase *kept_tests(void);
TCase *over_ranks_tests(void);
TCase *outcomes_tests(void);
TCase *source_assertion_tests(void);
TCase *rules_tests(void);
TCase *rule_values_tests(void);
TCase *expression_bound_tests(void);
TCase *expression_sign_tests(void);
TCase *probe_script_tests(void);
TCase *probe_kind_tests(void);
TCase *probe_saved_tests(void);
TCase *probe_global_tests(void);
TCase *expression_errors_tests(void);
TCase *expression_missing_tests(void);
TCase *expression_patterns_tests(void);
TCase *expression_runs_tests(void);
TCase *expressions_tests(void);
TCase *collective_reasons_tests(void);
TCase *distribution_tests(void);
TCase *pack_tests(void);
TCase *summed_tests(void);
TCase *graph_tests(void);
TCase *hang_tests(void);
TCase *outstanding_tests(void);
TCase *table_tests(void);
TCase *critical_path_tests(void);
TCase *efficiency_tests(void);
TCase *slack_tests(void);
TCase *sums_tests(void);
TCase *periods_tests(void);
TCase *serial_sections_tests(void);
TCase *call_sequence_tests(void);
TCase *progress_tests(void);
TCase *random_tests(void);
TCase *repeats_tests(void);
TCase *scanner_tests(void);
TCase *threads_tests(void);
TCase *time_parts_tests(void);
TCase *waiting_tests(void);
TCase *delay_tests(void);
TCase *windows_tests(void);

#endif
