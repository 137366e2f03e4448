/* Threads of OpenMP (analyses/threads/) in small traces, worked out by hand. Runs last from 0 to 100 s. */
#include "alike/imbalance.h"
#include "harness/answers.h"
#include "suites.h"

#define WITH(args, name, line, start, finish, content)                                                                 \
    "<hieraRegion level=\"openmp\" operation=\"" name "\" file=\"t.c\" line=\"" #line "\" start_time=\"" start         \
    "\" finish_time=\"" finish "\" args=\"" args "\">\n" content "</hieraRegion>\n"
#define AT(name, line, start, finish, content) WITH("", name, line, start, finish, content)
#define PARALLEL(start, finish, content)       AT("parallel", 5, start, finish, content)
#define TASK(start, finish, content)           AT("implicit task", 5, start, finish, content)
#define BARRIER(start, finish)                 AT("barrier", 6, start, finish, "")

/* Return the rows of `threads`: class, operation, seconds, cause. */
static void expect_rows(Harness h, const char *expected)
{
    const HieraMeasure *measure = hiera_measure_threads.forms[0];
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        const char *cause = cells[column_of(measure, "cause")].text;
        g_string_append_printf(text, "%s%s, %s: %g%s%s", row ? "\n" : "", cells[0].text, cells[1].text,
                               (double)number_at(table, measure, row, "time") / 1e9, *cause ? " " : "", cause);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* Return the factors of the whole run in percent. */
static void expect_factors(Harness h, const char *expected)
{
    static const char *const factors[] = {"efficiency",        "openmp", "openmp-serialisation", "openmp-load-balance",
                                          "openmp-scheduling", "mpi",    "load-balance",         "serialisation",
                                          "transfer"};
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%" G_GINT64_FORMAT " threads:", number_at(table, measure, 0, "threads"));
    for (guint i = 0; i < G_N_ELEMENTS(factors); i++)
        g_string_append_printf(text, " %g", (double)number_at(table, measure, 0, factors[i]) / 100);
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* Check the rows of `slack` that have some: last operation of the path, threads, seconds (least..mean). */
static void expect_slack(Harness h, const char *expected)
{
    const HieraMeasure *measure = &hiera_measure_slack;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        const char *last = strrchr(cells[0].text, HIERA_PATH_SEPARATOR);
        gint64 least_ns = number_at(table, measure, row, "least");
        gint64 mean_ns = number_at(table, measure, row, "mean");
        if (mean_ns == 0)
            continue;
        g_string_append_printf(text, "%s%s [%s]: %g", text->len ? "\n" : "", last ? last + 1 : cells[0].text,
                               cells[column_of(measure, "threads")].text, (double)least_ns / 1e9);
        if (mean_ns != least_ns)
            g_string_append_printf(text, "..%g", (double)mean_ns / 1e9);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* Check the rows of `critical-path`: last operation of the path, seconds. */
static void expect_path(Harness h, const char *expected)
{
    const HieraMeasure *measure = &hiera_measure_critical_path;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const char *path = hiera_table_peek_row(table, row)[0].text, *last = strrchr(path, HIERA_PATH_SEPARATOR);
        g_string_append_printf(text, "%s%s: %g", row ? "\n" : "", last ? last + 1 : path,
                               (double)number_at(table, measure, row, "time") / 1e9);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* The main thread: idle 2 before its task, 10 in the barrier, 2 at the end. The worker: 10, 20 and 10. Computation: 86
 * and 10. So of 200 s 50 are serial; 14 is the least in the region, so scheduling has 28, the balance 26. */
#define ONE_TEAM                                                                                                       \
    HARNESS(PARALLEL("10", "60", TASK("12", "58", BARRIER("40", "50")))                                                \
                THREAD(1, TASK("20", "50", BARRIER("30", "50"))))

START_TEST(time_of_threads_is_divided)
{
    expect_factors(ONE_TEAM, "2 threads: 48 48 75 82.67 77.42 100 100 100 100");
}
END_TEST

START_TEST(idle_time_has_a_place_and_a_thread)
{
    expect_rows(ONE_TEAM, "serial part, : 40\n"
                          "wait at barrier, barrier: 30 thread 0 computes 2.8 times as long as the others\n"
                          "start of region, parallel: 12\n"
                          "end of region, parallel: 12 thread 0 computes, the others do not\n"
                          "serial part, parallel: 10");
}
END_TEST

START_TEST(a_barrier_at_the_end_of_a_loop_names_it)
{
    expect_rows(HARNESS(PARALLEL("10", "60",
                                 TASK("10", "60",
                                      WITH("schedule=guided", "loop", 8, "10", "49", AT("critical", 9, "12", "13", ""))
                                          BARRIER("49", "50")))
                            THREAD(1, TASK("10", "60",
                                           WITH("schedule=guided", "loop", 8, "10", "20", "") BARRIER("20", "50")))),
                "serial part, : 40\n"
                "wait at barrier, barrier: 31 thread 0 computes 3.9 times as long as the others (loop t.c:8, schedule "
                "guided)\n"
                "serial part, parallel: 10");
}
END_TEST

/* Rank 0: 90 + 50 of computation, 10 in MPI, 50 idle; rank 1, with one thread: 70 and 30. Without transfer both end
 * 10 s earlier, which is 5 of each thread of rank 0. */
START_TEST(ranks_count_by_their_threads)
{
    expect_factors(HARNESS(PARALLEL("10", "60", TASK("10", "60", "")) BARRIER_AT("80", "90")
                               THREAD(1, TASK("10", "60", "")),
                           BARRIER_AT("60", "90")),
                   "3 threads: 70 83.33 83.33 100 100 84 90 100 93.33");
}
END_TEST

START_TEST(an_inner_team_has_its_own_threads)
{
    expect_rows(HARNESS(PARALLEL("10", "50", TASK("10", "50", AT("parallel", 7, "20", "40", TASK("20", "40", ""))))
                            THREAD(1, TASK("10", "50", "")) THREAD(2, AT("implicit task", 7, "20", "40", ""))),
                "serial part, : 100\nserial part, parallel: 20\nno part in region, parallel: 20");
}
END_TEST

/* A region of one thread inside another one is no team: what goes on there goes on in the team around. */
START_TEST(a_region_of_one_thread_is_no_team)
{
    expect_rows(
        HARNESS(PARALLEL("0", "100", TASK("0", "100", AT("parallel", 7, "20", "40", TASK("30", "40", ""))))
                    THREAD(1, TASK("0", "100", AT("parallel", 5, "20", "90", TASK("20", "90", BARRIER("50", "60")))))),
        "wait at barrier, barrier: 10");
}
END_TEST

/* The main thread waits 1 s in a region of its own: that is no barrier of the team, at which the other one waits 20 s.
 */
START_TEST(a_barrier_of_one_thread_is_none_of_the_team)
{
    expect_slack(
        HARNESS(PARALLEL("0", "100",
                         TASK("0", "100",
                              AT("parallel", 7, "20", "40", AT("implicit task", 7, "20", "40", BARRIER("30", "31")))
                                  AT("barrier", 8, "70", "71", "")))
                    THREAD(1, TASK("0", "100", AT("barrier", 8, "50", "71", "")))),
        "before barrier t.c:8 [1]: 20");
}
END_TEST

/* Two threads that are in no team begin regions in the same line, of two threads each: there are five threads. */
START_TEST(a_thread_outside_of_teams_can_begin_one)
{
    expect_rows(HARNESS(THREAD(1, PARALLEL("10", "60", TASK("10", "60", "")))
                            THREAD(2, PARALLEL("20", "90", TASK("20", "90", ""))) THREAD(3, TASK("20", "60", ""))
                                THREAD(4, TASK("20", "90", ""))),
                "serial part, : 160\nstart of region, parallel: 10");
}
END_TEST

/* Two inner regions in the same line at the same time, each with one more thread: without numbers thread 2 would be in
 * the first one. So thread 3 idles 1 and 30 for the main thread, thread 1 idles 40 for thread 2. */
START_TEST(regions_that_are_alike_have_numbers)
{
    expect_rows(
        HARNESS(PARALLEL("0", "100",
                         TASK("0", "100",
                              WITH("requested=2 region=1", "parallel", 7, "10", "60",
                                   WITH("threads=2 region=1", "implicit task", 7, "10", "60", ""))))
                    THREAD(1, TASK("0", "100",
                                   WITH("region=2", "parallel", 7, "10", "60",
                                        WITH("threads=2 region=2", "implicit task", 7, "10", "20", ""))))
                        THREAD(2, WITH("threads=2 region=2", "implicit task", 7, "10", "60", ""))
                            THREAD(3, WITH("threads=2 region=1", "implicit task", 7, "11", "30", ""))),
        "no part in region, parallel: 100\n"
        "end of region, parallel: 70 by turns threads come last, most of all thread 2 (57.1 %): the last one computes "
        "3.4 times as long as the others\n"
        "start of region, parallel: 1");
}
END_TEST

START_TEST(what_is_behind_finalize_does_not_count)
{
    expect_rows(HARNESS(PARALLEL("90", "120", TASK("90", "120", "")) THREAD(1, TASK("95", "110", ""))),
                "serial part, parallel: 90\nstart of region, parallel: 5");
}
END_TEST

/* A task that does not end, in a region that does: all time of the main thread counts all the same. */
START_TEST(tasks_can_last_longer_than_regions)
{
    expect_factors(HARNESS(PARALLEL("0", "50", TASK("0", "60", "")) THREAD(1, TASK("0", "50", ""))),
                   "2 threads: 75 75 75 100 100 100 100 100 100");
}
END_TEST

START_TEST(threads_can_come_last_by_turns)
{
    expect_rows(HARNESS(PARALLEL("0", "50", TASK("0", "50", "")) PARALLEL("50", "100", TASK("50", "80", ""))
                            THREAD(1, TASK("0", "30", "") TASK("50", "100", ""))),
                "end of region, parallel: 40 by turns threads come last, most of all thread 0 (50.0 %): the last one "
                "computes 1.7 times as long as the others");
}
END_TEST

START_TEST(a_critical_section_has_a_thread_in_it)
{
    expect_rows(
        HARNESS(PARALLEL("0", "100",
                         TASK("0", "100", AT("acquire critical", 8, "10", "10", "") AT("critical", 8, "10", "30", "")))
                    THREAD(1, TASK("0", "100",
                                   AT("acquire critical", 8, "10", "30", "") AT("critical", 8, "30", "40", "")))),
        "wait for critical, acquire critical: 20 thread 0 is in it");
}
END_TEST

#define LOCK(name, line, number, start, finish) WITH("lock=" #number, name " lock", line, start, finish, "")

/* Thread 1 waits in line 9 for the main thread, which took the lock in line 8 (a nest lock: twice, so that it gives it
 * back at 40); then for nobody. Thread 2 waits for another lock, which nobody has, and before a section of another
 * name. */
START_TEST(a_lock_has_a_thread_that_took_it)
{
    expect_rows(HARNESS(PARALLEL("0", "100",
                                 TASK("0", "100",
                                      LOCK("acquire nest", 8, 1, "10", "10") LOCK("acquire nest", 7, 1, "11", "11")
                                          LOCK("release nest", 8, 1, "30", "30") LOCK("release nest", 8, 1, "40", "40")
                                              WITH("lock=3", "critical", 6, "50", "90", "")))
                            THREAD(1, TASK("0", "100",
                                           LOCK("acquire nest", 9, 1, "20", "40") LOCK("release nest", 9, 1, "45", "45")
                                               LOCK("acquire nest", 10, 1, "60", "61")
                                                   WITH("lock=3", "acquire critical", 11, "70", "90", "")))
                                THREAD(2, TASK("0", "100",
                                               LOCK("acquire", 12, 2, "20", "27")
                                                   WITH("lock=4", "acquire critical", 13, "60", "65", "")))),
                "wait for critical, acquire critical: 20 thread 0 is in it, entered at t.c:6\n"
                "wait for lock, acquire nest lock: 20 thread 0 has it, taken at t.c:8\n"
                "wait for lock, acquire lock: 7\n"
                "wait for critical, acquire critical: 5\n"
                "wait for lock, acquire nest lock: 1");
}
END_TEST

/* The main thread waits for the lock from 10 to 60, while the other one, which has it, does its work; then for nobody.
 */
START_TEST(the_path_goes_to_the_thread_that_has_the_lock)
{
    expect_path(
        HARNESS(PARALLEL("0", "100", TASK("0", "100", LOCK("acquire", 8, 1, "10", "60"))) THREAD(
            1, TASK("0", "60",
                    LOCK("acquire", 9, 1, "5", "5") "<hieraRegion level=\"app\" operation=\"work\" "
                                                    "file=\"t.c\" line=\"20\" start_time=\"5\" "
                                                    "finish_time=\"60\"/>\n" LOCK("release", 9, 1, "60", "60")))),
        "work t.c:20: 55\n"
        "implicit task t.c:5: 40\n"
        "before acquire lock t.c:9: 5");
}
END_TEST

/* One of two threads idles for 60 s: that is half of the first two quarters, and 5 s of the third. */
START_TEST(idle_time_of_some_threads_lies_where_it_is)
{
    Harness h = HARNESS(PARALLEL("60", "100", TASK("60", "100", "")) THREAD(1, TASK("60", "100", "")));
    const HieraMeasure *measure = &hiera_measure_bottlenecks;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        const char *last = strrchr(cells[column_of(measure, "where")].text, HIERA_PATH_SEPARATOR);
        if (g_str_equal(cells[0].text, "threads") && last)
            g_string_append_printf(text, "%s: %g\n", last + 1, (double)number_at(table, measure, row, "time") / 1e9);
    }
    ck_assert_str_eq(text->str, "quarters 1-3: 30\nquarter 4: 0\n");
    harness_clear(&h);
}
END_TEST

/* The main thread of rank 0 waits in the region for rank 1, but the other one computes longer; rank 1 comes to the last
 * barrier first. So the path is never on rank 1. */
START_TEST(the_path_does_not_leave_a_rank_while_it_is_on_another_thread)
{
    Harness h = HARNESS(PARALLEL("10", "60", TASK("10", "35", RECEIVE_AT("20", "31", 1)))
                            THREAD(1, TASK("10", "60", "")) BARRIER_AT("90", "100"),
                        SEND_AT("30", "31", 0) BARRIER_AT("80", "100"));
    const HieraMeasure *measure = &hiera_measure_critical_path;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, "rank");
    gint64 sum_ns = 0;
    for (guint row = 0; row < hiera_table_count(table); row++) {
        ck_assert_str_eq(hiera_table_peek_row(table, row)[column_of(measure, "processors")].text, "0");
        sum_ns += number_at(table, measure, row, "time");
    }
    ck_assert_int_eq(sum_ns, 100 * G_GINT64_CONSTANT(1000000000));
    harness_clear(&h);
}
END_TEST

/* With LLVM's runtime a thread says that it gives a lock back when another one has it already. */
START_TEST(locks_can_be_taken_by_turns)
{
    expect_rows(
        HARNESS(PARALLEL("0", "100",
                         TASK("0", "100",
                              LOCK("acquire", 8, 1, "0", "0") LOCK("release", 8, 1, "41", "41")
                                  LOCK("acquire", 9, 1, "50", "80") LOCK("release", 9, 1, "90", "90")))
                    THREAD(1, TASK("0", "100", LOCK("acquire", 9, 1, "10", "40") LOCK("release", 9, 1, "81", "81")))
                        THREAD(2, TASK("0", "100", LOCK("acquire", 9, 1, "70", "90")))),
        "wait for lock, acquire lock: 80 by turns threads have it, most of all thread 0 (62.5 %), taken most "
        "of all at t.c:9 (62.5 %)");
}
END_TEST

/* The worker runs a task after its implicit task, so it computes 70 s. */
START_TEST(a_task_at_the_end_is_computation)
{
    expect_rows(HARNESS(PARALLEL("0", "100", TASK("0", "100", ""))
                            THREAD(1, TASK("0", "60", "") AT("task", 9, "70", "80", ""))),
                "end of region, parallel: 30 thread 0 computes 1.4 times as long as the others");
}
END_TEST

/* The main thread computes 100 of 100, the worker 80 in the region; a user's thread does not count. */
START_TEST(other_threads_are_told)
{
    Harness h = HARNESS(PARALLEL("0", "100", TASK("0", "100", "")) THREAD(1, TASK("0", "80", ""))
                            THREAD(2, SPAN("10", "20", "barrier", WORLD)));
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    ck_assert_str_eq(hiera_table_peek_row(table, 0)[column_of(measure, "remark")].text, "of the threads of OpenMP");
    ck_assert_int_eq(number_at(table, measure, 0, "efficiency"), 9000);
    harness_clear(&h);
}
END_TEST

/* A thread without operations limits the answers, which are about those that have some. */
START_TEST(threads_that_were_not_recorded_are_told)
{
    Harness h = HARNESS(PARALLEL(
        "0", "100", TASK("0", "100", "")) "<hieraUsage time=\"9\" recorded_time=\"6\" threads=\"3\" unrecorded=\"1\" "
                                          "openmp=\"libgomp.so.1\"/>\n" THREAD(1, TASK("0", "80", "")));
    const HieraMeasure *const measures[] = {hiera_measure_threads.forms[0], &hiera_measure_efficiency};
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        g_autoptr(HieraFindings) findings = hiera_findings_new();
        g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measures[i], NULL);
        hiera_table_check(table, findings);
        ck_assert_ptr_nonnull(
            strstr(hiera_findings_peek(findings, 0)->message, "all numbers here are of the recorded"));
    }
    harness_clear(&h);
}
END_TEST

