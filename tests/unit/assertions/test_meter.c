/* A meter: operations that come by, with answers worked by hand. */
#include "assertions/meter/meter_sums.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>

/* Two steps of a rank. In the first a message goes out and a request is posted, in the second it arrives. */
typedef struct {
    HieraRules *rules;
    HieraMeter *meter;
    uint32_t step, send, irecv, wait, send_init, start;
} Fixture;

static void fixture_init(Fixture *fixture, const char *text, const HieraMeterMemory *memory)
{
    char report[HIERA_RULES_REPORT];
    fixture->rules = hiera_rules_parse("rules", text, strlen(text), NULL, report);
    ck_assert_msg(fixture->rules, "%s", report);
    fixture->meter = hiera_meter_new(fixture->rules, memory, NULL);
    ck_assert_ptr_nonnull(fixture->meter);
    hiera_meter_set_rank(fixture->meter, 3, 4);
    fixture->step = hiera_meter_site(fixture->meter, false, "", "step");
    fixture->send = hiera_meter_site(fixture->meter, true, "", "send");
    fixture->irecv = hiera_meter_site(fixture->meter, true, "", "irecv");
    fixture->wait = hiera_meter_site(fixture->meter, true, "", "wait");
    fixture->send_init = hiera_meter_site(fixture->meter, true, "", "send_init");
    fixture->start = hiera_meter_site(fixture->meter, true, "", "start");
}

static void fixture_clear(Fixture *fixture)
{
    hiera_meter_free(fixture->meter);
    hiera_rules_free(fixture->rules);
}

static HieraMetered call(const Fixture *fixture, const char *comm, int64_t peer, int64_t bytes)
{
    return (HieraMetered){.comm = hiera_meter_comm(fixture->meter, comm),
                          .calls = 1,
                          .time_ns = 10,
                          .has_end = true,
                          .peer = peer,
                          .source = peer,
                          .bytes = bytes,
                          .rbytes = -1,
                          .posted = bytes};
}

/* A call that takes 10 ns. */
static void tell(const Fixture *fixture, uint32_t site, HieraMetered metered, int64_t request, int64_t bytes)
{
    hiera_meter_open(fixture->meter, site, 1000, 0, true);
    metered.begins = request != 0 && (site == fixture->irecv || site == fixture->send_init);
    hiera_meter_count(fixture->meter, &metered);
    hiera_meter_request(fixture->meter, request, metered.source, bytes);
    hiera_meter_close(fixture->meter, 1010);
}

static HieraVerdicts finish(const Fixture *fixture, unsigned rule)
{
    const HieraOutcome *outcome =
        hiera_meter_finish(fixture->meter, &(HieraMeteredRank){.wall_ns = 1000, .asked = true});
    return outcome->verdicts[rule];
}

static void tell_steps(const Fixture *fixture)
{
    const HieraMetered world = call(fixture, "MPI_COMM_WORLD", 2, 800), other = call(fixture, "other", 1, 50);
    hiera_meter_open(fixture->meter, fixture->step, 0, 1, true);
    tell(fixture, fixture->send, world, 0, 0);
    tell(fixture, fixture->send, other, 0, 0);
    tell(fixture, fixture->irecv, world, 7, 0);
    hiera_meter_close(fixture->meter, 100);
    hiera_meter_open(fixture->meter, fixture->step, 200, 2, true);
    tell(fixture, fixture->wait, call(fixture, NULL, 2, -1), 7, 640);
    hiera_meter_close(fixture->meter, 260);
}

