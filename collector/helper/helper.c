#include "helper.h"

#include "base/clock.h"
#include "base/kept.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* States of a slot: FREE → TAKEN → ACTIVE → CANCELLED → FREE. The caller takes a slot and makes it active; the helper
 * frees it. */
enum { FREE, TAKEN, ACTIVE, CANCELLED };

typedef struct Slot {
    uint32_t state;
    uint32_t turn; /* number of times the slot was taken, a part of the request's id */
    uint64_t ns, next_ns;
    void (*function)(void *data);
    void *data;
} Slot;

static Slot slots[HIERA_HELPER_SLOTS];
static uint32_t changes;    /* futex that the helper sleeps on; incremented at each request, cancellation and stop */
static uint32_t rounds;     /* futex that hiera_helper_cancel() sleeps on; incremented when a function has returned */
static uint32_t running;    /* number of the slot whose function runs, from 1; 0: none */
static uint32_t has_thread; /* helper thread: 0: none; 1: being made; 2: exists */

/* Threads that were begun here. A process begins a few at most; of any more nothing is known. */
enum { OWN_MAX = 8 };
typedef struct Own {
    void *(*run)(void *data);
    void *data;
    int tid; /* the kernel's number of the thread; 0: it has not begun yet, or has ended */
    uint64_t ended_ns;
} Own;
static Own own[OWN_MAX] HIERA_KEPT; /* kept, to tell them from threads of a running program (--live) */
static uint32_t n_own HIERA_KEPT;

static bool is_over; /* the process ends, or is a child of fork: no functions are called */
static __thread bool is_me __attribute__((tls_model("initial-exec")));
static __thread Own *mine __attribute__((tls_model("initial-exec")));

