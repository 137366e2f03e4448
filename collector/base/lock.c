/* The lock for writing traces; the signals of its holder are blocked. */
#include "lock.h"

#include "in_signal_handler.h"
#include "kept.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t mask_outside; /* Signal mask of the holder before it took the lock. */
static int cancel_outside;    /* Cancellation state of the holder before it took the lock. */
static pthread_t owner;       /* Thread that holds the lock; 0: none. */
static const void *owner_at;  /* Address in the holder's stack when the holder took the lock. */
static HieraCare care;

uint64_t hiera_lock_turns HIERA_KEPT;

/* Block all signals but those of faults (SIGSEGV, …), which the calling thread itself may raise. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t signals;
    sigfillset(&signals);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&signals, faults[i]);
    pthread_sigmask(SIG_BLOCK, &signals, before);
}

/* Full fences: a reader outside must not see a later change with an earlier count. */
static void turn(void)
{
    __atomic_add_fetch(&hiera_lock_turns, 1, __ATOMIC_SEQ_CST);
}

static void own(const sigset_t *before)
{
    mask_outside = *before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_outside);
    __atomic_store_n(&owner, pthread_self(), __ATOMIC_RELAXED);
    turn();
    owner_at = __builtin_frame_address(0);
    care = HIERA_CARE_UNKNOWN;
}

bool hiera_lock_is_own(void)
{
    return pthread_equal(__atomic_load_n(&owner, __ATOMIC_RELAXED), pthread_self());
}

bool hiera_lock_enter(void)
{
    sigset_t before;
    if (hiera_lock_is_own())
        return false;
    block_signals(&before);
    pthread_mutex_lock(&lock);
    own(&before);
    return true;
}

bool hiera_lock_enter_for_a_while(void)
{
    enum { PATIENCE_MS = 3000 };
    static const struct timespec moment = {0, 1000000};
    sigset_t before;
    if (hiera_lock_is_own())
        return false;
    block_signals(&before);
    for (int i = 0; i < PATIENCE_MS; i++) {
        if (pthread_mutex_trylock(&lock) == 0) {
            own(&before);
            return true;
        }
        nanosleep(&moment, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return false;
}

void hiera_lock_leave(void)
{
    sigset_t before = mask_outside;
    int cancel = cancel_outside;
    turn();
    __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    pthread_setcancelstate(cancel, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void hiera_lock_renew(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    owner = 0;
    hiera_lock_turns = 0;
}

bool hiera_lock_is_careful(void)
{
    if (care == HIERA_CARE_UNKNOWN)
        care = hiera_handler_may_run(owner_at) ? HIERA_CARE_TAKEN : HIERA_CARE_NEEDLESS;
    return care == HIERA_CARE_TAKEN;
}

HieraCare hiera_lock_care(void)
{
    return care;
}

void hiera_lock_set_care(HieraCare known)
{
    care = known;
}