START_TEST(executions_have_their_own_values)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "step: WallTime == 100 & bytesSent == 850 & calls == 3\n"
                 "step: WallTime == 60 & MPITime == 10 & bytesReceived(\"wait\", \"MPI_COMM_WORLD\", 2) == 640\n"
                 "operation send in step: bytesSent(\"send\", \"MPI_COMM_WORLD\") == 800 & messages == 2\n"
                 "operation irecv: bytesReceived == 0 & calls == 1\n",
                 NULL);
    tell_steps(&fixture);
    for (unsigned rule = 0; rule < 3; rule++) {
        HieraVerdicts verdicts = finish(&fixture, rule);
        ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_OK], 1);
        ck_assert_uint_eq(verdicts.n[HIERA_VERDICT_FAILED], 1);
        ck_assert_uint_eq(verdicts.first.row, rule == 1 ? 1 : 2);
        ck_assert_int_eq(verdicts.first.rank, 3);
    }
    ck_assert_uint_eq(finish(&fixture, 3).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

/* Both directions, each message once, also of requests; nothing for collectives and MPI_PROC_NULL. */
START_TEST(transfers_are_messages_in_both_directions)
{
    Fixture fixture;
    fixture_init(&fixture,
                 "job: calls > 0\n"
                 "operation send: transfers == 3 & transferBytes == 850 + 24 & MPITransferTime == 874 * 80 + 3000\n"
                 "operation wait: transfers == 0 & bytesReceived == 640\n"
                 "operation irecv: transfers == 1 & transferBytes == 800\n"
                 "operation start: transfers == 2 & transferBytes == 1600\n"
                 "operation allreduce: transfers == 0 & bytesSent == 8\n",
                 NULL);
    tell_steps(&fixture);
    tell(&fixture, fixture.send, call(&fixture, NULL, HIERA_METER_PEER_NULL, 99), 0, 0);
    tell(&fixture, fixture.send, call(&fixture, NULL, 0, 24), 0, 0);
    tell(&fixture, fixture.send_init, call(&fixture, NULL, 2, 800), 9, 0);
    for (int i = 0; i < 2; i++)
        tell(&fixture, fixture.start, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 9, 0);
    tell(&fixture, hiera_meter_site(fixture.meter, true, "", "allreduce"), call(&fixture, NULL, 0, 8), 0, 0);
    for (unsigned rule = 1; rule < 6; rule++)
        ck_assert_uint_eq(finish(&fixture, rule).n[HIERA_VERDICT_OK], 1);
    hiera_meter_hide(fixture.meter, fixture.send, &(HieraMetered){.calls = 5, .bytes = 40, .rbytes = -1});
    ck_assert_uint_eq(finish(&fixture, 1).n[HIERA_VERDICT_UNKNOWN], 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(an_open_execution_is_unknown)
{
    Fixture fixture;
    fixture_init(&fixture, "step: WallTime < 1s\njob: WallTime < 1s\n", NULL);
    hiera_meter_open(fixture.meter, fixture.step, 0, 1, true);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_UNKNOWN], 1);
    hiera_meter_close(fixture.meter, 100);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_UNKNOWN], 0);
    hiera_meter_close(fixture.meter, 200);
    fixture_clear(&fixture);
}
END_TEST

static int blocks_left;

static void *grow(void *memory, size_t old_bytes, size_t bytes)
{
    char *grown = blocks_left-- > 0 ? realloc(memory, bytes) : NULL;
    if (grown)
        memset(grown + old_bytes, 0, bytes - old_bytes);
    return grown;
}

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

static const HieraMeterMemory scarce = {grow, release};

