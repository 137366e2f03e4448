/* Functions are moved and moved back: they compute the same, their bytes are as before, and what they tell is what is
 * known of them. */
#include "collector/loops/breakpoints.h"
#include "collector/loops/stop_threads.h"
#include "collector/loops/timing.h"
#include "move_subject.h"
#include "moving.h"

#include <check.h>
#include <dlfcn.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"subject_nested",  "subject_early",   "subject_switch", "subject_recursive",
                                    "subject_floats",  "subject_varargs", "subject_tail",   "subject_thrower",
                                    "subject_jumps",   "subject_sort",    "subject_bytes",  "subject_all",
                                    "subject_unwound", "subject_exit"};

static MovingSubject plan_subjects(void)
{
    Dl_info info;
    ck_assert(dladdr((void *)(uintptr_t)subject_all, &info) != 0);
    return moving_plan(info.dli_fname, (uintptr_t)info.dli_fbase, names, G_N_ELEMENTS(names));
}

static uint64_t compute(uint64_t n)
{
    uint64_t seed = 7 + n;
    return subject_all(n, &seed) ^ subject_jumps(n % 30);
}

START_TEST(moved_functions_compute_the_same)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected[60];
    for (uint64_t n = 0; n < 60; n++)
        expected[n] = compute(n);
    for (int i = 0; i < 20; i++) {
        ck_assert_ptr_null(hiera_moved_redirect(&moved));
        for (uint64_t n = 0; n < 60; n++)
            ck_assert_uint_eq(compute(n), expected[n]);
        ck_assert_ptr_null(hiera_moved_undo(&moved));
        for (uint64_t n = 0; n < 60; n++)
            ck_assert_uint_eq(compute(n), expected[n]);
    }
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* subject_nested(70) has 70 times 10 iterations of i % 7 in its first inner loop: 3 a round. */
START_TEST(executions_and_iterations_are_exact)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint32_t nested = moving_number(moved.plan, "subject_nested"),
             recursive = moving_number(moved.plan, "subject_recursive");
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    uint64_t executions = hiera_timing_function(nested).sum.executions;
    ck_assert_uint_eq(executions, 0);
    subject_nested(70);
    subject_nested(70);
    HieraTimed function = hiera_timing_function(nested);
    ck_assert_uint_eq(function.sum.executions, 2);
    ck_assert_uint_eq(function.n_threads, 1);
    ck_assert_uint_le(function.sum.least, function.sum.most);
    ck_assert_uint_eq(function.sum.total, function.sum.least + function.sum.most);
    const HieraPlanFunction *of =
        (const HieraPlanFunction *)hiera_plan_part(moved.plan, moved.plan->functions) + (nested - 1);
    const HieraPlanLoop *loops = hiera_plan_part(moved.plan, moved.plan->loops);
    uint64_t all = 0;
    for (uint32_t i = 0; i < of->n_loops; i++) {
        HieraTimed loop = hiera_timing_loop(of->loop + i + 1, nested);
        ck_assert_uint_le(loop.sum.total, function.sum.total);
        all += loop.sum.iterations + loop.sum.executions;
        if (loops[of->loop + i].parent == HIERA_PLAN_NO_LOOP)
            ck_assert_uint_eq(loop.sum.executions, 2);
    }
    ck_assert_uint_gt(of->n_loops, 1);
    ck_assert_uint_ge(all, 2 * (70 + 70));
    subject_recursive(6);
    HieraTimed deep = hiera_timing_function(recursive);
    ck_assert_uint_gt(deep.sum.executions, 10);
    ck_assert_uint_eq(deep.open, 0);
    ck_assert_uint_eq(deep.sum.most, deep.sum.total);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* The last one is left in its fifth iteration, as all that have so many. */
