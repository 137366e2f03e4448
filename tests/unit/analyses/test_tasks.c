/* What tasks of OpenMP need (analyses/threads/task_needs.h), in small traces, worked out by hand. */
#include "harness/answers.h"
#include "suites.h"
#include "threads/task_needs.h"

#define WITH(args, name, line, start, finish, content)                                                                 \
    "<hieraRegion level=\"openmp\" operation=\"" name "\" file=\"t.c\" line=\"" #line "\" start_time=\"" start         \
    "\" finish_time=\"" finish "\" args=\"" args "\">\n" content "</hieraRegion>\n"
#define MARK(args, name, at)                 WITH(args, name, 1, at, at, "")
#define CREATE(n, at)                        MARK("task=" #n, "create task", at)
#define DEPEND(how, data, at)                MARK("data=" #data, "depend " how, at)
#define RUN(n, line, start, finish, content) WITH("task=" #n, "task", line, start, finish, content)
#define WAIT(name, start, finish, content)   WITH("", name, 2, start, finish, content)
/* Two threads: what the main thread does, and the other one. */
#define TEAM(main, other)                                                                                              \
    HARNESS(WITH("", "parallel", 5, "0", "100", WITH("", "implicit task", 5, "0", "100", main))                        \
                THREAD(1, WITH("", "implicit task", 5, "0", "100", other)))

