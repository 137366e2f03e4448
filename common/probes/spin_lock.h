/* A spin lock, to be held for a few stores. Waiting has a limit, because after fork() the owner may not exist. */
#pragma once

#include <sched.h>
#include <stdbool.h>

typedef struct HieraSpinLock {
    bool taken;
} HieraSpinLock;

enum { HIERA_SPIN_TURNS = 100, HIERA_SPIN_YIELDS = 1000000 };

/* Take the lock. @return  false if another thread does not release it in time */
static inline bool hiera_spin_lock_take(HieraSpinLock *lock)
{
    for (unsigned turn = 0; __atomic_exchange_n(&lock->taken, true, __ATOMIC_ACQUIRE); turn++) {
        if (turn > HIERA_SPIN_TURNS)
            sched_yield();
        if (turn > HIERA_SPIN_YIELDS)
            return false;
    }
    return true;
}

static inline void hiera_spin_lock_release(HieraSpinLock *lock)
{
    __atomic_store_n(&lock->taken, false, __ATOMIC_RELEASE);
}
