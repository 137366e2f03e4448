/* Files of rules, and the evaluation of a rule. */
#include "parsed_rules.h"
#include "suites.h"
#include <math.h>
#include <string.h>

static const char several[] = "# comments, and blank lines\n"
                              "\n"
                              "region \"time step\": MPITime < 0.3 * WallTime  # a share\n"
                              "operation allreduce in \"CG\": calls <= 2 * iterations\n"
                              "operation send: bytesSent < 1MB\n"
                              "Grid::sum in 'main loop': MPIWaitTime < 5ms\n"
                              "  & WallTime > 0 on some rank\n"
                              "job: MPITime < 1s on every rank\n";

START_TEST(a_rule_says_what_it_is_about)
{
    HieraRules *rules = must_parse(several, NULL);
    const HieraRule *region = rule_of(rules, 0), *in = rule_of(rules, 1), *operation = rule_of(rules, 2),
                    *method = rule_of(rules, 3), *job = rule_of(rules, 4);
    ck_assert_uint_eq(region->line, 3);
    ck_assert_str_eq(region->text, "region \"time step\": MPITime < 0.3 * WallTime");
    ck_assert_str_eq(region->expectation, "MPITime < 0.3 * WallTime");
    ck_assert(region->regions && region->scope == HIERA_RULE_EXECUTION && !region->inside && !region->some);
    ck_assert_str_eq(region->operation, "time step");
    ck_assert(in->scope == HIERA_RULE_EXECUTION && !in->regions);
    ck_assert_str_eq(in->operation, "CG");
    ck_assert_int_eq(operation->scope, HIERA_RULE_RANK);
    ck_assert_str_eq(method->operation, "Grid::sum");
    ck_assert_str_eq(method->inside, "main loop");
    ck_assert(method->some && method->line == 6);
    ck_assert_str_eq(method->text, "Grid::sum in 'main loop': MPIWaitTime < 5ms & WallTime > 0 on some rank");
    ck_assert(job->scope == HIERA_RULE_JOB && !job->some && job->line == 8);
    hiera_rules_free(rules);
}
END_TEST

START_TEST(rules_share_counters)
{
    unsigned n;
    HieraRules *rules =
        must_parse("a: calls < 3 & MPITime < WallTime & calls != 2\n"
                   "b: MPITime < 1s & calls(\"send\") > 0 & calls(\"send\", \"MPI_COMM_WORLD\", 1) > 0\n"
                   "operation send in b: calls < 9 & iterations('c') > 1\n",
                   NULL);
    const HieraCounter *counters = hiera_rules_peek_counters(rules, &n);
    ck_assert_uint_eq(n, 5); /* calls, MPITime, calls of send, the same to rank 1, iterations of c */
    ck_assert_uint_eq(rule_of(rules, 0)->n_counters, 2);
    ck_assert_uint_eq(rule_of(rules, 1)->n_counters, 3);
    ck_assert_uint_eq(rule_of(rules, 2)->n_counters, 2);
    const HieraRule *sends = rule_of(rules, 2);
    const HieraCounter *iterations = &counters[sends->counters[0]], *calls = &counters[sends->counters[1]];
    ck_assert_int_eq(iterations->metric, HIERA_METRIC_ITERATIONS);
    ck_assert_str_eq(iterations->operation, "c");
    ck_assert_int_eq(calls->metric, HIERA_METRIC_CALLS);
    ck_assert_str_eq(calls->operation, "send");
    hiera_rules_free(rules);
}
END_TEST

