/* Locks of scripts: between the threads of a rank or, if the host supports them, between ranks. A clause's locks are
 * released at its end.
 *
 * Deadlocks are impossible: a clause that holds locks may only take one that comes later in an order that is the same
 * everywhere: first the locks of a rank, then those between ranks, each by their number of keys and by their keys. */
#include "firing.h"
#include <string.h>
#include <time.h>

enum { TURNS = 100, SLEEP_NS = 50000, SECOND_NS = 1000000000 };

/* --- locks between threads --- */

static bool try_local(HieraProbeRank *rank, const HieraValue *keys, unsigned n)
{
    if (!hiera_spin_lock_take(&rank->lock))
        return false;
    uint64_t *taken = hiera_keyed_find(&rank->locks, keys, n, true);
    bool good = taken && *taken == 0;
    if (good)
        *taken = 1;
    hiera_spin_lock_release(&rank->lock);
    return good;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

static HieraProbeAnswer take_local(HieraProbeRank *rank, const HieraValue *keys, unsigned n)
{
    int64_t wait_ns = rank->host.wait_ns > 0 ? rank->host.wait_ns : SECOND_NS, begin_ns = 0;
    for (unsigned turn = 0; !try_local(rank, keys, n); turn++) {
        const struct timespec nap = {.tv_nsec = SLEEP_NS};
        begin_ns = turn == 0 ? now_ns() : begin_ns;
        if (turn > 0 && now_ns() - begin_ns > wait_ns)
            return HIERA_PROBE_TIMED_OUT;
        if (turn < TURNS)
            sched_yield();
        else
            nanosleep(&nap, NULL);
    }
    return HIERA_PROBE_DONE;
}

static void release_local(HieraProbeRank *rank, const HieraValue *keys, unsigned n)
{
    if (!hiera_spin_lock_take(&rank->lock))
        return;
    uint64_t *taken = hiera_keyed_find(&rank->locks, keys, n, false);
    if (taken)
        *taken = 0;
    hiera_spin_lock_release(&rank->lock);
}

/* --- locks that a running clause holds --- */

/* Compare two locks in the order in which they may be taken. */
static int compare(const HieraHeld *a, const HieraHeld *b)
{
    HieraValue keys_a[HIERA_EXPRESSION_KEYS], keys_b[HIERA_EXPRESSION_KEYS];
    if (a->of_job != b->of_job)
        return a->of_job - b->of_job;
    if (a->n_keys != b->n_keys)
        return a->n_keys < b->n_keys ? -1 : 1;
    hiera_keys_decode(a->words, keys_a, a->n_keys);
    hiera_keys_decode(b->words, keys_b, b->n_keys);
    int order = hiera_keys_compare(keys_a, keys_b, a->n_keys);
    if (order != 0)
        return order;
    if (a->n_words != b->n_words)
        return a->n_words < b->n_words ? -1 : 1;
    return memcmp(a->words, b->words, a->n_words * sizeof *a->words); /* numbers and integers are different keys */
}

static bool fill(HieraFiring *firing, HieraHeld *lock, const HieraAction *action, const HieraValue *keys)
{
    *lock = (HieraHeld){.of_job = action->of_job, .n_keys = action->n_keys};
    lock->n_words = hiera_keys_encode(keys, action->n_keys, lock->words);
    if (lock->n_words > HIERA_KEYED_WORDS)
        hiera_firing_stop(firing, action->all,
                          "the keys of this lock are too long; from now on this clause does nothing there");
    return lock->n_words <= HIERA_KEYED_WORDS;
}

static void give_back(HieraProbeRank *rank, const HieraHeld *lock)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    hiera_keys_decode(lock->words, keys, lock->n_keys);
    if (!lock->of_job)
        release_local(rank, keys, lock->n_keys);
    else if (rank->host.globals)
        rank->host.globals->unlock(rank->host.user, lock->words, lock->n_words * sizeof *lock->words);
}

static unsigned find_held(const HieraProbeState *state, const HieraHeld *lock)
{
    unsigned i = 0;
    while (i < state->n_held && compare(&state->held[i], lock) != 0)
        i++;
    return i;
}

/* Whether a lock may be taken: locks are taken in ascending order, so it must come after the one taken last. */
static bool may_take(HieraFiring *firing, const HieraAction *action, const HieraHeld *lock)
{
    const HieraProbeState *state = firing->state;
    int order = state->n_held > 0 ? compare(&state->held[state->n_held - 1], lock) : -1;
    if (find_held(state, lock) < state->n_held)
        hiera_firing_stop(firing, action->all, "this lock is held already; from now on this clause does nothing there");
    else if (order > 0)
        hiera_firing_stop(
            firing, action->all,
            "this lock comes before one that is held: take locks by the order of their keys, those of a rank first; "
            "from now on this clause does nothing there");
    else if (state->n_held == HIERA_MOST_HELD)
        hiera_firing_stop(firing, action->all,
                          "more than %d locks are held; from now on this clause does nothing there", HIERA_MOST_HELD);
    return order < 0 && state->n_held < HIERA_MOST_HELD;
}

/* Stop the clause, because it did not get the lock: shared variables it would have changed are incomplete. */
static void stop_without(HieraFiring *firing, const HieraAction *action, HieraProbeAnswer answer)
{
    const char *why = answer == HIERA_PROBE_GONE      ? "there is no connection any more to the rank that has this lock"
                      : answer == HIERA_PROBE_NO_ROOM ? "there is no room for this lock"
                                                      : "this lock was not to be had in time";
    hiera_firing_stop(firing, action->all, "%s; from now on this clause does nothing there", why);
    if (firing->state->rank->host.globals)
        hiera_global_spoil(firing);
}

void hiera_lock_take(HieraFiring *firing, const HieraAction *action, const HieraValue *keys)
{
    HieraProbeState *state = firing->state;
    const HieraProbeHost *host = &state->rank->host;
    HieraHeld lock;
    if (!fill(firing, &lock, action, keys) || !may_take(firing, action, &lock))
        return;
    HieraProbeAnswer answer = HIERA_PROBE_TIMED_OUT;
    if (!lock.of_job)
        answer = take_local(state->rank, keys, action->n_keys);
    else if (host->globals)
        answer = host->globals->lock(host->user, lock.words, lock.n_words * sizeof *lock.words);
    if (answer == HIERA_PROBE_DONE)
        state->held[state->n_held++] = lock;
    else
        stop_without(firing, action, answer);
}

void hiera_lock_release(HieraFiring *firing, const HieraAction *action, const HieraValue *keys)
{
    HieraProbeState *state = firing->state;
    HieraHeld lock;
    if (!fill(firing, &lock, action, keys))
        return;
    unsigned i = find_held(state, &lock);
    if (i == state->n_held) {
        hiera_firing_stop(firing, action->all, "this lock is not held; from now on this clause does nothing there");
        return;
    }
    give_back(state->rank, &lock);
    memmove(&state->held[i], &state->held[i + 1], (state->n_held - i - 1) * sizeof *state->held);
    state->n_held--;
}

void hiera_lock_release_all(HieraProbeState *state)
{
    for (; state->n_held > 0; state->n_held--)
        give_back(state->rank, &state->held[state->n_held - 1]);
}
