/* What became of rules, written as text and read again. */
#include "assertions/meter/outcome_text.h"
#include "suites.h"
#include <glib.h>
#include <math.h>
#include <string.h>

static const char text_of_rules[] = "step: calls == 3\nstep: max(MPITime) < 5ms on each execution\n";

static HieraRules *parse(const char *text)
{
    char report[HIERA_RULES_REPORT];
    HieraRules *rules = hiera_rules_parse("rules.txt", text, strlen(text), NULL, report);
    ck_assert_msg(rules != NULL, "%s", report);
    return rules;
}

static void put(void *to, const char *text, size_t length)
{
    g_string_append_len(to, text, (gssize)length);
}

/* An outcome with numbers that a decimal text would spoil, and the text of it. */
static GString *print(const HieraRules *rules)
{
    HieraVerdicts verdicts[2] = {
        {.n = {2, 1, 4},
         .lasted_ns = 70,
         .first = {.number = 2, .start_ns = -5, .wall_ns = 9, .sides = {"<", 0.1, INFINITY, true, 1e-300}},
         .worst = {.number = 7, .start_ns = INT64_MAX, .sides = {"==", NAN, -0.0, false, INFINITY}}}};
    static const int64_t items[] = {5, 6, 7, 1, -8, HIERA_METER_NO_TIME, 0, 2};
    HieraKept kept[2] = {{.unknown = true}, {.items = items, .n = 2}};
    int64_t totals[2] = {INT64_MIN, 12};
    bool unknown[2] = {false, true};
    const HieraOutcome outcome = {
        .rank = 3, .size = 8, .verdicts = verdicts, .kept = kept, .totals = totals, .unknown = unknown, .wall_ns = 100};
    GString *text = g_string_new(NULL);
    hiera_outcome_print(&(HieraJudged){rules, &outcome, NULL}, &(HieraJudged){NULL, NULL, NULL},
                        &(HieraJudgedRun){0xfedcba9876543210u, "/a folder"}, put, text);
    return text;
}

typedef struct {
    HieraVerdicts verdicts[3];
    HieraKept kept[3];
    int64_t totals[3];
    bool unknown[3];
    HieraOutcome outcome;
    HieraJudgedRun run;
    char report[HIERA_RULES_REPORT];
} Read;

static bool read_text(Read *read, const HieraRules *rules, GString *text)
{
    memset(read, 0, sizeof *read);
    read->outcome.verdicts = read->verdicts;
    read->outcome.kept = read->kept;
    read->outcome.totals = read->totals;
    read->outcome.unknown = read->unknown;
    return hiera_outcome_read("0.tsv", text->str, text->len, &(HieraOutcomeReader){.rules = rules}, &read->outcome,
                              &read->run, read->report);
}

START_TEST(an_outcome_is_read_as_it_was_written)
{
    Read read;
    HieraRules *rules = parse(text_of_rules);
    GString *text = print(rules);
    ck_assert_ptr_nonnull(strstr(text->str, "\nrules.txt:1 -> 2/7 = 28.5 %\t"));
    ck_assert_msg(read_text(&read, rules, text), "%s", read.report);
    const HieraInstance *first = &read.verdicts[0].first, *worst = &read.verdicts[0].worst;
    ck_assert_str_eq(read.run.traces, "/a folder");
    ck_assert(read.run.job == 0xfedcba9876543210u && read.outcome.rank == 3 && read.outcome.size == 8);
    ck_assert(read.outcome.wall_ns == 100 && !read.outcome.wall_unknown);
    ck_assert(read.verdicts[0].n[0] == 2 && read.verdicts[0].n[1] == 1 && read.verdicts[0].n[2] == 4);
    ck_assert_int_eq(read.verdicts[0].lasted_ns, 70);
    ck_assert(first->number == 2 && first->start_ns == -5 && first->wall_ns == 9 && first->rank == 3);
    ck_assert_str_eq(first->sides.operator_, "<");
    ck_assert(first->sides.left == 0.1 && isinf(first->sides.right) && first->sides.times &&
              first->sides.deviation == 1e-300);
    ck_assert(worst->start_ns == INT64_MAX && isnan(worst->sides.left) && signbit(worst->sides.right));
    ck_assert_ptr_null(read.verdicts[1].first.sides.operator_);
    ck_assert(read.kept[0].n == 0 && read.kept[0].unknown && read.kept[1].n == 2 && !read.kept[1].unknown);
    ck_assert(read.kept[1].items[4] == 5 && read.kept[1].items[0] == -8 &&
              read.kept[1].items[1] == HIERA_METER_NO_TIME);
    ck_assert(read.totals[0] == INT64_MIN && read.totals[1] == 12 && !read.unknown[0] && read.unknown[1]);
    hiera_outcome_clear(rules, &read.outcome);
    g_string_free(text, TRUE);
    hiera_rules_free(rules);
}
END_TEST

START_TEST(an_outcome_that_is_not_whole_is_refused)
{
    Read read;
    HieraRules *rules = parse(text_of_rules);
    GString *whole = print(rules);
    for (gsize length = 0; length < whole->len; length++) {
        GString *text = g_string_new_len(whole->str, (gssize)length);
        ck_assert_msg(!read_text(&read, rules, text), "%zu of %zu bytes are enough", length, whole->len);
        ck_assert(g_str_has_prefix(read.report, "0.tsv: "));
        hiera_outcome_clear(rules, &read.outcome);
        g_string_free(text, TRUE);
    }
    g_string_free(whole, TRUE);
    hiera_rules_free(rules);
}
END_TEST

START_TEST(an_outcome_of_other_rules_is_refused)
{
    static const char *const others[] = {
        "step: calls == 4\nstep: max(MPITime) < 5ms on each execution\n", "step: calls == 3\n",
        "step: calls == 3\nstep: max(MPITime) < 5ms on each execution\nstep: calls > 1\n"};
    HieraRules *rules = parse(text_of_rules);
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        Read read;
        HieraRules *other = parse(others[i]);
        GString *text = print(rules);
        ck_assert(!read_text(&read, other, text));
        ck_assert_ptr_nonnull(strstr(read.report, "about other rules"));
        hiera_outcome_clear(other, &read.outcome);
        g_string_free(text, TRUE);
        hiera_rules_free(other);
    }
    hiera_rules_free(rules);
}
END_TEST

TCase *outcomes_tests(void)
{
    TCase *tests = tcase_create("outcomes of rules");
    tcase_add_test(tests, an_outcome_is_read_as_it_was_written);
    tcase_add_test(tests, an_outcome_that_is_not_whole_is_refused);
    tcase_add_test(tests, an_outcome_of_other_rules_is_refused);
    return tests;
}