START_TEST(executions_that_longjmp_leaves_end)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint32_t thrower = moving_number(moved.plan, "subject_thrower");
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    subject_jumps(30);
    HieraTimed function = hiera_timing_function(thrower);
    ck_assert_uint_eq(function.sum.executions, 30);
    ck_assert_uint_eq(function.open, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

static uint64_t exit_sum;

static void *exit_inside(void *n)
{
    subject_exit(&exit_sum, (uint64_t)(uintptr_t)n);
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

/* C has code for that, too. */
START_TEST(ends_of_threads_are_cleaned_up)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = sum_of_exit(7);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    ck_assert_uint_eq(sum_of_exit(7), expected);
    HieraTimed function = hiera_timing_function(moving_number(moved.plan, "subject_exit"));
    ck_assert_uint_eq(function.sum.executions, 1);
    ck_assert_uint_eq(function.open, 0);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* Of more loops than a plan has room for, the outer ones are timed. */
START_TEST(outer_loops_of_many_are_timed)
{
    static const char *const many[] = {"subject_many"};
    Dl_info info;
    ck_assert(dladdr((void *)(uintptr_t)subject_all, &info) != 0);
    MovingSubject subject = moving_plan(info.dli_fname, (uintptr_t)info.dli_fbase, many, 1);
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = subject_many(9);
    ck_assert_uint_eq(moved.plan->loops.n, 2);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    ck_assert_uint_eq(subject_many(9), expected);
    for (uint32_t i = 1; i <= 2; i++) {
        HieraTimed loop = hiera_timing_loop(i, 1);
        ck_assert_uint_eq(loop.sum.executions, 1);
        ck_assert_uint_ge(loop.sum.iterations, 8);
        ck_assert_uint_eq(loop.open, 0);
    }
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

START_TEST(addresses_of_copies_become_those_of_originals)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    const HieraPlanPlace *places = hiera_plan_part(moved.plan, moved.plan->places);
    for (uint32_t i = 0; i < moved.plan->places.n; i++) {
        uintptr_t at = (uintptr_t)moved.area + places[i].copy, behind = at + 1,
                  outside = (uintptr_t)moved.area + moved.area_bytes;
        ck_assert(hiera_moved_original(&moved, &at) && hiera_moved_original(&moved, &behind));
        ck_assert_uint_eq(at, moved.base + places[i].offset);
        if (places[i].n > 1)
            ck_assert_uint_eq(behind, moved.base + places[i].offset + places[i].n);
        ck_assert(!hiera_moved_original(&moved, &outside));
    }
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* As exceptions do. */
START_TEST(unwinding_gets_through_copies)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint64_t before = subject_unwound(3);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    uint64_t after = subject_unwound(3);
    ck_assert_uint_gt(before, 3);
    ck_assert_uint_eq(after, before);
    ck_assert_uint_eq(hiera_timing_function(moving_number(moved.plan, "subject_unwound")).sum.executions, 1);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* --- while threads run --- */

static volatile bool is_over;
static uint64_t expected_of[MOVING_THREADS][16];

static void *compute_again_and_again(void *number)
{
    uint64_t thread = (uint64_t)(uintptr_t)number, seed = thread, n_wrong = 0, n_rounds = 0;
    for (; !is_over; n_rounds++)
        n_wrong += subject_all(n_rounds % 16, &seed) != expected_of[thread][n_rounds % 16];
    return (void *)(uintptr_t)(n_wrong > 0 ? 1 : n_rounds > 0 ? 0 : 2);
}

START_TEST(functions_are_moved_while_threads_run)
{
    hiera_moved_by = (HieraMovedBy)_i;
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    for (uint64_t i = 0; i < MOVING_THREADS; i++)
        for (uint64_t n = 0; n < 16; n++)
            expected_of[i][n] = subject_all(n, &i);
    moving_while_threads_run(&moved, compute_again_and_again, &is_over);
    ck_assert_uint_gt(hiera_timing_function(moving_number(moved.plan, "subject_all")).sum.executions, 0);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* A thread that is about to get a signal when it is stopped gets it afterwards. */
static volatile sig_atomic_t n_signals;
static volatile bool is_sent; /* before the thread ends, which would get no more */

static void count_signal(int number)
{
    (void)number;
    n_signals++;
}

/* Send a signal to a thread, again when it has come. @return whether one was lost */
static void *send_again_and_again(void *thread)
{
    const pthread_t *to = thread;
    for (int n = 1; !is_sent; n++) {
        struct timespec begin, now;
        pthread_kill(*to, SIGUSR1);
        clock_gettime(CLOCK_MONOTONIC, &begin);
        do
            clock_gettime(CLOCK_MONOTONIC, &now);
        while (n_signals < n && now.tv_sec - begin.tv_sec < 10);
        if (n_signals < n)
            return thread;
    }
    return NULL;
}

START_TEST(signals_are_delivered_to_threads_that_were_stopped)
{
    hiera_moved_by = (HieraMovedBy)_i;
    const guint rounds = moving_rounds(200);
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    pthread_t thread, sender;
    void *lost;
    is_over = is_sent = false;
    n_signals = 0;
    signal(SIGUSR1, count_signal);
    for (uint64_t n = 0, seed = 0; n < 16; n++)
        expected_of[0][n] = subject_all(n, &seed);
    pthread_create(&thread, NULL, compute_again_and_again, NULL);
    pthread_create(&sender, NULL, send_again_and_again, &thread);
    for (guint i = 0; i < rounds; i++)
        if (!hiera_moved_redirect_running(&moved, NULL))
            while (hiera_moved_undo_running(&moved, NULL))
                continue;
    is_sent = true;
    pthread_join(sender, &lost);
    is_over = true;
    pthread_join(thread, NULL);
    ck_assert_ptr_null(lost);
    ck_assert_int_gt(n_signals, 10);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* --- where ptrace is forbidden --- */

/* As a container does. */
static void forbid_ptrace(uint32_t action)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {G_N_ELEMENTS(filter), filter};
    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static const uint32_t forbidding[] = {SECCOMP_RET_ERRNO | 1, SECCOMP_RET_KILL_PROCESS};

static void *wait_until_it_is_over(void *block)
{
    sigset_t trap;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    if (block)
        pthread_sigmask(SIG_BLOCK, &trap, NULL);
    while (!is_over)
        usleep(1000);
    return NULL;
}

START_TEST(breakpoints_serve_where_ptrace_is_forbidden)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = compute(20);
    pthread_t thread;
    is_over = false;
    pthread_create(&thread, NULL, wait_until_it_is_over, NULL);
    forbid_ptrace(forbidding[_i]);
    hiera_moved_by = HIERA_MOVED_BY_STOPS;
    ck_assert_str_eq(hiera_moved_redirect_running(&moved, NULL), hiera_stop_refused);
    ck_assert(!moved.is_in_force);
    hiera_moved_by = HIERA_MOVED_BY_ANY;
    ck_assert_ptr_null(hiera_moved_redirect_running(&moved, NULL));
    ck_assert_uint_eq(compute(20), expected);
    ck_assert_uint_gt(hiera_timing_function(moving_number(moved.plan, "subject_all")).sum.executions, 0);
    ck_assert_ptr_null(hiera_moved_undo_running(&moved, NULL));
    ck_assert_uint_eq(compute(20), expected);
    is_over = true;
    pthread_join(thread, NULL);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

static const char *try_breakpoints(void)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    struct sigaction before, after;
    hiera_moved_by = HIERA_MOVED_BY_BREAKPOINTS;
    sigaction(SIGTRAP, NULL, &before);
    const char *reason = hiera_moved_redirect_running(&moved, NULL);
    sigaction(SIGTRAP, NULL, &after);
    ck_assert(before.sa_handler == after.sa_handler);
    ck_assert_int_eq(moved.is_in_force, reason == NULL);
    if (!reason)
        ck_assert_ptr_null(hiera_moved_undo_running(&moved, NULL));
    hiera_moved_free(&moved); /* no thread has been in a copy */
    g_byte_array_unref(subject.plan);
    return reason;
}

START_TEST(breakpoints_leave_the_handler_of_the_program)
{
    ck_assert_ptr_null(try_breakpoints());
    signal(SIGTRAP, SIG_IGN);
    ck_assert_ptr_null(try_breakpoints());
    signal(SIGTRAP, count_signal);
    ck_assert_str_eq(try_breakpoints(), "without ptrace: the program handles SIGTRAP itself");
}
END_TEST

START_TEST(breakpoints_are_not_put_where_a_thread_blocks_them)
{
    pthread_t thread;
    is_over = false;
    pthread_create(&thread, NULL, wait_until_it_is_over, NULL);
    ck_assert_ptr_null(try_breakpoints());
    is_over = true;
    pthread_join(thread, NULL);
    is_over = false;
    pthread_create(&thread, NULL, wait_until_it_is_over, (void *)1);
    ck_assert_str_eq(try_breakpoints(), "without ptrace: a thread blocks SIGTRAP");
    is_over = true;
    pthread_join(thread, NULL);
}
END_TEST

static int in_child[2];

static void *wait_for_child_of_vfork(void *nothing)
{
    char byte;
    if (vfork() == 0)
        _exit(read(in_child[0], &byte, 1) == 1);
    return nothing;
}

START_TEST(breakpoints_are_not_put_where_another_process_meets_them)
{
    pthread_t thread;
    ck_assert_int_eq(pipe(in_child), 0);
    pthread_create(&thread, NULL, wait_for_child_of_vfork, NULL);
    usleep(100000);
    ck_assert_str_eq(try_breakpoints(), "without ptrace: a thread begins a process (vfork)");
    ck_assert_int_eq(write(in_child[1], "", 1), 1);
    pthread_join(thread, NULL);
    ck_assert_ptr_null(try_breakpoints());
}
END_TEST

static void *fork_again_and_again(void *nothing)
{
    long n_wrong = 0;
    while (!is_over) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            hiera_breakpoints_in_child();
            signal(SIGTRAP, SIG_DFL); /* else our handler would hide them */
            _exit(compute(11) == expected_of[0][0] ? 0 : 1);
        }
        waitpid(child, &status, 0);
        n_wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    (void)nothing;
    return (void *)(uintptr_t)n_wrong;
}

/* A child has what its parent had, breakpoints too. */
START_TEST(children_of_fork_have_no_breakpoints)
{
    enum { ROUNDS = 30 };
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    pthread_t thread;
    void *n_wrong;
    hiera_moved_by = HIERA_MOVED_BY_BREAKPOINTS;
    is_over = false;
    expected_of[0][0] = compute(11);
    pthread_create(&thread, NULL, fork_again_and_again, NULL);
    guint n = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const char *reason = hiera_moved_redirect_running(&moved, NULL);
        ck_assert_msg(!reason || moving_may_try_again(reason), "%s", reason);
        n += !reason;
        while (!reason && (reason = hiera_moved_undo_running(&moved, NULL)) != NULL && moving_may_try_again(reason))
            reason = NULL;
    }
    is_over = true;
    pthread_join(thread, &n_wrong);
    ck_assert_ptr_null(n_wrong);
    ck_assert_uint_gt(n, 0);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* A trap of the program ends it, as without us. */
static void *trap(void *nothing)
{
    __asm__ volatile("int3");
    return nothing;
}

START_TEST(traps_of_the_program_end_it)
{
    MovingSubject subject = plan_subjects();
    HieraMoved moved = moving_place(&subject);
    pthread_t thread;
    hiera_moved_by = HIERA_MOVED_BY_BREAKPOINTS;
    pthread_create(&thread, NULL, trap, NULL);
    for (;;)
        if (!hiera_moved_redirect_running(&moved, NULL))
            hiera_moved_undo_running(&moved, NULL);
}
END_TEST

/* Whatever byte is wrong, the collector must see it, or not be harmed. */
START_TEST(damaged_plans_are_refused_or_harmless)
{
    MovingSubject subject = plan_subjects();
    guint n_refused = 0;
    for (guint i = 0; i < sizeof(HieraPlan); i++) {
        subject.plan->data[i] ^= 0x55;
        n_refused += !hiera_plan_check(subject.plan->data, subject.plan->len);
        subject.plan->data[i] ^= 0x55;
    }
    ck_assert_uint_gt(n_refused, sizeof(HieraPlan) / 3);
    for (guint n = 0; n < subject.plan->len; n += 7) {
        g_autofree guint8 *cut = g_memdup2(subject.plan->data, n);
        ck_assert(!hiera_plan_check(cut, n));
    }
    g_byte_array_unref(subject.plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("moving functions");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, moved_functions_compute_the_same);
    tcase_add_test(all, executions_and_iterations_are_exact);
    tcase_add_test(all, executions_that_longjmp_leaves_end);
    tcase_add_test(all, ends_of_threads_are_cleaned_up);
    tcase_add_test(all, outer_loops_of_many_are_timed);
    tcase_add_test(all, addresses_of_copies_become_those_of_originals);
    tcase_add_test(all, unwinding_gets_through_copies);
    tcase_add_loop_test(all, functions_are_moved_while_threads_run, HIERA_MOVED_BY_STOPS,
                        HIERA_MOVED_BY_BREAKPOINTS + 1);
    tcase_add_loop_test(all, signals_are_delivered_to_threads_that_were_stopped, HIERA_MOVED_BY_STOPS,
                        HIERA_MOVED_BY_BREAKPOINTS + 1);
    tcase_add_loop_test(all, breakpoints_serve_where_ptrace_is_forbidden, 0, G_N_ELEMENTS(forbidding));
    tcase_add_test(all, breakpoints_leave_the_handler_of_the_program);
    tcase_add_test(all, breakpoints_are_not_put_where_a_thread_blocks_them);
    tcase_add_test(all, breakpoints_are_not_put_where_another_process_meets_them);
    tcase_add_test(all, children_of_fork_have_no_breakpoints);
    tcase_add_test_raise_signal(all, traps_of_the_program_end_it, SIGTRAP);
    tcase_add_test(all, damaged_plans_are_refused_or_harmless);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
