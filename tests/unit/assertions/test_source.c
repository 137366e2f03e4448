/* Assertions in the source of a program: rules that come one by one, with variables. */
#include "assertions/meter/meter.h"
#include "suites.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    HieraRules *rules;
    HieraMeter *meter;
    uint32_t send, step;
} Fixture;

static void setup(Fixture *fixture)
{
    fixture->rules = hiera_rules_new(NULL);
    fixture->meter = hiera_meter_new(fixture->rules, NULL, NULL);
    ck_assert_ptr_nonnull(fixture->meter);
    hiera_meter_set_rank(fixture->meter, 0, 4);
    fixture->send = hiera_meter_site(fixture->meter, true, "", "send");
    fixture->step = hiera_meter_site(fixture->meter, false, "", "step");
}

static void clear(Fixture *fixture)
{
    hiera_meter_free(fixture->meter);
    hiera_rules_free(fixture->rules);
}

static bool try_add(Fixture *fixture, const char *text, unsigned *number, char *report)
{
    return hiera_rules_add(fixture->rules, &(HieraSourceAssertion){"solver.c", 12, text}, number, report);
}

static unsigned must_add(Fixture *fixture, const char *text)
{
    char report[HIERA_RULES_REPORT];
    unsigned number;
    ck_assert_msg(try_add(fixture, text, &number, report), "%s", report);
    ck_assert(hiera_meter_fit(fixture->meter));
    fixture->send = hiera_meter_site(fixture->meter, true, "", "send");
    fixture->step = hiera_meter_site(fixture->meter, false, "", "step");
    return number;
}

static void send(const Fixture *fixture, int64_t start_ns)
{
    hiera_meter_open(fixture->meter, fixture->send, start_ns, 0, true);
    hiera_meter_count(fixture->meter, &(HieraMetered){.calls = 1, .time_ns = 10, .has_end = true, .bytes = 8});
    hiera_meter_close(fixture->meter, start_ns + 10);
}

static HieraVerdicts finish(const Fixture *fixture, unsigned rule)
{
    return hiera_meter_finish(fixture->meter, &(HieraMeteredRank){.wall_ns = 1000, .asked = true})->verdicts[rule];
}

START_TEST(rules_come_while_others_are_executed)
{
    Fixture fixture;
    setup(&fixture);
    send(&fixture, 0);
    unsigned outer = must_add(&fixture, "calls == 3 & MPITime == 30");
    uint32_t site = hiera_meter_site_of_rule(fixture.meter, outer);
    hiera_meter_open(fixture.meter, site, 10, 7, true);
    send(&fixture, 20);
    send(&fixture, 30);
    unsigned inner = must_add(&fixture, "calls(\"send\") == 1 & iterations(\"step\") == 1 & WallTime == 40");
    hiera_meter_open(fixture.meter, hiera_meter_site_of_rule(fixture.meter, inner), 50, 8, true);
    hiera_meter_open(fixture.meter, fixture.step, 55, 0, true);
    hiera_meter_count(fixture.meter, &(HieraMetered){.calls = 1, .has_end = true});
    send(&fixture, 60);
    hiera_meter_close(fixture.meter, 80);
    hiera_meter_set_variables(fixture.meter, inner, NULL, 0);
    hiera_meter_close(fixture.meter, 90);
    hiera_meter_set_variables(fixture.meter, outer, NULL, 0);
    hiera_meter_close(fixture.meter, 100);
    hiera_meter_open(fixture.meter, site, 110, 9, true); /* left by longjmp */
    hiera_meter_close(fixture.meter, 120);
    ck_assert_uint_eq(finish(&fixture, outer).n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(finish(&fixture, outer).n[HIERA_VERDICT_UNKNOWN], 1);
    ck_assert_uint_eq(finish(&fixture, inner).n[HIERA_VERDICT_OK], 1);
    clear(&fixture);
}
END_TEST

/* An execution without calls. */
static void execute(const Fixture *fixture, unsigned rule, uint32_t site, const double *values, unsigned n)
{
    hiera_meter_open(fixture->meter, site, 0, 0, true);
    if (n > 0)
        hiera_meter_set_variables(fixture->meter, rule, values, n);
    hiera_meter_close(fixture->meter, 100);
}

START_TEST(variables_are_those_of_each_execution)
{
    Fixture fixture;
    setup(&fixture);
    unsigned rule = must_add(&fixture, "$b > $a & nMPIProcesses( $comm ) == 2");
    uint32_t site = hiera_meter_site_of_rule(fixture.meter, rule);
    execute(&fixture, rule, site, (double[]){3, 2, 2}, 3); /* b, a, comm */
    execute(&fixture, rule, site, (double[]){3, 2, NAN}, 3);
    execute(&fixture, rule, site, (double[]){2, 2, 2}, 3);
    execute(&fixture, rule, site, NULL, 0);
    execute(&fixture, rule + 1, site, (double[]){3, 2, 2}, 3);
    HieraVerdicts verdicts = finish(&fixture, rule);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_FAILED], 2);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_UNKNOWN], 2);
    ck_assert_uint_eq(verdicts.first.number, 2);
    clear(&fixture);
}
END_TEST

