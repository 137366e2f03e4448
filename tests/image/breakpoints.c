/* Breakpoints keep threads out of functions that are moved, where ptrace is forbidden; and where they may not be put.
 */
#include "collector/loops/breakpoints.h"
#include "collector/loops/stop_threads.h"
#include "collector/loops/timing.h"
#include "moved_subjects.h"
#include "moving.h"

#include <check.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile bool is_over;

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
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = moved_subjects_compute(20);
    pthread_t thread;
    is_over = false;
    pthread_create(&thread, NULL, wait_until_it_is_over, NULL);
    forbid_ptrace(forbidding[_i]);
    hiera_moved_by = HIERA_MOVED_BY_STOPS;
    ck_assert_str_eq(hiera_moved_redirect_running(&moved, NULL), hiera_stop_refused);
    ck_assert(!moved.is_in_force);
    hiera_moved_by = HIERA_MOVED_BY_ANY;
    ck_assert_ptr_null(hiera_moved_redirect_running(&moved, NULL));
    ck_assert_uint_eq(moved_subjects_compute(20), expected);
    ck_assert_uint_gt(hiera_timing_function(moving_number(moved.plan, "subject_all")).executions, 0);
    ck_assert_ptr_null(hiera_moved_undo_running(&moved, NULL));
    ck_assert_uint_eq(moved_subjects_compute(20), expected);
    is_over = true;
    pthread_join(thread, NULL);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

static void ignore_trap(int number)
{
    (void)number;
}

static const char *try_breakpoints(void)
{
    MovingSubject subject = moved_subjects_plan();
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
    signal(SIGTRAP, ignore_trap);
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

static uint64_t expected_of_child;

static void *fork_again_and_again(void *nothing)
{
    long n_wrong = 0;
    while (!is_over) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            hiera_breakpoints_in_child();
            signal(SIGTRAP, SIG_DFL); /* else our handler would hide them */
            _exit(moved_subjects_compute(11) == expected_of_child ? 0 : 1);
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
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    pthread_t thread;
    void *n_wrong;
    hiera_moved_by = HIERA_MOVED_BY_BREAKPOINTS;
    is_over = false;
    expected_of_child = moved_subjects_compute(11);
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
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    pthread_t thread;
    hiera_moved_by = HIERA_MOVED_BY_BREAKPOINTS;
    pthread_create(&thread, NULL, trap, NULL);
    for (;;)
        if (!hiera_moved_redirect_running(&moved, NULL))
            hiera_moved_undo_running(&moved, NULL);
}
END_TEST

TCase *moving_breakpoints(void)
{
    TCase *all = tcase_create("breakpoints");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, breakpoints_serve_where_ptrace_is_forbidden, 0, G_N_ELEMENTS(forbidding));
    tcase_add_test(all, breakpoints_leave_the_handler_of_the_program);
    tcase_add_test(all, breakpoints_are_not_put_where_a_thread_blocks_them);
    tcase_add_test(all, breakpoints_are_not_put_where_another_process_meets_them);
    tcase_add_test(all, children_of_fork_have_no_breakpoints);
    tcase_add_test_raise_signal(all, traps_of_the_program_end_it, SIGTRAP);
    return all;
}