#define USAGE(cpus, queued)                                                                                            \
    "<hieraUsage time=\"9\" recorded_time=\"9\" threads=\"2\" cpus=\"" #cpus "\" queued=\"" #queued "\"/>\n"
#define OF_CPUS(cpus, queued)                                                                                          \
    PARALLEL("0", "100", TASK("0", "100", "")) THREAD(1, TASK("0", "100", "")) USAGE(cpus, queued)

/* Rank 0 has fewer processors than threads, and did not wait; rank 1 has enough, and waited. */
START_TEST(who_has_fewer_processors_is_told_apart_from_who_waits)
{
    static const char *const told[] = {
        "1 of 2 ranks has fewer processors than threads (rank 0: 1 processor): mpirun",
        "threads waited for a processor for 25.0 % of the time in which they could run (rank 1: 25.0 %): more threads",
    };
    static const char alone[] = "rank 0 has fewer processors than threads (1 processor): mpirun";
    Harness h = HARNESS(OF_CPUS(1, 0), OF_CPUS(2, 3)), one = HARNESS(OF_CPUS(1, 0));
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), hiera_measure_threads.forms[0], NULL);
    g_autoptr(HieraTable) of_one = answer(hiera_graph_peek_match(one.graph), hiera_measure_threads.forms[0], NULL);
    hiera_table_check(table, findings);
    hiera_table_check(of_one, findings);
    for (guint i = 0; i < G_N_ELEMENTS(told); i++)
        ck_assert(g_str_has_prefix(hiera_findings_peek(findings, i)->message, told[i]));
    ck_assert(g_str_has_prefix(hiera_findings_peek(findings, G_N_ELEMENTS(told))->message, alone));
    harness_clear(&h);
    harness_clear(&one);
}
END_TEST