/* NaN is a value of the program's own, but of what is measured it says that nobody knows. */
START_TEST(what_could_not_be_measured_is_unknown)
{
    Fixture fixture;
    setup(&fixture);
    unsigned rule = must_add(&fixture, "$n != 1 -> Instructions / Cycles >= $n");
    uint32_t site = hiera_meter_site_of_rule(fixture.meter, rule);
    execute(&fixture, rule, site, (double[]){2, 400, 200}, 3); /* n, Instructions, Cycles */
    execute(&fixture, rule, site, (double[]){2, 399, 200}, 3);
    execute(&fixture, rule, site, (double[]){NAN, 400, 200}, 3);
    execute(&fixture, rule, site, (double[]){2, NAN, 200}, 3);
    execute(&fixture, rule, site, (double[]){2, 400, NAN}, 3);
    execute(&fixture, rule, site, (double[]){1, NAN, NAN}, 3); /* not asked */
    HieraVerdicts verdicts = finish(&fixture, rule);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_OK], 2);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_FAILED], 2);
    ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_UNKNOWN], 2);
    clear(&fixture);
}
END_TEST

START_TEST(each_measured_name_has_a_variable_of_its_own)
{
    Fixture fixture;
    setup(&fixture);
    for (unsigned i = 0; i < HIERA_N_MEASURED; i++) {
        const char *name = hiera_measured_name((HieraMeasured)i);
        char text[64], variable[64];
        unsigned n, number;
        snprintf(text, sizeof text, "$n > %s", name);
        snprintf(variable, sizeof variable, "(%s)", name);
        number = must_add(&fixture, text);
        const HieraRule *rule = &hiera_rules_peek(fixture.rules, &n)[number];
        ck_assert_int_eq(hiera_rule_measured(rule, 0), HIERA_N_MEASURED);
        ck_assert_int_eq(hiera_rule_measured(rule, 1), (int)i);
        ck_assert_str_eq(rule->variables[1], variable);
    }
    clear(&fixture);
}
END_TEST

START_TEST(a_file_of_rules_cannot_ask_for_what_is_measured)
{
    const char text[] = "region step: Instructions / WallTime > 1";
    char report[HIERA_RULES_REPORT];
    ck_assert(!hiera_rules_parse("rules.txt", text, sizeof text - 1, NULL, report));
    ck_assert_msg(strstr(report, "rules.txt:1:14: only an assertion in the source can ask for Instructions"), "%s",
                  report);
}
END_TEST

/* Values of a program are found by their spelling. */
static const struct {
    const char *text, *spelled;
    unsigned first, n;
    const char *which; /* by variable, the number of the value; NULL: one is missing */
} spellings[] = {
    {"$n > 0", "n", 0, 1, "0"},
    {"$a > $b", "b, a", 0, 2, "10"},
    {"$a > $b & $c > 0", " b , f(1, x)[2, 3], a->c", 0, 3, "102"},
    {"$b > $a", NULL, 0, 2, "01"},
    {"$b > $a & $b > 1", "grid.b, *p", 0, 2, "01"},
    {"$a > $b", "a", 0, 1, NULL},
    {"$a > 1", "b", 0, 1, NULL},
    {"WallTime > 1", "b", 0, 1, ""},
    {"UserTime > $a & $UserTime == 1", "a, UserTime", 0, 2, "201"},
    {"Cycles / $n < PageFaults & Cycles > $Cycles", "n, Cycles", 0, 2, "2021"},
    {"$a > 1 & $b > $c", "\"$a > 1, \\\"x\\\", (\" \"$b\", c, x->a, ','[0]", 1, 4, "231"},
    {"$a > 1", "TEXT, TEXT", 1, 2, NULL},
};

START_TEST(values_belong_to_variables_by_name)
{
    Fixture fixture;
    setup(&fixture);
    unsigned number = must_add(&fixture, spellings[_i].text), n;
    unsigned which[HIERA_MOST_VARIABLES];
    char report[HIERA_RULES_REPORT], found[HIERA_MOST_VARIABLES + 1] = "";
    const HieraRule *rule = &hiera_rules_peek(fixture.rules, &n)[number];
    bool good =
        hiera_rule_match_variables(rule, spellings[_i].spelled, spellings[_i].first, spellings[_i].n, which, report);
    ck_assert_int_eq(good, spellings[_i].which != NULL);
    for (unsigned i = 0; good && i < rule->n_variables; i++)
        found[i] = (char)('0' + which[i]);
    if (good)
        ck_assert_str_eq(found, spellings[_i].which);
    else
        ck_assert_msg(strstr(report, "solver.c:12: the program does not give a value of '$"), "%s", report);
    clear(&fixture);
}
END_TEST

