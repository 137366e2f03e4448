/* What a meter takes in memory: of a thread little, and no more with more executions. */
#include "assertions/meter/meter_sums.h"
#include "assertions/meter/outcome_text.h"
#include "suites.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

static const char text_of_rules[] = "step: max(MPITime) < 5ms on each execution\nstep: MPITime < 1s\n";

static size_t asked; /* bytes that are allocated now */

static void *grow(void *memory, size_t old_bytes, size_t bytes)
{
    char *grown = realloc(memory, bytes);
    memset(grown + old_bytes, 0, bytes - old_bytes);
    asked += bytes - old_bytes;
    return grown;
}

static void release(void *memory, size_t bytes)
{
    asked -= memory ? bytes : 0;
    free(memory);
}

static const HieraMeterMemory counted = {grow, release};

static bool take(void *user, size_t rule, const int64_t *numbers, size_t n)
{
    ck_assert_uint_eq(rule, 0);
    ck_assert_uint_le(n, HIERA_KEPT_FEW);
    g_array_append_vals(user, numbers, (guint)n);
    return true;
}

static bool count(void *user, size_t rule, size_t *n)
{
    *n = rule == 0 ? ((GArray *)user)->len : 0;
    return true;
}

/* The last pieces first: a file of threads has no order either. */
static bool each(void *user, size_t rule, void (*hand_on)(void *to, const int64_t *numbers, size_t n), void *to)
{
    enum { WIDTH = HIERA_KEPT_VALUES + 1 };
    const GArray *taken = user;
    for (guint at = rule == 0 ? taken->len : 0; at > 0; at -= WIDTH)
        hand_on(to, &g_array_index(taken, int64_t, at - WIDTH), WIDTH);
    return true;
}

static HieraRules *parse(const char *text)
{
    char report[HIERA_RULES_REPORT];
    HieraRules *rules = hiera_rules_parse("rules.txt", text, strlen(text), NULL, report);
    ck_assert_msg(rules, "%s", report);
    return rules;
}

static void execute(HieraMeter *meter, unsigned n)
{
    uint32_t step = hiera_meter_site(meter, false, "", "step"), send = hiera_meter_site(meter, true, "", "send");
    for (unsigned i = 0; i < n; i++) {
        hiera_meter_open(meter, step, 100 * i, 0, true);
        hiera_meter_sum(hiera_meter_sums(meter, send), 1, i % 7);
        hiera_meter_close(meter, 100 * i + 50);
    }
}

static void put(void *to, const char *text, size_t length)
{
    g_string_append_len(to, text, (gssize)length);
}

static GString *print(const HieraRules *rules, HieraMeter *meter, const HieraTaken *taken)
{
    GString *text = g_string_new(NULL);
    const HieraOutcome *outcome = hiera_meter_finish(meter, &(HieraMeteredRank){.wall_ns = 1, .asked = true});
    hiera_outcome_print(&(HieraJudged){rules, outcome, taken}, &(HieraJudged){NULL, NULL, NULL},
                        &(HieraJudgedRun){1, ""}, put, text);
    return text;
}

/* What is read of an outcome, printed again. */
static GString *read_again(const HieraRules *rules, GString *text)
{
    char report[HIERA_RULES_REPORT];
    HieraVerdicts verdicts[2] = {{.lasted_ns = 0}, {.lasted_ns = 0}};
    HieraKept kept[2] = {{.n = 0}, {.n = 0}};
    int64_t totals[4];
    bool unknown[4];
    HieraOutcome outcome = {.verdicts = verdicts, .kept = kept, .totals = totals, .unknown = unknown};
    HieraJudgedRun run;
    GString *again = g_string_new(NULL);
    bool good = hiera_outcome_read("0.tsv", text->str, text->len, &(HieraOutcomeReader){.rules = rules}, &outcome, &run,
                                   report);
    ck_assert_msg(good, "%s", report);
    hiera_outcome_print(&(HieraJudged){rules, &outcome, NULL}, &(HieraJudged){NULL, NULL, NULL},
                        &(HieraJudgedRun){1, ""}, put, again);
    hiera_outcome_clear(rules, &outcome);
    g_string_free(text, TRUE);
    return again;
}

START_TEST(executions_take_no_memory)
{
    size_t bytes[2];
    HieraRules *rules = parse(text_of_rules);
    for (int i = 0; i < 2; i++) {
        GArray *taken = g_array_new(FALSE, FALSE, sizeof(int64_t));
        const HieraKeeper keeper = {take, taken};
        HieraMeter *meter = hiera_meter_new(rules, &counted, NULL);
        hiera_meter_set_keeper(meter, &keeper);
        execute(meter, i == 0 ? 1000 : 50000);
        bytes[i] = asked;
        hiera_meter_free(meter);
        g_array_unref(taken);
    }
    ck_assert_uint_eq(bytes[0], bytes[1]);
    ck_assert_uint_eq(asked, 0);
    hiera_rules_free(rules);
}
END_TEST

START_TEST(executions_that_were_handed_over_are_in_the_outcome)
{
    HieraRules *rules = parse(text_of_rules);
    GArray *taken = g_array_new(FALSE, FALSE, sizeof(int64_t));
    const HieraKeeper keeper = {take, taken};
    const HieraTaken given = {count, each, taken};
    HieraMeter *with = hiera_meter_new(rules, NULL, NULL), *without = hiera_meter_new(rules, NULL, NULL);
    hiera_meter_set_keeper(with, &keeper);
    execute(with, 1000);
    execute(without, 1000);
    ck_assert_uint_gt(taken->len, 1000);
    GString *one = read_again(rules, print(rules, with, &given)),
            *other = read_again(rules, print(rules, without, NULL));
    ck_assert(g_string_equal(one, other));
    g_string_free(one, TRUE);
    g_string_free(other, TRUE);
    hiera_meter_free(with);
    hiera_meter_free(without);
    g_array_unref(taken);
    hiera_rules_free(rules);
}
END_TEST

/* Four functions, and rules that ask for everything, with a communicator and a peer. */
START_TEST(the_meter_of_a_thread_is_small)
{
    static const char text[] =
        "job: MPITime < 1s & MPIWaitTime < 1s & MPICollectiveTime < 1s & MPITransferTime < 1s & calls > 0 & "
        "messages > 0 & bytesSent > 0 & bytesReceived > 0 & bytesSent(\"\", \"MPI_COMM_WORLD\", 1) > 0\n";
    HieraRules *rules = parse(text);
    HieraMeterRequests *requests = hiera_meter_requests_new(NULL);
    HieraMeter *meter = hiera_meter_new(rules, &counted, requests);
    static const char *const functions[] = {"irecv", "isend", "waitall", "allreduce"};
    for (int i = 0; i < 4; i++) {
        uint32_t site = hiera_meter_site(meter, true, "", functions[i]);
        hiera_meter_sum(hiera_meter_sums(meter, hiera_meter_part(meter, site, 1, 1)), 1, 10);
        hiera_meter_sum(hiera_meter_sums(meter, hiera_meter_part(meter, site, 1, 2)), 1, 10);
    }
    ck_assert_uint_le(asked, 4096);
    hiera_meter_free(meter);
    hiera_meter_requests_free(requests);
    hiera_rules_free(rules);
}
END_TEST

TCase *kept_tests(void)
{
    TCase *tests = tcase_create("memory of meters");
    tcase_add_test(tests, executions_take_no_memory);
    tcase_add_test(tests, executions_that_were_handed_over_are_in_the_outcome);
    tcase_add_test(tests, the_meter_of_a_thread_is_small);
    return tests;
}