/* It waited for 5.3 % of the time in which it could run, and for 0.5 % of the run. */
START_TEST(a_rank_that_seldom_runs_waits_for_no_processor)
{
    Harness h = HARNESS(OF_CPUS(2, 0.5));
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), hiera_measure_threads.forms[0], NULL);
    hiera_table_check(table, findings);
    ck_assert_uint_eq(hiera_findings_count(findings), 0);
    harness_clear(&h);
}
END_TEST

#define UNEVEN(first, second) PARALLEL("0", "100", TASK("0", first, "")) THREAD(1, TASK("0", second, ""))

/* Computing times 10, 10, 10, 90: an overload of 60. */
START_TEST(the_thread_of_few_ranks_that_computes_longest_is_named)
{
    static const struct {
        const char *ranks[4];
        gint64 least_ns;
        const char *said; /* NULL: nothing */
        const char *scope;
    } cases[] = {
        {{UNEVEN("10", "10"), UNEVEN("10", "90")}, 60, "thread 1 of rank 1 computes 9.0", NULL},
        {{UNEVEN("10", "10"), UNEVEN("10", "90")}, 61, NULL, NULL},
        {{UNEVEN("10", "10"), UNEVEN("10", "90")}, 0, NULL, "1"}, /* one of one rank */
        {{UNEVEN("10", "90"), UNEVEN("10", "90")}, 0, NULL, NULL},
        {{UNEVEN("80", "90"), UNEVEN("10", "10"), UNEVEN("10", "10")},
         0,
         "threads 0-1 of rank 0 compute up to 9.0",
         NULL},
        {{UNEVEN("10", "90"), UNEVEN("10", "10"), UNEVEN("90", "10"), UNEVEN("10", "10")},
         0,
         "threads 0:1 2:0 (rank:thread) compute up to 9.0",
         NULL},
        /* Threads 1 and 2 are never there at the same time: one thread, of which nothing is said. */
        {{PARALLEL("0", "5", TASK("0", "5", "")) PARALLEL("5", "100", TASK("5", "10", "")) THREAD(1, TASK("0", "5", ""))
              THREAD(2, TASK("5", "95", "")),
          UNEVEN("10", "10")},
         0,
         NULL,
         NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        HieraScope scope = HIERA_SCOPE_ALL;
        g_autoptr(HieraRanks) ranks = cases[i].scope ? hiera_ranks_parse(cases[i].scope, NULL) : NULL;
        scope.ranks = ranks;
        guint n = 0;
        while (n < G_N_ELEMENTS(cases[i].ranks) && cases[i].ranks[n])
            n++;
        Harness h = harness_load(cases[i].ranks, n);
        g_autofree char *text = hiera_imbalance_say_region(hiera_graph_peek_match(h.graph), &scope,
                                                           cases[i].least_ns * G_GINT64_CONSTANT(1000000000));
        g_autofree char *expected =
            cases[i].said
                ? g_strdup_printf("in parallel t.c:5 %s times as long as the median of all threads", cases[i].said)
                : NULL;
        ck_assert_pstr_eq(text, expected);
        harness_clear(&h);
    }
}
END_TEST

START_TEST(constructs_that_a_filter_left_out_are_told)
{
    Harness h = HARNESS(PARALLEL("0", "100", TASK("0", "100", ""))
                            THREAD(1, TASK("0", "100", "")) "<hieraFiltered level=\"openmp\" operation=\"barrier\" "
                                                            "count=\"1\" time=\"9\"/>\n");
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    ck_assert_str_eq(hiera_table_peek_row(table, 0)[column_of(measure, "remark")].text,
                     "a filter left out constructs of OpenMP");
    harness_clear(&h);
}
END_TEST

/* The worker comes to the barrier 10 s before the main thread, and to the end 8 s before it. */
START_TEST(who_comes_early_has_slack)
{
    expect_slack(ONE_TEAM, "before barrier t.c:6 [1]: 10");
}
END_TEST

/* The main thread has 50 s once it has left the critical section, and none before: the worker goes on with it to the
 * end. That waits 20 s for the section; 60 s if what it does behind the section had 40 s. */
START_TEST(a_critical_section_is_handed_over)
{
#define HELD(start, finish) AT("critical", 8, start, finish, "")
    expect_slack(HARNESS(PARALLEL("0", "100", TASK("0", "50", HELD("10", "30")))
                             THREAD(1, TASK("0", "100", AT("acquire critical", 8, "10", "30", "") HELD("30", "40")))),
                 "implicit task t.c:5 [0]: 50\nbefore acquire critical t.c:8 [1]: 20");
    expect_slack(HARNESS(PARALLEL("0", "100", TASK("0", "100", HELD("10", "30")))
                             THREAD(1, TASK("0", "60", AT("acquire critical", 8, "10", "30", "") HELD("30", "40")))),
                 "implicit task t.c:5 [1]: 40\n"
                 "critical t.c:8 [1]: 40\n"
                 "before acquire critical t.c:8 [1]: 60");
}
END_TEST

/* The main thread of rank 0 waits 10 s in MPI while its worker computes; then it comes to the end of the region 4 s
 * before that. The begin of the region has none, because of the worker. The call could begin no more than 10 s later,
 * because of rank 1. */
START_TEST(calls_in_a_region_have_slack_of_threads)
{
    expect_slack(HARNESS(PARALLEL("10", "45", TASK("10", "40", BARRIER_AT("20", "30"))) THREAD(1, TASK("10", "44", ""))
                             BARRIER_AT("80", "90"),
                         BARRIER_AT("30", "30.5") BARRIER_AT("80", "90")),
                 "implicit task t.c:5 [0]: 4\n"
                 "barrier t.c:1 [0]: 4\n"
                 "before barrier t.c:1 [0]: 10");
}
END_TEST

/* Check the limits of `slack` and `critical-path`, one a line. */
static void expect_limits(Harness h, const char *slack, const char *critical_path)
{
    const HieraMeasure *const measures[] = {&hiera_measure_slack, &hiera_measure_critical_path};
    const char *const expected[] = {slack, critical_path};
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        g_autoptr(HieraFindings) findings = hiera_findings_new();
        g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measures[i], NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        hiera_table_check(table, findings);
        for (guint k = 0; k < hiera_findings_count(findings); k++)
            g_string_append_printf(text, "%s%s", k ? "\n" : "", hiera_findings_peek(findings, k)->message);
        ck_assert_str_eq(text->str, expected[i]);
    }
    harness_clear(&h);
}

