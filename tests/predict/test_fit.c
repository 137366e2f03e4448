/* Fits to made-up measurements of a known answer. */
#include "predict/calibration/collective_fit.h"
#include "predict/calibration/exchange_fit.h"
#include "predict/calibration/network_fit.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>

#define NEAR(expected, actual) ck_assert_double_eq_tol(expected, actual, 1e-6 * fabs((double)(expected)) + 1e-15)

/* 2 us and 1 ns a byte; three of eleven are twice or ten times as long. */
START_TEST(a_line_goes_through_most_points)
{
    TimedSize times[11];
    SizePiece line;
    for (guint i = 0; i < G_N_ELEMENTS(times); i++)
        times[i] = (TimedSize){i * 1000, 2e-6 + i * 1e-6};
    times[2].seconds *= 2;
    times[5].seconds *= 10;
    times[10].seconds *= 10;
    size_fit_line(times, G_N_ELEMENTS(times), 0, &line);
    NEAR(2e-6, line.seconds);
    NEAR(1e-9, line.per_byte);
    /* With at least 3 us for 0 bytes: what fits best then. */
    size_fit_line(times, G_N_ELEMENTS(times), 3e-6, &line);
    NEAR(3e-6, line.seconds);
}
END_TEST

/* Times never fall with the size, and never begin below 0, even if those measured do. */
START_TEST(a_line_does_not_fall)
{
    const TimedSize falling[] = {{0, 3e-6}, {1000, 2e-6}, {2000, 1e-6}}, steep[] = {{1000, 1e-6}, {2000, 3e-6}};
    SizePiece line;
    size_fit_line(falling, G_N_ELEMENTS(falling), 0, &line);
    NEAR(0, line.per_byte);
    NEAR(1e-6, line.seconds); /* 0.5 + 0.67 off, less than 2 us */
    size_fit_line(steep, G_N_ELEMENTS(steep), 0, &line);
    NEAR(0, line.seconds);
}
END_TEST

/* Up to 64 bytes 1 us; up to 4096 bytes 2 us and 1 ns a byte; then 10 us and 0.1 ns a byte. One is far off. */
START_TEST(pieces_begin_where_the_line_changes)
{
    TimedSize times[24];
    for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
        gint64 bytes = i == 0 ? 0 : 1 << (i - 1);
        gdouble size = (gdouble)bytes;
        times[i] = (TimedSize){bytes, bytes <= 64 ? 1e-6 : bytes <= 4096 ? 2e-6 + size * 1e-9 : 10e-6 + size * 1e-10};
    }
    times[18].seconds *= 3;
    g_autoptr(GArray) pieces = size_fit_pieces(times, G_N_ELEMENTS(times), 0, 0.15, 8);
    ck_assert_uint_eq(3, pieces->len);
    const SizePiece *piece = &g_array_index(pieces, SizePiece, 0);
    ck_assert_uint_eq(0, piece[0].first);
    NEAR(1e-6, piece[0].seconds);
    ck_assert_int_eq(128, times[piece[1].first].bytes);
    NEAR(2e-6, piece[1].seconds);
    NEAR(1e-9, piece[1].per_byte);
    ck_assert_int_eq(8192, times[piece[2].first].bytes);
    NEAR(10e-6, piece[2].seconds);
    NEAR(1e-10, piece[2].per_byte);
    g_autoptr(GArray) few = size_fit_pieces(times, G_N_ELEMENTS(times), 0, 0.15, 2);
    ck_assert_uint_eq(2, few->len);
    g_autoptr(GArray) one = size_fit_pieces(times, 2, 0, 0.15, 8);
    ck_assert_uint_eq(1, one->len);
}
END_TEST

/* o = 0.2 and 0.3 us, L = 1 us, eager up to 1024 bytes, copying 0.5 ns a byte at the sender and 0.25 at the receiver,
 * G = 1 ns up to there. Longer ones are sent at 0.1 ns a byte, 2 us later: 0.5 + 3 + 2 us without their bytes. */
