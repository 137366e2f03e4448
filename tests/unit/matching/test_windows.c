/* Matching of windows; expected edges were worked out by hand. Vertex 1 is P0; its operations follow, then P1, … */
#include "harness/harness.h"
#include "suites.h"

#define MAKE(time, win)           CALL(time, "win_create", "win=\"" win "\"" WORLD)
#define FREE(time, win)           CALL(time, "win_free", "win=\"" win "\"")
#define FENCE(time, win)          CALL(time, "win_fence", "assert=\"0\" win=\"" win "\"")
#define PUT(time, win, to)        CALL(time, "put", "target_rank=\"" #to "\" win=\"" win "\" bytes=\"4\"")
#define GET(time, win, from)      CALL(time, "get", "target_rank=\"" #from "\" win=\"" win "\" bytes=\"4\"")
#define ON(time, call, win)       CALL(time, call, "win=\"" win "\"")
#define TO(time, call, win, rank) CALL(time, call, "rank=\"" #rank "\" win=\"" win "\"")
#define GROUP(id, ranks)          "<hieraGroup id=\"" id "\" ranks=\"" ranks "\"/>\n"
#define WITH(time, call, win, id) CALL(time, call, "group=\"" id "\" assert=\"0\" win=\"" win "\"")

static guint64 count_errors(const Harness *h)
{
    hiera_match_check(hiera_graph_peek_match(h->graph), h->findings);
    return hiera_findings_count_severity(h->findings, HIERA_SEVERITY_ERROR);
}

/* Vertices: 1 P0, 2 win_create, 3 fence, 4 put, 5 get, 6 get_accumulate, 7 fence; 8 P1, 9 win_create, 10, 11 fence */
START_TEST(accesses_between_fences_are_matched)
{
    Harness h = HARNESS(MAKE(1, "P0_win1") FENCE(2, "P0_win1") PUT(3, "P0_win1", 1) GET(4, "P0_win1", 1)
                            CALL(5, "get_accumulate", "target_rank=\"1\" win=\"P0_win1\"") FENCE(6, "P0_win1"),
                        MAKE(1, "P1_win7") FENCE(2, "P1_win7") FENCE(6, "P1_win7"));
    harness_expect_edges(&h, HIERA_EDGE_TRANSFER, "4>11 6>11 10>5 10>6");
    harness_expect_edges(&h, HIERA_EDGE_COMPLETION, "4>7 5>7 6>7");
    harness_expect_reason(&h, 0, 2, HIERA_REASON_MATCHED);
    ck_assert_uint_eq(count_errors(&h), 0);
    harness_clear(&h);
}
END_TEST

/* Vertices: 1 P0, 2 win_create, 3 start, 4 put, 5 complete; 6 P1, 7 win_create, 8 post, 9 a test that returns false,
 * 10 wait; 11 P2, 12 win_create, 13 post, 14 a test that returns true. P0 puts nothing on P2. */
START_TEST(exposure_epochs_match_the_accesses_in_them)
{
    Harness h = HARNESS(MAKE(1, "P0_win1") GROUP("P0_group1", "1-2") WITH(2, "win_start", "P0_win1", "P0_group1")
                            PUT(3, "P0_win1", 1) ON(4, "win_complete", "P0_win1"),
                        MAKE(1, "P1_win1") GROUP("P1_group1", "0") WITH(2, "win_post", "P1_win1", "P1_group1")
                            CALL(3, "win_test", "win=\"P1_win1\" flag=\"0\"") ON(5, "win_wait", "P1_win1"),
                        MAKE(1, "P2_win1") GROUP("P2_group1", "0") WITH(2, "win_post", "P2_win1", "P2_group1")
                            CALL(5, "win_test", "win=\"P2_win1\" flag=\"1\""));
    harness_expect_edges(&h, HIERA_EDGE_EPOCH, "5>10 5>14 8>3 13>3");
    harness_expect_edges(&h, HIERA_EDGE_TRANSFER, "4>10");
    harness_expect_edges(&h, HIERA_EDGE_COMPLETION, "4>5");
    for (guint i = 1; i < 4; i++)
        harness_expect_reason(&h, 0, i, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 3, HIERA_REASON_MATCHED);
    ck_assert_uint_eq(count_errors(&h), 0);
    harness_clear(&h);
}
END_TEST

