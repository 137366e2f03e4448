/* Rules over ranks: what ranks hand in, and what is made of it, worked by hand. */
#include "assertions/meter/meter.h"
#include "suites.h"
#include <math.h>
#include <string.h>

enum { MOST = 4 };

typedef struct {
    HieraRules *rules;
    HieraMeter *meters[MOST];
    HieraOutcome outcomes[MOST];
    size_t n;
    uint32_t step, send;
    HieraVerdicts told[MOST + 1]; /* of no rank, then by rank */
} Fixture;

static void fixture_init(Fixture *fixture, const char *text, size_t n)
{
    char report[HIERA_RULES_REPORT];
    *fixture = (Fixture){.n = n};
    fixture->rules = hiera_rules_parse("rules", text, strlen(text), NULL, report);
    ck_assert_msg(fixture->rules, "%s", report);
    for (size_t i = 0; i < n; i++) {
        fixture->meters[i] = hiera_meter_new(fixture->rules, NULL, NULL);
        hiera_meter_set_rank(fixture->meters[i], (int64_t)i, (int64_t)n);
        fixture->step = hiera_meter_site(fixture->meters[i], false, "", "step");
        fixture->send = hiera_meter_site(fixture->meters[i], true, "", "send");
    }
}

static void fixture_clear(Fixture *fixture)
{
    for (size_t i = 0; i < fixture->n; i++)
        hiera_meter_free(fixture->meters[i]);
    hiera_rules_free(fixture->rules);
}

/* An execution of `step` in a meter, with as many sends of 10 ns and 8 bytes. */
static void step_in(const Fixture *fixture, HieraMeter *meter, int64_t start_ns, int64_t wall_ns, int n_sends)
{
    hiera_meter_open(meter, fixture->step, start_ns, (uint64_t)start_ns, true);
    hiera_meter_count(meter, &(HieraMetered){.calls = 1, .has_end = true});
    for (int i = 0; i < n_sends; i++) {
        hiera_meter_open(meter, fixture->send, start_ns, 0, true);
        hiera_meter_count(meter, &(HieraMetered){.calls = 1, .time_ns = 10, .has_end = true, .peer = 0, .bytes = 8});
        hiera_meter_close(meter, start_ns + 10);
    }
    hiera_meter_close(meter, start_ns + wall_ns);
}

static void step(const Fixture *fixture, size_t rank, int64_t start_ns, int64_t wall_ns, int n_sends)
{
    step_in(fixture, fixture->meters[rank], start_ns, wall_ns, n_sends);
}

static void tell(void *user, const HieraVerdicts *verdicts, int64_t rank)
{
    ((Fixture *)user)->told[rank + 1] = *verdicts;
}

static void judge(Fixture *fixture, size_t rule, bool complete)
{
    memset(fixture->told, 0, sizeof fixture->told);
    for (size_t i = 0; i < fixture->n; i++)
        fixture->outcomes[i] = *hiera_meter_finish(
            fixture->meters[i], &(HieraMeteredRank){.wall_ns = 1000 * (int64_t)(i + 1), .asked = true});
    const HieraEvaluation whole = {.wall_ns = 5000, .values = (int64_t[]){7, 7}};
    const HieraComparedRanks ranks = {fixture->outcomes, fixture->n, complete, &whole};
    ck_assert(hiera_rule_judge_ranks(fixture->rules, rule, &ranks, tell, fixture));
}

static void expect(const Fixture *fixture, int64_t rank, unsigned ok, unsigned failed, unsigned unknown)
{
    const uint64_t *n = fixture->told[rank + 1].n;
    ck_assert_msg(n[0] == ok && n[1] == failed && n[2] == unknown, "rank %d: %d ok, %d failed, %d unknown", (int)rank,
                  (int)n[0], (int)n[1], (int)n[2]);
}

/* Three ranks: 100 + 200, 150 + 150, 300 + 300 ns. */
static void tell_steps(const Fixture *fixture)
{
    static const int64_t walls[][2] = {{100, 200}, {150, 150}, {300, 300}};
    for (size_t rank = 0; rank < 3; rank++) {
        step(fixture, rank, 1000, walls[rank][0], 1);
        step(fixture, rank, 2000 + 10 * (int64_t)rank, walls[rank][1], 2);
    }
}