START_TEST(parameters_of_a_network_are_found)
{
    TimedSize trips[22], sends[22], receives[12];
    HieraNetwork network;
    for (guint i = 0; i < G_N_ELEMENTS(trips); i++) {
        gint64 bytes = i == 0 ? 0 : 1 << (i - 1);
        gdouble size = (gdouble)bytes;
        trips[i] = (TimedSize){bytes, bytes <= 1024 ? 1.5e-6 + size * 1.75e-9 : 5.5e-6 + size * 1e-10};
        /* A longer send ends o', L earlier than its receive, and is told 0.4 us later. */
        sends[i] = (TimedSize){bytes, 0.2e-6 + 2e-6 + 2e-6 + size * 1e-10 + 0.4e-6};
        if (bytes <= 1024) {
            sends[i] = (TimedSize){bytes, 0.2e-6 + size * 0.5e-9};
            receives[i] = (TimedSize){bytes, 0.3e-6 + size * 0.25e-9};
        }
    }
    sends[20].seconds *= 2; /* disturbed */
    NetworkTimes times = {trips, sends, receives, G_N_ELEMENTS(trips), G_N_ELEMENTS(sends), 12, 0.3e-6, 1024};
    network_fit(&times, &network);
    ck_assert_int_eq(1000000, network.latency_ps);
    ck_assert_int_eq(200000, network.send_overhead_ps);
    ck_assert_int_eq(300000, network.receive_overhead_ps);
    ck_assert_int_eq(0, network.gap_ps);
    ck_assert_int_eq(1024, network.eager_bytes);
    NEAR(1000, network.ps_per_byte);
    NEAR(500, network.send_copy_ps_per_byte);
    NEAR(250, network.receive_copy_ps_per_byte);
    ck_assert_uint_eq(1, network.n_steps);
    ck_assert_int_eq(1024, network.steps[0].above_bytes);
    ck_assert_int_eq(2000000, network.steps[0].extra_ps);
    NEAR(100, network.steps[0].ps_per_byte);
    ck_assert_int_eq(400000, network.acknowledgement_ps);
    for (guint i = 0; i < G_N_ELEMENTS(trips); i++)
        ck_assert_double_eq_tol(trips[i].seconds, network_half_round_trip(&network, trips[i].bytes), 2e-12);
    times.message_seconds = 0.5e-6; /* longer than both overheads */
    network_fit(&times, &network);
    ck_assert_int_eq(500000, network.gap_ps);
}
END_TEST

/* Overheads that are measured longer than half a round trip: no latency is left, and they are made to fit. */
START_TEST(overheads_fit_into_the_round_trip)
{
    const TimedSize trips[] = {{0, 1e-6}, {100, 1e-6}, {200, 1e-6}}, sends[] = {{0, 0.5e-6}},
                    receives[] = {{0, 1.5e-6}};
    const NetworkTimes times = {trips, sends, receives, 3, 1, 1, 0, G_MAXINT64};
    HieraNetwork network;
    network_fit(&times, &network);
    ck_assert_int_eq(0, network.latency_ps);
    ck_assert_int_eq(250000, network.send_overhead_ps);
    ck_assert_int_eq(750000, network.receive_overhead_ps);
}
END_TEST

/* Two ranks exchange 1000 bytes in 1 + 1000 * 0.001 + 0.2 + 0.2 us and combine them at 0.5 ns a byte; one of the
 * reductions was disturbed. */