/* The receive could end 14 s later for the main thread (10 in the barrier, 4 at the end of the region), and no later
 * for the worker: so rank 1 can send when that begins, and no later. */
START_TEST(calls_before_a_region_have_slack_of_threads)
{
    expect_slack(HARNESS(RECEIVE_AT("2", "3", 1) PARALLEL("10", "45", TASK("10", "40", BARRIER_AT("20", "30")))
                             THREAD(1, TASK("10", "44", "")) BARRIER_AT("80", "90"),
                         SEND_AT("1", "2", 0) BARRIER_AT("30", "30.5") BARRIER_AT("80", "90")),
                 "implicit task t.c:5 [0]: 4\n"
                 "barrier t.c:1 [0]: 4\n"
                 "before barrier t.c:1 [0]: 10\n"
                 "before send t.c:1 []: 1");
}
END_TEST

/* Rank 0 receives until 14 in a region, waits at the barrier from 20 to 40 for its worker, and sends at 45; for that
 * rank 1, in a region, too, waits from 20 on. So the worker has no slack before the barrier, the main thread 20 s, and
 * the send of rank 1 as much: itself it has 25 s, until the other send begins, and at the begin of its region 24 s,
 * since its worker comes to the end so much earlier than its main thread. Behind the second send rank 0 has 20 s, and
 * its worker 8 s more. */
