/* Requests that are not completed, and the operations that made them. */
#include "harness/harness.h"
#include "reading/context/outstanding_requests.h"
#include "suites.h"

static const HieraSite irecv = {.mpi = TRUE, .kind = HIERA_KIND_RECEIVE, .operation = "irecv"};
static const HieraSite recv_init = {
    .mpi = TRUE, .kind = HIERA_KIND_LOCAL, .starts = HIERA_KIND_RECEIVE, .operation = "recv_init"};
static const HieraSite start = {.mpi = TRUE, .kind = HIERA_KIND_START, .operation = "start"};
static const HieraSite wait_for = {.mpi = TRUE, .kind = HIERA_KIND_COMPLETE, .operation = "wait"};
static const HieraSite cancel = {.mpi = TRUE, .kind = HIERA_KIND_LOCAL, .operation = "cancel"};
static const HieraSite request_free = {.mpi = TRUE, .kind = HIERA_KIND_LOCAL, .operation = "request_free"};

static void see(HieraOutstandingRequests *outstanding, const HieraSite *site, gint64 number, gint32 tag)
{
    const HieraRequest request = {.number = number};
    const HieraOperation operation = {.site = site, .tag = tag, .requests = &request, .n_requests = 1};
    hiera_outstanding_see(outstanding, &operation);
}

static void expect_tag(const HieraOutstandingRequests *outstanding, gint64 number, gint32 expected)
{
    const HieraMaker *maker = hiera_outstanding_find(outstanding, number);
    gint32 actual = maker ? maker->tag : -1;
    ck_assert_msg(actual == expected, "request %" G_GINT64_FORMAT ": expected tag %d, actual %d", number, expected,
                  actual);
}

START_TEST(requests_are_open_until_they_are_completed)
{
    HieraOutstandingRequests *outstanding = hiera_outstanding_new();
    see(outstanding, &irecv, 1, 11);
    see(outstanding, &irecv, 2, 12);
    see(outstanding, &cancel, 2, 0);
    expect_tag(outstanding, 2, 12);
    see(outstanding, &wait_for, 1, 0);
    expect_tag(outstanding, 1, -1);
    see(outstanding, &request_free, 2, 0);
    expect_tag(outstanding, 2, -1);
    hiera_outstanding_free(outstanding);
}
END_TEST

START_TEST(persistent_requests_are_open_until_they_are_freed)
{
    HieraOutstandingRequests *outstanding = hiera_outstanding_new();
    see(outstanding, &recv_init, 1, 11);
    for (int i = 0; i < 3; i++) {
        see(outstanding, &start, 1, 0);
        see(outstanding, &wait_for, 1, 0);
        expect_tag(outstanding, 1, 11);
    }
    see(outstanding, &request_free, 1, 0);
    expect_tag(outstanding, 1, -1);
    hiera_outstanding_free(outstanding);
}
END_TEST

START_TEST(old_requests_are_not_forgotten)
{
    HieraOutstandingRequests *outstanding = hiera_outstanding_new();
    for (gint32 i = 1; i <= 10000; i++) {
        see(outstanding, &irecv, i, i);
        if (i % 1000 != 7)
            see(outstanding, &wait_for, i, 0);
    }
    for (gint32 i = 7; i <= 10000; i += 1000) {
        expect_tag(outstanding, i, i);
        see(outstanding, &wait_for, i, 0);
        expect_tag(outstanding, i, -1);
    }
    hiera_outstanding_free(outstanding);
}
END_TEST

START_TEST(number_of_uncompleted_requests_is_limited)
{
    HieraOutstandingRequests *outstanding = hiera_outstanding_new();
    for (gint32 i = 1; i <= 1000000; i++)
        see(outstanding, &irecv, i, i);
    gint32 known = 0;
    for (gint32 i = 1; i <= 1000000; i++)
        known += hiera_outstanding_find(outstanding, i) != NULL;
    ck_assert_int_lt(known, 20000);
    expect_tag(outstanding, 1, 1);
    expect_tag(outstanding, 1000000, 1000000);
    hiera_outstanding_free(outstanding);
}
END_TEST

/* A wait without an end has the last time of the trace as its finish time. It must not count as the completion of its
 * requests. */
START_TEST(call_without_an_end_completes_nothing)
{
    Harness h = HARNESS(CALL(1, "irecv", "rem=\"0\" tag=\"7\" request=\"1\"" WORLD)
                            CALL(2, "isend", "dest=\"0\" tag=\"7\" bytes=\"4\" request=\"2\"" WORLD)
                                CALL(3, "wait", "requests=\"2\" sources=\"-\" tags=\"-\" sizes=\"-\"")
                                    SPAN("4", "", "wait", "requests=\"1\""));
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "3>4");
    harness_clear(&h);
}
END_TEST

TCase *outstanding_tests(void)
{
    TCase *tests = tcase_create("outstanding");
    tcase_add_test(tests, requests_are_open_until_they_are_completed);
    tcase_add_test(tests, persistent_requests_are_open_until_they_are_freed);
    tcase_add_test(tests, old_requests_are_not_forgotten);
    tcase_add_test(tests, number_of_uncompleted_requests_is_limited);
    tcase_add_test(tests, call_without_an_end_completes_nothing);
    return tests;
}
