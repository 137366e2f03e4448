/* Non-blocking operations and what completes them, worked out by hand: L = 100, o = 3 and 5, g = 7, G = 2 (play.h). */
#include "play.h"

/* The message arrives at 103 while the receiver computes; its overhead is paid in the wait. */
START_TEST(a_receive_is_posted_for_nothing)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 | 0 50 108", "send 1 0", "recv 0 as=1; compute 50; wait 1");
    PLAY(&machine, "3 | 0 150 155", "send 1 0", "recv 0 as=1; compute 150; wait 1");
}
END_TEST

/* Both pay o when they begin; the eager one is complete then. The long one is announced at 10, behind the first one:
 * arrives at 110, is answered at 210, has left at 312, arrives at 412. Its receive is posted at 108. */
START_TEST(a_send_is_complete_when_it_has_left)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 6 6 312w102 | 108 417", "send 1 0 as=1; send 1 51 as=2; wait 1; wait 2", "recv 0; recv 0");
}
END_TEST

/* Messages arrive at 103 (from 1) and 153 (from 2); each costs 5. Those that are there cost one after the other. */
START_TEST(a_wait_for_all_takes_them_as_they_come)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine, "0 0 158w50 | 3 | 50 53", "recv 1 as=1; recv 2 as=2; wait 1 2", "send 0 0", "compute 50; send 0 0");
    PLAY(&machine, "0 0 200 210 | 3 | 50 53", "recv 1 as=1; recv 2 as=2; compute 200; wait 1 2", "send 0 0",
         "compute 50; send 0 0");
    /* At 103 and 104: the second one waits for the processor. */
    PLAY(&machine, "0 0 113w1 | 3 | 1 4", "recv 1 as=1; recv 2 as=2; wait 2 1", "send 0 0", "compute 1; send 0 0");
}
END_TEST

/* The first that is complete ends the wait, wherever it is in the list; the other one stays open. */
START_TEST(a_wait_for_one_takes_the_first)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine, "0 0 108(1) 158 | 3 | 50 53", "recv 1 as=1; recv 2 as=2; waitany 2 1; wait 2", "send 0 0",
         "compute 50; send 0 0");
    PLAY(&machine, "0 0 200 205(1) 210(2) | 3 | 50 53", "recv 1 as=1; recv 2 as=2; compute 200; waitany 2 1; waitany 2",
         "send 0 0", "compute 50; send 0 0");
}
END_TEST

/* At 300 two of three are complete. */
START_TEST(a_wait_for_some_takes_all_that_are_complete)
{
    const HieraMachine machine = play_machine(4);
    PLAY(&machine, "0 0 0 300 310(3 1) 608w190(2) | 3 | 500 503 | 50 53",
         "recv 1 as=1; recv 2 as=2; recv 3 as=3; compute 300; waitsome 3 2 1; waitsome 2", "send 0 0",
         "compute 500; send 0 0", "compute 50; send 0 0");
}
END_TEST

START_TEST(a_wait_for_nothing_takes_no_time)
{
    const HieraMachine machine = play_machine(1);
    PLAY(&machine, "0 0", "wait; waitany");
}
END_TEST

START_TEST(requests_are_named_once)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "operation 1 (wait) of rank 0: its request 4 is not open", "wait 4", "compute 1");
    PLAY(&machine, "operation 2 (wait) of rank 0: its request 4 is named twice", "send 1 0 as=4; wait 4 4", "recv 0");
    PLAY(&machine, "operation 2 (send) of rank 0: its request 4 is open already", "send 1 0 as=4; send 1 0 as=4",
         "recv 0");
    PLAY(&machine, "3 3 6 6 | 108 115", "send 1 0 as=4; wait 4; send 1 0 as=4; wait 4", "recv 0; recv 0");
}
END_TEST

TCase *request_tests(void)
{
    TCase *tests = tcase_create("requests");
    tcase_add_test(tests, a_receive_is_posted_for_nothing);
    tcase_add_test(tests, a_send_is_complete_when_it_has_left);
    tcase_add_test(tests, a_wait_for_all_takes_them_as_they_come);
    tcase_add_test(tests, a_wait_for_one_takes_the_first);
    tcase_add_test(tests, a_wait_for_some_takes_all_that_are_complete);
    tcase_add_test(tests, a_wait_for_nothing_takes_no_time);
    tcase_add_test(tests, requests_are_named_once);
    return tests;
}