/* Check the needs, a row of the trace each line: its operation and line, then what it needs: line, thread, seconds. */
static void expect_needs(Harness h, const char *expected)
{
    const HieraTrace *trace = hiera_match_peek_trace(hiera_graph_peek_match(h.graph));
    g_autoptr(GArray) needs = hiera_task_needs_find(trace, 0);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < needs->len; i++) {
        const HieraTaskNeed *need = &g_array_index(needs, HieraTaskNeed, i);
        const HieraSite *site = hiera_trace_peek_site(trace, need->row);
        if (i == 0 || need[-1].row != need->row)
            g_string_append_printf(text, "%s%s %d:", i ? "\n" : "", site->operation, site->line);
        if (need->by == HIERA_NONE)
            g_string_append(text, " unknown");
        else
            g_string_append_printf(text, " %s %d [%u] %g", hiera_trace_peek_site(trace, need->by)->operation,
                                   hiera_trace_peek_site(trace, need->by)->line, need->thread,
                                   (double)need->at_ns / 1e9);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* The number 1 is used again when its first task has begun. Of `taskwait` the tasks since the last one count. */
START_TEST(a_wait_needs_the_tasks_of_its_region)
{
    expect_needs(TEAM(CREATE(1, "10") CREATE(2, "11") WAIT("taskwait", "12", "40", RUN(2, 7, "12", "20", ""))
                          CREATE(1, "50") WAIT("taskwait", "52", "80", ""),
                      RUN(1, 6, "15", "39", CREATE(3, "16")) RUN(3, 9, "39", "45", "") RUN(1, 8, "51", "79", "")),
                 "taskwait 2: task 7 [0] 20 task 6 [1] 39\n"
                 "task 7: create task 1 [0] 11\n"
                 "taskwait 2: task 8 [1] 79\n"
                 "task 6: create task 1 [0] 10\n"
                 "task 9: create task 1 [1] 16\n"
                 "task 8: create task 1 [0] 50");
}
END_TEST

/* A group has also what its tasks create, but not what its thread has created before. */
START_TEST(a_group_needs_what_its_tasks_create)
{
    expect_needs(TEAM(CREATE(1, "1") MARK("", "begin taskgroup", "2") CREATE(2, "3") WAIT("taskgroup", "4", "60", ""),
                      RUN(2, 6, "5", "10", CREATE(3, "6")) RUN(3, 7, "10", "59", "") RUN(1, 8, "60", "70", "")),
                 "taskgroup 2: task 6 [1] 10 task 7 [1] 59\n"
                 "task 6: create task 1 [0] 3\n"
                 "task 7: create task 1 [1] 6\n"
                 "task 8: create task 1 [0] 1");
    expect_needs(TEAM(CREATE(1, "1") WAIT("taskgroup", "4", "60", ""), RUN(1, 6, "5", "10", "")),
                 "taskgroup 2: unknown\n"
                 "task 6: create task 1 [0] 1");
}
END_TEST

/* Readers (7, 8) come after the writer (6), the next writer (9) after these. */
START_TEST(tasks_need_those_that_they_depend_on)
{
    expect_needs(TEAM(CREATE(1, "1") DEPEND("out", 1, "1") CREATE(2, "2") DEPEND("in", 1, "2") CREATE(3, "3")
                          DEPEND("in", 1, "3") CREATE(4, "4") DEPEND("out", 1, "4") DEPEND("in", 2, "4"),
                      RUN(1, 6, "10", "20", "") RUN(2, 7, "20", "30", "") RUN(3, 8, "30", "40", "")
                          RUN(4, 9, "40", "50", "")),
                 "task 6: create task 1 [0] 1\n"
                 "task 7: create task 1 [0] 2 task 6 [1] 20\n"
                 "task 8: create task 1 [0] 3 task 6 [1] 20\n"
                 "task 9: create task 1 [0] 4 task 8 [1] 40");
}
END_TEST

/* Tasks of one set do not need each other, but those of the set before; one that depends on all memory needs all, and
 * is before all that follow. */
START_TEST(sets_and_all_memory)
{
    expect_needs(TEAM(CREATE(1, "1") DEPEND("inoutset", 1, "1") CREATE(2, "2") DEPEND("inoutset", 1, "2") CREATE(3, "3")
                          DEPEND("mutexinoutset", 1, "3") CREATE(4, "4") MARK("", "depend all", "4") CREATE(5, "5")
                              DEPEND("in", 9, "5"),
                      RUN(1, 6, "10", "20", "") RUN(2, 7, "20", "30", "") RUN(3, 8, "30", "40", "")
                          RUN(4, 9, "40", "50", "") RUN(5, 10, "50", "60", "")),
                 "task 6: create task 1 [0] 1\n"
                 "task 7: create task 1 [0] 2\n"
                 "task 8: create task 1 [0] 3 task 7 [1] 30\n"
                 "task 9: create task 1 [0] 4 task 6 [1] 20 task 7 [1] 30 task 8 [1] 40\n"
                 "task 10: create task 1 [0] 5 task 9 [1] 50");
}
END_TEST

/* A wait for some tasks leaves the others to the next one. */
START_TEST(a_wait_may_be_for_some_tasks)
{
    expect_needs(TEAM(CREATE(1, "1") DEPEND("out", 1, "1") CREATE(2, "2")
                          WAIT("taskwait", "3", "21", DEPEND("in", 1, "3")) WAIT("taskwait", "22", "41", ""),
                      RUN(1, 6, "10", "20", "") RUN(2, 7, "20", "40", "")),
                 "taskwait 2: task 6 [1] 20\n"
                 "taskwait 2: task 6 [1] 20 task 7 [1] 40\n"
                 "task 6: create task 1 [0] 1\n"
                 "task 7: create task 1 [0] 2");
}
END_TEST

/* All tasks of a loop have the number of the loop. */
START_TEST(tasks_of_a_loop_share_a_number)
{
    expect_needs(TEAM(WAIT("taskloop", "1", "1", CREATE(1, "1")) WAIT("taskwait", "2", "50", ""),
                      RUN(1, 6, "10", "20", "") RUN(1, 6, "20", "30", "") RUN(1, 6, "30", "49", "")),
                 "taskwait 2: task 6 [1] 20 task 6 [1] 30 task 6 [1] 49\n"
                 "task 6: create task 1 [0] 1\n"
                 "task 6: create task 1 [0] 1\n"
                 "task 6: create task 1 [0] 1");
}
END_TEST

/* The second part waits for what the first one, on the other thread, has created. */
START_TEST(parts_are_of_one_task)
{
    expect_needs(TEAM(CREATE(1, "1") RUN(1, 6, "30", "60", WAIT("taskwait", "31", "50", ""))
                          WAIT("taskwait", "61", "62", ""),
                      RUN(1, 6, "10", "20", CREATE(2, "11")) RUN(2, 8, "21", "49", "")),
                 "task 6: task 6 [1] 20\n"
                 "taskwait 2: task 8 [1] 49\n"
                 "taskwait 2: task 6 [0] 60\n"
                 "task 6: create task 1 [0] 1\n"
                 "task 8: create task 1 [1] 11");
}
END_TEST

START_TEST(a_detached_task_ends_later)
{
    expect_needs(TEAM(CREATE(1, "1") WAIT("taskwait", "2", "50", ""), RUN(1, 6, "10", "20", MARK("", "detach", "10"))),
                 "taskwait 2: unknown\n"
                 "task 6: create task 1 [0] 1");
}
END_TEST

/* The second task has the number of the first, but another line: its creation was not recorded. */
START_TEST(a_task_of_another_place_is_no_part)
{
    expect_needs(
        TEAM(CREATE(1, "1") WAIT("taskwait", "2", "50", ""), RUN(1, 6, "10", "20", "") RUN(1, 7, "30", "40", "")),
        "taskwait 2: task 6 [1] 20 unknown\n"
        "task 6: create task 1 [0] 1");
}
END_TEST

/* A task without a number ends in the first wait, behind the one that is known, which may be for it; a task that is
 * created and never begins; data without a number. */
START_TEST(what_is_not_known_is_told)
{
    expect_needs(TEAM(CREATE(1, "1") WAIT("taskwait", "2", "50", ""),
                      RUN(1, 6, "10", "20", "") WITH("", "task", 7, "20", "40", "")),
                 "taskwait 2: task 6 [1] 20 unknown\n"
                 "task 6: create task 1 [0] 1");
    expect_needs(TEAM(CREATE(1, "1") WAIT("taskwait", "2", "50", ""), ""), "taskwait 2: unknown");
    expect_needs(TEAM(CREATE(1, "1") MARK("", "depend in", "1"), RUN(1, 6, "10", "20", "")),
                 "task 6: create task 1 [0] 1 unknown");
    expect_needs(TEAM(WAIT("taskwait", "2", "50", ""), WITH("", "task", 7, "20", "40", "")), "");
}
END_TEST

TCase *tasks_tests(void)
{
    TCase *tests = tcase_create("tasks of threads");
    tcase_add_test(tests, a_wait_needs_the_tasks_of_its_region);
    tcase_add_test(tests, a_group_needs_what_its_tasks_create);
    tcase_add_test(tests, tasks_need_those_that_they_depend_on);
    tcase_add_test(tests, sets_and_all_memory);
    tcase_add_test(tests, a_wait_may_be_for_some_tasks);
    tcase_add_test(tests, tasks_of_a_loop_share_a_number);
    tcase_add_test(tests, parts_are_of_one_task);
    tcase_add_test(tests, a_detached_task_ends_later);
    tcase_add_test(tests, a_task_of_another_place_is_no_part);
    tcase_add_test(tests, what_is_not_known_is_told);
    return tests;
}
