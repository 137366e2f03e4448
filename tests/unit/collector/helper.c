/* The helper thread: how often it calls, how that ends, and what becomes of it in a child of fork. */
#include "helper/helper.h"

#include "harness/plain.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };

static volatile int n_called, n_signals;
static bool was_helper, had_signals_blocked;
static int own_id;

static void wait_ms(unsigned ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * MS};
    while (nanosleep(&time, &time) != 0)
        ;
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / MS;
}

static void count(void *data)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    had_signals_blocked = sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGUSR1) == 1 &&
                          sigismember(&blocked, SIGTRAP) == 0;
    was_helper = hiera_helper_is_me();
    ++*(volatile int *)data;
}

static void sleep_long(void *data)
{
    ++*(volatile int *)data;
    wait_ms(300);
    ++*(volatile int *)data;
}

static void cancel_self(void *data)
{
    ++*(volatile int *)data;
    hiera_helper_cancel(own_id);
}

static void on_signal(int number)
{
    (void)number;
    n_signals += hiera_helper_is_me() ? 100 : 1;
}

static void check_calls(void)
{
    n_called = 0;
    int id = hiera_helper_every(5 * MS, count, (void *)&n_called);
    EXPECT(true, id > 0);
    long begin = now_ms();
    do
        wait_ms(400);
    while (n_called < 2 && now_ms() - begin < 10000); /* a busy machine may leave the helper no time */
    hiera_helper_cancel(id);
    int n = n_called;
    EXPECT(true, n >= 2 && n <= (now_ms() - begin) / 5 + 1);
    EXPECT(true, was_helper && had_signals_blocked);
    wait_ms(30);
    EXPECT(n, n_called);
    hiera_helper_cancel(id); /* nothing any more, also where another one has its slot */
    int other = hiera_helper_every(5 * MS, count, (void *)&n_called);
    EXPECT(true, other != id);
    hiera_helper_cancel(id);
    wait_ms(100);
    EXPECT(true, n_called > n);
    hiera_helper_cancel(other);
}

/* Who cancels waits for a function that runs. */
static void check_cancel(void)
{
    volatile int n = 0, own = 0;
    int id = hiera_helper_every(MS, sleep_long, (void *)&n);
    while (n == 0)
        wait_ms(1);
    hiera_helper_cancel(id);
    EXPECT(2, n);
    own_id = hiera_helper_every(MS, cancel_self, (void *)&own);
    wait_ms(50);
    EXPECT(true, own >= 1 && own <= 2); /* the first call may come before own_id is known */
    hiera_helper_cancel(own_id);
}

/* The first call is soon, the second one would be in an hour. */
static void slow_down(void *data)
{
    ++*(volatile int *)data;
    hiera_helper_change(3600000 * (uint64_t)MS);
}

static void check_change(void)
{
    volatile int n = 0;
    int id = hiera_helper_every(MS, slow_down, (void *)&n);
    while (n == 0)
        wait_ms(1);
    wait_ms(100);
    EXPECT(1, n);
    hiera_helper_cancel(id);
}

extern int __start_hiera_kept[], __stop_hiera_kept[];

/* The helper notes its number again that was lost, as hiera_kept_cover() may lose it. */
static void check_own_number(void)
{
    int noted = 0, again = 0, n_lost = 0;
    uint64_t ns;
    int id = hiera_helper_every(MS, count, (void *)&n_called);
    while (noted == 0)
        hiera_helper_peek_thread(0, &noted, &ns);
    for (int *at = __start_hiera_kept; at < __stop_hiera_kept; at++)
        if (*at == noted) {
            *at = 0;
            n_lost++;
        }
    for (int i = 0; i < 1000 && again == 0; i++) {
        wait_ms(10);
        hiera_helper_peek_thread(0, &again, &ns);
    }
    EXPECT(1, n_lost);
    EXPECT(noted, again);
    hiera_helper_cancel(id);
}

static void check_slots(void)
{
    int ids[HIERA_HELPER_SLOTS + 1];
    volatile int n = 0;
    wait_ms(20);
    for (int i = 0; i <= HIERA_HELPER_SLOTS; i++)
        ids[i] = hiera_helper_every(1000 * (uint64_t)MS, count, (void *)&n);
    EXPECT(true, ids[HIERA_HELPER_SLOTS - 1] > 0);
    EXPECT(0, ids[HIERA_HELPER_SLOTS]);
    for (int i = 0; i <= HIERA_HELPER_SLOTS; i++)
        hiera_helper_cancel(ids[i]);
}

static void check_signals(void)
{
    int id = hiera_helper_every(MS, count, (void *)&n_called);
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 20; i++)
        kill(getpid(), SIGUSR1);
    wait_ms(20);
    EXPECT(true, n_signals >= 1 && n_signals <= 20);
    hiera_helper_cancel(id);
}

/* It has no helper, and gets none. */
static void check_child(void)
{
    int id = hiera_helper_every(MS, count, (void *)&n_called), status;
    pid_t child = fork();
    if (child == 0) {
        hiera_helper_in_child();
        n_called = 0;
        int refused = hiera_helper_every(MS, count, (void *)&n_called) == 0;
        wait_ms(30);
        hiera_helper_cancel(id);
        hiera_helper_stop(true);
        _exit(refused && n_called == 0 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    EXPECT(0, status);
    hiera_helper_cancel(id);
}

/* A function that does not return delays the end, but not for ever. */
static void hang(void *data)
{
    ++*(volatile int *)data;
    wait_ms(60000);
}

static void check_end(void)
{
    volatile int n = 0;
    struct timespec begin, end;
    hiera_helper_every(MS, hang, (void *)&n);
    while (n == 0)
        wait_ms(1);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    hiera_helper_stop(false);
    hiera_helper_stop(true);
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t ms = (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / MS;
    EXPECT(true, ms >= 900 && ms < 10000);
    EXPECT(0, hiera_helper_every(MS, count, (void *)&n_called));
}

int main(void)
{
    check_calls();
    check_cancel();
    check_change();
    check_own_number();
    check_slots();
    check_signals();
    check_child();
    check_end();
    return n_failed != 0;
}
