/* Watchers of the events of this process: the probe script of HIERA_PROBE or hiera_probes_start(), and functions of
 * hiera_on(). Each is a script. The clauses that may fire are found once for each MPI function and each name of a
 * region, as a set of bits for the clauses of all watchers. */
#pragma once

#include "probes/probes.h"

/* Set of clauses of scripts: bit i is hiera_watcher_clauses[i]. */
typedef uint64_t HieraClauseSet;
enum { HIERA_MOST_CLAUSES = 63, HIERA_MOST_WATCHERS = 32 };
/* Bit of no clause: a region is watched only so that regions are numbered as in traces. */
#define HIERA_WATCHED_ALONE (UINT64_C(1) << 63)

typedef enum HieraWatcherLife { HIERA_WATCHER_NEW, HIERA_WATCHER_BEGUN, HIERA_WATCHER_ENDED } HieraWatcherLife;

typedef struct HieraWatcher {
    HieraProbeScript *script; /* the watcher's script; NULL: the element was never used */
    HieraProbeHost host;      /* write, complain, user: set by who adds the watcher; the rest when the watcher begins */
    HieraProbeState *rank;    /* state of the script on this rank; NULL before the watcher begins */
    HieraWatcherLife life;    /* any thread may set this to ENDED; other changes need the collector's lock */
    bool is_gone;             /* whether the watcher was removed: another one may take this element */
    uint32_t version;         /* how many watchers this element has had; tells which of them a thread's state is of */
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
/* Clauses of all watchers, by the number of their bit in a HieraClauseSet. */
extern HieraWatcherClause hiera_watcher_clauses[HIERA_MOST_CLAUSES];

/* Return the index of a watcher in hiera_watchers. */
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

/* Return the set of all clauses of a watcher's script. */
HieraClauseSet hiera_watcher_set(const HieraWatcher *watcher);

/* Whether any watcher has a clause. */
bool hiera_watchers_any(void);
/* Whether the script of any watcher uses this variable. */
bool hiera_watchers_ask(HieraProbeVariableId variable);
/* Return the clauses of a kind that take some event of an operation of this name, including clauses that do not hold
 * for this rank.
 *
 * @param operation  name as in traces; NULL: any */
HieraClauseSet hiera_watchers_find(HieraProbeKind kind, const char *operation);
/* Return those clauses of a set that have events of this kind. */
HieraClauseSet hiera_watchers_narrow(HieraClauseSet set, HieraProbeEventKind event);
