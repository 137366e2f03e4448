/* Functions with exceptions are moved and moved back: exceptions go the same ways, and what the functions tell is what
 * is known of them. test_throw LIBRARY [WORD…], with the functions of throw_subject.cc; an empty name: the program
 * has them itself. Words: `exact`: the loops are those of the source; `switch`: throw_switch can be moved. */
#include "collector/loops/timing.h"
#include "moving.h"
#include "throw_subject.h"

#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What calls them from outside stays. */
static const char *const names[] = {"throw_some",  "throw_out",    "throw_inside", "throw_stays", "throw_again",
                                    "throw_twice", "throw_nested", "throw_each",   "throw_deep",  "throw_listed",
                                    "throw_never", "throw_exit",   "throw_lists",  "throw_switch"};

typedef uint64_t Function(uint64_t n);

static const char *library;
static bool is_exact, has_switch;
static void *handle;

static Function *function_of(const char *name)
{
    Function *function = (Function *)(uintptr_t)dlsym(handle, name);
    ck_assert_msg(function != NULL, "no %s", name);
    return function;
}

static MovingSubject plan_subjects(void)
{
    Dl_info info;
    handle = dlopen(library, RTLD_NOW);
    ck_assert_msg(handle != NULL, "%s", dlerror());
    ck_assert(dladdr((void *)(uintptr_t)function_of("throw_all"), &info) != 0);
    return moving_plan(library ? library : "/proc/self/exe", (uintptr_t)info.dli_fbase, names,
                       G_N_ELEMENTS(names) - !has_switch);
}

typedef struct {
    MovingSubject subject;
    HieraMoved moved;
} Moving;

static Moving begin(void)
{
    Moving moving;
    moving.subject = plan_subjects();
    moving.moved = moving_place(&moving.subject);
    ck_assert_ptr_null(hiera_moved_redirect(&moving.moved));
    return moving;
}

static void end(Moving *moving)
{
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    ck_assert_ptr_null(hiera_moved_undo(&moving->moved));
    hiera_moved_free(&moving->moved);
    g_byte_array_unref(moving->subject.plan);
}

static HieraTimedTotal timed(const Moving *moving, const char *name)
{
    return hiera_timing_function(moving_number(moving->moved.plan, name));
}

/* What is known of a loop, counted from the function's first one; in the order of the source. */
static HieraTimedTotal timed_loop(const Moving *moving, const char *name, uint32_t i)
{
    uint32_t number = moving_number(moving->moved.plan, name);
    const HieraPlanFunction *functions = hiera_plan_part(moving->moved.plan, moving->moved.plan->functions);
    ck_assert_uint_lt(i, functions[number - 1].n_loops);
    return hiera_timing_loop(functions[number - 1].loop + i + 1, number);
}

static void nothing_is_open(const Moving *moving)
{
    const HieraPlan *plan = moving->moved.plan;
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    for (uint32_t i = 0; i < plan->functions.n; i++)
        ck_assert_uint_eq(hiera_timing_function(i + 1).open, 0);
    for (uint32_t i = 0; i < plan->loops.n; i++) {
        HieraTimedTotal loop = hiera_timing_loop(i + 1, loops[i].function + 1);
        HieraTimedTotal function = hiera_timing_function(loops[i].function + 1);
        ck_assert_uint_eq(loop.open, 0);
        ck_assert_uint_le(loop.total, function.total);
    }
}

START_TEST(exceptions_go_the_same_ways)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    Function *all = function_of("throw_all");
    uint64_t expected[40];
    for (uint64_t n = 0; n < 40; n++)
        expected[n] = all(n);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(hiera_moved_redirect(&moved));
        for (uint64_t n = 0; n < 40; n++)
            ck_assert_uint_eq(all(n), expected[n]);
        ck_assert_ptr_null(hiera_moved_undo(&moved));
        for (uint64_t n = 0; n < 40; n++)
            ck_assert_uint_eq(all(n), expected[n]);
    }
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* No event comes after the exception: who has called them is not moved. */
START_TEST(an_exception_ends_the_function_that_it_leaves)
{
    Moving moving = begin();
    function_of("throw_outside")(4);
    ck_assert_uint_eq(timed(&moving, "throw_out").executions, 4);
    ck_assert_uint_eq(timed(&moving, "throw_some").executions, 4);
    nothing_is_open(&moving);
    if (is_exact) { /* throw_out(n) has n whole outer iterations, and one that is left */
        HieraTimedTotal outer = timed_loop(&moving, "throw_out", 0), inner = timed_loop(&moving, "throw_out", 1);
        ck_assert_uint_eq(outer.executions, 4);
        ck_assert_uint_eq(outer.iterations, 0 + 1 + 2 + 3);
        ck_assert_uint_eq(inner.executions, 1 + 2 + 3 + 4);
        ck_assert_uint_eq(inner.iterations, 6 * (0 + 1 + 2 + 3) + 4 * 3);
    }
    function_of("throw_deep_outside")(5); /* see throw_deep: 0, 1 and 2 throw, 3 has two of these, and so on */
    ck_assert_uint_eq(timed(&moving, "throw_deep").executions, 31);
    function_of("throw_deep_outside")(2);
    ck_assert_uint_eq(timed(&moving, "throw_deep").executions, 31 + 3);
    nothing_is_open(&moving);
    end(&moving);
}
END_TEST

