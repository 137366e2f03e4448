/* The reader reads attributes that calls share only once. These tests check that results are as if it read all. */
#include "harness/harness.h"
#include "suites.h"

#define TIMES5(call)       call call call call call
#define DECLARED(id, rest) "<hieraCall id=\"" id "\" operation=\"isend\" file=\"t.c\" line=\"1\" " rest "/>\n"
#define USE(id, own)       "<c r=\"" id "\" t=\"1\" d=\"1\" " own "/>\n"

static guint64 count_findings(const Harness *harness, HieraFindingCode code)
{
    guint64 n = 0;
    for (guint i = 0; i < hiera_findings_count(harness->findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(harness->findings, i);
        n += finding->code == code ? finding->count : 0;
    }
    return n;
}

/* Check that rank 0 has ten calls, the first five on one communicator, the others on another. */
static void expect_two_communicators(const char *body)
{
    Harness harness = HARNESS(body);
    ck_assert_uint_eq(harness.trace->n_operations, 10);
    for (guint row = 1; row < 10; row++)
        ck_assert_int_eq(harness.trace->comm[row] == harness.trace->comm[row - 1], row != 5);
    harness_clear(&harness);
}

START_TEST(an_id_declared_again_has_the_new_meaning)
{
#define COMM(ranks) "<hieraComm id=\"c\" ranks=\"" ranks "\"/>\n"
    expect_two_communicators(COMM("0") TIMES5(CALL(1, "barrier", "comm=\"c\"")) COMM("0-1")
                                 TIMES5(CALL(1, "barrier", "comm=\"c\"")));
    expect_two_communicators(DECLARED("c1", "comm=\"c\"") COMM("0") TIMES5(USE("c1", "")) COMM("0-1")
                                 TIMES5(USE("c1", "")));
}
END_TEST

START_TEST(a_call_declared_again_has_the_new_attributes)
{
    expect_two_communicators(DECLARED("c1", "comm=\"a\"") TIMES5(USE("c1", "")) DECLARED("c1", "comm=\"b\"")
                                 TIMES5(USE("c1", "")));
    expect_two_communicators(DECLARED("x1", "comm=\"a\"") DECLARED("c01", "comm=\"b\"") TIMES5(USE("x1", ""))
                                 TIMES5(USE("c01", "")));
}
END_TEST

/* Check a trace with six calls that make one request each, and six calls that complete two each. */
static void expect_requests(const char *body)
{
    Harness harness = HARNESS(body);
    ck_assert_uint_eq(harness.trace->n_operations, 12);
    for (guint row = 0; row < 12; row++) {
        const HieraRequest *first;
        ck_assert_uint_eq(hiera_trace_peek_requests(harness.trace, row, &first), row < 6 ? 1 : 2);
        ck_assert_int_eq(first[0].number, row + 1);
        ck_assert_int_eq(first[0].tag, row < 6 ? HIERA_ABSENT : 7);
        ck_assert_int_eq(first[row >= 6].bytes, row < 6 ? -1 : 9);
    }
    harness_clear(&harness);
}

START_TEST(each_call_has_its_own_requests)
{
#define SIX(call, a, b, c, d, e, f) call(a) call(b) call(c) call(d) call(e) call(f)
#define ISEND(request)              CALL(1, "isend", "dest=\"0\" tag=\"0\" request=\"" #request "\"")
#define WAIT(request)               CALL(1, "waitall", "requests=\"" #request " 5\" sources=\"0 0\" tags=\"7 8\" sizes=\"8 9\"")
#define USE_ISEND(request)          USE("c1", "request=\"" #request "\"")
#define USE_WAIT(request)           USE("c2", "requests=\"" #request " 5\"")
    expect_requests(SIX(ISEND, 1, 2, 3, 4, 5, 6) SIX(WAIT, 7, 8, 9, 10, 11, 12));
    expect_requests(DECLARED("c1", "dest=\"0\" tag=\"0\"") DECLARED("c2", "sources=\"0 0\" tags=\"7 8\" sizes=\"8 9\"")
                        SIX(USE_ISEND, 1, 2, 3, 4, 5, 6) SIX(USE_WAIT, 7, 8, 9, 10, 11, 12));
}
END_TEST

START_TEST(attributes_of_a_call_override_declared_ones)
{
    Harness harness = HARNESS(DECLARED("c1", "dest=\"0\" tag=\"7\"") USE("c1", "") USE("c1", "tag=\"8\"") USE("c1", "")
                                  USE("c1", "tag=\"9\" request=\"1\""));
    ck_assert_int_eq(harness.trace->tag[0], 7);
    ck_assert_int_eq(harness.trace->tag[1], 8);
    ck_assert_int_eq(harness.trace->tag[2], 7);
    ck_assert_int_eq(harness.trace->tag[3], 9);
    harness_clear(&harness);
}
END_TEST

START_TEST(mistakes_are_counted_for_each_call)
{
    Harness harness = HARNESS(TIMES5(CALL(1, "send", "dest=\"0\" tag=\"odd\"")) TIMES5(CALL(1, "unheard", ""))
                                  DECLARED("c1", "dest=\"odd\"") TIMES5(USE("c1", ""))
                                      TIMES5("<hieraRegion operation=\"f\" file=\"t.c\" line=\"1\" start_time=\"1\" "
                                             "finish_time=\"2\" odd=\"1\"/>\n"));
    ck_assert_uint_eq(harness.trace->n_operations, 20);
    ck_assert_uint_eq(count_findings(&harness, HIERA_FINDING_VALUE), 10);
    ck_assert_uint_eq(count_findings(&harness, HIERA_FINDING_UNKNOWN_OPERATION), 5);
    ck_assert_uint_eq(count_findings(&harness, HIERA_FINDING_UNKNOWN_ATTRIBUTE), 5);
    harness_clear(&harness);
}
END_TEST

/* More different calls than the tag cache has room for, in an order that its guesses do not predict. */
START_TEST(many_different_calls_are_distinguished)
{
    enum { KINDS = 5000, CALLS = 3 * KINDS };
    g_autoptr(GString) body = g_string_new(NULL);
    for (guint i = 0; i < CALLS; i++)
        g_string_append_printf(body, CALL(1, "send", "dest=\"0\" tag=\"%u\""), i * 7919 % KINDS);
    Harness harness = HARNESS(body->str);
    ck_assert_uint_eq(harness.trace->n_operations, CALLS);
    for (guint i = 0; i < CALLS; i++)
        ck_assert_int_eq(harness.trace->tag[i], (gint32)(i * 7919 % KINDS));
    harness_clear(&harness);
}
END_TEST

TCase *repeats_tests(void)
{
    TCase *tests = tcase_create("repeats");
    tcase_add_test(tests, an_id_declared_again_has_the_new_meaning);
    tcase_add_test(tests, a_call_declared_again_has_the_new_attributes);
    tcase_add_test(tests, each_call_has_its_own_requests);
    tcase_add_test(tests, attributes_of_a_call_override_declared_ones);
    tcase_add_test(tests, mistakes_are_counted_for_each_call);
    tcase_add_test(tests, many_different_calls_are_distinguished);
    return tests;
}
