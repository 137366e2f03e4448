/* Runs all unit tests. */
#include "suites.h"
#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("transform");
    suite_add_tcase(suite, numbers_tests());
    suite_add_tcase(suite, on_demand_tests());
    suite_add_tcase(suite, hang_tests());
    suite_add_tcase(suite, outstanding_tests());
    suite_add_tcase(suite, messages_tests());
    suite_add_tcase(suite, pending_tests());
    suite_add_tcase(suite, probes_tests());
    suite_add_tcase(suite, threads_tests());
    suite_add_tcase(suite, windows_tests());
    suite_add_tcase(suite, random_tests());
    suite_add_tcase(suite, repeats_tests());
    suite_add_tcase(suite, arrow_tests());
    suite_add_tcase(suite, attribute_columns_tests());
    suite_add_tcase(suite, attributes_tests());
    suite_add_tcase(suite, scanner_tests());
    suite_add_tcase(suite, collectives_tests());
    suite_add_tcase(suite, collective_reasons_tests());
    suite_add_tcase(suite, distribution_tests());
    suite_add_tcase(suite, pack_tests());
    suite_add_tcase(suite, summed_tests());
    suite_add_tcase(suite, graph_tests());
    suite_add_tcase(suite, critical_path_tests());
    suite_add_tcase(suite, slack_tests());
    suite_add_tcase(suite, efficiency_tests());
    suite_add_tcase(suite, teams_tests());
    suite_add_tcase(suite, tasks_tests());
    suite_add_tcase(suite, sums_tests());
    suite_add_tcase(suite, periods_tests());
    suite_add_tcase(suite, serial_sections_tests());
    suite_add_tcase(suite, call_sequence_tests());
    suite_add_tcase(suite, progress_tests());
    suite_add_tcase(suite, table_tests());
    suite_add_tcase(suite, time_parts_tests());
    suite_add_tcase(suite, waiting_tests());
    suite_add_tcase(suite, delay_tests());
    suite_add_tcase(suite, expressions_tests());
    suite_add_tcase(suite, meter_tests());
    suite_add_tcase(suite, kept_tests());
    suite_add_tcase(suite, over_ranks_tests());
    suite_add_tcase(suite, outcomes_tests());
    suite_add_tcase(suite, source_assertion_tests());
    suite_add_tcase(suite, rules_tests());
    suite_add_tcase(suite, rule_values_tests());
    suite_add_tcase(suite, expression_bound_tests());
    suite_add_tcase(suite, expression_sign_tests());
    suite_add_tcase(suite, probe_script_tests());
    suite_add_tcase(suite, probe_kind_tests());
    suite_add_tcase(suite, probe_saved_tests());
    suite_add_tcase(suite, probe_global_tests());
    suite_add_tcase(suite, expression_errors_tests());
    suite_add_tcase(suite, expression_missing_tests());
    suite_add_tcase(suite, expression_patterns_tests());
    suite_add_tcase(suite, expression_runs_tests());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
