/* Point-to-point messages, worked out by hand: L = 100, o = 3 and 5, g = 7, G = 2, eager up to 50 bytes (play.h). */
#include "play.h"

/* o = 3 of the sender; the last of 10 bytes leaves at 3 + 20, arrives at 123; o = 5 of the receiver. The receiver waits
 * only until the send begins, at 0; then the message is on its way. */
START_TEST(an_eager_message_takes_log_gp)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 | 128", "send 1 10", "recv 0");
    PLAY(&machine, "3 | 108", "send 1 0", "recv 0");
    PLAY(&machine, "40 43 | 168w40", "compute 40; send 1 10", "recv 0");
}
END_TEST

/* A receive that comes after the message pays only for its overhead. */
START_TEST(an_eager_message_is_kept_for_its_receive)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 | 500 505", "send 1 50", "compute 500; recv 0");
}
END_TEST

/* The adapter is busy with the first message from 3 to 23 and, for g, until 30. The second one could leave at 6, leaves
 * from 30 to 50, arrives at 150. The third one leaves at 57, without bytes, arrives at 157. The receiver takes them at
 * 128, 155, and 162, since its processor is never busy when one arrives. */
START_TEST(messages_of_a_rank_follow_each_other)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 6 9 | 128 155 162", "send 1 10; send 1 10; send 1 0", "recv 0; recv 0; recv 0");
}
END_TEST

/* 51 bytes. The announcement leaves at 3, arrives at 103; the receive is posted at 0. The answer is there at 203; the
 * data leave until 305, arrive at 405, are received at 410. The sender did not wait: the receive was there. */
START_TEST(a_long_message_waits_for_its_receive)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "305 | 410", "send 1 51", "recv 0");
    /* Posted at 1000: answer at 1100, left at 1202, arrived at 1302. The sender waits from 3 to 1000. */
    PLAY(&machine, "1202w997 | 1000 1307", "send 1 51", "compute 1000; recv 0");
}
END_TEST

/* As above: the data have left at 305, and the sender is told 40 later. That does not concern the receiver, nor an
 * eager send. */
START_TEST(a_long_message_is_acknowledged)
{
    HieraMachine machine = play_machine(2);
    machine.between.acknowledgement_ps = 40;
    PLAY(&machine, "345 | 410", "send 1 51", "recv 0");
    PLAY(&machine, "3 345 | 0 410", "send 1 51 as=1; wait 1", "recv 0 as=1; wait 1");
    PLAY(&machine, "3 | 128", "send 1 10", "recv 0");
    machine.links = 1;
    PLAY(&machine, "345 | 410", "send 1 51", "recv 0");
}
END_TEST

/* Each request takes 4: the receive is posted at 4, the message leaves at 4 + 3. A blocking call makes none. */
START_TEST(requests_take_time)
{
    HieraMachine machine = play_machine(2);
    machine.between.request_overhead_ps = 4;
    PLAY(&machine, "7 7 | 4 112", "send 1 0 as=1; wait 1", "recv 0 as=1; wait 1");
    PLAY(&machine, "3 | 108", "send 1 0", "recv 0");
    PLAY(&machine, "3 | 4 108", "send 1 0", "recv any as=1; wait 1");
}
END_TEST

/* A synchronous send of no bytes is a rendezvous: 3 + 100, + 100 for the answer. A ready send is eager whatever its
 * size: 60 bytes leave until 123. A buffered one is done at once, and its message still waits for the receive: posted
 * at 1000, answered at 1100, left at 1220, arrived at 1320. */
START_TEST(modes_of_sends)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "203 | 308", "send 1 0 sync", "recv 0");
    PLAY(&machine, "3 | 228", "send 1 60 ready", "recv 0");
    PLAY(&machine, "3 | 1000 1325", "send 1 60 buffered", "compute 1000; recv 0");
}
END_TEST

/* Copying takes 1 ps a byte of the sender and 3 of the receiver, of eager messages only. 10 bytes leave at 3 + 10, the
 * last one at 33, arrive at 133, are received at 133 + 5 + 30. */
