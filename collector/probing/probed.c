/* See probed.h. */
#include "probed.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "base/signal_safe_memory.h"
#include "expressions/floats.h"
#include "job/job.h"
#include "job/launcher_env.h"
#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static HieraProbeHost host;
static HieraProbeState *all; /* of the rank; each thread has a part */
static char host_name[256];
static enum { NOT_BEGUN, BEGUN, ENDED } life; /* changed with the lock held */

/* --- what it prints --- */

static void write_text(void *user, const char *text, size_t length)
{
    (void)user;
    hiera_probe_output_write(hiera_job.rank, text, length);
}

static void complain(void *user, const char *message)
{
    (void)user;
    hiera_message_lines("", message);
}

/* --- it begins --- */

void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes)
{
    bool entered = hiera_lock_enter();
    void *grown = hiera_memory_grow(memory, old_bytes, bytes);
    if (entered)
        hiera_lock_leave();
    return grown;
}

void hiera_probed_release(void *memory, size_t bytes)
{
    bool entered = hiera_lock_enter();
    hiera_memory_free(memory, bytes);
    if (entered)
        hiera_lock_leave();
}

static int64_t now_ns(void)
{
    HieraClockPace pace = hiera_clock_pace();
    return hiera_clock_pace_ns(&pace, hiera_clock_ticks());
}

/* Before MPI_Init the launcher may have told rank and size. */
static void find_rank(void)
{
    HieraLaunch launch = hiera_launch_read_any();
    bool known = hiera_life.joined || launch.rank < 0;
    host.rank = known ? hiera_job.rank : launch.rank;
    host.size = known ? hiera_job.size : launch.size;
    host.size = host.size > 0 ? host.size : 1;
}

static bool begin(void)
{
    if (gethostname(host_name, sizeof host_name - 1) != 0)
        strcpy(host_name, "?");
    find_rank();
    host.name = host_name;
    host.write = write_text;
    host.complain = complain;
    host.memory = hiera_settings.probe_memory;
    host.grow = hiera_probed_grow;
    host.release = hiera_probed_release;
    all = hiera_probe_state_new(hiera_clauses_script(), &host);
    return all != NULL;
}

/* Begin, unless that has been done. Another thread may be at it. @return  whether events may be told */
static bool is_running(void)
{
    if (HIERA_LIKELY(__atomic_load_n(&life, __ATOMIC_ACQUIRE) == BEGUN))
        return true;
    if (!hiera_clauses_script() || __atomic_load_n(&life, __ATOMIC_ACQUIRE) == ENDED || !hiera_lock_enter())
        return false;
    bool first = life == NOT_BEGUN;
    if (first && begin()) {
        hiera_probe_run_begin(all, now_ns());
        __atomic_store_n(&life, BEGUN, __ATOMIC_RELEASE);
    } else if (first) {
        life = ENDED;
    }
    hiera_lock_leave();
    return life == BEGUN;
}

void hiera_probed_join(void)
{
    int saved_errno = errno;
    is_running();
    errno = saved_errno;
}

/* --- threads --- */

static HieraProbed *make(void)
{
    if (!hiera_lock_enter())
        return NULL;
    HieraProbed *probed = hiera_memory_new(sizeof *probed);
    hiera_lock_leave();
    if (!probed)
        return NULL;
    probed->state = hiera_probe_state_new_thread(all);
    probed->pace = hiera_clock_pace();
    return probed;
}

HieraProbed *hiera_probed_of(HieraThread *thread)
{
    if (!is_running())
        return NULL;
    if (HIERA_UNLIKELY(!thread->probed))
        thread->probed = make();
    return thread->probed && thread->probed->state ? thread->probed : NULL;
}

static uint64_t find_regions(const char *name)
{
    return hiera_clauses_find(HIERA_PROBE_REGION, name);
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
        void *grown = hiera_probed_grow(probed->regions, probed->room * sizeof *probed->regions, room * sizeof *probed->regions);
        if (!grown)
            return NULL;
        probed->regions = grown;
        probed->room = room;
    }
    return &probed->regions[entry];
}

void hiera_probed_end_thread(HieraThread *thread)
{
    HieraProbed *probed = thread->probed;
    if (!probed)
        return;
    thread->probed = NULL;
    if (probed->state)
        hiera_probe_state_absorb(all, probed->state);
    hiera_probed_functions_clear(&probed->functions);
    hiera_memory_free(probed->regions, probed->room * sizeof *probed->regions);
    hiera_memory_free(probed, sizeof *probed);
}

const char *hiera_probed_host_name(void)
{
    return host_name;
}

/* --- events --- */

void hiera_probed_fire(HieraThread *thread, HieraClauseSet set, HieraProbeEventKind kind,
                        HieraValue (*get)(HieraProbeVariableId variable, const void *data), const void *data)
{
    HieraProbed *probed = hiera_probed_of(thread);
    if (!probed)
        return;
    int saved_errno = errno;
    HieraFloats floats;
    hiera_floats_enter(&floats, false);
    const HieraProbeEvent event = {.kind = kind, .get = get, .data = data};
    const HieraProbeScript *script = hiera_clauses_script();
    for (; set; set &= set - 1) {
        unsigned clause = (unsigned)__builtin_ctzll(set);
        if (hiera_probe_clause_takes(script, clause, kind, host.rank))
            hiera_probe_fire(probed->state, clause, &event);
    }
    hiera_floats_leave(&floats, false);
    errno = saved_errno;
}

/* --- it ends --- */

/* Threads that are firing now finish that; they do not see ENDED. */
HieraProbeState *hiera_probed_end(void)
{
    if (__atomic_load_n(&life, __ATOMIC_ACQUIRE) != BEGUN || __atomic_exchange_n(&life, ENDED, __ATOMIC_ACQ_REL) != BEGUN)
        return NULL;
    hiera_probe_run_end(all, now_ns());
    return all;
}

const HieraProbeHost *hiera_probed_host(void)
{
    return &host;
}