/* Vertices: 1 P0, 2 win_create, 3 lock, 4 put, 5 flush, 6 get, 7 flush_local, 8 unlock, 9 lock_all, 10 and 11 put, 12
 * flush of target P0, 13 unlock_all, 14 win_free; 15 P1, 16 win_create, 17 win_free. */
START_TEST(a_lock_needs_no_call_of_the_target)
{
    Harness h =
        HARNESS(MAKE(1, "P0_win1") TO(2, "win_lock", "P0_win1", 1) PUT(3, "P0_win1", 1) TO(4, "win_flush", "P0_win1", 1)
                    GET(5, "P0_win1", 1) TO(6, "win_flush_local", "P0_win1", 1) TO(7, "win_unlock", "P0_win1", 1)
                        ON(8, "win_lock_all", "P0_win1") PUT(9, "P0_win1", 0) PUT(10, "P0_win1", 1)
                            TO(11, "win_flush", "P0_win1", 0) ON(12, "win_unlock_all", "P0_win1") FREE(13, "P0_win1"),
                MAKE(1, "P1_win1") FREE(13, "P1_win1"));
    harness_expect_edges(&h, HIERA_EDGE_TRANSFER, "4>17 10>14 11>17 16>6");
    harness_expect_edges(&h, HIERA_EDGE_COMPLETION, "4>5 6>8 10>12 11>13");
    ck_assert_uint_eq(count_errors(&h), 0);
    harness_clear(&h);
}
END_TEST

START_TEST(an_access_needs_an_epoch_with_its_target)
{
    Harness h = HARNESS(
        MAKE(1, "P0_win1") PUT(2, "P0_win1", 1) FENCE(3, "P0_win1") TO(4, "win_lock", "P0_win1", 0) PUT(5, "P0_win1", 1)
            TO(6, "win_unlock", "P0_win1", 0) GROUP("P0_group1", "0") WITH(7, "win_start", "P0_win1", "P0_group1")
                PUT(8, "P0_win1", 1) PUT(9, "P0_win1", 5) PUT(10, "P0_win1", 0) ON(11, "win_complete", "P0_win1"),
        MAKE(1, "P1_win1") FENCE(3, "P1_win1") CALL(4, "put", "target_rank=\"MPI_PROC_NULL\" win=\"P1_win1\""));
    harness_expect_reason(&h, 0, 1, HIERA_REASON_NO_EPOCH);
    harness_expect_reason(&h, 0, 4, HIERA_REASON_NO_EPOCH);
    harness_expect_reason(&h, 0, 7, HIERA_REASON_NO_EPOCH);
    harness_expect_reason(&h, 0, 8, HIERA_REASON_BAD_RANK);
    harness_expect_reason(&h, 0, 6, HIERA_REASON_NO_PARTNER);
    harness_expect_reason(&h, 0, 9, HIERA_REASON_NO_PARTNER);
    harness_expect_reason(&h, 1, 2, HIERA_REASON_PROC_NULL);
    harness_clear(&h);
}
END_TEST

/* The epochs were counted, not recorded: the accesses cannot be matched. */
START_TEST(filtered_epochs_are_a_reason)
{
    Harness h = HARNESS("<hieraFiltered operation=\"win_lock\" level=\"mpi\" count=\"1\"/>\n" MAKE(1, "P0_win1")
                            PUT(2, "P0_win1", 1) TO(3, "win_unlock", "P0_win1", 1),
                        MAKE(1, "P1_win1"));
    harness_expect_reason(&h, 0, 1, HIERA_REASON_FILTERED);
    ck_assert_uint_eq(count_errors(&h), 0);
    harness_clear(&h);
}
END_TEST

TCase *windows_tests(void)
{
    TCase *tests = tcase_create("windows");
    tcase_add_test(tests, accesses_between_fences_are_matched);
    tcase_add_test(tests, exposure_epochs_match_the_accesses_in_them);
    tcase_add_test(tests, a_lock_needs_no_call_of_the_target);
    tcase_add_test(tests, an_access_needs_an_epoch_with_its_target);
    tcase_add_test(tests, filtered_epochs_are_a_reason);
    return tests;
}
