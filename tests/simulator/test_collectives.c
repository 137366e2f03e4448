/* Collective operations, worked out by hand on a simple network: L = 100, o = 1 on both sides, g = 0, G = 1. A message
 * of k bytes takes 102 + k from its send to the end of its receive, if both ranks are free. So a round in which
 * everybody sends and receives k bytes takes 102 + k. */
#include "play.h"

static HieraMachine simple(guint32 n_ranks, HieraSimAlgorithm algorithm)
{
    const HieraNetwork network = {
        .latency_ps = 100, .send_overhead_ps = 1, .receive_overhead_ps = 1, .ps_per_byte = 1, .eager_bytes = 1000};
    HieraMachine machine = {.n_ranks = n_ranks, .between = network, .inside = network};
    for (guint i = 0; i < HIERA_SIM_N_COLLECTIVES; i++)
        machine.algorithm[i] = algorithm;
    return machine;
}

/* All ranks call the same at 0: check when they leave. */
static void expect(HieraSimAlgorithm algorithm, guint32 n, const char *program, const char *expected)
{
    const HieraMachine machine = simple(n, algorithm);
    const char *programs[9];
    for (guint32 i = 0; i < n; i++)
        programs[i] = program;
    play_expect_ends(&machine, programs, expected);
}

/* All leave at the same time. */
static void expect_all(HieraSimAlgorithm algorithm, guint32 n, const char *program, const char *time)
{
    g_autoptr(GString) expected = g_string_new(time);
    for (guint32 i = 1; i < n; i++)
        g_string_append_printf(expected, " | %s", time);
    expect(algorithm, n, program, expected->str);
}

/* Two members exchange 10 bytes and combine them: 112 + 10 * 3. With three, P0 hands its vector to P1 first, which has
 * combined it at 142 and exchanges with P2, whose vector is there: at 143 + 1 + 30 it sends the result to P0, which
 * only receives it, 111 later. P2 has that of P1 at 143 + 111 + 30. A ring combines in its first half alone: parts of 5
 * bytes, 107 + 15, then 107. A broadcast combines nothing. */
START_TEST(reductions_compute)
{
    HieraMachine machine = simple(2, HIERA_SIM_RECURSIVE_DOUBLING);
    machine.between.reduce_ps_per_byte = 3;
    PLAY_ENDS(&machine, "142 | 142", "coll allreduce 10", "coll allreduce 10");
    PLAY_ENDS(&machine, "1 | 142", "coll reduce 10 root=1", "coll reduce 10 root=1");
    PLAY_ENDS(&machine, "1 | 112", "coll broadcast 10", "coll broadcast 10");
    machine.algorithm[HIERA_SIM_ALLREDUCE] = HIERA_SIM_RING;
    PLAY_ENDS(&machine, "229 | 229", "coll allreduce 10", "coll allreduce 10");
    machine = simple(3, HIERA_SIM_RECURSIVE_DOUBLING);
    machine.between.reduce_ps_per_byte = 3;
    PLAY_ENDS(&machine, "286 | 175 | 284", "coll allreduce 10", "coll allreduce 10", "coll allreduce 10");
}
END_TEST

/* Copying 10 bytes takes 30 of who keeps a part of its own; then a round takes 112, and a send 1. The root of a gather
 * has copied its part before the other one is there. */
START_TEST(own_parts_are_copied)
{
    HieraMachine machine = simple(2, HIERA_SIM_AUTOMATIC);
    machine.inside.own_copy_ps_per_byte = 3;
    PLAY_ENDS(&machine, "142 | 142", "coll allgather 10", "coll allgather 10");
    PLAY_ENDS(&machine, "142 | 142", "coll alltoall 10", "coll alltoall 10");
    PLAY_ENDS(&machine, "142 | 31", "coll scatter 10 root=1", "coll scatter 10 root=1");
    PLAY_ENDS(&machine, "112 | 1", "coll gather 10 root=0", "coll gather 10 root=0");
    PLAY_ENDS(&machine, "112 | 112", "coll allreduce 10", "coll allreduce 10");
    machine = simple(1, HIERA_SIM_AUTOMATIC);
    machine.inside.own_copy_ps_per_byte = 3;
    PLAY_ENDS(&machine, "30", "coll alltoall 10");
}
END_TEST

/* 5 more for each step of each member: a round in which all exchange takes 107. A broadcast to 3 members: the root
 * sends at 5 and at 11, arrives at 6 + 10 + 100 and 22 + 100; the others have begun their step long before. */
