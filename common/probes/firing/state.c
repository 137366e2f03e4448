/* States: the data of a script for a rank, and for each of its threads. See firing.h. */
#include "firing.h"
#include "probes/aggregate.h"

/* --- data of names --- */

/* Allocate the data of names. @param of_thread  of names that belong to a thread; else of names that its threads share
 */
static HieraNameState *take_kept(const HieraProbeScript *script, HieraProbeStore *store, bool of_thread)
{
    HieraNameState *kept = hiera_probe_store_take(store, (script->n_names + 1) * sizeof *kept);
    for (unsigned i = 0; kept && i < script->n_names; i++) {
        const HieraScriptName *name = &script->names[i];
        size_t size = *name->name == '@' ? hiera_aggregate_size(name) : sizeof(HieraSlot);
        if ((*name->name == ':') != of_thread)
            hiera_keyed_init(&kept[i].keyed, size, store);
    }
    return kept;
}

/* --- states of threads --- */

static void free_state(HieraProbeState *state)
{
    const HieraProbeHost *host = &state->rank->host;
    hiera_probe_store_clear(&state->store);
    hiera_host_release(host, state, sizeof *state);
}

static HieraProbeState *make_state(HieraProbeRank *rank)
{
    HieraProbeState *state = hiera_host_take(&rank->host, sizeof *state);
    if (!state)
        return NULL;
    state->rank = rank;
    hiera_probe_store_init(&state->store, &rank->host, NULL);
    state->kept = take_kept(rank->script, &state->store, true);
    state->store.budget = &rank->budget;
    if (!state->kept) {
        free_state(state);
        return NULL;
    }
    return state;
}

/* Find a state whose thread has ended. The caller holds lock_of_states. */
static HieraProbeState *find_idle(const HieraProbeRank *rank)
{
    HieraProbeState *state = rank->states;
    while (state && !state->idle)
        state = state->next;
    return state;
}

HieraProbeState *hiera_probe_state_new_thread(HieraProbeState *rank_state)
{
    HieraProbeRank *rank = rank_state->rank;
    if (!hiera_spin_lock_take(&rank->lock_of_states))
        return NULL;
    HieraProbeState *state = find_idle(rank);
    if (state)
        state->idle = false;
    else if ((state = make_state(rank))) {
        state->next = rank->states;
        rank->states = state;
    }
    hiera_spin_lock_release(&rank->lock_of_states);
    return state;
}

void hiera_probe_state_absorb(HieraProbeState *rank_state, HieraProbeState *state)
{
    HieraProbeRank *rank = rank_state->rank;
    if (state == rank_state || !hiera_spin_lock_take(&rank->lock_of_states))
        return;
    state->idle = true;
    hiera_spin_lock_release(&rank->lock_of_states);
}

/* --- data of a rank --- */

static void free_rank(HieraProbeRank *rank)
{
    const HieraProbeHost host = rank->host;
    while (rank->states) {
        HieraProbeState *state = rank->states;
        rank->states = state->next;
        free_state(state);
    }
    hiera_probe_store_clear(&rank->store);
    hiera_host_release(&host, rank, sizeof *rank);
}

static bool fill_rank(HieraProbeRank *rank)
{
    const HieraProbeScript *script = rank->script;
    hiera_probe_store_init(&rank->store, &rank->host, NULL); /* no limit yet: only keys and texts have a budget */
    rank->kept = take_kept(script, &rank->store, false);
    rank->stopped = hiera_probe_store_take(&rank->store, (script->n_clauses + 1) * sizeof *rank->stopped);
    rank->asked_totals = hiera_probe_store_take(&rank->store, (script->n_globals + 1) * sizeof *rank->asked_totals);
    hiera_keyed_init(&rank->locks, sizeof(uint64_t), &rank->store);
    rank->store.budget = &rank->budget;
    rank->states = make_state(rank);
    return rank->kept && rank->stopped && rank->asked_totals && rank->states;
}

HieraProbeState *hiera_probe_state_new(const HieraProbeScript *script, const HieraProbeHost *host)
{
    HieraProbeRank *rank = hiera_host_take(host, sizeof *rank);
    if (!rank)
        return NULL;
    rank->script = script;
    rank->host = *host;
    rank->budget = host->memory;
    if (!fill_rank(rank)) {
        free_rank(rank);
        return NULL;
    }
    return rank->states;
}

void hiera_probe_state_free(HieraProbeState *state)
{
    if (state)
        free_rank(state->rank);
}

/* --- aggregations of all threads --- */

static bool gather_state(const HieraProbeState *state, unsigned index, HieraKeyed *to)
{
    const HieraScriptName *name = &state->rank->script->names[index];
    const HieraKeyed *from = &state->kept[index].keyed;
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    uint32_t n = hiera_keyed_count(from);
    for (uint32_t i = 0; i < n; i++) {
        if (hiera_aggregate_is_empty(name, hiera_keyed_cell(from, i)))
            continue; /* another thread has just added the row; it has no value yet */
        hiera_keyed_read(from, i, keys, name->n_keys);
        void *cell = hiera_keyed_find(to, keys, name->n_keys, true);
        if (!cell)
            return false;
        hiera_aggregate_merge(name, cell, hiera_keyed_cell(from, i));
    }
    return true;
}

bool hiera_state_gather(const HieraProbeState *state, unsigned name, HieraKeyed *to)
{
    HieraProbeRank *rank = state->rank;
    if (!hiera_spin_lock_take(&rank->lock_of_states))
        return false;
    bool good = true;
    for (const HieraProbeState *of = rank->states; of && good; of = of->next)
        good = gather_state(of, name, to);
    hiera_spin_lock_release(&rank->lock_of_states);
    return good;
}

uint64_t hiera_probe_state_count_lost(const HieraProbeState *state)
{
    HieraProbeRank *rank = state->rank;
    uint64_t lost = 0;
    if (!hiera_spin_lock_take(&rank->lock_of_states))
        return 0;
    for (const HieraProbeState *of = rank->states; of; of = of->next)
        lost += __atomic_load_n(&of->lost, __ATOMIC_RELAXED);
    hiera_spin_lock_release(&rank->lock_of_states);
    return lost;
}

unsigned hiera_probe_state_count_stopped(const HieraProbeState *state)
{
    const HieraProbeRank *rank = state->rank;
    unsigned n = 0;
    for (unsigned i = 0; i < rank->script->n_clauses; i++)
        n += __atomic_load_n(&rank->stopped[i], __ATOMIC_RELAXED) ||
             __atomic_load_n(&rank->script->clauses[i].off, __ATOMIC_RELAXED);
    return n;
}
