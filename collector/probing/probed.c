#include "probed.h"

#include "base/life.h"
#include "base/lock.h"
#include "job/job.h"
#include "job/launcher_env.h"
#include "memory/signal_safe_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char host_name[256];
static int first_rank;  /* rank of this process when the last watcher began */
static uint64_t n_lost; /* number of executions of clauses that were lost for lack of memory */
static __thread HieraProbed *reported __attribute__((
    tls_model("initial-exec"))); /* state of this thread while one of its events is reported; else NULL */

/* --- begin of a watcher (a script, or a function that hiera_on() has added) --- */

/* Allocate whole pages, without a lock: the probe engine calls this with its own lock held, which an ending thread
 * takes while it has the collector's lock. */
void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes)
{
    void *grown = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED)
        return NULL;
    if (memory) {
        memcpy(grown, memory, old_bytes);
        hiera_probed_release(memory, old_bytes);
    }
    return grown;
}

void hiera_probed_release(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

static int64_t now_ns(void)
{
    HieraClockPace pace = hiera_clock_pace();
    return hiera_clock_pace_ns(&pace, hiera_clock_ticks());
}

const char *hiera_probed_host_name(void)
{
    if (!host_name[0] && gethostname(host_name, sizeof host_name - 1) != 0)
        strcpy(host_name, "?");
    return host_name;
}

/* Set rank and size. Before MPI_Init they are those that the launcher has put into the environment, if any. */
static void find_rank(HieraProbeHost *host)
{
    HieraLaunch launch = hiera_launch_read_any();
    bool known = hiera_life.joined || launch.rank < 0;
    host->rank = known ? hiera_job.rank : launch.rank;
    host->size = known ? hiera_job.size : launch.size;
    host->size = host->size > 0 ? host->size : 1;
    first_rank = (int)host->rank;
}

int hiera_probed_rank(void)
{
    return hiera_life.joined ? hiera_job.rank : first_rank;
}

static bool begin(HieraWatcher *watcher)
{
    HieraProbeHost *host = &watcher->host;
    find_rank(host);
    host->name = hiera_probed_host_name();
    host->grow = hiera_probed_grow;
    host->release = hiera_probed_release;
    host->guards_floats = true;
    watcher->rank = hiera_probe_state_new(watcher->script, host);
    return watcher->rank != NULL;
}

static HieraWatcherLife life_of(const HieraWatcher *watcher)
{
    return __atomic_load_n(&watcher->life, __ATOMIC_ACQUIRE);
}

/* Begin the watcher, unless this or another thread has. @return  whether events may be reported to its clauses */
static bool is_running(HieraWatcher *watcher)
{
    if (HIERA_LIKELY(life_of(watcher) == HIERA_WATCHER_BEGUN))
        return true;
    if (life_of(watcher) == HIERA_WATCHER_ENDED || !hiera_lock_enter())
        return false;
    bool first = hiera_watcher_is_there(watcher) && watcher->life == HIERA_WATCHER_NEW;
    if (first && begin(watcher)) {
        hiera_probe_run_begin(watcher->rank, now_ns());
        __atomic_store_n(&watcher->life, HIERA_WATCHER_BEGUN, __ATOMIC_RELEASE);
    } else if (first) {
        watcher->life = HIERA_WATCHER_ENDED;
    }
    hiera_lock_leave();
    first = first && life_of(watcher) == HIERA_WATCHER_BEGUN;
    if (first)
        hiera_probed_has_begun(watcher);
    return first || life_of(watcher) == HIERA_WATCHER_BEGUN;
}

void hiera_probed_join(void)
{
    int saved_errno = errno;
    for (unsigned i = 0; i < HIERA_MOST_WATCHERS; i++)
        if (hiera_watcher_is_there(&hiera_watchers[i]))
            is_running(&hiera_watchers[i]);
    errno = saved_errno;
}

/* --- state of the scripts in each thread --- */

static HieraProbed *make(void)
{
    if (!hiera_lock_enter())
        return NULL;
    HieraProbed *probed = hiera_memory_new(sizeof *probed);
    hiera_lock_leave();
    if (probed)
        probed->pace = hiera_clock_pace();
    return probed;
}

HieraProbed *hiera_probed_of(HieraThread *thread)
{
    if (HIERA_UNLIKELY(!thread->probed))
        thread->probed = make();
    return thread->probed;
}

/* Return the thread's state for a running watcher; NULL if there is no memory. A state of an earlier watcher in the
 * same element of hiera_watchers is left to that watcher. */
static HieraProbeState *state_of(HieraProbed *probed, const HieraWatcher *watcher)
{
    HieraProbedState *own = &probed->states[hiera_watcher_number(watcher)];
    if (HIERA_UNLIKELY(own->version != watcher->version))
        *own = (HieraProbedState){hiera_probe_state_new_thread(watcher->rank), watcher->version};
    return own->state;
}

void hiera_probed_end_thread(HieraThread *thread)
{
    HieraProbed *probed = thread->probed;
    if (!probed)
        return;
    thread->probed = NULL;
    for (unsigned i = 0; i < HIERA_MOST_WATCHERS; i++)
        if (probed->states[i].state && probed->states[i].version == hiera_watchers[i].version)
            hiera_probe_state_absorb(hiera_watchers[i].rank, probed->states[i].state);
    hiera_probed_functions_clear(&probed->functions);
    hiera_probed_release(probed->regions, probed->room * sizeof *probed->regions);
    hiera_memory_free(probed, sizeof *probed);
}

static uint64_t find_regions(const char *name)
{
    return hiera_watchers_find(HIERA_PROBE_REGION, name);
}

const HieraProbedFunction *hiera_probed_function_of(HieraProbed *probed, const void *function)
{
    return hiera_probed_function(&probed->functions, function, find_regions);
}

int64_t hiera_probed_ns(HieraProbed *probed, uint64_t ticks)
{
    if (HIERA_UNLIKELY(ticks > probed->pace.until))
        probed->pace = hiera_clock_pace();
    return hiera_clock_pace_ns(&probed->pace, ticks);
}

HieraWatchedRegion *hiera_probed_region(HieraProbed *probed, uint32_t entry)
{
    if (HIERA_UNLIKELY(entry >= probed->room)) {
        uint32_t room = probed->room ? probed->room : 32;
        while (room <= entry)
            room *= 2;
        void *grown =
            hiera_probed_grow(probed->regions, probed->room * sizeof *probed->regions, room * sizeof *probed->regions);
        if (!grown)
            return NULL;
        probed->regions = grown;
        probed->room = room;
    }
    return &probed->regions[entry];
}

/* --- reporting events to clauses of scripts --- */

static bool takes(unsigned bit, HieraProbeEventKind kind)
{
    HieraWatcher *watcher = hiera_watcher_clauses[bit].watcher;
    return is_running(watcher) &&
           hiera_probe_clause_takes(watcher->script, hiera_watcher_clauses[bit].clause, kind, watcher->host.rank);
}

static void report_one(HieraProbed *probed, unsigned bit, const HieraProbeEvent *event)
{
    const HieraWatcher *watcher = hiera_watcher_clauses[bit].watcher;
    unsigned clause = hiera_watcher_clauses[bit].clause;
    if (!takes(bit, event->kind))
        return;
    HieraProbeState *state = state_of(probed, watcher);
    if (state)
        hiera_probe_fire(state, clause, event);
    else
        __atomic_add_fetch(&n_lost, 1, __ATOMIC_RELAXED);
}

void hiera_probed_report(HieraProbed *probed, HieraClauseSet set, const HieraProbeEvent *event)
{
    __atomic_store_n(&probed->event, event, __ATOMIC_SEQ_CST);
    reported = probed;
    for (; set; set &= set - 1)
        report_one(probed, (unsigned)__builtin_ctzll(set), event);
    __atomic_store_n(&probed->event, NULL, __ATOMIC_RELEASE);
    reported = NULL;
}

const HieraProbeEvent *hiera_probed_event(void)
{
    return reported ? reported->event : NULL;
}

void hiera_probed_fire(HieraThread *thread, HieraClauseSet set, const HieraProbeEvent *event)
{
    HieraProbed *probed = hiera_probed_of(thread);
    int saved_errno = errno;
    if (probed)
        hiera_probed_report(probed, set, event);
    errno = saved_errno;
}

void hiera_probed_lose(HieraClauseSet set, HieraProbeEventKind kind)
{
    for (; set; set &= set - 1)
        if (takes((unsigned)__builtin_ctzll(set), kind))
            __atomic_add_fetch(&n_lost, 1, __ATOMIC_RELAXED);
}

uint64_t hiera_probed_take_lost(void)
{
    return __atomic_exchange_n(&n_lost, 0, __ATOMIC_RELAXED);
}

/* --- end of a watcher (a script, or a function that hiera_on() has added) --- */

/* End a watcher. A thread that is executing one of its clauses now finishes this clause unhindered. */
HieraProbeState *hiera_probed_end(HieraWatcher *watcher)
{
    if (life_of(watcher) != HIERA_WATCHER_BEGUN)
        return NULL;
    hiera_probed_list_counters(watcher);
    if (__atomic_exchange_n(&watcher->life, HIERA_WATCHER_ENDED, __ATOMIC_ACQ_REL) != HIERA_WATCHER_BEGUN)
        return NULL;
    hiera_probed_has_ended(watcher);
    hiera_probe_run_end(watcher->rank, now_ns());
    return watcher->rank;
}