START_TEST(eager_messages_are_copied)
{
    HieraMachine machine = play_machine(2);
    machine.between.send_copy_ps_per_byte = 1;
    machine.between.receive_copy_ps_per_byte = 3;
    PLAY(&machine, "13 | 168", "send 1 10", "recv 0");
    PLAY(&machine, "305 | 410", "send 1 51", "recv 0");
    PLAY(&machine, "13 | 500 535", "send 1 10", "compute 500; recv 0");
}
END_TEST

/* The announcement arrives at 103, while the receiver computes. In the background the data leave from 203 to 305,
 * arrive at 405; in calls the answer leaves when it waits, at 500, and the data from 600 to 702. A receiver that waits,
 * or has ended its program, answers at once. A call that does not wait, at 200, does not help. */
START_TEST(long_messages_go_on_in_calls)
{
    HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 305 | 0 500 505", "send 1 51 as=1; wait 1", "recv 0 as=1; compute 500; wait 1");
    machine.between.progress_in_calls = TRUE;
    PLAY(&machine, "3 702w497 | 0 500 807", "send 1 51 as=1; wait 1", "recv 0 as=1; compute 500; wait 1");
    PLAY(&machine, "3 305 | 0 50 410", "send 1 51 as=1; wait 1", "recv 0 as=1; compute 50; wait 1");
    PLAY(&machine, "305 | 410", "send 1 51", "recv 0");
    PLAY(&machine, "305 | 0 50 600", "send 1 51", "recv 0 as=1; compute 50; delay 550");
    PLAY(&machine, "3 702w497 707 | 0 300 303 500 807", "send 1 51 as=1; wait 1; recv 1",
         "recv 0 as=1; compute 300; send 0 0 as=2; compute 197; wait 1");
}
END_TEST

/* More than 10 bytes leave 40 later, at G = 2; more than 50 (rendezvous, answered at 203) 60 later, at G = 1. */
START_TEST(sizes_go_in_steps)
{
    HieraMachine machine = play_machine(2);
    machine.between.n_steps = 2;
    machine.between.steps[0] = (HieraNetworkStep){10, 40, 2, 0};
    machine.between.steps[1] = (HieraNetworkStep){50, 60, 1, 0};
    PLAY(&machine, "3 | 128", "send 1 10", "recv 0");
    PLAY(&machine, "3 | 170", "send 1 11", "recv 0");
    PLAY(&machine, "314 | 419", "send 1 51", "recv 0");
    machine.between.steps[1].above_bytes = 10;
    PLAY(&machine, "a parameter of the network is negative, no number, or absurd", "send 1 10", "recv 0");
}
END_TEST

/* 51 bytes in both directions, answered at 203, need 102 each. With 2 each has its own; with 1 both share, and the
 * second one has left at 203 + 204; with 1.6 at 203 + 204 / 1.6 = 330.5. One direction alone is as without it. */
START_TEST(both_directions_share_a_rank)
{
    HieraMachine machine = play_machine(2);
    const char *both = "recv %d as=1; send %d 51 as=2; wait 1 2";
    g_autofree char *first = g_strdup_printf(both, 1, 1), *second = g_strdup_printf(both, 0, 0);
    PLAY_ENDS(&machine, "0 3 410 | 0 3 410", first, second);
    machine.between.duplex = 2;
    PLAY_ENDS(&machine, "0 3 410 | 0 3 410", first, second);
    machine.between.duplex = 1;
    PLAY_ENDS(&machine, "0 3 512 | 0 3 410", first, second);
    PLAY(&machine, "305 | 410", "send 1 51", "recv 0");
    PLAY(&machine, "3 6 9 | 128 155 162", "send 1 10; send 1 10; send 1 0", "recv 0; recv 0; recv 0");
    machine.between.duplex = 1.6;
    PLAY_ENDS(&machine, "0 3 436 | 0 3 410", first, second);
    machine.between.duplex = 0.5;
    PLAY(&machine, "a parameter of the network is negative, no number, or absurd", "compute 1", "compute 1");
}
END_TEST

/* Two messages of 10 bytes each way, at 3 and 6, are four times 20 at each rank, without holes: they have left at 23
 * (of the first rank), 43 and 70 (of the second one, with g between), and 83 (of the first one). */
START_TEST(a_rank_that_is_shared_is_never_idle)
{
    HieraMachine machine = play_machine(2);
    machine.between.duplex = 1;
    PLAY_ENDS(&machine, "3 6 148 175 | 3 6 128 188", "send 1 10; send 1 10; recv 1; recv 1",
              "send 0 10; send 0 10; recv 0; recv 0");
}
END_TEST