START_TEST(slack_goes_through_threads_to_other_ranks)
{
    expect_slack(
        HARNESS(
            PARALLEL("10", "60", TASK("10", "60", RECEIVE_AT("12", "14", 1) BARRIER("20", "40") SEND_AT("45", "46", 1)))
                THREAD(1, TASK("10", "52", BARRIER("40", "40.5"))) BARRIER_AT("70", "100"),
            SEND_AT("13", "14", 0)
                AT("parallel", 7, "15", "85", AT("implicit task", 7, "15", "85", RECEIVE_AT("20", "46", 0)))
                    THREAD(1, AT("implicit task", 7, "15", "61", "")) BARRIER_AT("90", "100")),
        "implicit task t.c:7 [1]: 24\n"
        "before barrier t.c:1 [0]: 0..13.3333\n"
        "implicit task t.c:5 [0]: 20\n"
        "before send t.c:1 [0]: 20\n"
        "implicit task t.c:5 [1]: 28\n"
        "before barrier t.c:6 [0]: 20\n"
        "before receive t.c:1 [0]: 25\n"
        "receive t.c:1 [0]: 20\n"
        "before receive t.c:1 [0]: 21\n"
        "send t.c:1 [0]: 20\n"
        "send t.c:1 [0]: 24\n"
        "before parallel t.c:7 [0]: 24");
}
END_TEST