START_TEST(steps_take_the_processor)
{
    HieraMachine machine = simple(4, HIERA_SIM_DISSEMINATION);
    machine.between.step_overhead_ps = 5;
    PLAY_ENDS(&machine, "214 | 214 | 214 | 214", "coll barrier 0", "coll barrier 0", "coll barrier 0",
              "coll barrier 0");
    machine = simple(3, HIERA_SIM_BINOMIAL);
    machine.between.step_overhead_ps = 5;
    PLAY_ENDS(&machine, "12 | 127 | 117", "coll broadcast 10", "coll broadcast 10", "coll broadcast 10");
}
END_TEST

/* ceil(log2 n) rounds of 102. */
START_TEST(dissemination)
{
    expect_all(HIERA_SIM_DISSEMINATION, 1, "coll barrier 0", "0");
    expect_all(HIERA_SIM_DISSEMINATION, 2, "coll barrier 0", "102");
    expect_all(HIERA_SIM_DISSEMINATION, 3, "coll barrier 0", "204");
    expect_all(HIERA_SIM_DISSEMINATION, 4, "coll barrier 0", "204");
    expect_all(HIERA_SIM_DISSEMINATION, 5, "coll barrier 0", "306");
    expect_all(HIERA_SIM_DISSEMINATION, 8, "coll barrier 0", "306");
}
END_TEST

/* The root's messages leave behind each other: 1 to 11, 11 to 21, 21 to 31. The first one is received at 112, by the
 * root of the largest subtree, the second one at 122, the third one at 132; each of these sends on 1 after that. */
START_TEST(binomial_broadcast)
{
    expect(HIERA_SIM_BINOMIAL, 2, "coll broadcast 10", "1 | 112");
    expect(HIERA_SIM_BINOMIAL, 3, "coll broadcast 10", "2 | 122 | 112");
    /* 2 sends from 113 to 123; 3 receives at 224. */
    expect(HIERA_SIM_BINOMIAL, 4, "coll broadcast 10", "2 | 122 | 113 | 224");
    /* To 4, 2 and 1; 2 to 3 from 123 to 133. */
    expect(HIERA_SIM_BINOMIAL, 5, "coll broadcast 10", "3 | 132 | 123 | 234 | 112");
    /* 4 to 6 and 5, from 113 and 123; 6 to 7 from 225. */
    expect(HIERA_SIM_BINOMIAL, 8, "coll broadcast 10", "3 | 132 | 123 | 234 | 114 | 234 | 225 | 336");
    expect(HIERA_SIM_BINOMIAL, 3, "coll broadcast 10 root=1", "112 | 2 | 122");
}
END_TEST

/* As a broadcast, but the message to a subtree has 10 bytes for each of its members. */
START_TEST(binomial_scatter)
{
    expect(HIERA_SIM_BINOMIAL, 2, "coll scatter 10", "1 | 112");
    expect(HIERA_SIM_BINOMIAL, 3, "coll scatter 10", "2 | 122 | 112");
    /* 20 bytes to 2, from 1 to 21, at 122; 10 to 1, until 31, at 132; 2 to 3 from 123. */
    expect(HIERA_SIM_BINOMIAL, 4, "coll scatter 10", "2 | 132 | 123 | 234");
    /* 10 to 4, until 11; 20 to 2, until 31, at 132; 10 to 1, until 41, at 142; 2 to 3 from 133. */
    expect(HIERA_SIM_BINOMIAL, 5, "coll scatter 10", "3 | 142 | 133 | 244 | 112");
    /* 40 to 4, until 41, at 142; 20 to 2, until 61, at 162; 10 to 1, until 71, at 172. 4: 20 to 6 from 143 until 163,
     * at 264, and 10 to 5 until 173, at 274. 2 to 3 from 163, at 274. 6 to 7 from 265, at 376. */
    expect(HIERA_SIM_BINOMIAL, 8, "coll scatter 10", "3 | 172 | 163 | 274 | 144 | 274 | 265 | 376");
}
END_TEST

/* Leaves send at once; who receives from a subtree sends 1 after it has that, which is 112 later. */
START_TEST(binomial_reduce)
{
    expect(HIERA_SIM_BINOMIAL, 2, "coll reduce 10", "112 | 1");
    /* Both messages arrive at 111; their receives take 1 each. */
    expect(HIERA_SIM_BINOMIAL, 3, "coll reduce 10", "113 | 1 | 1");
    expect(HIERA_SIM_BINOMIAL, 4, "coll reduce 10", "224 | 1 | 113 | 1");
    /* That of 4 is there long before. */
    expect(HIERA_SIM_BINOMIAL, 5, "coll reduce 10", "225 | 1 | 113 | 1 | 1");
    expect(HIERA_SIM_BINOMIAL, 8, "coll reduce 10", "336 | 1 | 113 | 1 | 225 | 1 | 113 | 1");
    expect(HIERA_SIM_BINOMIAL, 2, "coll reduce 10 root=1", "1 | 112");
}
END_TEST