static const struct {
    const char *text, *report;
} mistakes[] = {
    {"MPITim < 1", "solver.c:12:1: unknown name 'MPITim'; did you mean 'MPITime'?"},
    {"WallTime + 1", "solver.c:12:1: "},
    {"$MPI_COMM_WORLD > 1", "a communicator is no number; nMPIProcesses($MPI_COMM_WORLD) is one"},
    {"nMPIProcesses($c) > $c", "'$c' is either a communicator or a number"},
    {"max(WallTime) > 1", "'max' belongs into a file of rules"},
    {"baseline(WallTime) > 1", "'baseline' belongs into a file of rules"},
    {"efficiency.load_balance > 0.9", "'efficiency.load_balance' belongs into a file of rules"},
    {"value(\"waits.time\") > 0.9", "'value' belongs into a file of rules"},
    {"iterations > 1", "iterations needs a name here"},
    {"Instruction > 1", "unknown name 'Instruction'; did you mean 'Instructions'?"},
    {"$a+$b+$c+$d+$e+$f+$g+$h+$i+$j+$k+$l+$m+$n+$o+$p+Cycles > 1", "at most 16 variables"},
    {"$a+$b+$c+$d+$e+$f+$g+$h+$i+$j+$k+$l+$m+$n+$o+$p+$q > 1", "at most 16 variables"},
    {"WallTime <", "solver.c:12:11: "},
    {"", "solver.c:12:1: "},
};

START_TEST(mistakes_are_told_and_change_nothing)
{
    Fixture fixture;
    unsigned number, n;
    char report[HIERA_RULES_REPORT];
    setup(&fixture);
    ck_assert(!try_add(&fixture, mistakes[_i].text, &number, report));
    ck_assert_msg(strstr(report, mistakes[_i].report), "%s", report);
    hiera_rules_peek(fixture.rules, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert_uint_eq(must_add(&fixture, "WallTime > 0"), 0);
    clear(&fixture);
}
END_TEST

/* Memory that ends. */
static unsigned left;
static bool denied;
static void *grow(void *memory, size_t old_bytes, size_t bytes)
{
    denied = left == 0;
    if (denied)
        return NULL;
    left--;
    char *grown = realloc(memory, bytes);
    memset(grown + old_bytes, 0, bytes - old_bytes);
    return grown;
}

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

START_TEST(without_memory_for_a_rule_nothing_is_known)
{
    const HieraMeterMemory memory = {grow, release};
    HieraRules *rules = hiera_rules_new(NULL);
    unsigned number;
    char report[HIERA_RULES_REPORT];
    left = 1000;
    HieraMeter *meter = hiera_meter_new(rules, &memory, NULL);
    ck_assert(hiera_rules_add(rules, &(HieraSourceAssertion){"a.c", 1, "calls == 0"}, &number, report));
    left = (unsigned)_i;
    hiera_meter_fit(meter);
    bool fits = !denied;
    left = 1000;
    hiera_meter_fit(meter);
    uint32_t site = hiera_meter_site_of_rule(meter, number);
    hiera_meter_open(meter, site, 0, 0, true);
    hiera_meter_set_variables(meter, number, NULL, 0);
    hiera_meter_close(meter, 1);
    const HieraOutcome *outcome = hiera_meter_finish(meter, &(HieraMeteredRank){.wall_ns = 1});
    ck_assert_uint_eq(outcome->verdicts[number].n[HIERA_VERDICT_OK], fits);
    ck_assert_uint_eq(outcome->verdicts[number].n[HIERA_VERDICT_UNKNOWN], !fits);
    hiera_meter_free(meter);
    hiera_rules_free(rules);
}
END_TEST

TCase *source_assertion_tests(void)
{
    TCase *tests = tcase_create("assertions in the source");
    tcase_add_test(tests, rules_come_while_others_are_executed);
    tcase_add_test(tests, variables_are_those_of_each_execution);
    tcase_add_test(tests, what_could_not_be_measured_is_unknown);
    tcase_add_test(tests, each_measured_name_has_a_variable_of_its_own);
    tcase_add_test(tests, a_file_of_rules_cannot_ask_for_what_is_measured);
    tcase_add_loop_test(tests, values_belong_to_variables_by_name, 0, sizeof spellings / sizeof *spellings);
    tcase_add_loop_test(tests, mistakes_are_told_and_change_nothing, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(tests, without_memory_for_a_rule_nothing_is_known, 0, 16);
    return tests;
}