/* The main thread gets the lock at 30, when the worker has given it back for 10 s: so long that can have it longer. It
 * computes 60 s then, the worker 40. */
START_TEST(who_has_a_lock_next_comes_later_than_it_is_given_back)
{
    expect_slack(
        HARNESS(
            PARALLEL("0", "100", TASK("0", "90", LOCK("acquire", 8, 1, "30", "30") LOCK("release", 8, 1, "40", "40")))
                THREAD(1, TASK("0", "60", LOCK("acquire", 9, 1, "5", "5") LOCK("release", 9, 1, "20", "20")))),
        "implicit task t.c:5 [1]: 30\n"
        "before release lock t.c:9 [1]: 10\n"
        "before acquire lock t.c:9 [1]: 10");
}
END_TEST

#define BARRIER_WITH_A_TASK(main_leaves)                                                                               \
    HARNESS(PARALLEL("0", "100", TASK("0", "90", BARRIER("20", main_leaves)))                                          \
                THREAD(1, TASK("0", "100", AT("barrier", 6, "5", "31", AT("task", 7, "25", "30", "")))))

/* A task that begins when a thread has left the barrier is one of what follows: the worker came at 5, the main thread
 * at
 * 20. One that begins before, also after all have come, is one of those that the barrier waits for: there the worker
 * comes at 30. */
