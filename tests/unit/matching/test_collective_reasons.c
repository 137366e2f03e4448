/* Collectives that are not matched, or not with all members: the reason that each call is given. */
#include "harness/harness.h"
#include "suites.h"

START_TEST(different_operators_are_a_mismatch)
{
    Harness h = HARNESS(CALL(1, "allreduce", "op=\"MPI_SUM\"" WORLD) CALL(2, "allreduce", "op=\"P0_op1\"" WORLD),
                        CALL(1, "allreduce", "op=\"MPI_MAX\"" WORLD) CALL(2, "allreduce", "op=\"P1_op3\"" WORLD));
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MISMATCH);
    harness_expect_reason(&h, 0, 1, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

/* P0 and P1 spawn a process; each has a name of its own for the communicator with it. */
START_TEST(processes_of_another_job_are_a_reason)
{
#define SPAWN(name)                                                                                                    \
    "<hieraComm id=\"" name "\" ranks=\"0-1\" remote=\"?\"/>\n" CALL(1, "comm_spawn", "newcomm=\"" name "\"" WORLD)    \
        CALL(2, "barrier", "comm=\"" name "\"")
    Harness h = HARNESS(SPAWN("P0_own_comm1") CALL(3, "send", "dest=\"0\" tag=\"0\" comm=\"P0_own_comm1\""),
                        SPAWN("P1_own_comm1"));
#undef SPAWN
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 3>7 6>2 7>3");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 0, 1, HIERA_REASON_ELSEWHERE);
    harness_expect_reason(&h, 0, 2, HIERA_REASON_ELSEWHERE);
    harness_clear(&h);
}
END_TEST

/* Spawned processes get the communicator with their parents from a call that does not make it. It has the same id on
 * all of them, and messages among them on a communicator made from it are matched. */
START_TEST(what_children_call_with_their_parents_has_the_reason)
{
#define PARENTS                                                                                                        \
    "<hieraComm id=\"p\" ranks=\"0-1\" remote=\"?\"/>\n" CALL(                                                         \
        1, "barrier",                                                                                                  \
        "comm=\"p\"") "<hieraComm id=\"m\" ranks=\"? 0-1\"/>\n" CALL(2, "intercomm_merge",                             \
                                                                     "high=\"1\" newcomm=\"m\" comm=\"p\"")
    Harness h = HARNESS(PARENTS CALL(3, "send", "dest=\"2\" tag=\"0\" comm=\"m\"")
                            CALL(4, "send", "dest=\"0\" tag=\"0\" comm=\"m\"")
                                CALL(5, "receive", "rem=\"0\" tag=\"0\" comm=\"p\""),
                        PARENTS CALL(3, "receive", "rem=\"1\" tag=\"0\" comm=\"m\""));
#undef PARENTS
    harness_expect_reason(&h, 0, 0, HIERA_REASON_ELSEWHERE);
    harness_expect_reason(&h, 1, 1, HIERA_REASON_ELSEWHERE);
    harness_expect_reason(&h, 0, 2, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 2, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 0, 3, HIERA_REASON_ELSEWHERE);
    harness_expect_reason(&h, 0, 4, HIERA_REASON_ELSEWHERE);
    harness_clear(&h);
}
END_TEST

/* The first call of P0 failed, and the other ranks take part in its second one. A call that failed on all ranks is
 * still one collective. */
START_TEST(collectives_that_failed_do_not_shift_the_others)
{
    Harness h = HARNESS(CALL(1, "broadcast", "root=\"9\" error=\"8\"" WORLD) ROOTED(2, "broadcast", 0),
                        ROOTED(2, "broadcast", 0));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "3>5");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_FAILED);
    harness_clear(&h);
    Harness all = HARNESS(CALL(1, "broadcast", "root=\"0\" error=\"8\"" WORLD) ROOTED(2, "broadcast", 0),
                          CALL(1, "broadcast", "root=\"0\" error=\"8\"" WORLD) ROOTED(2, "broadcast", 0));
    harness_expect_edges(&all, HIERA_EDGE_COLLECTIVE, "2>5 3>6");
    harness_clear(&all);
}
END_TEST

START_TEST(what_a_partner_only_counted_is_a_reason)
{
    Harness h = HARNESS(COLLECTIVE(1, "barrier") SEND(2, 1, 0),
                        "<hieraFiltered operation=\"barrier\" level=\"mpi\" count=\"1\"" WORLD "/>\n"
                        "<hieraFiltered operation=\"receive\" level=\"mpi\" count=\"1\"" WORLD "/>\n");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_FILTERED);
    harness_expect_reason(&h, 0, 1, HIERA_REASON_FILTERED);
    harness_clear(&h);
}
END_TEST

/* P1 counted, but did not record, calls on c and sends on MPI_COMM_WORLD. None of them can be the partner of P0's
 * barrier or send on MPI_COMM_WORLD. */