START_TEST(reductions_tell_what_they_compute)
{
    const HieraNetwork network = {.latency_ps = 1000000,
                                  .send_overhead_ps = 200000,
                                  .receive_overhead_ps = 200000,
                                  .ps_per_byte = 1000,
                                  .eager_bytes = G_MAXINT64};
    HieraMachine machine = {.n_ranks = 2, .between = network, .inside = network};
    const TimedCollective measured[] = {{HIERA_SIM_ALLREDUCE, 1000, 1, 2.9e-6},
                                        {HIERA_SIM_ALLREDUCE, 2000, 1, 4.4e-6},
                                        {HIERA_SIM_ALLREDUCE, 4000, 1, 30e-6}};
    collective_fit(&machine, COLLECTIVE_REDUCE, measured, 3);
    ck_assert_double_eq_tol(500, machine.between.reduce_ps_per_byte, 0.01);
    ck_assert_double_eq_tol(500, machine.inside.reduce_ps_per_byte, 0.01);
    /* One that takes no longer than its messages. */
    const TimedCollective fast = {HIERA_SIM_ALLREDUCE, 1000, 1, 2.0e-6};
    collective_fit(&machine, COLLECTIVE_REDUCE, &fast, 1);
    ck_assert_double_eq(0, machine.between.reduce_ps_per_byte);
}
END_TEST

/* As above, and 1000 bytes of its own that each copies at 0.25 ns a byte. */
START_TEST(exchanging_collectives_tell_what_copying_takes)
{
    const HieraNetwork network = {.latency_ps = 1000000,
                                  .send_overhead_ps = 200000,
                                  .receive_overhead_ps = 200000,
                                  .ps_per_byte = 1000,
                                  .eager_bytes = G_MAXINT64};
    HieraMachine machine = {.n_ranks = 2, .between = network, .inside = network};
    const TimedCollective measured[] = {{HIERA_SIM_ALLGATHER, 1000, 1, 2.65e-6}, {HIERA_SIM_ALLTOALL, 2000, 1, 3.9e-6}};
    collective_fit(&machine, COLLECTIVE_OWN, measured, 2);
    ck_assert_double_eq_tol(250, machine.between.own_copy_ps_per_byte, 0.01);
    ck_assert_double_eq_tol(250, machine.inside.own_copy_ps_per_byte, 0.01);
    ck_assert_double_eq(0, machine.inside.reduce_ps_per_byte);
}
END_TEST

/* Both the barrier and the broadcast have 0.3 us in a step; of the allgather 1 us was measured. */
START_TEST(short_collectives_tell_what_a_step_takes)
{
    const HieraNetwork network = {.latency_ps = 1000000,
                                  .send_overhead_ps = 200000,
                                  .receive_overhead_ps = 200000,
                                  .ps_per_byte = 1000,
                                  .eager_bytes = G_MAXINT64};
    HieraMachine machine = {.n_ranks = 2, .between = network, .inside = network};
    const TimedCollective measured[] = {
        {HIERA_SIM_BARRIER, 0, 1, 1.7e-6}, {HIERA_SIM_BROADCAST, 0, 1, 0.5e-6}, {HIERA_SIM_ALLGATHER, 0, 1, 2.4e-6}};
    collective_fit(&machine, COLLECTIVE_STEP, measured, 3);
    ck_assert_int_eq(300000, machine.between.step_overhead_ps);
    ck_assert_int_eq(300000, machine.inside.step_overhead_ps);
}
END_TEST

/* Exchanges of up to 8000 bytes as the network says, longer ones with another `duplex`. */
static void make_exchanges(const HieraNetwork *network, TimedSize *measured, guint n, gdouble duplex)
{
    HieraNetwork truth = *network;
    truth.duplex = duplex;
    for (guint i = 0; i < n; i++)
        measured[i].seconds = exchange_predict(measured[i].bytes > 8000 ? &truth : network, measured[i].bytes, 4);
}

