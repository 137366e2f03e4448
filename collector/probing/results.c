#include "results.h"

#include "base/in_signal_handler.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "main_script.h"
#include "probed.h"

#include <string.h>
#include <unistd.h>

static char *saved;
static size_t saved_bytes, saved_room;
static size_t kept_bytes; /* size of the results in `saved`; 0 until the results are complete */
static bool incomplete;   /* whether results of a rank are missing in the totals */

/* Append bytes to `saved`. If there is no memory for them, they are left out, and *complete becomes false. */
static void take(void *user, const char *bytes, size_t n)
{
    bool *complete = user;
    if (n > saved_room - saved_bytes) {
        size_t room = saved_room ? saved_room : 4096;
        while (room - saved_bytes < n)
            room *= 2;
        void *grown = hiera_probed_grow(saved, saved_room, room);
        if (!grown) {
            *complete = false;
            return;
        }
        saved = grown;
        saved_room = room;
    }
    memcpy(saved + saved_bytes, bytes, n);
    saved_bytes += n;
}

bool hiera_results_end(const char **bytes, size_t *n)
{
    bool complete = true;
    const HieraProbeState *rank = hiera_main_script_end();
    if (!rank)
        return false; /* the script has ended before: keep its results */
    saved_bytes = 0;
    complete = hiera_probe_state_save(rank, take, &complete) && complete;
    *bytes = saved;
    *n = complete ? saved_bytes : 0;
    kept_bytes = *n;
    return true;
}

const char *hiera_results_peek(size_t *n)
{
    *n = kept_bytes;
    return saved;
}

HieraProbeTotals *hiera_results_begin(void)
{
    HieraProbeTotals *totals = hiera_probe_totals_new(hiera_main_script()->script, &hiera_main_script()->host);
    incomplete = !totals;
    return totals;
}

void hiera_results_add(HieraProbeTotals *totals, const char *bytes, size_t n)
{
    incomplete = !totals || n == 0 || !hiera_probe_totals_load(totals, bytes, n) || incomplete;
}

void hiera_results_print(HieraProbeTotals *totals)
{
    if (totals)
        hiera_probe_totals_print(totals, &hiera_main_script()->host);
    if (incomplete)
        hiera_message("what the probe script has aggregated is incomplete: there is no memory for all of it");
    hiera_probe_totals_free(totals);
}

/* Return what the script of this process, which has ended, has lost. */
HieraResultsLost hiera_results_lost(void)
{
    const HieraWatcher *watcher = hiera_main_script();
    HieraResultsLost lost = {watcher && watcher->rank ? hiera_probe_state_count_lost(watcher->rank) : 0,
                             hiera_probed_take_lost(), 0};
    lost.ranks = lost.keys + lost.events > 0;
    return lost;
}

void hiera_results_say_lost(const HieraResultsLost *lost)
{
    if (lost->keys > 0)
        hiera_message("the probe script has lost %llu keys, texts or parts of what it printed, on %llu ranks: there is "
                      "too little of "
                      "memory or shared of HIERA_PROBE_OPTIONS",
                      (unsigned long long)lost->keys, (unsigned long long)lost->ranks);
    if (lost->events > 0)
        hiera_message("the probe script has missed %llu events, on %llu ranks: there was no memory",
                      (unsigned long long)lost->events, (unsigned long long)lost->ranks);
}

/* Whether the script may end now: not in a signal handler that has interrupted a clause of the script, or malloc. */
static bool may_end(void)
{
    HieraProbed *probed = hiera_thread ? hiera_thread->probed : NULL;
    bool fires = probed && __atomic_load_n(&probed->event, __ATOMIC_RELAXED);
    return !fires && !hiera_lock_is_own() && getpid() == hiera_life.pid &&
           !hiera_handler_may_run(__builtin_frame_address(0));
}

void hiera_results_end_alone(void)
{
    const char *own;
    size_t bytes;
    if (!hiera_main_script() || !may_end() || !hiera_results_end(&own, &bytes))
        return;
    HieraProbeTotals *totals = hiera_results_begin();
    hiera_results_add(totals, own, bytes);
    hiera_results_print(totals);
    const HieraResultsLost lost = hiera_results_lost();
    hiera_results_say_lost(&lost);
}