/* As a reduce, but with 10 bytes for each member of a subtree: 2 sends 20, 4 sends 40. */
START_TEST(binomial_gather)
{
    expect(HIERA_SIM_BINOMIAL, 3, "coll gather 10", "113 | 1 | 1");
    expect(HIERA_SIM_BINOMIAL, 4, "coll gather 10", "234 | 1 | 113 | 1");
    expect(HIERA_SIM_BINOMIAL, 5, "coll gather 10", "235 | 1 | 113 | 1 | 1");
    /* 6 sends 20 from 113, 4 has them at 234, sends 40 from 235 to 275. */
    expect(HIERA_SIM_BINOMIAL, 8, "coll gather 10", "376 | 1 | 113 | 1 | 235 | 1 | 113 | 1");
}
END_TEST

/* 2 parts of 10. The root sends one from 1 to 11, and, as its part of the ring, its own from 11 to 21; 1 has them at
 * 112 and, since its send keeps it until 113, at 122. What 1 sends from 113 on has the root at 224. */
START_TEST(broadcast_of_parts)
{
    expect(HIERA_SIM_SCATTER_ALLGATHER, 2, "coll broadcast 20", "224 | 122");
    /* Scatter: 2 has its part at 112, 1 at 122. Ring, first step: 0 sends from 21, 1 from 123, 2 from 113; they have
     * the parts of their left neighbours at 224, 132, 234. Second step: they send from 225, 133, 235, and have them at
     * 346, 336, 244. */
    expect(HIERA_SIM_SCATTER_ALLGATHER, 3, "coll broadcast 30", "346 | 336 | 244");
}
END_TEST

START_TEST(recursive_doubling_of_vectors)
{
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 2, "coll allreduce 10", "112");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 4, "coll allreduce 10", "224");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 8, "coll allreduce 10", "336");
    /* 0 hands over to 1, which has it at 112, and sends from 113; 2 has that at 224. The message of 2 is there: 1 goes
     * on at 114, and sends the result from 123 on, behind its first message, to 133; 0 has it at 234. */
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 3, "coll allreduce 10", "234 | 115 | 224");
    /* 1 is the first of four. Round 1 with 2: it goes on at 114, 2 at 224; 3 and 4 exchange until 112. Round 2: 1 sends
     * to 3 from 123 on (its adapter was busy), 3 has it at 234; 3 sent from 113, 1 has it at 224. 2 sends to 4 from
     * 225, which has it at 336; that of 4 is there: 2 goes on at 226. 1 sends the result from 225; 0 has it at 336. */
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 5, "coll allreduce 10", "336 | 225 | 226 | 234 | 336");
}
END_TEST

/* Rounds with the members 1, 2, 4 behind. A member without one before it pays 1 for a send. */
START_TEST(recursive_doubling_of_prefixes)
{
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 2, "coll scan 10", "1 | 112");
    /* 0 sends to 1 until 11, to 2 until 21: 2 has it at 122. */
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 3, "coll scan 10", "2 | 112 | 122");
    /* 1 sends to 3 from 113. */
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 4, "coll scan 10", "2 | 113 | 122 | 224");
    /* 2 sends to 4 from 113: at 224; and that of 0, sent until 31, costs 1 more. */
    expect(HIERA_SIM_RECURSIVE_DOUBLING, 5, "coll scan 10", "3 | 113 | 122 | 224 | 225");
}
END_TEST

/* 1, 2, 4 blocks of 10: 112 + 122 + 142; halving has them the other way round. Where n is no power of 2, others are
 * used: Bruck's, and pairwise. */
START_TEST(recursive_doubling_of_blocks)
{
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 2, "coll allgather 10", "112");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 4, "coll allgather 10", "234");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 8, "coll allgather 10", "376");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 8, "coll reduce_scatter 10", "376");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 5, "coll allgather 10", "346");
    expect_all(HIERA_SIM_RECURSIVE_DOUBLING, 3, "coll reduce_scatter 10", "224");
}
END_TEST

