/* Functions are moved and moved back: they compute the same, their bytes are as before, and what they tell is what is
 * known of them. */
#include "collector/loops/timing_table.h"
#include "move_subject.h"
#include "moved_subjects.h"
#include "moving.h"

#include <check.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

START_TEST(moved_functions_compute_the_same)
{
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected[60];
    for (uint64_t n = 0; n < 60; n++)
        expected[n] = moved_subjects_compute(n);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(hiera_moved_redirect(&moved));
        for (uint64_t n = 0; n < 60; n++)
            ck_assert_uint_eq(moved_subjects_compute(n), expected[n]);
        ck_assert_ptr_null(hiera_moved_undo(&moved));
        for (uint64_t n = 0; n < 60; n++)
            ck_assert_uint_eq(moved_subjects_compute(n), expected[n]);
    }
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* Behind a closed gate a function is executed as if it had not been moved: no event tells of it. Nothing is redirected
 * but entries, and the targets of a table that must stay where it is. */
START_TEST(closed_gates_lead_into_the_original)
{
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected[60];
    uint32_t n_passed = 0, n_functions = moved.plan->functions.n;
    for (uint64_t n = 0; n < 60; n++)
        expected[n] = moved_subjects_compute(n);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    ck_assert_uint_lt(n_functions, HIERA_TIMED_GATES);
    ck_assert_uint_eq(moved.plan->patches.n, n_functions + 2);
    for (uint32_t i = 1; i <= n_functions; i++)
        hiera_timed_locals.gates[i] = INT32_MAX;
    for (uint64_t n = 0; n < 60; n++)
        ck_assert_uint_eq(moved_subjects_compute(n), expected[n]);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    for (uint32_t i = 1; i <= n_functions; i++) {
        bool is_passed = hiera_timed_locals.gates[i] < INT32_MAX && hiera_timed_locals.gates[i] > 0;
        n_passed += is_passed;
        ck_assert(!is_passed || hiera_timing_function(i).timed == 0);
    }
    ck_assert_uint_ge(n_passed, n_functions - 4); /* one has that table, two are not called, one needs AVX-512 */
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* subject_nested(70) has 70 times 10 iterations of i % 7 in its first inner loop: 3 a round. */
START_TEST(executions_and_iterations_are_exact)
{
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint32_t nested = moving_number(moved.plan, "subject_nested"),
             recursive = moving_number(moved.plan, "subject_recursive");
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    uint64_t executions = hiera_timing_function(nested).executions;
    ck_assert_uint_eq(executions, 0);
    subject_nested(70);
    subject_nested(70);
    HieraTimedTotal function = hiera_timing_function(nested);
    ck_assert_uint_eq(function.executions, 2);
    ck_assert_uint_eq(function.n_threads, 1);
    ck_assert_uint_le(function.least, function.most);
    ck_assert_uint_eq(function.total, function.least + function.most);
    const HieraPlanFunction *of =
        (const HieraPlanFunction *)hiera_plan_part(moved.plan, moved.plan->functions) + (nested - 1);
    const HieraPlanLoop *loops = hiera_plan_part(moved.plan, moved.plan->loops);
    uint64_t all = 0;
    for (uint32_t i = 0; i < of->n_loops; i++) {
        HieraTimedTotal loop = hiera_timing_loop(of->loop + i + 1, nested);
        ck_assert_uint_le(loop.total, function.total + loop.uncertainty + function.uncertainty);
        all += loop.iterations + loop.executions;
        if (loops[of->loop + i].parent == HIERA_PLAN_NO_LOOP)
            ck_assert_uint_eq(loop.executions, 2);
    }
    ck_assert_uint_gt(of->n_loops, 1);
    ck_assert_uint_ge(all, 2 * (70 + 70));
    subject_recursive(6);
    HieraTimedTotal deep = hiera_timing_function(recursive);
    ck_assert_uint_gt(deep.executions, 10);
    ck_assert_uint_eq(deep.open, 0);
    /* The outermost one is the longest, but for what events may be wrong. */
    ck_assert_uint_le(deep.total, deep.most + deep.uncertainty);
    ck_assert_uint_le(deep.most, deep.total + deep.uncertainty);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

static HieraTimedTotal first_loop_of(const HieraPlan *plan, uint32_t function)
{
    const HieraPlanFunction *of = (const HieraPlanFunction *)hiera_plan_part(plan, plan->functions) + (function - 1);
    return hiera_timing_loop(of->loop + 1, function);
}

/* Those that have 25 iterations are left in the last one. These iterations nobody counts, if they are counted at the
 * end.
 */
START_TEST(executions_that_longjmp_leaves_end)
{
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint32_t thrower = moving_number(moved.plan, "subject_thrower");
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    subject_jumps(30);
    HieraTimedTotal function = hiera_timing_function(thrower), loop = first_loop_of(moved.plan, thrower);
    /* Without the first one of each; more: where the condition is first. */
    uint64_t turns = 23 * 24 / 2 + 5 * 24, more = 24;
    ck_assert_uint_eq(function.executions, 30);
    ck_assert_uint_eq(function.open, 0);
    ck_assert_uint_ge(loop.iterations + loop.in_doubt, turns);
    ck_assert_uint_le(loop.iterations, turns + more + loop.in_doubt);
    ck_assert(loop.iterations >= turns || loop.estimated > 0);
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
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = sum_of_exit(7);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    ck_assert_uint_eq(sum_of_exit(7), expected);
    HieraTimedTotal function = hiera_timing_function(moving_number(moved.plan, "subject_exit"));
    ck_assert_uint_eq(function.executions, 1);
    ck_assert_uint_eq(function.open, 0);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* Of more loops than a plan has room for, the outer ones are timed; of more of those, the largest. */
static const struct {
    const char *name;
    uint64_t (*function)(uint64_t n);
    uint32_t n, first; /* loops that are timed; of these, the first that is executed once, up to the last */
} many[] = {{"subject_many", subject_many, 2, 1}, {"subject_wide", subject_wide, HIERA_PLAN_LOOPS, HIERA_PLAN_LOOPS}};
START_TEST(outer_loops_of_many_are_timed)
{
    Dl_info info;
    ck_assert(dladdr((void *)(uintptr_t)subject_all, &info) != 0);
    MovingSubject subject = moving_plan(info.dli_fname, (uintptr_t)info.dli_fbase, &many[_i].name, 1);
    HieraMoved moved = moving_place(&subject);
    uint64_t expected = many[_i].function(9);
    ck_assert_uint_eq(moved.plan->loops.n, many[_i].n);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    ck_assert_uint_eq(many[_i].function(9), expected);
    for (uint32_t i = many[_i].first; i <= many[_i].n; i++) {
        HieraTimedTotal loop = hiera_timing_loop(i, 1);
        ck_assert_uint_eq(loop.executions, 1);
        ck_assert_uint_ge(loop.iterations, 8);
        ck_assert_uint_eq(loop.open, 0);
    }
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

START_TEST(addresses_of_copies_become_those_of_originals)
{
    MovingSubject subject = moved_subjects_plan();
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

/* Bytes of memory in use, those that the thread keeps for later among them: of these it has none after this. */
static size_t used_bytes(void)
{
    enum { KEPT = 8, MOST = 2048 };
    void *all[MOST / 16][KEPT];
    for (size_t i = 0; i < MOST / 16 * KEPT; i++)
        all[i / KEPT][i % KEPT] = malloc(i / KEPT * 16 + 8);
    ck_assert_ptr_nonnull(all[0][0]);
    return mallinfo2().uordblks;
}

/* As exceptions do. No memory is allocated then: a handler of signals may unwind that has interrupted malloc(). */
START_TEST(unwinding_gets_through_copies)
{
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    size_t used = used_bytes();
    uint64_t before = subject_unwound(3);
    ck_assert_uint_eq(mallinfo2().uordblks, used);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    uint64_t after = subject_unwound(3);
    ck_assert_uint_gt(before, 3);
    ck_assert_uint_eq(after, before);
    ck_assert_uint_eq(hiera_timing_function(moving_number(moved.plan, "subject_unwound")).executions, 1);
    ck_assert_ptr_null(hiera_moved_undo(&moved));
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* --- threads that are cancelled at any instruction of a copy --- */

static const HieraMoved *cancelled_in;
static volatile int steps_left;     /* inside of the copies and the routine for events */
enum { ROUTINE = 64, STRIDE = 11 }; /* its bytes, about */

static void cancel(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    (void)number, (void)info;
    if ((at - (uintptr_t)cancelled_in->area < cancelled_in->plan->area.n ||
         at - (uintptr_t)hiera_timing_event() < ROUTINE) &&
        steps_left-- == 0)
        pthread_cancel(pthread_self());
}

static void *step_until_cancelled(void *sum)
{
    subject_nested(0); /* the thread's numbers are made */
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    __asm__ volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" : : : "memory", "cc");
    subject_cancelled(sum, 1);
    __asm__ volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" : : : "memory", "cc");
    return sum;
}

START_TEST(threads_that_are_cancelled_are_cleaned_up)
{
    struct sigaction action = {.sa_sigaction = cancel, .sa_flags = SA_SIGINFO | SA_NODEFER};
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    cancelled_in = &moved;
    sigaction(SIGTRAP, &action, NULL);
    ck_assert_ptr_null(hiera_moved_redirect(&moved));
    uint64_t expected = 0;
    subject_cancelled(&expected, 0);
    void *result = PTHREAD_CANCELED;
    int n = 0;
    for (; result == PTHREAD_CANCELED; n++) {
        uint64_t sum = 0;
        pthread_t thread;
        steps_left = n * STRIDE;
        pthread_create(&thread, NULL, step_until_cancelled, &sum);
        pthread_join(thread, &result);
        ck_assert_msg(sum == expected, "not cleaned up after %d steps", n * STRIDE);
    }
    ck_assert_int_gt(n, 10);
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
    MovingSubject subject = moved_subjects_plan();
    HieraMoved moved = moving_place(&subject);
    for (uint64_t i = 0; i < MOVING_THREADS; i++)
        for (uint64_t n = 0; n < 16; n++)
            expected_of[i][n] = subject_all(n, &i);
    moving_while_threads_run(&moved, 70, compute_again_and_again, &is_over);
    ck_assert_uint_gt(hiera_timing_function(moving_number(moved.plan, "subject_all")).executions, 0);
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
    const guint rounds = moving_rounds(100);
    MovingSubject subject = moved_subjects_plan();
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
    for (guint i = 0; i < rounds || n_signals <= 10; i++)
        if (!hiera_moved_redirect_running(&moved, NULL))
            while (hiera_moved_undo_running(&moved, NULL))
                continue;
    is_sent = true;
    pthread_join(sender, &lost);
    is_over = true;
    pthread_join(thread, NULL);
    ck_assert_ptr_null(lost);
    g_byte_array_unref(subject.plan);
}
END_TEST

/* Whatever byte is wrong, the collector must see it, or not be harmed. */
START_TEST(damaged_plans_are_refused_or_harmless)
{
    MovingSubject subject = moved_subjects_plan();
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
    tcase_add_test(all, closed_gates_lead_into_the_original);
    tcase_add_test(all, executions_and_iterations_are_exact);
    tcase_add_test(all, executions_that_longjmp_leaves_end);
    tcase_add_test(all, ends_of_threads_are_cleaned_up);
    tcase_add_loop_test(all, outer_loops_of_many_are_timed, 0, G_N_ELEMENTS(many));
    tcase_add_test(all, addresses_of_copies_become_those_of_originals);
    tcase_add_test(all, unwinding_gets_through_copies);
    tcase_add_test(all, threads_that_are_cancelled_are_cleaned_up);
    tcase_add_loop_test(all, functions_are_moved_while_threads_run, HIERA_MOVED_BY_STOPS,
                        HIERA_MOVED_BY_BREAKPOINTS + 1);
    tcase_add_loop_test(all, signals_are_delivered_to_threads_that_were_stopped, HIERA_MOVED_BY_STOPS,
                        HIERA_MOVED_BY_BREAKPOINTS + 1);
    tcase_add_test(all, damaged_plans_are_refused_or_harmless);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, moving_breakpoints());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