/* Note the number of this thread, whose first note is lost if it is made while hiera_kept_cover() copies it. */
static void note_own(void)
{
    if (mine && __atomic_load_n(&mine->tid, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&mine->tid, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

/* --- sleeping on a futex --- */

/* Sleep until *word is not `value` any more, at most `ns` nanoseconds. */
static void sleep_on(uint32_t *word, uint32_t value, uint64_t ns)
{
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0);
}

static void count_up(uint32_t *word)
{
    __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* --- the helper thread --- */

static void call_slot(uint32_t i, uint64_t now)
{
    Slot *slot = &slots[i];
    uint64_t late = now - slot->next_ns;
    __atomic_store_n(&running, i + 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&slot->state, __ATOMIC_SEQ_CST) == ACTIVE && !__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
        slot->function(slot->data);
    slot->next_ns += slot->ns + late / slot->ns * slot->ns;
    __atomic_store_n(&running, 0, __ATOMIC_SEQ_CST);
    count_up(&rounds);
}

/* Call the functions whose time has come. Returns the time until the next function is due, in ns. */
static uint64_t call_due(void)
{
    enum { LONGEST_S = 3600 };
    uint64_t now = hiera_clock_monotonic_ns(), next = now + LONGEST_S * UINT64_C(1000000000);
    for (uint32_t i = 0; i < HIERA_HELPER_SLOTS; i++) {
        uint32_t state = __atomic_load_n(&slots[i].state, __ATOMIC_ACQUIRE);
        if (state == CANCELLED)
            __atomic_store_n(&slots[i].state, FREE, __ATOMIC_RELEASE);
        if (state != ACTIVE)
            continue;
        if (slots[i].next_ns <= now)
            call_slot(i, now);
        next = slots[i].next_ns < next ? slots[i].next_ns : next;
    }
    now = hiera_clock_monotonic_ns();
    return next > now ? next - now : 0;
}

static void *help(void *nothing)
{
    is_me = true;
    prctl(PR_SET_NAME, "hiera-helper");
    while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
        uint32_t seen = __atomic_load_n(&changes, __ATOMIC_SEQ_CST);
        note_own();
        uint64_t ns = call_due();
        if (ns > 0)
            sleep_on(&changes, seen, ns);
    }
    return nothing;
}

/* --- Hiera's own threads --- */

/* Runs a function, whose thread is known by its number meanwhile. */
static void *run_own(void *argument)
{
    Own *thread = argument;
    mine = thread;
    note_own();
    void *result = thread->run(thread->data);
    struct timespec used = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    uint64_t ns = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
    __atomic_store_n(&thread->ended_ns, ns, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->tid, 0, __ATOMIC_RELEASE);
    return result;
}

bool hiera_helper_peek_thread(unsigned i, int *tid, uint64_t *ended_ns)
{
    if (i >= OWN_MAX || i >= __atomic_load_n(&n_own, __ATOMIC_RELAXED))
        return false;
    *tid = __atomic_load_n(&own[i].tid, __ATOMIC_ACQUIRE);
    *ended_ns = __atomic_load_n(&own[i].ended_ns, __ATOMIC_RELAXED);
    return true;
}

bool hiera_helper_begin_thread(void *(*run)(void *data), void *data)
{
    enum { STACK = 512 << 10 };
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    uint32_t i = __atomic_fetch_add(&n_own, 1, __ATOMIC_RELAXED);
    if (i < OWN_MAX)
        own[i] = (Own){run, data, 0, 0};
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    sigdelset(&all, SIGTRAP); /* a breakpoint with SIGTRAP blocked would end the process */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = i < OWN_MAX ? pthread_create(&thread, &attributes, run_own, &own[i])
                            : pthread_create(&thread, &attributes, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

/* Make the helper thread, unless it exists or another thread is making it. Returns false on failure. */
static bool have_thread(void)
{
    uint32_t none = 0;
    if (!__atomic_compare_exchange_n(&has_thread, &none, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return true;
    bool made = hiera_helper_begin_thread(help, NULL);
    __atomic_store_n(&has_thread, made ? 2 : 0, __ATOMIC_SEQ_CST);
    return made;
}

bool hiera_helper_is_me(void)
{
    return is_me;
}

/* --- requests to the helper --- */

static Slot *take_slot(void)
{
    for (uint32_t i = 0; i < HIERA_HELPER_SLOTS; i++) {
        uint32_t expected = FREE;
        if (__atomic_compare_exchange_n(&slots[i].state, &expected, TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return &slots[i];
    }
    return NULL;
}

static int id_of(const Slot *slot)
{
    return (int)((slot->turn % (INT_MAX / HIERA_HELPER_SLOTS)) * HIERA_HELPER_SLOTS + (uint32_t)(slot - slots)) + 1;
}

int hiera_helper_every(uint64_t ns, void (*function)(void *data), void *data)
{
    int saved_errno = errno;
    Slot *slot = __atomic_load_n(&is_over, __ATOMIC_SEQ_CST) ? NULL : take_slot();
    int id = 0;
    if (slot) {
        slot->turn++;
        slot->ns = ns > HIERA_HELPER_SHORTEST_NS ? ns : HIERA_HELPER_SHORTEST_NS;
        slot->next_ns = hiera_clock_monotonic_ns() + slot->ns;
        slot->function = function;
        slot->data = data;
        id = id_of(slot);
        __atomic_store_n(&slot->state, ACTIVE, __ATOMIC_RELEASE);
        if (!have_thread()) {
            __atomic_store_n(&slot->state, FREE, __ATOMIC_RELEASE);
            id = 0;
        }
        count_up(&changes);
    }
    errno = saved_errno;
    return id;
}

void hiera_helper_change(uint64_t ns)
{
    uint32_t i = is_me ? __atomic_load_n(&running, __ATOMIC_RELAXED) : 0;
    if (i > 0)
        slots[i - 1].ns = ns > HIERA_HELPER_SHORTEST_NS ? ns : HIERA_HELPER_SHORTEST_NS;
}

/* Wait, at most HIERA_HELPER_PATIENCE_NS, until the function of a slot (0: of any slot) is not running. */
static void wait_for(uint32_t slot)
{
    uint64_t end = hiera_clock_monotonic_ns() + HIERA_HELPER_PATIENCE_NS, now;
    if (is_me)
        return;
    for (;;) {
        uint32_t seen = __atomic_load_n(&rounds, __ATOMIC_SEQ_CST);
        uint32_t runs = __atomic_load_n(&running, __ATOMIC_SEQ_CST);
        if (runs == 0 || (slot != 0 && runs != slot) || (now = hiera_clock_monotonic_ns()) >= end)
            return;
        sleep_on(&rounds, seen, end - now);
    }
}

void hiera_helper_cancel(int id)
{
    int saved_errno = errno;
    uint32_t i = (uint32_t)(id - 1) % HIERA_HELPER_SLOTS, active = ACTIVE;
    if (id > 0 && id_of(&slots[i]) == id &&
        __atomic_compare_exchange_n(&slots[i].state, &active, CANCELLED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        wait_for(i + 1);
        count_up(&changes);
    }
    errno = saved_errno;
}

void hiera_helper_stop(bool wait)
{
    int saved_errno = errno;
    __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
    count_up(&changes);
    if (wait && __atomic_load_n(&has_thread, __ATOMIC_SEQ_CST) != 0)
        wait_for(0);
    errno = saved_errno;
}

void hiera_helper_in_child(void)
{
    is_over = true;
    is_me = false;
    running = 0;
    has_thread = 0;
    memset(own, 0, sizeof own);
    n_own = 0;
}

void hiera_helper_go_on(void)
{
    bool is_asked = false;
    is_over = false;
    for (uint32_t i = 0; i < HIERA_HELPER_SLOTS; i++)
        is_asked = is_asked || slots[i].state == ACTIVE;
    if (is_asked)
        have_thread();
}