/* n - 1 rounds of a block; a vector goes round twice, in parts of 20 / 5. */
START_TEST(rings)
{
    expect_all(HIERA_SIM_RING, 2, "coll allgather 10", "112");
    expect_all(HIERA_SIM_RING, 3, "coll allgather 10", "224");
    expect_all(HIERA_SIM_RING, 5, "coll allgather 10", "448");
    expect_all(HIERA_SIM_RING, 5, "coll allreduce 20", "848");
    expect_all(HIERA_SIM_RING, 8, "coll allreduce 80", "1568");
}
END_TEST

/* Allgather: 1, 2, then what is missing. All to all: in the round of a bit the blocks whose number has it: of 5 members
 * 1 and 3, 2 and 3, 4; of 8 four each time. */
START_TEST(bruck)
{
    expect_all(HIERA_SIM_BRUCK, 3, "coll allgather 10", "224");
    expect_all(HIERA_SIM_BRUCK, 5, "coll allgather 10", "346");
    expect_all(HIERA_SIM_BRUCK, 8, "coll allgather 10", "376");
    expect_all(HIERA_SIM_BRUCK, 3, "coll alltoall 10", "224");
    expect_all(HIERA_SIM_BRUCK, 5, "coll alltoall 10", "356");
    expect_all(HIERA_SIM_BRUCK, 8, "coll alltoall 10", "426");
}
END_TEST

START_TEST(pairwise)
{
    expect_all(HIERA_SIM_PAIRWISE, 2, "coll alltoall 10", "112");
    expect_all(HIERA_SIM_PAIRWISE, 5, "coll alltoall 10", "448");
    expect_all(HIERA_SIM_PAIRWISE, 8, "coll reduce_scatter 10", "784");
}
END_TEST

/* By size: 5 members and 10240 bytes go round in a ring, 8 steps of 102 + 2048, all by rendezvous of more than 1000
 * bytes: the announcement, 1 + 100, and the answer, 100, come before. */
START_TEST(algorithms_are_chosen_by_size)
{
    expect_all(HIERA_SIM_AUTOMATIC, 4, "coll allreduce 10", "224");
    expect_all(HIERA_SIM_AUTOMATIC, 5, "coll allreduce 10240", "18800");
    expect_all(HIERA_SIM_AUTOMATIC, 5, "coll alltoall 10", "448");
    expect_all(HIERA_SIM_AUTOMATIC, 8, "coll alltoall 10", "426");
}
END_TEST

/* r w = 2 * 102 of three members, r (w + k) = 224, r w + 2 k = 224, w + 2 k = 122. */
START_TEST(one_step_of_each_class)
{
    const HieraMachine machine = simple(3, HIERA_SIM_ONE_STEP);
    PLAY(&machine, "50 254 | 254w50 | 10 254w40", "compute 50; coll barrier 0", "coll barrier 0",
         "compute 10; coll barrier 0");
    PLAY(&machine, "50 172 | 172w50 | 172w50", "compute 50; coll alltoall 10", "coll alltoall 10", "coll alltoall 10");
    PLAY(&machine, "274w50 | 50 51 | 400 624", "coll broadcast 10 root=1", "compute 50; coll broadcast 10 root=1",
         "compute 400; coll broadcast 10 root=1");
    PLAY(&machine, "274w50 | 50 51 | 10 11", "coll reduce 10", "compute 50; coll reduce 10",
         "compute 10; coll reduce 10");
    PLAY(&machine, "5 229 | 229w5 | 20 244", "compute 5; coll scan 10", "coll scan 10", "compute 20; coll scan 10");
}
END_TEST

/* More than 10 bytes take 40 and 2 a byte: 102 + 40 + 40 on two members, which exchange 20; two rounds on four. */
START_TEST(one_step_knows_sizes)
{
    HieraMachine machine = simple(2, HIERA_SIM_ONE_STEP);
    machine.between.n_steps = 1;
    machine.between.steps[0] = (HieraNetworkStep){10, 40, 2, 0};
    PLAY_ENDS(&machine, "112 | 112", "coll allreduce 10", "coll allreduce 10");
    PLAY_ENDS(&machine, "182 | 182", "coll allreduce 20", "coll allreduce 20");
    ck_assert_int_eq(2 * 182, hiera_sim_one_step_ps(HIERA_SIM_ALLREDUCE, 4, 20, &machine.between));
    ck_assert_int_eq(2 * 102 + 3 * 80, hiera_sim_one_step_ps(HIERA_SIM_ALLGATHER, 4, 20, &machine.between));
}
END_TEST

