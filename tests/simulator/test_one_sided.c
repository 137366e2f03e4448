/* One-sided operations, worked out by hand: L = 100, o = 3 and 5, g = 7, G = 2 (play.h). */
#include "play.h"

/* 10 bytes leave from 3 to 23, arrive at 123; the origin knows that at 223. */
START_TEST(a_put_is_complete_when_it_is_acknowledged)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 223 | 0", "put 1 10; flush 1", "delay 0");
    PLAY(&machine, "3 23 223 | 0", "put 1 10 as=1; wait 1; flush any", "delay 0");
    /* Those to other ranks, and of other windows, are not waited for. The second one leaves at 30. */
    PLAY(&machine, "3 6 223 230 | 0", "put 1 10; put 1 0 comm=1; flush 1; flush 1 comm=1", "delay 0");
    PLAY(&machine, "3 3 223 | 0", "put 1 10; flush 0; flush 1", "delay 0");
}
END_TEST

/* The question is there at 103; the data leave until 123, arrive at 223. The adapter of the target may be busy: its own
 * message leaves from 103 to 203, and is received once the data are there. */
START_TEST(a_get_is_complete_when_the_data_are_there)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 223 | 0", "get 1 10; flush 1", "delay 0");
    PLAY(&machine, "3 223 | 0", "get 1 10 as=1; wait 1", "delay 0");
    PLAY(&machine, "3 330 335 | 100 103", "get 1 10; flush 1; recv 1", "compute 100; send 0 50");
}
END_TEST

/* The first rank flushes until 223, then both meet: its message leaves at 226, arrives at 326. The other one waits for
 * it from 3 to 223. That of the other one is there long before. */
START_TEST(a_fence_waits_for_all_accesses)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 231 | 331w220", "put 1 10; fence", "fence");
}
END_TEST

/* The first rank has the lock at 203, gives it back from 253: word of that arrives at 356, and the second one has it at
 * 456. It waited from 4 until the first one began to give it back. Shared locks do not wait for each other. */
START_TEST(locks_are_granted_in_order)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine, "203 253 256 | 1 456w249 459 | 0", "lock 2; compute 50; unlock 2", "compute 1; lock 2; unlock 2",
         "delay 0");
    PLAY(&machine, "203 253 256 | 1 204 207 | 0", "lock 2 shared; compute 50; unlock 2",
         "compute 1; lock 2 shared; unlock 2", "delay 0");
    PLAY(&machine, "203 253 256 | 1 456w249 459 | 0", "lock 2 shared; compute 50; unlock 2",
         "compute 1; lock 2; unlock 2", "delay 0");
    /* An unlock waits for the accesses: acknowledged at 426, given back at 429. */
    PLAY(&machine, "203 206 429 | 0 | 0", "lock 2; put 2 10; unlock 2", "delay 0", "delay 0");
    PLAY(&machine, "0 3 223 | 0 | 0", "lock any; put 2 10; unlock any", "delay 0", "delay 0");
}
END_TEST

/* Word that the window is open leaves at 3, is heard at 108. The put is acknowledged at 331; word of that leaves at
 * 334, is heard at 439. The target waits from 3 until its origin begins to end, at 331. */
START_TEST(epochs_wait_for_each_other)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "108 111 334 | 3 439w328", "start 1; put 1 10; complete 1", "post 0; exposed 0");
    PLAY(&machine, "1108w1000 1111 | 1000 1003 1216w105", "start 1; complete 1", "compute 1000; post 0; exposed 0");
}
END_TEST

START_TEST(locks_can_deadlock)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine,
         "deadlock: 2 ranks wait for each other in a circle, among them rank 0 in operation 2 (lock): 0.2 -> 1, 1.2 -> "
         "0",
         "lock 0; lock 1", "lock 1; lock 0");
    PLAY(&machine, "operation 1 (put) of rank 0: its peer is 7", "put 7 1", "delay 0");
}
END_TEST

TCase *one_sided_tests(void)
{
    TCase *tests = tcase_create("one-sided");
    tcase_add_test(tests, a_put_is_complete_when_it_is_acknowledged);
    tcase_add_test(tests, a_get_is_complete_when_the_data_are_there);
    tcase_add_test(tests, a_fence_waits_for_all_accesses);
    tcase_add_test(tests, locks_are_granted_in_order);
    tcase_add_test(tests, epochs_wait_for_each_other);
    tcase_add_test(tests, locks_can_deadlock);
    return tests;
}