START_TEST(tasks_are_before_or_behind_a_barrier)
{
    expect_path(BARRIER_WITH_A_TASK("21"), "implicit task t.c:5: 69\n"
                                           "before barrier t.c:6: 20\n"
                                           "task t.c:7: 5\n"
                                           "before task t.c:7: 5\n"
                                           "barrier t.c:6: 1");
    expect_slack(BARRIER_WITH_A_TASK("21"), "implicit task t.c:5 [0]: 10\n"
                                            "before barrier t.c:6 [1]: 15\n"
                                            "barrier t.c:6 [0]: 10");
    expect_slack(BARRIER_WITH_A_TASK("31"), "implicit task t.c:5 [0]: 10\n"
                                            "before barrier t.c:6 [0]: 10\n"
                                            "barrier t.c:6 [0]: 10");
}
END_TEST

#define CREATE(number, at)                        WITH("task=" #number, "create task", 8, at, at, "")
#define RUN(number, line, start, finish, content) WITH("task=" #number, "task", line, start, finish, content)
#define TASKS                                                                                                          \
    HARNESS(                                                                                                           \
        PARALLEL("0", "100", TASK("0", "100", CREATE(1, "20") AT("taskwait", 9, "25", "61", "") BARRIER("90", "91")))  \
            THREAD(1, TASK("0", "100", AT("barrier", 6, "5", "91", RUN(1, 7, "21", "60", "")))))

/* The worker waits for a task, which the main thread creates at 20, then the main thread waits until it has run. What
 * the worker does before the barrier has 15 s, the main thread behind the creation 35 s. */
START_TEST(threads_wait_for_tasks)
{
    expect_rows(TASKS, "wait for tasks, taskwait: 36 thread 1 runs the last task (t.c:7)\n"
                       "wait at barrier, barrier: 32 thread 0 computes 1.2 times as long as the others\n"
                       "wait for tasks, barrier: 16 thread 0 is late to create a task (t.c:8)");
    expect_path(TASKS, "task t.c:7: 39\n"
                       "before barrier t.c:6: 29\n"
                       "before create task t.c:8: 20\n"
                       "implicit task t.c:5: 9\n"
                       "taskwait t.c:9: 1\n"
                       "barrier t.c:6: 1\n"
                       "before task t.c:7: 1");
    expect_slack(TASKS, "before taskwait t.c:9 [0]: 35\n"
                        "before barrier t.c:6 [1]: 15");
}
END_TEST

/* The main thread leaves the barrier before the worker has come. */
START_TEST(contradicted_waits_of_threads_are_told)
{
    static const char sentence[] = "1 wait of threads for each other counts for nothing: times contradict each other";
    expect_limits(HARNESS(PARALLEL("10", "60", TASK("10", "60", BARRIER("20", "30")))
                              THREAD(1, TASK("10", "60", BARRIER("40", "41")))),
                  sentence, sentence);
}
END_TEST

