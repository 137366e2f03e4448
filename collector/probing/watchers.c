#include "watchers.h"

HieraWatcher hiera_watchers[HIERA_MOST_WATCHERS];
HieraWatcherClause hiera_watcher_clauses[HIERA_MOST_CLAUSES];

static HieraClauseSet used; /* bit i: hiera_watcher_clauses[i] is in use */

static HieraWatcher *find_room(void)
{
    for (unsigned i = 0; i < HIERA_MOST_WATCHERS; i++)
        if (!hiera_watchers[i].script || hiera_watchers[i].is_gone)
            return &hiera_watchers[i];
    return NULL;
}

HieraWatcher *hiera_watcher_add(HieraProbeScript *script, const HieraProbeHost *host)
{
    unsigned n = hiera_probe_script_count(script);
    HieraWatcher *watcher = find_room();
    if (!watcher || n > HIERA_MOST_CLAUSES - (unsigned)__builtin_popcountll(used))
        return NULL;
    watcher->host = *host;
    watcher->rank = NULL;
    watcher->version++;
    __atomic_store_n(&watcher->life, HIERA_WATCHER_NEW, __ATOMIC_RELAXED);
    __atomic_store_n(
        &watcher->script, script,
        __ATOMIC_RELEASE); /* release: a thread that finds a new probe reads all watchers without the lock */
    __atomic_store_n(&watcher->is_gone, false, __ATOMIC_RELEASE);
    HieraClauseSet added = 0;
    for (unsigned bit = 0, i = 0; i < n; bit++)
        if (!(used & UINT64_C(1) << bit)) {
            hiera_watcher_clauses[bit] = (HieraWatcherClause){watcher, i++};
            added |= UINT64_C(1) << bit;
        }
    __atomic_or_fetch(&used, added, __ATOMIC_RELEASE);
    return watcher;
}

HieraClauseSet hiera_watcher_set(const HieraWatcher *watcher)
{
    HieraClauseSet set = 0;
    for (unsigned bit = 0; bit < HIERA_MOST_CLAUSES; bit++)
        if (__atomic_load_n(&used, __ATOMIC_ACQUIRE) & UINT64_C(1) << bit &&
            hiera_watcher_clauses[bit].watcher == watcher)
            set |= UINT64_C(1) << bit;
    return set;
}

void hiera_watcher_remove(HieraWatcher *watcher)
{
    __atomic_and_fetch(&used, ~hiera_watcher_set(watcher), __ATOMIC_RELEASE);
    __atomic_store_n(&watcher->is_gone, true, __ATOMIC_RELEASE);
}

bool hiera_watchers_any(void)
{
    return __atomic_load_n(&used, __ATOMIC_ACQUIRE) != 0;
}

bool hiera_watchers_ask(HieraProbeVariableId variable)
{
    bool asks = false;
    for (unsigned i = 0; i < HIERA_MOST_WATCHERS; i++)
        asks = asks || (hiera_watcher_is_there(&hiera_watchers[i]) &&
                        hiera_probe_script_asks(hiera_watchers[i].script, variable));
    return asks;
}

HieraClauseSet hiera_watchers_find(HieraProbeKind kind, const char *operation)
{
    HieraClauseSet set = 0;
    for (HieraClauseSet left = __atomic_load_n(&used, __ATOMIC_ACQUIRE); left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left), clause = hiera_watcher_clauses[bit].clause;
        const HieraProbeScript *script = hiera_watcher_clauses[bit].watcher->script;
        if (hiera_probe_clause_kind(script, clause) == kind &&
            (!operation || hiera_probe_clause_fits(script, clause, operation)))
            set |= UINT64_C(1) << bit;
    }
    return set;
}

HieraClauseSet hiera_watchers_narrow(HieraClauseSet set, HieraProbeEventKind event)
{
    HieraClauseSet narrowed = 0;
    for (HieraClauseSet left = set; left; left &= left - 1) {
        const HieraWatcherClause *clause = &hiera_watcher_clauses[__builtin_ctzll(left)];
        if (hiera_probe_clause_has_event(clause->watcher->script, clause->clause, event))
            narrowed |= left & -left;
    }
    return narrowed;
}
