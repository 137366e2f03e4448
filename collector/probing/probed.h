/* Watchers in the running program: their begin and end, their state in each thread, and how an event is reported to
 * their clauses.
 *
 * Each thread has states of its own, so that a firing takes no lock that another thread wants. A watcher begins with
 * the first event that one of its clauses may take, or when the process joins its job. */
#pragma once

#include "base/clock.h"
#include "base/program_memory.h"
#include "function_names.h"
#include "record/record.h"
#include "watchers.h"

/* An open region that is watched. */
typedef struct HieraWatchedRegion {
    int64_t id; /* number of the execution of the region */
    uint64_t start;
    HieraMallocCounts before; /* counts of the thread's allocations at its begin */
} HieraWatchedRegion;

enum { HIERA_PROBED_TEXT = 4096, HIERA_PROBED_ID = 256 };

/* The part of a watcher's state that belongs to a thread. */
typedef struct HieraProbedState {
    HieraProbeState *state;
    uint32_t version;
} HieraProbedState;

/* File and line of a call site that this thread has looked up. */
typedef struct HieraProbedSite {
    const void *address; /* the call site; NULL: the entry is empty */
    HieraValue file, line;
} HieraProbedSite;

enum { HIERA_PROBED_SITES = 64 };

typedef struct HieraProbed {
    HieraProbedState states[HIERA_MOST_WATCHERS];
    const HieraProbeEvent *event; /* event that is being reported; NULL: none */
    HieraClockPace pace;
    int64_t n_regions;           /* number of watched regions that have begun */
    HieraWatchedRegion *regions; /* watched regions, by index into thread->open */
    uint32_t room;
    HieraProbedFunctions functions;
    HieraProbedSite sites[HIERA_PROBED_SITES]; /* cache by address; a later site may replace an earlier one */
    char path[HIERA_PROBED_TEXT], stack[HIERA_PROBED_TEXT];
    char id[HIERA_PROBED_ID]; /* id of a message */
} HieraProbed;

/* Return the state of a thread. NULL: there is no memory. */
HieraProbed *hiera_probed_of(HieraThread *thread);

/* Report an event to the clauses of a set that take it. Only in the program's thread, with thread->inside set. Keeps
 * errno and the floating-point environment. */
void hiera_probed_fire(HieraThread *thread, HieraClauseSet set, const HieraProbeEvent *event);

/* The same in the helper thread, which has no HieraThread. */
void hiera_probed_tell(HieraProbed *probed, HieraClauseSet set, const HieraProbeEvent *event);

/* There is no memory to report an event: count the clauses of a set that would have taken it. */
void hiera_probed_lose(HieraClauseSet set, HieraProbeEventKind kind);
/* Return the number counted since the last call of this function. */
uint64_t hiera_probed_take_untold(void);

/* Return the event that this thread is reporting; NULL: none. */
const HieraProbeEvent *hiera_probed_event(void);

/* The process has joined its job, so its rank is known: begin the watchers. */
void hiera_probed_join(void);

/* Start or stop the events at intervals when a watcher has begun or ended (periodic.c; the linker finds it). Called
 * without the lock. */
void hiera_probed_has_begun(HieraWatcher *watcher);
void hiera_probed_has_ended(const HieraWatcher *watcher);
/* Called before that: report the list of counters to the watcher. */
void hiera_probed_list_counters(const HieraWatcher *watcher);

/* End a watcher: its END clauses run, and afterwards none of its clauses fires. Not in a signal handler and not with
 * the lock held.
 *
 * @return  state of the rank; NULL if it was not running, or has ended already */
HieraProbeState *hiera_probed_end(HieraWatcher *watcher);

/* A thread ends: free its state. Called with the lock held. */
void hiera_probed_end_thread(HieraThread *thread);

/* Return the rank of this process; before it has joined its job, the rank that the launcher has given. */
int hiera_probed_rank(void);

/* Return the name of this computer. */
const char *hiera_probed_host_name(void);

/* Allocate or enlarge memory outside of the program's heap; new bytes are zero; NULL: there is none. To free it, pass
 * its number of bytes. */
void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes);
void hiera_probed_release(void *memory, size_t bytes);

/* Convert ticks to nanoseconds since the common start of the job. */
int64_t hiera_probed_ns(HieraProbed *probed, uint64_t ticks);

/* Return the watched region for an entry of thread->open; NULL if there is no memory. */
HieraWatchedRegion *hiera_probed_region(HieraProbed *probed, uint32_t entry);

/* Return name and clauses of a function. NULL: there is no memory. */
const HieraProbedFunction *hiera_probed_function_of(HieraProbed *probed, const void *function);

/* A call of MPI in which a thread may wait. */
typedef struct HieraWaitingCall {
    const char *call;
    uint64_t start, finish; /* time in ticks; finish 0: the call has not ended */
} HieraWaitingCall;

/* The thread begins to wait in a call, or continues: report this for the open regions. Called with thread->inside set.
 */
void hiera_probed_suspend(HieraThread *thread, const HieraWaitingCall *wait);
void hiera_probed_resume(HieraThread *thread, const HieraWaitingCall *wait);

/* --- variables that events of calls and regions have in common (place_values.c) --- */

/* The place of an event in its thread. */
typedef struct HieraProbedPlace {
    HieraThread *thread;
    HieraProbed *probed;
    const void *site;  /* return address */
    const char *name;  /* name of the operation */
    uint32_t n_around; /* number of entries of thread->open around the event */
    const char *file;  /* source file, if the program gives it; NULL: use the call site */
    unsigned line;
    HieraThread *callbacks; /* state of the callback in which the event happens; NULL: not in a callback */
} HieraProbedPlace;

/* Return &path, &stack, &depth, &thread, &file, &line, &rank, &host or &name; MISSING for other variables. */
HieraValue hiera_probed_value(HieraProbeVariableId variable, const HieraProbedPlace *place);