START_TEST(what_a_partner_counted_elsewhere_is_no_reason)
{
#define C                        "<hieraComm id=\"c\" ranks=\"0-1\"/>\n"
#define COUNTED(operation, comm) "<hieraFiltered operation=\"" operation "\" level=\"mpi\" count=\"1\" " comm "/>\n"
    Harness h = HARNESS(C COLLECTIVE(1, "barrier") SEND(2, 1, 0) CALL(3, "barrier", "comm=\"c\"")
                            CALL(4, "send", "dest=\"1\" tag=\"0\" comm=\"c\"") RECEIVE(5, 1, 0),
                        C COUNTED("barrier", "comm=\"c\"") COUNTED("receive", "comm=\"c\"") COUNTED("ssend", WORLD));
#undef COUNTED
#undef C
    harness_expect_reason(&h, 0, 0, HIERA_REASON_NO_PARTNER);
    harness_expect_reason(&h, 0, 1, HIERA_REASON_NO_PARTNER);
    harness_expect_reason(&h, 0, 2, HIERA_REASON_FILTERED);
    harness_expect_reason(&h, 0, 3, HIERA_REASON_FILTERED);
    harness_expect_reason(&h, 0, 4, HIERA_REASON_FILTERED);
    harness_clear(&h);
}
END_TEST

/* Waits have no communicator. The wait of P1 was only counted, so the source of its wildcard receive is unknown. */
START_TEST(what_only_a_counted_wait_knew_is_a_reason)
{
    Harness h = HARNESS(
        SEND(1, 1, 0) CALL(2, "barrier", WORLD),
        CALL(1, "irecv", "rem=\"MPI_ANY_SOURCE\" tag=\"0\" request=\"1\"" WORLD) "<hieraFiltered operation=\"wait\" "
                                                                                 "level=\"mpi\" count=\"1\"/>\n");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_FILTERED);
    harness_expect_reason(&h, 0, 1, HIERA_REASON_NO_PARTNER);
    harness_expect_reason(&h, 1, 0, HIERA_REASON_FILTERED);
    harness_clear(&h);
}
END_TEST

START_TEST(different_calls_are_a_mismatch)
{
    Harness h = HARNESS(COLLECTIVE(1, "barrier"), COLLECTIVE(1, "allreduce"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MISMATCH);
    harness_expect_reason(&h, 1, 0, HIERA_REASON_MISMATCH);
    harness_clear(&h);
}
END_TEST

START_TEST(different_roots_are_a_mismatch)
{
    Harness h = HARNESS(ROOTED(1, "broadcast", 0), ROOTED(1, "broadcast", 1));
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MISMATCH);
    harness_clear(&h);
}
END_TEST

START_TEST(the_large_form_of_a_call_meets_the_small_one)
{
    Harness h = HARNESS(COLLECTIVE(1, "allreduce"), COLLECTIVE(1, "allreduce_c"));
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

START_TEST(a_member_that_did_not_call_is_the_reason)
{
    Harness h = HARNESS(COLLECTIVE(1, "barrier"), "");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_NO_PARTNER);
    harness_clear(&h);
}
END_TEST

START_TEST(a_member_that_was_not_traced_is_the_reason)
{
    Harness h = HARNESS(ROOTED(1, "broadcast", 0), ROOTED(1, "broadcast", 0), NULL);
    harness_expect_reason(&h, 0, 0, HIERA_REASON_NOT_TRACED);
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4");
    harness_clear(&h);
}
END_TEST

START_TEST(a_collective_of_an_unknown_communicator_is_not_matched)
{
    Harness h = HARNESS(CALL(1, "allgather", "comm=\"P5_comm\""), CALL(1, "allgather", "comm=\"P5_comm\""));
    harness_expect_reason(&h, 0, 0, HIERA_REASON_UNDECLARED);
    harness_clear(&h);
}
END_TEST

TCase *collective_reasons_tests(void)
{
    TCase *tests = tcase_create("reasons of collectives");
    tcase_add_test(tests, different_operators_are_a_mismatch);
    tcase_add_test(tests, processes_of_another_job_are_a_reason);
    tcase_add_test(tests, what_children_call_with_their_parents_has_the_reason);
    tcase_add_test(tests, collectives_that_failed_do_not_shift_the_others);
    tcase_add_test(tests, what_a_partner_only_counted_is_a_reason);
    tcase_add_test(tests, what_a_partner_counted_elsewhere_is_no_reason);
    tcase_add_test(tests, what_only_a_counted_wait_knew_is_a_reason);
    tcase_add_test(tests, different_calls_are_a_mismatch);
    tcase_add_test(tests, different_roots_are_a_mismatch);
    tcase_add_test(tests, the_large_form_of_a_call_meets_the_small_one);
    tcase_add_test(tests, a_member_that_did_not_call_is_the_reason);
    tcase_add_test(tests, a_member_that_was_not_traced_is_the_reason);
    tcase_add_test(tests, a_collective_of_an_unknown_communicator_is_not_matched);
    return tests;
}