static const struct {
    const char *text, *report;
} errors[] = {
    {"", "rules.txt: there is no rule in it"},
    {"# nothing\n\n", "rules.txt: there is no rule in it"},
    {"a: calls < 1\nregion \"step\" WallTime < 1s\n",
     "rules.txt:2:15: a ':' or 'in NAME' is expected here; a name with blanks stands in quotes\n"
     "region \"step\" WallTime < 1s\n              ^~~~~~~~"},
    {"region step\n",
     "rules.txt:1:12: a ':' has to follow what the rule is about, as in  region \"step\": WallTime < 5ms\n"
     "region step\n           ^"},
    {"region \"step: calls < 1\n", "rules.txt:1:8: the name that begins here has no end: \" is missing\n"
                                   "region \"step: calls < 1\n       ^"},
    {": calls < 1\n", "rules.txt:1:1: a rule begins with what it is about: region, operation, job or a name\n"
                      ": calls < 1\n^"},
    {"a: cals < 1\n", "rules.txt:1:4: unknown name 'cals'; did you mean 'calls'?\na: cals < 1\n   ^~~~"},
    {"a:\n   MPITime + 1\n",
     "rules.txt:2:4: the expression has to be a truth, but 'MPITime + 1' is an integer: compare it, as in "
     "MPITime + 1 != 0\n   MPITime + 1\n   ^~~~~~~~~~~"},
    {"a: $n > 1\n",
     "rules.txt:1:4: '$n' is a variable of the program, which a file of rules cannot see; ${n} is a value of "
     "its own\na: $n > 1\n   ^~"},
    {"a: calls() > 1\n",
     "rules.txt:1:4: calls() needs the name of an operation, as in calls(\"send\")\na: calls() > 1\n"
     "   ^~~~~~~"},
    {"job: iterations > 1\n",
     "rules.txt:1:6: iterations needs a name here, as in iterations(\"step\"): the rule is about no "
     "operation\njob: iterations > 1\n     ^~~~~~~~~~~~~~"},
    {"a: calls > 1 on each rank\n",
     "rules.txt:1:14: unexpected 'on' where an operator is expected\na: calls > 1 on each rank\n"
     "             ^~"},
    {"a: max(min(calls)) > 1\n", "rules.txt:1:8: min() over ranks cannot stand inside another one\n"
                                 "a: max(min(calls)) > 1\n       ^~~~~~~~~~"},
    {"a: max(calls > 1\n", "rules.txt:1:8: the argument has to be a number, but 'calls > 1' is a truth\n"
                           "a: max(calls > 1\n       ^~~~~~~~~"},
    {"a: max(calls, 2) > 1\n", "rules.txt:1:13: unexpected ',' where an operator or ) is expected\n"
                               "a: max(calls, 2) > 1\n            ^"},
    {"a: max() > 1\n", "rules.txt:1:8: unexpected ')' where a value is expected\na: max() > 1\n       ^"},
    {"a: max(cals) > 1\n", "rules.txt:1:8: unknown name 'cals'; did you mean 'calls'?\na: max(cals) > 1\n       ^~~~"},
    {"job: max(iterations) > 1\n",
     "rules.txt:1:6: iterations needs a name here, as in iterations(\"step\"): the rule is about no "
     "operation\njob: max(iterations) > 1\n     ^~~~~~~~~~~~~~~~~~~"},
    {"a: max(baseline(calls)) > 1\n", "rules.txt:1:8: baseline() cannot stand inside max()\n"
                                      "a: max(baseline(calls)) > 1\n       ^~~~~~~~~~~~~~~"},
    {"a: waits.time > 1\n",
     "rules.txt:1:4: values of measures are about the whole run: only a rule about the job can ask for them\n"
     "a: waits.time > 1\n   ^~~~~~~~~~"},
    {"job: value('waits') > 1\n",
     "rules.txt:1:6: the first text has to be MEASURE.COLUMN\njob: value('waits') > 1\n     ^~~~~~~~~~~~~~"},
    {"a: max(calls) > 1 on some rank\n",
     "rules.txt:1:19: the rule has one answer for all ranks together; outside of sum, mean, min and max it asks for "
     "nothing of a rank\na: max(calls) > 1 on some rank\n                  ^~~~~~~~~~~~"},
    {"job: max(calls) > 1  on each execution\n",
     "rules.txt:1:22: the rule is about no operation, so it has no executions\n"
     "job: max(calls) > 1  on each execution\n                     ^~~~~~~~~~~~~~~~~"},
    {"a: calls > 1 on some rank on every rank\n",
     "rules.txt:1:14: a rule holds on every rank or on some rank, not both\n"
     "a: calls > 1 on some rank on every rank\n             ^~~~~~~~~~~~"},
};

