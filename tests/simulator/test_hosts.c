/* What ranks of a host share, worked out by hand: L = 100, o = 3 and 5, g = 7, G = 2 (play.h). */
#include "play.h"

/* Both messages want the link of the first host at 3. The first one has it until 23, the second one from 23 to 43; at
 * the other host they come at 103 and 123, and are there at 123 and 143. */
START_TEST(messages_of_a_host_follow_each_other)
{
    HieraMachine machine = play_machine(4);
    machine.n_hosts = 2;
    machine.host = (const guint32[]){0, 0, 1, 1};
    PLAY(&machine, "3 | 3 | 128 | 128", "send 2 10", "send 3 10", "recv 0", "recv 1");
    machine.links = 1;
    PLAY(&machine, "3 | 3 | 128 | 148", "send 2 10", "send 3 10", "recv 0", "recv 1");
    machine.links = 2;
    PLAY(&machine, "3 | 3 | 128 | 128", "send 2 10", "send 3 10", "recv 0", "recv 1");
    /* Within a host there is no link. */
    machine.links = 1;
    PLAY(&machine, "3 | 128 | 3 | 128", "send 1 10", "recv 0", "send 3 10", "recv 2");
}
END_TEST

/* Two hosts send to a third: both messages come there at 103; the second one waits until 123. */
START_TEST(messages_to_a_host_follow_each_other)
{
    HieraMachine machine = play_machine(3);
    PLAY(&machine, "3 | 3 | 128 133", "send 2 10", "send 2 10", "recv 0; recv 1");
    machine.links = 1;
    PLAY(&machine, "3 | 3 | 128 148", "send 2 10", "send 2 10", "recv 0; recv 1");
    PLAY(&machine, "3 | 3 | 128 148", "send 2 10", "send 2 10", "recv any; recv any");
}
END_TEST

/* The data of both could leave at 203. The first ones have left at 305, come at 303, have arrived at 405; the second
 * ones have the link until 407, come at 405, have arrived at 507. */
START_TEST(long_messages_leave_their_link)
{
    HieraMachine machine = play_machine(4);
    machine.n_hosts = 2;
    machine.host = (const guint32[]){0, 0, 1, 1};
    machine.links = 1;
    PLAY(&machine, "305 | 407 | 410 | 512", "send 2 51", "send 3 51", "recv 0", "recv 1");
}
END_TEST

START_TEST(ranks_share_cores)
{
    HieraMachine machine = play_machine(3);
    machine.n_hosts = 1;
    machine.host = (const guint32[]){0, 0, 0};
    PLAY(&machine, "30 | 30 | 30", "compute 30", "compute 30", "compute 30");
    machine.cores = 3;
    PLAY(&machine, "30 | 30 | 30", "compute 30", "compute 30", "compute 30");
    /* Two cores for three: 2 / 3 each. */
    machine.cores = 2;
    PLAY(&machine, "45 | 45 | 45", "compute 30", "compute 30", "compute 30");
    /* 1.5 ps become 2. */
    PLAY(&machine, "2 | 2 | 2", "compute 1", "compute 1", "compute 1");
    /* The first one has done its 10 at 15; then there is a core for each. */
    PLAY(&machine, "15 | 25 | 35", "compute 10", "compute 20", "compute 30");
}
END_TEST

/* One core. The second rank has done 5 of its 20 when the first one begins; both have half of it until 25, when the
 * first one has done its 10, and the second one 15. */
START_TEST(who_comes_later_takes_its_share)
{
    HieraMachine machine = play_machine(2);
    machine.n_hosts = 1;
    machine.host = (const guint32[]){0, 0};
    machine.cores = 1;
    PLAY(&machine, "5 25 | 30", "delay 5; compute 10", "compute 20");
    /* Waiting takes no core: the receiver waits until 128, computes alone. */
    PLAY(&machine, "3 13 | 128 138", "send 1 10; compute 10", "recv 0; compute 10");
    machine.rank_speed = (const gdouble[]){2, 1};
    PLAY(&machine, "10 | 15 15", "compute 10", "compute 10; compute 0");
}
END_TEST

/* A barrier of three, which the last one reaches at 30; the second one needs 5 to go on. */
START_TEST(ranks_wait_at_gates_for_each_other)
{
    HieraMachine machine = play_machine(3);
    PLAY(&machine, "10 30 | 20 35 | 30 30", "compute 10; gate 0 adds=1 needs=3",
         "compute 20; gate 0 adds=1 needs=3 after=5", "compute 30; gate 0 adds=1 needs=3");
    PLAY(&machine, "threads of a rank wait for each other, and none lets them go on", "gate 2 adds=1", "gate 2 needs=2",
         "compute 1");
    PLAY(&machine, "0 10 10 | 10 11 | 10 11", "gate 7 needs=0; compute 10; gate 7 adds=1", "gate 7 needs=1; compute 1",
         "gate 7 needs=1; compute 1");
}
END_TEST

/* Who comes first goes first through a gate that takes what was added. */
START_TEST(gates_let_one_in_after_the_other)
{
    HieraMachine machine = play_machine(3);
#define ALONE "gate 1 needs=1 takes=1; compute 10; gate 1 adds=1"
    PLAY(&machine, "0 0 10 10 | 2 20 30 30 | 1 10 20 20", "gate 1 adds=1; " ALONE, "compute 2; " ALONE,
         "compute 1; " ALONE);
#undef ALONE
    /* Who needs more than there is lets others pass, and those behind keep their places. */
    machine = play_machine(4);
    PLAY(&machine, "10 10 20 20 30 30 | 1 10 | 2 30 | 3 20",
         "delay 10; gate 1 adds=1; delay 10; gate 1 adds=1; delay 10; gate 1 adds=2", "delay 1; gate 1 needs=1 takes=1",
         "delay 2; gate 1 needs=2", "delay 3; gate 1 needs=1 takes=1");
}
END_TEST

TCase *host_tests(void)
{
    TCase *tests = tcase_create("hosts");
    tcase_add_test(tests, messages_of_a_host_follow_each_other);
    tcase_add_test(tests, messages_to_a_host_follow_each_other);
    tcase_add_test(tests, long_messages_leave_their_link);
    tcase_add_test(tests, ranks_share_cores);
    tcase_add_test(tests, who_comes_later_takes_its_share);
    tcase_add_test(tests, ranks_wait_at_gates_for_each_other);
    tcase_add_test(tests, gates_let_one_in_after_the_other);
    return tests;
}