/* The wait pays nothing for a collective that is over. */
START_TEST(non_blocking_collectives_go_on_meanwhile)
{
    const HieraMachine machine = simple(2, HIERA_SIM_AUTOMATIC);
    PLAY(&machine, "0 10 102 | 0 1000 1000", "coll barrier 0 as=1; compute 10; wait 1",
         "coll barrier 0 as=1; compute 1000; wait 1");
    PLAY(&machine, "0 0 112w10 112 | 10 10 10 112 112", "coll barrier 0 as=1; coll barrier 0 as=2; wait 1; wait 2",
         "compute 10; coll barrier 0 as=1; coll barrier 0 as=2; wait 1 2; wait");
}
END_TEST

/* In communicator 1 the members are in falling order, so rank 2 is member 0; in communicator 2 are 0 and 2. */
START_TEST(communicators_have_their_own_order)
{
    const HieraMachine machine = simple(3, HIERA_SIM_AUTOMATIC);
    PLAY_ENDS(&machine, "2 | 112 | 122", "coll scan 10", "coll scan 10", "coll scan 10");
    PLAY_ENDS(&machine, "122 | 112 | 2", "coll scan 10 comm=1", "coll scan 10 comm=1", "coll scan 10 comm=1");
    PLAY_ENDS(&machine, "102 204 | 5 | 102 204", "coll barrier 0 comm=2; coll barrier 0 comm=2", "compute 5",
              "coll barrier 0 comm=2; coll barrier 0 comm=2");
}
END_TEST

/* Messages inside a collective are not taken by receives of the program. */
START_TEST(collectives_keep_to_themselves)
{
    const HieraMachine machine = simple(2, HIERA_SIM_AUTOMATIC);
    PLAY_ENDS(&machine, "0 102 204 | 102 103", "recv any tag=any as=1; coll barrier 0; wait 1",
              "coll barrier 0; send 0 0");
}
END_TEST

/* A part of a vector that is as large as a number can be has no negative size. */
START_TEST(absurd_sizes_take_too_long)
{
    HieraMachine machine = simple(2, HIERA_SIM_RING);
    machine.between.ps_per_byte = machine.inside.ps_per_byte = 10;
    PLAY(&machine, "operation 1 (collective) of rank 0: the run takes longer than 26 days",
         "coll allreduce 9223372036854775807", "coll allreduce 9223372036854775807");
}
END_TEST

START_TEST(wrong_collectives_are_told)
{
    HieraMachine machine = simple(2, HIERA_SIM_ONE_STEP);
    PLAY(&machine, "operation 1 (collective) of rank 1: other members of communicator 0 call another collective",
         "coll barrier 0", "coll allreduce 8");
    PLAY(&machine, "operation 1 (collective) of rank 1: it is not in communicator 2", "compute 1",
         "coll barrier 0 comm=2");
    PLAY(&machine,
         "deadlock: 2 ranks wait for each other in a circle, among them rank 0 in operation 1 (collective): 0.1 -> 1, "
         "1.1 -> 0",
         "coll barrier 0; send 1 0", "recv 0; coll barrier 0");
    machine.algorithm[HIERA_SIM_BARRIER] = HIERA_SIM_AUTOMATIC;
    PLAY(&machine, "rank 0 waits in operation 1 (collective) for a rank that has ended: 0.1 -> 1", "coll barrier 0",
         "compute 1");
}
END_TEST

TCase *collective_tests(void)
{
    TCase *tests = tcase_create("collectives");
    tcase_add_test(tests, reductions_compute);
    tcase_add_test(tests, own_parts_are_copied);
    tcase_add_test(tests, steps_take_the_processor);
    tcase_add_test(tests, dissemination);
    tcase_add_test(tests, binomial_broadcast);
    tcase_add_test(tests, binomial_scatter);
    tcase_add_test(tests, binomial_reduce);
    tcase_add_test(tests, binomial_gather);
    tcase_add_test(tests, broadcast_of_parts);
    tcase_add_test(tests, recursive_doubling_of_vectors);
    tcase_add_test(tests, recursive_doubling_of_prefixes);
    tcase_add_test(tests, recursive_doubling_of_blocks);
    tcase_add_test(tests, rings);
    tcase_add_test(tests, bruck);
    tcase_add_test(tests, pairwise);
    tcase_add_test(tests, algorithms_are_chosen_by_size);
    tcase_add_test(tests, one_step_of_each_class);
    tcase_add_test(tests, one_step_knows_sizes);
    tcase_add_test(tests, non_blocking_collectives_go_on_meanwhile);
    tcase_add_test(tests, communicators_have_their_own_order);
    tcase_add_test(tests, collectives_keep_to_themselves);
    tcase_add_test(tests, absurd_sizes_take_too_long);
    tcase_add_test(tests, wrong_collectives_are_told);
    return tests;
}