/* Requests that are completed in an order in which the places of a hash move. */
START_TEST(many_requests_are_found_again)
{
    enum { N = 3000 };
    Fixture fixture;
    fixture_init(&fixture, "operation wait: bytesReceived(\"\", \"world\") == 4498500\n", NULL);
    for (int64_t i = 1; i < N; i++)
        tell(&fixture, fixture.irecv, call(&fixture, "world", 0, 8), i, 0);
    for (int64_t i = 1; i < N; i++) {
        int64_t number = i * 7 % N;
        tell(&fixture, fixture.wait, call(&fixture, NULL, 0, -1), number, number);
        tell(&fixture, fixture.wait, call(&fixture, NULL, 0, -1), 0, -1); /* it is a null request now */
    }
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

/* One thread completes what another one has posted; the threads are told one after another, in either order. */
START_TEST(threads_share_requests)
{
    for (int later = 0; later < 2; later++) {
        Fixture fixture;
        fixture_init(&fixture,
                     "operation wait: bytesReceived == 5 & transfers == 0\n"
                     "operation wait: bytesReceived(\"\", \"MPI_COMM_WORLD\") == 5\n",
                     NULL);
        HieraMeterRequests *requests = hiera_meter_requests_new(NULL);
        HieraMeter *own = fixture.meter, *threads[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = hiera_meter_new(fixture.rules, NULL, requests);
            fixture.irecv = hiera_meter_site(threads[i], true, "", "irecv");
            fixture.wait = hiera_meter_site(threads[i], true, "", "wait");
        }
        for (int turn = 0; turn < 2; turn++) {
            fixture.meter = threads[turn];
            if (turn == later)
                tell(&fixture, fixture.irecv, call(&fixture, "MPI_COMM_WORLD", 0, 8), 7, 0);
            else
                tell(&fixture, fixture.wait, call(&fixture, NULL, 0, -1), 7, 5);
        }
        fixture.meter = own;
        for (int i = 0; i < 2; i++)
            hiera_meter_add(own, threads[i]);
        ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
        ck_assert_uint_eq(finish(&fixture, 1).n[later ? HIERA_VERDICT_UNKNOWN : HIERA_VERDICT_OK], 1);
        for (int i = 0; i < 2; i++)
            hiera_meter_free(threads[i]);
        hiera_meter_requests_free(requests);
        fixture_clear(&fixture);
    }
}
END_TEST

START_TEST(each_start_of_a_persistent_request_sends)
{
    Fixture fixture;
    fixture_init(&fixture, "operation start: messages == 3 & bytesSent == 2400\n", NULL);
    tell(&fixture, fixture.send_init, call(&fixture, "MPI_COMM_WORLD", 2, 800), 9, 0);
    for (int i = 0; i < 3; i++) {
        tell(&fixture, fixture.start, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 9, 0);
        tell(&fixture, fixture.wait, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 9, -1);
    }
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

/* Memory is that of the first few. */
START_TEST(freed_requests_are_forgotten)
{
    Fixture fixture;
    blocks_left = 1000;
    fixture_init(&fixture, "operation start: messages == 1\n", &scarce);
    uint32_t request_free = hiera_meter_site(fixture.meter, true, "", "request_free");
    tell(&fixture, fixture.send_init, call(&fixture, "world", 2, 8), 1, 0);
    tell(&fixture, request_free, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 7, -1); /* of which nothing is known */
    blocks_left = 0;
    for (int64_t i = 2; i < 10000; i++) {
        tell(&fixture, fixture.send_init, call(&fixture, "world", 2, 8), i, 0);
        tell(&fixture, request_free, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), i, -1);
    }
    tell(&fixture, fixture.start, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 1, 0);
    ck_assert_ptr_null(hiera_meter_finish(fixture.meter, &(HieraMeteredRank){.wall_ns = 1000, .asked = true}));
    blocks_left = 100;
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

/* What a host may tell of calls that nothing else depends on. */
static void tell_sums(const Fixture *fixture)
{
    HieraMeter *meter = fixture->meter;
    uint32_t world = hiera_meter_comm(meter, "world");
    uint32_t to_2 = hiera_meter_part(meter, fixture->send, world, 2),
             to_nobody = hiera_meter_part(meter, fixture->send, world, HIERA_METER_PEER_NULL),
             from_2 = hiera_meter_part(meter, fixture->irecv, world, 2),
             wait = hiera_meter_part(meter, fixture->wait, 0, HIERA_METER_NO_PEER);
    hiera_meter_sum(hiera_meter_sums(meter, to_2), 1, 10);
    hiera_meter_send(hiera_meter_sums(meter, to_2), 2, 800);
    hiera_meter_sum(hiera_meter_sums(meter, to_nobody), 1, 10);
    hiera_meter_send(hiera_meter_sums(meter, to_nobody), HIERA_METER_PEER_NULL, 50);
    hiera_meter_sum(hiera_meter_sums(meter, from_2), 1, 10);
    hiera_meter_post(meter, hiera_meter_sums(meter, from_2), 2, 1000);
    hiera_meter_remember(meter, 7, world);
    hiera_meter_sum(hiera_meter_sums(meter, wait), 1, 10);
    hiera_meter_complete(meter, fixture->wait, 7, 2, 640);
    uint32_t allreduce =
        hiera_meter_part(meter, hiera_meter_site(meter, true, "", "allreduce"), world, HIERA_METER_NO_PEER);
    hiera_meter_sum(hiera_meter_sums(meter, allreduce), 1, 10);
    hiera_meter_bytes(hiera_meter_sums(meter, allreduce), 8, 9);
}

START_TEST(sums_count_like_calls)
{
    static const char rules[] =
        "step: MPITime == 50 & MPIWaitTime == 10 & calls == 5 & messages == 1 & transfers == 2 & transferBytes == 1800 "
        "& "
        "bytesSent == 808 & bytesReceived == 649\njob: calls == 5\noperation send: MPITime == 20 & calls == 2\n";
    Fixture fixture;
    fixture_init(&fixture, rules, NULL);
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.send, false), HIERA_METER_SENDS);
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.irecv, true), HIERA_METER_POSTS);
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.wait, false), HIERA_METER_REQUESTS);
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.start, false), HIERA_METER_FLAT);
    hiera_meter_open(fixture.meter, fixture.step, 0, 1, true);
    tell_sums(&fixture);
    hiera_meter_close(fixture.meter, 100);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(finish(&fixture, 2).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(parts_count_what_their_communicator_and_peer_have)
{
    static const char rules[] =
        "step: bytesSent(\"\", \"world\") == 808 & bytesSent(\"\", \"\", 2) == 800 & calls(\"\", \"world\") == 4 & "
        "calls(\"\", \"\", 2) == 2 & bytesReceived(\"\", \"world\", 2) == 640 & transferBytes(\"\", \"world\", 2) == "
        "1800 & "
        "calls(\"\", \"other\") == 0 & bytesSent(\"\", \"\", 1) == 0 & MPITime == 50\n";
    Fixture fixture;
    fixture_init(&fixture, rules, NULL);
    ck_assert(!hiera_meter_is_plain(fixture.meter, fixture.send));
    hiera_meter_open(fixture.meter, fixture.step, 0, 1, true);
    tell_sums(&fixture);
    hiera_meter_close(fixture.meter, 100);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

/* Who asks for a communicator, but not for the bytes received on it, needs no requests. */
START_TEST(requests_are_remembered_for_received_bytes_alone)
{
    Fixture fixture;
    fixture_init(&fixture, "step: bytesSent(\"\", \"world\") == 0 & calls(\"\", \"world\") == 1 & MPIWaitTime == 20\n",
                 NULL);
    ck_assert(hiera_meter_has_comms(fixture.meter) && !hiera_meter_remembers(fixture.meter));
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.irecv, true), HIERA_METER_SUM);
    ck_assert_int_eq(hiera_meter_need(fixture.meter, fixture.wait, false), HIERA_METER_SUM);
    hiera_meter_open(fixture.meter, fixture.step, 0, 1, true);
    tell(&fixture, fixture.irecv, call(&fixture, "world", 2, 800), 7, 0);
    tell(&fixture, fixture.wait, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 7, 640);
    tell(&fixture, fixture.wait, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 8, 640); /* nobody knows its post */
    hiera_meter_close(fixture.meter, 100);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(receives_transfer_what_they_are_posted_for)
{
    static const char rules[] = "operation irecv: transferBytes == 1000 & transfers == 1 & bytesReceived == 0\n"
                                "operation wait: transferBytes == 0 & bytesReceived == 640\njob: transfers == 1\n";
    Fixture fixture;
    fixture_init(&fixture, rules, NULL);
    HieraMetered post = call(&fixture, NULL, 2, -1);
    post.posted = 1000;
    tell(&fixture, fixture.irecv, post, 7, 0);
    tell(&fixture, fixture.wait, call(&fixture, NULL, HIERA_METER_NO_PEER, -1), 7, 640);
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(finish(&fixture, 1).n[HIERA_VERDICT_OK], 1);
    post.posted = HIERA_METER_NO_BYTES;
    tell(&fixture, fixture.irecv, post, 8, 0); /* of a type whose size nobody knows */
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_UNKNOWN], 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(threads_become_one_rank)
{
    Fixture one, other;
    static const char rules[] = "operation send: calls == 4 & bytesSent == 1700\n";
    fixture_init(&one, rules, NULL);
    fixture_init(&other, rules, NULL);
    tell_steps(&one);
    tell_steps(&other);
    hiera_meter_add(one.meter, other.meter);
    ck_assert_uint_eq(finish(&one, 0).n[HIERA_VERDICT_OK], 1);
    fixture_clear(&one);
    fixture_clear(&other);
}
END_TEST

START_TEST(what_was_summed_or_lost_is_unknown)
{
    Fixture fixture;
    fixture_init(&fixture, "step: calls == 3\noperation send: calls == 7\noperation send: messages == 7\n", NULL);
    tell_steps(&fixture);
    hiera_meter_hide(fixture.meter, fixture.send, &(HieraMetered){.calls = 5, .bytes = -1, .rbytes = -1});
    ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_UNKNOWN], 2);
    ck_assert_uint_eq(finish(&fixture, 1).n[HIERA_VERDICT_OK], 1);
    ck_assert_uint_eq(finish(&fixture, 2).n[HIERA_VERDICT_UNKNOWN], 1);
    hiera_meter_lose(fixture.meter);
    ck_assert_uint_eq(finish(&fixture, 1).n[HIERA_VERDICT_UNKNOWN], 1);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(without_memory_nothing_is_known)
{
    for (int blocks = 0; blocks < 40; blocks++) {
        Fixture fixture;
        char report[HIERA_RULES_REPORT];
        static const char text[] = "step: bytesReceived >= 0\noperation wait: calls == 1\n";
        blocks_left = blocks;
        HieraRules *rules = hiera_rules_parse("rules", text, strlen(text), NULL, report);
        HieraMeter *meter = hiera_meter_new(rules, &scarce, NULL);
        hiera_meter_free(meter);
        hiera_rules_free(rules);
        if (!meter)
            continue;
        blocks_left = blocks;
        fixture_init(&fixture, text, &scarce);
        tell_steps(&fixture);
        bool short_of = blocks_left < 0;
        blocks_left = 100;
        ck_assert_uint_eq(finish(&fixture, 1).n[short_of ? HIERA_VERDICT_UNKNOWN : HIERA_VERDICT_OK], 1);
        ck_assert_uint_eq(finish(&fixture, 0).n[HIERA_VERDICT_OK], short_of ? 0 : 2);
        fixture_clear(&fixture);
    }
}
END_TEST

TCase *meter_tests(void)
{
    TCase *tests = tcase_create("meter of assertions");
    tcase_add_test(tests, executions_have_their_own_values);
    tcase_add_test(tests, transfers_are_messages_in_both_directions);
    tcase_add_test(tests, an_open_execution_is_unknown);
    tcase_add_test(tests, many_requests_are_found_again);
    tcase_add_test(tests, threads_share_requests);
    tcase_add_test(tests, each_start_of_a_persistent_request_sends);
    tcase_add_test(tests, freed_requests_are_forgotten);
    tcase_add_test(tests, sums_count_like_calls);
    tcase_add_test(tests, parts_count_what_their_communicator_and_peer_have);
    tcase_add_test(tests, requests_are_remembered_for_received_bytes_alone);
    tcase_add_test(tests, receives_transfer_what_they_are_posted_for);
    tcase_add_test(tests, threads_become_one_rank);
    tcase_add_test(tests, what_was_summed_or_lost_is_unknown);
    tcase_add_test(tests, without_memory_nothing_is_known);
    return tests;
}