/* A thread of the user calls MPI beside a region, and where there is none. */
START_TEST(calls_of_other_threads_are_told)
{
    static const char sentences[] =
        "1 of 1 ranks has further threads, which do not count\n"
        "waits of threads for what is not known (atomic or ordered code, tasks and locks of older traces: --measure "
        "threads has the places), and MPI calls of other threads than main threads, take as long as recorded: 1";
    g_autofree char *first = g_strndup(sentences, strcspn(sentences, "\n"));
    expect_limits(HARNESS(PARALLEL("0", "100", TASK("0", "100", "")) THREAD(1, TASK("0", "80", ""))
                              THREAD(2, SPAN("10", "20", "barrier", WORLD))),
                  sentences, first);
    expect_limits(HARNESS(THREAD(1, SPAN("10", "20", "barrier", WORLD))), sentences, first);
}
END_TEST

/* A call of the main thread has no end, so the first region seems to end behind the begin of the second one, and nobody
 * waits for what the worker computed in the first: that may last 55 s longer, to the end of the run; the rest 25 s. */
START_TEST(slack_ends_with_the_run)
{
    Harness h =
        HARNESS(PARALLEL("10", "50", TASK("10", "50", "<hieraMPI operation=\"barrier\" start_time=\"20\"" WORLD "/>"))
                    PARALLEL("60", "80", TASK("60", "80", "")) THREAD(1, TASK("10", "45", "") TASK("60", "75", "")));
    const HieraMeasure *measure = &hiera_measure_slack;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, NULL);
    guint row = 0;
    while (!g_str_equal(hiera_table_peek_row(table, row)[column_of(measure, "threads")].text, "1"))
        row++;
    ck_assert_int_eq(number_at(table, measure, row, "least"), 25 * G_GINT64_CONSTANT(1000000000));
    ck_assert_int_eq(number_at(table, measure, row, "mean"), (35 * 55 + 15 * 25) / 50 * G_GINT64_CONSTANT(1000000000));
    harness_clear(&h);
}
END_TEST

TCase *teams_tests(void)
{
    TCase *tests = tcase_create("teams");
    tcase_add_test(tests, time_of_threads_is_divided);
    tcase_add_test(tests, idle_time_has_a_place_and_a_thread);
    tcase_add_test(tests, a_barrier_at_the_end_of_a_loop_names_it);
    tcase_add_test(tests, ranks_count_by_their_threads);
    tcase_add_test(tests, an_inner_team_has_its_own_threads);
    tcase_add_test(tests, a_region_of_one_thread_is_no_team);
    tcase_add_test(tests, a_barrier_of_one_thread_is_none_of_the_team);
    tcase_add_test(tests, a_thread_outside_of_teams_can_begin_one);
    tcase_add_test(tests, regions_that_are_alike_have_numbers);
    tcase_add_test(tests, what_is_behind_finalize_does_not_count);
    tcase_add_test(tests, tasks_can_last_longer_than_regions);
    tcase_add_test(tests, threads_can_come_last_by_turns);
    tcase_add_test(tests, a_critical_section_has_a_thread_in_it);
    tcase_add_test(tests, a_lock_has_a_thread_that_took_it);
    tcase_add_test(tests, the_path_goes_to_the_thread_that_has_the_lock);
    tcase_add_test(tests, the_path_does_not_leave_a_rank_while_it_is_on_another_thread);
    tcase_add_test(tests, idle_time_of_some_threads_lies_where_it_is);
    tcase_add_test(tests, locks_can_be_taken_by_turns);
    tcase_add_test(tests, a_task_at_the_end_is_computation);
    tcase_add_test(tests, other_threads_are_told);
    tcase_add_test(tests, threads_that_were_not_recorded_are_told);
    tcase_add_test(tests, who_has_fewer_processors_is_told_apart_from_who_waits);
    tcase_add_test(tests, a_rank_that_seldom_runs_waits_for_no_processor);
    tcase_add_test(tests, the_thread_of_few_ranks_that_computes_longest_is_named);
    tcase_add_test(tests, constructs_that_a_filter_left_out_are_told);
    tcase_add_test(tests, who_comes_early_has_slack);
    tcase_add_test(tests, a_critical_section_is_handed_over);
    tcase_add_test(tests, calls_in_a_region_have_slack_of_threads);
    tcase_add_test(tests, calls_before_a_region_have_slack_of_threads);
    tcase_add_test(tests, slack_goes_through_threads_to_other_ranks);
    tcase_add_test(tests, who_has_a_lock_next_comes_later_than_it_is_given_back);
    tcase_add_test(tests, tasks_are_before_or_behind_a_barrier);
    tcase_add_test(tests, threads_wait_for_tasks);
    tcase_add_test(tests, contradicted_waits_of_threads_are_told);
    tcase_add_test(tests, calls_of_other_threads_are_told);
    tcase_add_test(tests, slack_ends_with_the_run);
    return tests;
}