START_TEST(what_is_wrong_has_a_place)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        char report[HIERA_RULES_REPORT];
        const char *text = errors[i].text;
        ck_assert_msg(!hiera_rules_parse("rules.txt", text, strlen(text), NULL, report), "%s", text);
        ck_assert_msg(strcmp(report, errors[i].report) == 0, "expected\n%s\nactual\n%s", errors[i].report, report);
    }
}
END_TEST

/* Evaluate a rule whose counters have the values 100, 200, … */
static HieraVerdict evaluate(const char *text, const HieraRuleValues *values, HieraSides *sides)
{
    static const int64_t counted[] = {100, 200, 300};
    HieraRules *rules = must_parse(text, values);
    const HieraEvaluation evaluation = {.wall_ns = 1000, .values = counted, .processes = 4};
    HieraVerdict verdict = hiera_rule_evaluate(rules, rule_of(rules, 0), &evaluation, sides);
    hiera_rules_free(rules);
    return verdict;
}

static const struct {
    const char *text;
    HieraVerdict verdict;
    double left, right, deviation;
} verdicts[] = {
    {"a: MPITime / WallTime < 0.2", HIERA_VERDICT_OK, 0.1, 0.2, 0},
    {"a: MPITime / WallTime < 0.05", HIERA_VERDICT_FAILED, 0.1, 0.05, 1},
    {"a: WallTime > 4 * MPITime & WallTime <= 0.8us", HIERA_VERDICT_FAILED, 1000, 800, 0.25},
    {"a: WallTime >= 2000", HIERA_VERDICT_FAILED, 1000, 2000, 0.5},
    {"a: WallTime <= 0", HIERA_VERDICT_FAILED, 1000, 0, INFINITY},
    {"a: MPITime == 0", HIERA_VERDICT_FAILED, 100, 0, INFINITY},
    {"a: MPITime + WallTime - ApplicationTime == 2 * MPITime", HIERA_VERDICT_OK, 200, 200, 0},
    {"a: nMPIProcesses($MPI_COMM_WORLD) == 1 -> MPITime == 0", HIERA_VERDICT_OK, 4, 1, 0},
    {"a: processes / nMPIProcesses($MPI_COMM_SELF) == 4", HIERA_VERDICT_OK, 4, 4, 0},
    {"a: 7.8 * pow(processes, -0.5) * microseconds > WallTime", HIERA_VERDICT_OK, 3900, 1000, 0},
    {"a: abs(0.5 - sqrt(4)) == 1.5 & exp(0) == 1 & log(1) == 0", HIERA_VERDICT_OK, 0, 0, 0},
    {"a: (WallTime - MPITime) / WallTime > 0.5", HIERA_VERDICT_OK, 0.9, 0.5, 0},
    {"a: ${share} * WallTime > MPITime", HIERA_VERDICT_OK, 250, 100, 0},
    {"a: ${none} > 1 | ${none} <= 1", HIERA_VERDICT_FAILED, NAN, 1, NAN},
    {"a: !(calls > 50)", HIERA_VERDICT_FAILED, 100, 50, 0},
    /* The operators of the original, their order, and its numbers. */
    {"a: 1 == 2 & 1 == 1 | 3 == 3", HIERA_VERDICT_OK, 3, 3, 0},
    {"a: 3 == 3 | 1 == 2 & 1 == 1", HIERA_VERDICT_OK, 3, 3, 0},
    {"a: 1 == 1 & 2 == 2 -> 4 == 3", HIERA_VERDICT_FAILED, 4, 3, 1. / 3},
    {"a: !(1 == 1) -> 4 == 3", HIERA_VERDICT_OK, 1, 1, 0},
    {"a: 1 / 2 == 0.5 & 7 / 2 * 2 == 7", HIERA_VERDICT_OK, 7, 7, 0},
    {"a: -2 * -(3 - 1) == 4 & 2 - 3 - 4 == -5", HIERA_VERDICT_OK, -5, -5, 0},
    {"a: abs(0 - 0.25) == 0.25 & pow(2, -1) == 0.5", HIERA_VERDICT_OK, 0.5, 0.5, 0},
    {"a: seconds == 1000 * milliseconds & milliseconds == 1000 * microseconds", HIERA_VERDICT_OK, 1e6, 1e6, 0},
    {"a: 1 < 2 & 2 <= 2 & 3 > 2 & 3 >= 3 & 3 != 2 & 2 == 2", HIERA_VERDICT_OK, 2, 2, 0},
    {"a: ((WallTime - MPITime) / WallTime > 0.5)", HIERA_VERDICT_OK, 0.9, 0.5, 0},
    {"a: ${none} != ${none} & ${none} != 1", HIERA_VERDICT_OK, NAN, 1, NAN},
    {"a: ${PA_TRANSFER_RATE} == 100 & ${PA_TRANSFER_LATENCY} == 1", HIERA_VERDICT_OK, 1, 1, 0},
    {"a: 0 / 0 != 0 / 0 & 1 / 0 > 1000 & 1 < 2", HIERA_VERDICT_OK, 1, 2, 0},
    {"a: calls > 500 xor calls > 50", HIERA_VERDICT_OK, 100, 50, 0},
};