START_TEST(totals_of_ranks_are_reduced)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "step: sum(WallTime) == 1200 & mean(WallTime) == 400 & min(WallTime) == 300 & max(WallTime) == 600\n"
                 "step: max(WallTime) < 1.2 * mean(WallTime)\n"
                 "step: sum(calls) == 9 & mean(bytesSent(\"send\")) == 24 & sum(iterations) == 6\n"
                 "step: sum(WallTime / iterations) == 600\n",
                 3);
    tell_steps(&fixture);
    judge(&fixture, 0, true);
    expect(&fixture, 0, 1, 0, 0); /* the first extreme is that of min(): of equal ranks the first */
    judge(&fixture, 1, true);
    expect(&fixture, 2, 0, 1, 0);
    ck_assert_double_eq(fixture.told[3].worst.sides.left, 600);
    ck_assert_double_eq(fixture.told[3].worst.sides.right, 480);
    ck_assert_int_eq(fixture.told[3].lasted_ns, 600);
    judge(&fixture, 2, true);
    expect(&fixture, -1, 1, 0, 0);
    judge(&fixture, 3, true);
    expect(&fixture, -1, 1, 0, 0);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(executions_are_paired)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "step: max(WallTime) <= 1.4 * mean(WallTime) on each execution\n"
                 "step: sum(WallTime) < 600 on each execution\n"
                 "step: WallTime <= 1.5 * mean(WallTime) on each execution on some rank\n",
                 3);
    tell_steps(&fixture);
    judge(&fixture, 0, true); /* 300 <= 256.7; 300 <= 303.3 */
    expect(&fixture, 2, 1, 1, 0);
    ck_assert_int_eq(fixture.told[3].first.start_ns, 1000);
    judge(&fixture, 1, true); /* 550, 650 */
    expect(&fixture, -1, 1, 1, 0);
    judge(&fixture, 2, true); /* 300 <= 275 on rank 2, then 300 <= 325 */
    expect(&fixture, 0, 2, 0, 0);
    expect(&fixture, 1, 2, 0, 0);
    expect(&fixture, 2, 1, 1, 0);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(ranks_without_executions_take_no_part)
{
    Fixture fixture;
    fixture_init(&fixture, "step: min(WallTime) == 300\nstep: max(WallTime) < 1s on each execution\n", 4);
    tell_steps(&fixture);
    step(&fixture, 1, 3000, 100, 0);
    judge(&fixture, 0, true);
    expect(&fixture, 0, 1, 0, 0);
    judge(&fixture, 1, true); /* the third one is on rank 1 alone: ranks 0 and 2 lack it */
    expect(&fixture, 2, 2, 0, 0);
    expect(&fixture, -1, 0, 0, 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(an_inner_execution_is_a_part_of_the_outer_one)
{
    Fixture fixture;
    fixture_init(&fixture, "step: sum(WallTime) == 500 & sum(calls) == 3\n", 1);
    hiera_meter_open(fixture.meters[0], fixture.step, 0, 1, true);
    step(&fixture, 0, 100, 200, 3);
    hiera_meter_close(fixture.meters[0], 500);
    judge(&fixture, 0, true);
    expect(&fixture, -1, 1, 0, 0);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(whole_runs_are_reduced)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "job: max(WallTime) == 3000 & WallTime == 5000 & MPITime == 7 & max(MPITime) == 30\n"
                 "operation send: bytesSent <= mean(bytesSent) * 1.2\n",
                 3);
    tell_steps(&fixture);
    judge(&fixture, 0, true);
    expect(&fixture, 2, 1, 0, 0);
    step(&fixture, 1, 4000, 100, 1); /* 24, 32 and 24 bytes: 32 <= 1.2 * 26.67 */
    judge(&fixture, 1, true);
    expect(&fixture, 0, 1, 0, 0);
    expect(&fixture, 1, 1, 0, 0);
    step(&fixture, 1, 5000, 100, 1); /* 24, 40 and 24: 40 > 1.2 * 29.33 */
    judge(&fixture, 1, true);
    expect(&fixture, 1, 0, 1, 0);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(what_one_rank_does_not_say_is_unknown)
{
    static const char rules[] = "step: mean(WallTime) > 0 & mean(calls) >= 0\nstep: calls > 0 & max(WallTime) > 0\n";
    for (int what = 0; what < 4; what++) {
        Fixture fixture;
        fixture_init(&fixture, rules, 2);
        step(&fixture, 0, 0, 100, 1);
        step(&fixture, 1, 0, 100, 1);
        if (what == 1)
            hiera_meter_lose(fixture.meters[1]);
        else if (what == 2)
            hiera_meter_hide(fixture.meters[1], fixture.step, &(HieraMetered){.calls = 1});
        else if (what == 3)
            hiera_meter_open(fixture.meters[1], fixture.step, 300, 1, true);
        judge(&fixture, 0, what != 0);
        expect(&fixture, -1, 0, 0, 1);
        judge(&fixture, 1, what != 0);
        expect(&fixture, 0, 0, 0, 1);
        expect(&fixture, 1, 0, 0, 1);
        fixture_clear(&fixture);
    }
}
END_TEST

START_TEST(a_value_that_is_no_number_is_not_passed_over)
{
    Fixture fixture;
    fixture_init(&fixture, "step: max(MPITime / MPIWaitTime) < 1000000\nstep: min(0 / (calls - 1)) < 1\n", 2);
    step(&fixture, 0, 0, 100, 1);
    step(&fixture, 1, 0, 100, 2);
    judge(&fixture, 0, true);
    ck_assert(isinf(fixture.told[1].worst.sides.left));
    judge(&fixture, 1, true);
    ck_assert(isnan(fixture.told[1].worst.sides.left));
    fixture_clear(&fixture);
}
END_TEST

/* A trace has one thread after another; the k-th execution of a rank is the k-th that begins. */
START_TEST(threads_of_a_trace_are_put_in_order)
{
    enum { N = 7 };
    static const int64_t steps[N][2] = {{300, 30}, {400, 40}, {700, 70}, {100, 10}, {200, 20}, {600, 60}, {500, 50}};
    Fixture fixture;
    fixture_init(&fixture, "step: max(WallTime) == min(WallTime) & max(calls) == min(calls) on each execution\n", 2);
    for (size_t i = 0; i < N; i++) {
        step(&fixture, 0, steps[i][0], steps[i][1], (int)(steps[i][1] / 10) - 1);
        step(&fixture, 1, 1000 + 100 * (int64_t)i, 10 * (int64_t)(i + 1), (int)i);
    }
    judge(&fixture, 0, true);
    ck_assert_uint_eq(fixture.told[1].n[HIERA_VERDICT_OK], N);
    ck_assert_uint_eq(fixture.told[1].n[HIERA_VERDICT_FAILED] + fixture.told[2].n[HIERA_VERDICT_FAILED], 0);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(threads_hand_in_together)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "step: sum(WallTime) == 700 & sum(calls) == 4\n"
                 "step: WallTime == 100 * iterations -> sum(calls) == 1 on each execution\n",
                 1);
    HieraMeter *thread = hiera_meter_new(fixture.rules, NULL, NULL);
    hiera_meter_site(thread, false, "", "step");
    hiera_meter_site(thread, true, "", "send");
    step(&fixture, 0, 0, 100, 1);
    step(&fixture, 0, 400, 100, 1);
    step_in(&fixture, thread, 200, 300, 2);
    step_in(&fixture, thread, 600, 200, 0);
    hiera_meter_add(fixture.meters[0], thread);
    hiera_meter_free(thread);
    judge(&fixture, 0, true);
    expect(&fixture, -1, 1, 0, 0);
    judge(&fixture, 1, true);
    expect(&fixture, 0, 4, 0, 0);
    const int64_t *items = fixture.outcomes[0].kept[1].items, width = HIERA_KEPT_VALUES + 2;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(items[i * width + HIERA_KEPT_START], 200 * i);
    fixture_clear(&fixture);
}
END_TEST

TCase *over_ranks_tests(void)
{
    TCase *tests = tcase_create("rules over ranks");
    tcase_add_test(tests, totals_of_ranks_are_reduced);
    tcase_add_test(tests, executions_are_paired);
    tcase_add_test(tests, ranks_without_executions_take_no_part);
    tcase_add_test(tests, an_inner_execution_is_a_part_of_the_outer_one);
    tcase_add_test(tests, whole_runs_are_reduced);
    tcase_add_test(tests, what_one_rank_does_not_say_is_unknown);
    tcase_add_test(tests, a_value_that_is_no_number_is_not_passed_over);
    tcase_add_test(tests, threads_of_a_trace_are_put_in_order);
    tcase_add_test(tests, threads_hand_in_together);
    return tests;
}