/* From 16000 bytes on both directions share; one of five exchanges was disturbed. */
START_TEST(exchanges_tell_what_both_directions_share)
{
    HieraNetwork network = {.latency_ps = 1000000,
                            .send_overhead_ps = 200000,
                            .receive_overhead_ps = 200000,
                            .ps_per_byte = 1000,
                            .eager_bytes = G_MAXINT64};
    TimedSize measured[] = {{2000, 0},  {4000, 0},  {8000, 0},   {16000, 0},
                            {32000, 0}, {64000, 0}, {128000, 0}, {256000, 0}};
    /* From when the first rank begins, at 0 us, the other one since -1.2: that sends until -1.0, which is there at 0;
     * the first one sends until 0.2, received at 0.4. The other one receives at 1.4, sends until 1.6, received at 2.8,
     * and has received itself at 1.8. So the four end at 0.4, 2.8, 3.2, 5.6. With 1000 bytes: 1.2, 4.8, 6.0, 9.6. */
    NEAR(1.4e-6, exchange_predict(&network, 0, 4));
    NEAR(2.4e-6, exchange_predict(&network, 1000, 4));
    make_exchanges(&network, measured, G_N_ELEMENTS(measured), 1.25);
    measured[5].seconds *= 2;
    exchange_fit(&network, measured, G_N_ELEMENTS(measured), 4);
    ck_assert_uint_eq(1, network.n_steps);
    ck_assert_double_eq(2, network.duplex);
    ck_assert_int_eq(8000, network.steps[0].above_bytes);
    ck_assert_int_eq(0, network.steps[0].extra_ps);
    NEAR(1000, network.steps[0].ps_per_byte);
    ck_assert_double_eq_tol(1.25, network.steps[0].duplex, 1e-3);
    ck_assert_int_eq(0, network.request_overhead_ps);
    /* What is longer than all exchanges shares as the longest ones. */
    network.steps[network.n_steps++] = (HieraNetworkStep){1000000, 0, 900, 0};
    exchange_fit(&network, measured, G_N_ELEMENTS(measured), 4);
    ck_assert_double_eq_tol(1.25, network.steps[1].duplex, 1e-3);
    network.n_steps--;
    /* Steps that are there keep their bandwidth. */
    network.steps[0].ps_per_byte = 500;
    make_exchanges(&network, measured, 3, 2);
    for (guint i = 3; i < G_N_ELEMENTS(measured); i++)
        measured[i].seconds = exchange_predict(&network, measured[i].bytes, 4);
    network.duplex = network.steps[0].duplex = 2;
    exchange_fit(&network, measured, G_N_ELEMENTS(measured), 4);
    ck_assert_uint_eq(1, network.n_steps);
    NEAR(500, network.steps[0].ps_per_byte);
    ck_assert_double_eq_tol(1.25, network.steps[0].duplex, 1e-3);
}
END_TEST

/* Each of both requests takes 0.1 us; one of three exchanges was disturbed. */
START_TEST(exchanges_tell_what_requests_take)
{
    HieraNetwork network = {.send_overhead_ps = 200000, .receive_overhead_ps = 200000, .eager_bytes = 8};
    const TimedSize measured[] = {{0, 0.6e-6}, {1, 0.9e-6}, {2, 0.6e-6}, {16, 9e-6}};
    exchange_fit(&network, measured, G_N_ELEMENTS(measured), 4);
    ck_assert_int_le(ABS(network.request_overhead_ps - 100000), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fits");
    TCase *tests = tcase_create("fits");
    tcase_add_test(tests, a_line_goes_through_most_points);
    tcase_add_test(tests, a_line_does_not_fall);
    tcase_add_test(tests, pieces_begin_where_the_line_changes);
    tcase_add_test(tests, parameters_of_a_network_are_found);
    tcase_add_test(tests, overheads_fit_into_the_round_trip);
    tcase_add_test(tests, short_collectives_tell_what_a_step_takes);
    tcase_add_test(tests, reductions_tell_what_they_compute);
    tcase_add_test(tests, exchanging_collectives_tell_what_copying_takes);
    tcase_add_test(tests, exchanges_tell_what_both_directions_share);
    tcase_add_test(tests, exchanges_tell_what_requests_take);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
