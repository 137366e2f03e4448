/* What rules ask for that stands elsewhere: `${NAME}` of a file of values, and what other runs and measures tell. */
#include "parsed_rules.h"
#include "suites.h"
#include <math.h>
#include <string.h>

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

START_TEST(values_that_are_wrong_have_a_line)
{
    static const char *const wrong[] = {"a = 1\nb 2\n", "\n a = 1x", "#\n3 = 4", "\na =", "\n= 5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char report[HIERA_RULES_REPORT];
        ck_assert(!hiera_rule_values_parse("values", wrong[i], strlen(wrong[i]), report));
        ck_assert_str_eq(report, "values:2: a line has to be NAME = NUMBER, as in: limit = 0.2");
    }
}
END_TEST

START_TEST(settings_of_transfers_have_a_range)
{
    static const char *const wrong[][2] = {
        {"PA_TRANSFER_RATE = 0", "values:1: PA_TRANSFER_RATE has to be more than 0 Mbit/s"},
        {"PA_TRANSFER_LATENCY = -1", "values:1: PA_TRANSFER_LATENCY has to be a number of microseconds, 0 or more"},
        {"PA_REPORT_FILE =", "values:1: a line has to be NAME = NUMBER, as in: limit = 0.2"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char report[HIERA_RULES_REPORT];
        ck_assert(!hiera_rule_values_parse("values", wrong[i][0], strlen(wrong[i][0]), report));
        ck_assert_str_eq(report, wrong[i][1]);
    }
}
END_TEST

/* 100 messages of 200 bytes together. */
START_TEST(transfers_are_estimated_by_rate_and_latency)
{
    static const char text[] = "PA_TRANSFER_RATE = 4000 # Mbit/s\nPA_TRANSFER_LATENCY = 0.5\nPA_REPORT_FILE = out/pa\n";
    char report[HIERA_RULES_REPORT];
    HieraSides sides;
    HieraRuleValues *values = hiera_rule_values_parse("values", text, strlen(text), report);
    ck_assert(values);
    ck_assert_int_eq(evaluate("a: MPITransferTime == 116000", NULL, &sides), HIERA_VERDICT_OK);
    ck_assert_int_eq(evaluate("a: MPITransferTime == 50400", values, &sides), HIERA_VERDICT_OK);
    ck_assert_int_eq(evaluate("a: ${PA_TRANSFER_RATE} == 100 & ${PA_TRANSFER_LATENCY} == 1", NULL, &sides),
                     HIERA_VERDICT_OK);
    ck_assert_int_eq(evaluate("a: ${PA_TRANSFER_RATE} == 4000 & ${PA_TRANSFER_LATENCY} == 0.5", values, &sides),
                     HIERA_VERDICT_OK);
    hiera_rule_values_free(values);
}
END_TEST

/* Which value `${x}` needs, where MPITime is 100 and WallTime 1000. */
static const struct {
    const char *text;
    bool found, strict;
    int side;
    double at;
} turns[] = {
    {"a: MPITime < ${x} * WallTime", true, true, HIERA_TURN_AT_LEAST, 0.1},
    {"a: ${x} * WallTime >= MPITime", true, false, HIERA_TURN_AT_LEAST, 0.1},
    {"a: WallTime >= ${x} + 300", true, false, HIERA_TURN_AT_MOST, 700},
    {"a: WallTime > 2 * (${x} - 5) + ${x}", true, true, HIERA_TURN_AT_MOST, 1010.0 / 3},
    {"a: MPITime == ${x} & WallTime > 3", true, false, HIERA_TURN_EXACTLY, 100},
    {"a: WallTime > 3 & MPITime <= ${x}", true, false, HIERA_TURN_AT_LEAST, 100},
    {"a: MPITime != ${x}", false, false, 0, 0},
    {"a: MPITime < ${x} * ${x}", false, false, 0, 0},
    {"a: MPITime < WallTime / ${x}", false, false, 0, 0},
    {"a: MPITime > 3", false, false, 0, 0},
    {"a: MPITime < ${x} & MPITime < ${y}", false, false, 0, 0},
    {"a: MPITime < 0 * ${x}", false, false, 0, 0},
    {"a: MPITime < ${x} / 0", false, false, 0, 0},
};

START_TEST(a_limit_is_found_where_the_comparison_turns)
{
    static const int64_t counted[] = {100};
    const HieraEvaluation evaluation = {.wall_ns = 1000, .values = counted};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        HieraTurn turn;
        HieraRules *rules = must_parse(turns[i].text, NULL);
        bool found = hiera_rule_find_turn(rules, rule_of(rules, 0), &evaluation, &turn);
        ck_assert_msg(found == turns[i].found, "%s", turns[i].text);
        ck_assert_msg(!found || fabs(turn.at - turns[i].at) < 1e-9, "%s: %g", turns[i].text, turn.at);
        ck_assert_msg(!found || ((int)turn.side == turns[i].side && turn.strict == turns[i].strict), "%s",
                      turns[i].text);
        hiera_rules_free(rules);
    }
}
END_TEST

static void count_seen(void *user, const HieraRule *rule, const HieraEvaluation *evaluation)
{
    ck_assert_uint_eq(rule->line, 1);
    *(int64_t *)user += evaluation->wall_ns;
}

static void begin_again(void *user)
{
    *(int64_t *)user = 0;
}

START_TEST(what_comes_from_outside_is_unknown_until_it_is_answered)
{
    unsigned n;
    double value;
    int64_t seen = -1;
    static const int64_t counted[] = {100};
    HieraSides sides;
    HieraEvaluation evaluation = {.wall_ns = 1000, .values = counted};
    HieraRules *rules = must_parse("job: WallTime < 2 * baseline(WallTime - MPITime) & critical_path.time < 5\n"
                                   "job: value(\"waits.time\", \"class=late\", 'file=a.c') < 5\n",
                                   NULL);
    const HieraOutside *outside = hiera_rules_peek_outside(rules, &n);
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(outside[1].measure, "critical_path");
    ck_assert_str_eq(outside[2].column, "time");
    ck_assert_uint_eq(outside[2].n_rows, 2);
    ck_assert_str_eq(outside[2].rows[1], "file=a.c");
    hiera_rules_watch(rules, &(HieraRuleWatch){begin_again, count_seen, &seen});
    hiera_rules_begin(rules);
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 0), &evaluation, &sides), HIERA_VERDICT_UNKNOWN);
    ck_assert(hiera_rules_ask_baseline(rules, 0, &evaluation, &value));
    ck_assert_double_eq(value, 900);
    hiera_rules_answer(rules, 0, value);
    hiera_rules_answer(rules, 1, 4);
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 0), &evaluation, &sides), HIERA_VERDICT_OK);
    evaluation.nothing_known = true;
    ck_assert_int_eq(hiera_rule_evaluate(rules, rule_of(rules, 0), &evaluation, &sides), HIERA_VERDICT_UNKNOWN);
    ck_assert(!hiera_rules_ask_baseline(rules, 0, &evaluation, &value));
    ck_assert_int_eq(seen, 3000);
    hiera_rules_free(rules);
}
END_TEST

TCase *rule_values_tests(void)
{
    TCase *tests = tcase_create("values of rules");
    tcase_add_test(tests, values_that_are_wrong_have_a_line);
    tcase_add_test(tests, settings_of_transfers_have_a_range);
    tcase_add_test(tests, transfers_are_estimated_by_rate_and_latency);
    tcase_add_test(tests, a_limit_is_found_where_the_comparison_turns);
    tcase_add_test(tests, what_comes_from_outside_is_unknown_until_it_is_answered);
    return tests;
}
