/* Who watches the events of this process: the probe script of HIERA_PROBE or hiera_probes_start(), and functions of
 * hiera_on(). Each is a script. What may fire is found once for each MPI function and each name of a region, as a set
 * of clauses of all watchers. */
#ifndef HIERA_WATCHERS_H
#define HIERA_WATCHERS_H

#include "probes/probes.h"

/* Clauses of all watchers, as bits. */
typedef uint64_t HieraClauseSet;
enum { HIERA_MOST_CLAUSES = 63, HIERA_MOST_WATCHERS = 32 };
/* Not a clause: it is told for another reason. */
#define HIERA_WATCHED_ALONE (UINT64_C(1) << 63)

typedef enum HieraWatcherLife { HIERA_WATCHER_NEW, HIERA_WATCHER_BEGUN, HIERA_WATCHER_ENDED } HieraWatcherLife;

typedef struct HieraWatcher {
    HieraProbeScript *script; /* NULL: nobody is here */
    HieraProbeHost host;      /* write, complain and user; the rest is filled in when it begins */
    HieraProbeState *rank;    /* each thread has a part; NULL before it begins */
    HieraWatcherLife life;    /* changed with the lock held, but to ENDED */
    bool is_gone;             /* another one may take its place */
    uint32_t version;         /* of what is here: states of threads are of one version */
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
/* By bit. */
extern HieraWatcherClause hiera_watcher_clauses[HIERA_MOST_CLAUSES];

/* Number of a watcher. */
static inline unsigned hiera_watcher_number(const HieraWatcher *watcher)
{
    return (unsigned)(watcher - hiera_watchers);
}

/* Add a watcher, which takes the script. `host`: as that of a HieraWatcher. Afterwards what may fire has to be found
 * again. With the lock held, but at load. @return  NULL if there are too many watchers or clauses */
HieraWatcher *hiera_watcher_add(HieraProbeScript *script, const HieraProbeHost *host);
/* Its clauses are found no more. The script stays: a thread may be about to fire one. With the lock held. */
void hiera_watcher_remove(HieraWatcher *watcher);

/* Its clauses. */
HieraClauseSet hiera_watcher_set(const HieraWatcher *watcher);

/* Whether there is a watcher. */
bool hiera_watchers_any(void);
/* Whether one asks for this variable. */
bool hiera_watchers_ask(HieraProbeVariableId variable);
/* The clauses of a kind that take some event of an operation of this name. Those that do not hold for this rank are
 * among them.
 *
 * @param operation  as traces name it; NULL: any */
HieraClauseSet hiera_watchers_find(HieraProbeKind kind, const char *operation);
/* Those of a set that take this event. */
HieraClauseSet hiera_watchers_narrow(HieraClauseSet set, HieraProbeEventKind event);

#endif