/* Three ranks in a ring, answered at 203: each sends and receives 51 bytes, so the last ones have left at 203 + 204. */
START_TEST(a_ring_shares_each_rank)
{
    HieraMachine machine = play_machine(3);
    machine.between.duplex = 1;
    PLAY_ENDS(&machine, "0 305 512 | 0 407 412 | 0 407 512", "recv 2 as=1; send 1 51; wait 1",
              "recv 0 as=1; send 2 51; wait 1", "recv 1 as=1; send 0 51; wait 1");
}
END_TEST

/* More than 10 bytes share, up to there they do not. */
START_TEST(sharing_goes_in_steps)
{
    HieraMachine machine = play_machine(2);
    machine.between.n_steps = 1;
    machine.between.steps[0] = (HieraNetworkStep){10, 0, 2, 1};
    PLAY_ENDS(&machine, "3 128 | 3 128", "send 1 10; recv 1", "send 0 10; recv 0");
    PLAY_ENDS(&machine, "3 188 | 3 148", "send 1 20; recv 1", "send 0 20; recv 0");
}
END_TEST

/* Messages of a channel are received in the order in which they were sent, those of another tag or communicator not.
 * They leave at 3, 10 (until 30, free at 37), 37: arrive at 103, 130, 137. The first receive waits until the third send
 * begins, at 6. */
START_TEST(channels_keep_their_order)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 6 9 | 142w6 147 152", "send 1 0; send 1 10; send 1 0 tag=1", "recv 0 tag=1; recv 0; recv 0");
    PLAY(&machine, "3 6 9 | 142w6 147 152", "send 1 0; send 1 10; send 1 0 comm=1", "recv 0 comm=1; recv 0; recv 0");
    /* With keys, the second message is received first. */
    PLAY(&machine, "3 6 | 135w3 140", "send 1 0 key=7; send 1 10 key=8", "recv 0 key=8; recv 0 key=7");
}
END_TEST

/* Rank 2 sends at 20, arrives at 123; rank 1 sends at 10 a long one: arrives at 10 + 3 + 80 + 100. */
START_TEST(wildcards_take_what_arrives_first)
{
    const HieraMachine machine = play_machine(3);
    PLAY(&machine, "128w20 198 | 10 13 | 20 23", "recv any tag=any; recv any", "compute 10; send 0 40",
         "compute 20; send 0 0");
    /* The first receive takes the message that both could take: of rank 1, which arrives at 113; the second one, of
     * rank 1 alone, takes its second message, which leaves at 20, arrives at 120. */
    PLAY(&machine, "0 0 118w10 125 | 10 13 16 | 0", "recv any as=1; recv 1 as=2; wait 1; wait 2",
         "compute 10; send 0 0; send 0 0", "delay 0");
    /* Messages that arrived before the receive is posted are taken in the order of their arrival. */
    PLAY(&machine, "500 505 510 | 10 13 | 20 23", "compute 500; recv any; recv any", "compute 10; send 0 40",
         "compute 20; send 0 0");
}
END_TEST

/* With wildcards somewhere, a long message still keeps its order: its announcement leaves after the first message, at
 * 110. It arrives at 210, and its receive is posted at 208; the answer is there at 310, the data have left at 412. */
START_TEST(long_messages_are_matched_in_order)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "3 412w202 | 208 517", "send 1 50; send 1 51", "recv any; recv 0");
}
END_TEST

/* The second message leaves behind the first one, from 11 to 31, arrives at 131. */
START_TEST(ranks_of_a_host_have_another_network)
{
    HieraMachine machine = play_machine(3);
    machine.inside = (HieraNetwork){
        .latency_ps = 10, .send_overhead_ps = 1, .receive_overhead_ps = 1, .ps_per_byte = 1, .eager_bytes = 50};
    machine.n_hosts = 2;
    machine.host = (const guint32[]){0, 0, 1};
    PLAY(&machine, "1 4 | 22 | 136w1", "send 1 10; send 2 10", "recv 0", "recv 0");
}
END_TEST

/* What a rank sends to itself leaves at 3, until 23, and is there. A long message is answered at once: from 3 to 105.
 */