START_TEST(a_rule_is_evaluated_and_explained)
{
    static const char text[] = "# values\nshare = 0.25\nother=1e3 # more\n";
    char report[HIERA_RULES_REPORT];
    HieraRuleValues *values = hiera_rule_values_parse("values", text, strlen(text), report);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        HieraSides sides;
        const char *rule = verdicts[i].text;
        ck_assert_msg(evaluate(rule, values, &sides) == verdicts[i].verdict, "%s", rule);
        ck_assert_msg(sides.operator_, "%s", rule);
        double left = verdicts[i].left, right = verdicts[i].right;
        ck_assert_msg(isnan(left) ? isnan(sides.left) : fabs(sides.left - left) < 1e-9, "%s: %g", rule, sides.left);
        ck_assert_msg(fabs(sides.right - right) < 1e-9, "%s: %g", rule, sides.right);
        if (verdicts[i].verdict == HIERA_VERDICT_FAILED && !isnan(left) && verdicts[i].deviation > 0)
            ck_assert_msg(sides.deviation == verdicts[i].deviation, "%s: %g", rule, sides.deviation);
    }
    hiera_rule_values_free(values);
}
END_TEST

static const struct {
    const char *text;
    bool times;
} compared[] = {
    {"a: MPITime < 3", true},
    {"a: 0.2 > MPITime / WallTime", false},
    {"a: (MPITime + 3) * WallTime / -WallTime < 3", true},
    {"a: MPITime * WallTime < 3", false},
    {"a: 2 * calls < 5ms", true},
    {"a: calls < 100 * microseconds", true},
    {"a: MPITime > 3 & calls < 5", false},
    {"a: -MPITime(\"send\") > 5 & 1 < 2", true},
    {"a: 0 < calls < ApplicationTime < 3", true},
    {"a: (calls > 3 ? WallTime : 7) < 3", true},
};

START_TEST(times_are_told_from_numbers)
{
    HieraSides sides;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        evaluate(compared[i].text, NULL, &sides);
        ck_assert_msg(sides.times == compared[i].times, "%s", compared[i].text);
    }
}
END_TEST

START_TEST(what_nobody_knows_is_never_ok)
{
    static const int64_t counted[] = {0, 0};
    static const bool unknown[] = {true, false}; /* of MPITime, which is counted first, and of calls */
    HieraSides sides;
    HieraRules *rules = must_parse("a: calls == 0 | MPITime > 0\na: MPITime == 0\na: processes > 1\n", NULL);
    HieraEvaluation evaluation = {.wall_ns = 5, .values = counted, .unknown = unknown};
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 0), &evaluation, &sides), HIERA_VERDICT_OK);
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 2), &evaluation, &sides), HIERA_VERDICT_UNKNOWN);
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 1), &evaluation, &sides), HIERA_VERDICT_UNKNOWN);
    hiera_rules_free(rules);
}
END_TEST

