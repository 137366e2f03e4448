/* Ranks that wait for each other. */
#include "play.h"

START_TEST(a_circle_is_told)
{
    const HieraMachine machine = play_machine(4);
    PLAY(&machine,
         "deadlock: 3 ranks wait for each other in a circle, among them rank 1 in operation 2 (receive): 1.2 -> 2, 2.1 "
         "-> 3, 3.1 -> 1",
         "recv 1", "compute 5; recv 2", "recv 3", "recv 1");
}
END_TEST

/* Long sends to each other; the message of the third rank is received. */
START_TEST(long_sends_to_each_other_deadlock)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine,
         "deadlock: 2 ranks wait for each other in a circle, among them rank 0 in operation 1 (send): 0.1 -> 1, 1.1 -> "
         "0",
         "send 1 51; recv 1", "send 0 51; recv 0");
    PLAY(&machine, "3 208 | 3 208", "send 1 50; recv 1", "send 0 50; recv 0");
}
END_TEST

START_TEST(a_rank_that_waits_for_itself)
{
    const HieraMachine machine = play_machine(1);
    PLAY(&machine, "deadlock: rank 0 waits for itself in operation 1 (receive): 0.1 -> 0", "recv 0");
}
END_TEST

START_TEST(a_rank_that_has_ended_answers_nobody)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine, "rank 1 waits in operation 1 (receive) for a rank that has ended: 0.1 -> 1, 1.1 -> 2", "recv 1",
         "recv 2", "compute 1");
}
END_TEST

/* Of a wait for all, the one that is missing counts; who takes messages of any rank waits for all. */
START_TEST(what_is_missing_makes_the_circle)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine,
         "deadlock: 2 ranks wait for each other in a circle, among them rank 0 in operation 3 (wait): 0.3 -> 2, 2.1 -> "
         "0",
         "recv 1 as=1; recv 2 as=2; wait 1 2", "send 0 0", "recv 0");
    PLAY(&machine,
         "deadlock: 2 ranks wait for each other in a circle, among them rank 0 in operation 1 (receive): 0.1 -> 2, 2.1 "
         "-> 0",
         "recv any", "compute 1", "recv 0");
}
END_TEST

TCase *deadlock_tests(void)
{
    TCase *tests = tcase_create("deadlocks");
    tcase_add_test(tests, a_circle_is_told);
    tcase_add_test(tests, long_sends_to_each_other_deadlock);
    tcase_add_test(tests, a_rank_that_waits_for_itself);
    tcase_add_test(tests, a_rank_that_has_ended_answers_nobody);
    tcase_add_test(tests, what_is_missing_makes_the_circle);
    return tests;
}