START_TEST(messages_to_oneself_have_no_latency)
{
    const HieraMachine machine = play_machine(2);
    PLAY(&machine, "0 3 28 | 1", "recv 0 as=1; send 0 10; wait 1", "compute 1");
    PLAY(&machine, "0 112 117 | 1", "recv 0 as=1; send 0 51; wait 1", "compute 1");
}
END_TEST

START_TEST(speeds_divide_computing)
{
    HieraMachine machine = play_machine(2);
    machine.n_hosts = 2;
    machine.host = (const guint32[]){0, 1};
    machine.rank_speed = (const gdouble[]){1, 2};
    machine.host_speed = (const gdouble[]){1, 5};
    machine.class_speed = (const gdouble[]){1, 0.5};
    machine.n_classes = 2;
    PLAY(&machine, "100 300 310 410 | 10 30 40 50", "compute 100; compute 100 class=1; delay 10; compute 100 class=2",
         "compute 100; compute 100 class=1; delay 10; compute 100 class=2");
}
END_TEST

START_TEST(sums_tell_where_the_time_went)
{
    const HieraMachine machine = play_machine(2);
    play_expect_sums(&machine, (const char *const[]){"compute 40; delay 2; send 1 10", "recv 0; compute 7"},
                     "40 2 3 0 | 7 0 170 42");
}
END_TEST

/* Sums of times that do not fit are no times in the past. */
START_TEST(a_run_has_a_longest_time)
{
    HieraMachine machine = play_machine(2);
    machine.between.ps_per_byte = 1e300;
    PLAY(&machine, "operation 1 (receive) of rank 1: the run takes longer than 26 days",
         "send 1 2; send 1 2; send 1 2; send 1 2", "recv 0");
    machine.between.ps_per_byte = 1;
    machine.rank_speed = (const gdouble[]){1e-300, 1};
    PLAY(&machine, "operation 2 (compute) of rank 0: the run takes longer than 26 days", "compute 1; compute 1",
         "compute 1");
}
END_TEST

START_TEST(nonsense_is_an_error)
{
    HieraMachine machine = play_machine(2);
    PLAY(&machine, "operation 1 (send) of rank 0: its peer is 2", "send 2 0", "compute 1");
    PLAY(&machine, "operation 2 (send) of rank 0: it has -1 bytes", "compute 1; send 1 -1", "compute 1");
    PLAY(&machine, "operation 1 (compute) of rank 1: it takes -1 ps", "compute 1", "compute -1");
    machine.between.latency_ps = -1;
    PLAY(&machine, "a parameter of the network is negative, no number, or absurd", "compute 1", "compute 1");
}
END_TEST

TCase *message_tests(void)
{
    TCase *tests = tcase_create("messages");
    tcase_add_test(tests, an_eager_message_takes_log_gp);
    tcase_add_test(tests, an_eager_message_is_kept_for_its_receive);
    tcase_add_test(tests, messages_of_a_rank_follow_each_other);
    tcase_add_test(tests, a_long_message_waits_for_its_receive);
    tcase_add_test(tests, a_long_message_is_acknowledged);
    tcase_add_test(tests, requests_take_time);
    tcase_add_test(tests, modes_of_sends);
    tcase_add_test(tests, eager_messages_are_copied);
    tcase_add_test(tests, sizes_go_in_steps);
    tcase_add_test(tests, long_messages_go_on_in_calls);
    tcase_add_test(tests, both_directions_share_a_rank);
    tcase_add_test(tests, a_rank_that_is_shared_is_never_idle);
    tcase_add_test(tests, a_ring_shares_each_rank);
    tcase_add_test(tests, sharing_goes_in_steps);
    tcase_add_test(tests, channels_keep_their_order);
    tcase_add_test(tests, wildcards_take_what_arrives_first);
    tcase_add_test(tests, long_messages_are_matched_in_order);
    tcase_add_test(tests, ranks_of_a_host_have_another_network);
    tcase_add_test(tests, messages_to_oneself_have_no_latency);
    tcase_add_test(tests, speeds_divide_computing);
    tcase_add_test(tests, sums_tell_where_the_time_went);
    tcase_add_test(tests, a_run_has_a_longest_time);
    tcase_add_test(tests, nonsense_is_an_error);
    return tests;
}