START_TEST(a_counter_counts_its_functions)
{
    static const struct {
        HieraMetric metric;
        const char *named, *operation;
        bool mpi, counts;
    } rows[] = {
        {HIERA_METRIC_MPI_TIME, NULL, "send", true, true},
        {HIERA_METRIC_MPI_TIME, NULL, "send", false, false},
        {HIERA_METRIC_MPI_TIME, NULL, "wtime", true, false},
        {HIERA_METRIC_MPI_TIME, NULL, "pcontrol", true, false},
        {HIERA_METRIC_POINT_TO_POINT_TIME, NULL, "get_count", true, true},
        {HIERA_METRIC_POINT_TO_POINT_TIME, NULL, "waitall", true, true},
        {HIERA_METRIC_POINT_TO_POINT_TIME, NULL, "startall", true, true},
        {HIERA_METRIC_POINT_TO_POINT_TIME, NULL, "broadcast", true, false},
        {HIERA_METRIC_COLLECTIVE_TIME, NULL, "broadcast", true, true},
        {HIERA_METRIC_COLLECTIVE_TIME, NULL, "reduce_local", true, true},
        {HIERA_METRIC_COLLECTIVE_TIME, NULL, "iallreduce", true, true},
        {HIERA_METRIC_COLLECTIVE_TIME, NULL, "send", true, false},
        {HIERA_METRIC_WAIT_TIME, NULL, "waitsome", true, true},
        {HIERA_METRIC_WAIT_TIME, NULL, "testall", true, false},
        {HIERA_METRIC_ONE_SIDED_TIME, NULL, "put", true, true},
        {HIERA_METRIC_IO_TIME, NULL, "file_open", true, true},
        {HIERA_METRIC_CALLS, "send", "send", true, true},
        {HIERA_METRIC_CALLS, "send", "isend", true, false},
        {HIERA_METRIC_CALLS, "step", "step", false, false},
        {HIERA_METRIC_ITERATIONS, "step", "step", false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const HieraCounter counter = {.metric = rows[i].metric, .operation = rows[i].named};
        ck_assert_msg(hiera_counter_counts(&counter, rows[i].mpi, "", rows[i].operation) == rows[i].counts,
                      "row %zu: %s", i, rows[i].operation);
    }
}
END_TEST

START_TEST(a_tally_keeps_the_first_and_the_worst)
{
    HieraVerdicts tally = {0}, other = {0};
    const double deviations[] = {0, 0.5, 0.25, 2, 1};
    for (int i = 0; i < 5; i++)
        hiera_verdicts_add(&tally, i == 0 ? HIERA_VERDICT_OK : HIERA_VERDICT_FAILED,
                           (HieraInstance){.start_ns = 10 * i, .sides.deviation = deviations[i]});
    hiera_verdicts_add(&other, HIERA_VERDICT_FAILED, (HieraInstance){.rank = 1, .start_ns = 5, .sides.deviation = 2});
    ck_assert_uint_eq(tally.first.number, 2);
    ck_assert_uint_eq(tally.worst.number, 4);
    hiera_verdicts_merge(&tally, &other);
    ck_assert_uint_eq(hiera_verdicts_count(&tally), 6);
    ck_assert_uint_eq(tally.n[HIERA_VERDICT_FAILED], 5);
    ck_assert_int_eq(tally.first.rank, 1);
    ck_assert_int_eq(tally.worst.rank, 1); /* as bad as that of rank 0, and earlier */
}
END_TEST

TCase *rules_tests(void)
{
    TCase *tests = tcase_create("rules of assertions");
    tcase_add_test(tests, a_rule_says_what_it_is_about);
    tcase_add_test(tests, rules_share_counters);
    tcase_add_test(tests, what_is_wrong_has_a_place);
    tcase_add_test(tests, a_rule_is_evaluated_and_explained);
    tcase_add_test(tests, times_are_told_from_numbers);
    tcase_add_test(tests, what_nobody_knows_is_never_ok);
    tcase_add_test(tests, a_counter_counts_its_functions);
    tcase_add_test(tests, a_tally_keeps_the_first_and_the_worst);
    return tests;
}