START_TEST(an_exception_ends_the_loops_that_it_leaves)
{
    enum { N = 30 };
    Moving moving = begin();
    function_of("throw_inside")(N);
    function_of("throw_stays")(N);
    function_of("throw_again")(N);
    function_of("throw_twice")(N);
    nothing_is_open(&moving);
    ck_assert_uint_eq(timed(&moving, "throw_inside").executions, 1);
    ck_assert_uint_eq(timed(&moving, "throw_stays").executions, 1);
    if (is_exact) {
        HieraTimedTotal outer = timed_loop(&moving, "throw_inside", 0), inner = timed_loop(&moving, "throw_inside", 1);
        HieraTimedTotal stays = timed_loop(&moving, "throw_stays", 0), again = timed_loop(&moving, "throw_again", 0);
        ck_assert_uint_eq(outer.executions, 1);
        ck_assert_uint_eq(outer.iterations, N);
        ck_assert_uint_eq(inner.executions, N);
        ck_assert_uint_eq(inner.iterations, 2 * N);
        ck_assert_uint_eq(stays.executions, 1);
        ck_assert_uint_eq(stays.iterations, N);
        ck_assert_uint_eq(again.executions, 1);
        ck_assert_uint_eq(again.iterations, 4);
        ck_assert_uint_eq(timed_loop(&moving, "throw_twice", 0).iterations, N);
        ck_assert_uint_eq(timed_loop(&moving, "throw_twice", 1).executions, N);
    }
    end(&moving);
}
END_TEST

/* What comes after the exception is not the loop's time, and calls are no more the function's own time than before. */
START_TEST(times_end_with_the_exception)
{
    Moving moving = begin();
    Function *outside = function_of("throw_outside");
    outside(3);
    HieraTimedTotal before = timed(&moving, "throw_out");
    usleep(100000);
    HieraTimedTotal after = timed(&moving, "throw_out");
    ck_assert_uint_eq(before.total, after.total);
    ck_assert_uint_le(after.own, after.total);
    ck_assert_uint_le(after.least, after.most);
    end(&moving);
}
END_TEST

/* --- ends of threads and of the program --- */

static uint64_t exit_sum;

static void *exit_inside(void *n)
{
    void (*leave)(uint64_t *, uint64_t) = (void (*)(uint64_t *, uint64_t))(uintptr_t)dlsym(handle, "throw_exit");
    leave(&exit_sum, (uint64_t)(uintptr_t)n);
    return NULL;
}

static uint64_t sum_of_exit(uintptr_t n)
{
    pthread_t thread;
    exit_sum = 0;
    pthread_create(&thread, NULL, exit_inside, (void *)n);
    pthread_join(thread, NULL);
    return exit_sum;
}

START_TEST(ends_of_threads_pass_through)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    Moving moving = {subject, moved};
    uint64_t expected = sum_of_exit(5);
    ck_assert_ptr_null(hiera_moved_redirect(&moving.moved));
    ck_assert_uint_eq(sum_of_exit(5), expected);
    ck_assert_uint_eq(timed(&moving, "throw_exit").executions, 1);
    nothing_is_open(&moving);
    end(&moving);
}
END_TEST

/* @return the signal that ends the program when an exception meets noexcept */
static int end_program(void)
{
    Function *never = function_of("throw_never");
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        never(20);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

START_TEST(noexcept_ends_the_program)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    Moving moving = {subject, moved};
    Function *never = function_of("throw_never");
    uint64_t expected = never(2);
    ck_assert_int_eq(end_program(), SIGABRT);
    ck_assert_ptr_null(hiera_moved_redirect(&moving.moved));
    ck_assert_int_eq(end_program(), SIGABRT);
    ck_assert_uint_eq(never(2), expected);
    end(&moving);
}
END_TEST

/* --- while threads run --- */

enum { VALUES = 16 };

static volatile bool is_over;
static uint64_t expected_of[VALUES];

static void *throw_again_and_again(void *number)
{
    Function *all = function_of("throw_all");
    uint64_t n_wrong = 0, n_rounds = 0;
    (void)number;
    for (; !is_over; n_rounds++)
        n_wrong += all(n_rounds % VALUES) != expected_of[n_rounds % VALUES];
    return (void *)(uintptr_t)(n_wrong > 0 ? 1 : n_rounds > 0 ? 0 : 2);
}

START_TEST(functions_are_moved_while_threads_throw)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    Function *all = function_of("throw_all");
    for (uint64_t n = 0; n < VALUES; n++)
        expected_of[n] = all(n);
    moving_while_threads_run(&moved, 30, throw_again_and_again, &is_over);
    ck_assert_uint_gt(hiera_timing_function(moving_number(moved.plan, "throw_stays")).executions, 0);
    g_byte_array_unref(subject.plan);
}
END_TEST

int main(int argc, char **argv)
{
    library = argc > 1 && argv[1][0] ? argv[1] : NULL;
    for (int i = 2; i < argc; i++) {
        is_exact |= strcmp(argv[i], "exact") == 0;
        has_switch |= strcmp(argv[i], "switch") == 0;
    }
    Suite *suite = suite_create("moving functions with exceptions");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, exceptions_go_the_same_ways);
    tcase_add_test(all, an_exception_ends_the_function_that_it_leaves);
    tcase_add_test(all, an_exception_ends_the_loops_that_it_leaves);
    tcase_add_test(all, times_end_with_the_exception);
    tcase_add_test(all, ends_of_threads_pass_through);
    tcase_add_test(all, noexcept_ends_the_program);
    tcase_add_test(all, functions_are_moved_while_threads_throw);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
