/* Watchers of the events of this process: the probe script of HIERA_PROBE or hiera_probes_start(), and functions of
 * hiera_on(). Each is a script. The clauses that may fire are found once for each MPI function and each name of a
 * region, as a set of bits for the clauses of all watchers. */
#pragma once

#include "probes/probes.h"

/* Set of clauses of all watchers, as bits. */
typedef uint64_t HieraClauseSet;
enum { HIERA_MOST_CLAUSES = 63, HIERA_MOST_WATCHERS = 32 };
/* A bit that is no clause: the region is watched for another reason. */
#define HIERA_WATCHED_ALONE (UINT64_C(1) << 63)

typedef enum HieraWatcherLife { HIERA_WATCHER_NEW, HIERA_WATCHER_BEGUN, HIERA_WATCHER_ENDED } HieraWatcherLife;

typedef struct HieraWatcher {
    HieraProbeScript *script; /* script of the watcher; NULL: the slot is free */
    HieraProbeHost host;      /* write, complain and user are given; the rest is filled in when the watcher begins */
    HieraProbeState *rank;    /* state of the rank, with a part for each thread; NULL before the watcher begins */
    HieraWatcherLife life;    /* changed with the lock held, except to ENDED */
    bool is_gone;             /* true if another watcher may take the slot */
    uint32_t version;         /* version of the slot: states of threads must have the same one */
} HieraWatcher;

typedef struct HieraWatcherClause {
    HieraWatcher *watcher;
    unsigned clause;
} HieraWatcherClause;

static inline bool hiera_watcher_is_there(const HieraWatcher *watcher)
{
    return __atomic_load_n(&watcher->script, __ATOMIC_ACQUIRE) && !__atomic_load_n(&watcher->is_gone, __ATOMIC_ACQUIRE);
}

extern HieraWatcher hiera_watchers[HIERA_MOST_WATCHERS];
/* Clauses of all watchers, by the number of their bit. */
extern HieraWatcherClause hiera_watcher_clauses[HIERA_MOST_CLAUSES];

/* Return the number of a watcher. */
static inline unsigned hiera_watcher_number(const HieraWatcher *watcher)
{
    return (unsigned)(watcher - hiera_watchers);
}

/* Add a watcher, which owns the script from now on. `host`: as in HieraWatcher. Afterwards the clauses of functions and
 * names have to be found again. Requires the lock, except at load. @return  NULL if there are too many watchers or
 * clauses */
HieraWatcher *hiera_watcher_add(HieraProbeScript *script, const HieraProbeHost *host);
/* Remove a watcher: its clauses are no longer found. The script stays: a thread may be about to fire one. Requires the
 * lock. */
void hiera_watcher_remove(HieraWatcher *watcher);

/* Return the clauses of a watcher. */
HieraClauseSet hiera_watcher_set(const HieraWatcher *watcher);

/* Whether there is a watcher. */
bool hiera_watchers_any(void);
/* Whether any watcher uses this variable. */
bool hiera_watchers_ask(HieraProbeVariableId variable);
/* Return the clauses of a kind that take some event of an operation of this name, including clauses that do not hold
 * for this rank.
 *
 * @param operation  name as in traces; NULL: any */
HieraClauseSet hiera_watchers_find(HieraProbeKind kind, const char *operation);
/* Return the clauses of a set that take this event. */
HieraClauseSet hiera_watchers_narrow(HieraClauseSet set, HieraProbeEventKind event);
