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

/* An open region whose events are reported to clauses. */
typedef struct HieraWatchedRegion {
    int64_t id; /* number of this execution of the region; unique in the process */
    uint64_t start;
    HieraMallocCounts before; /* counts of the thread's allocations when the region began */
} HieraWatchedRegion;

enum { HIERA_PROBED_TEXT = 4096, HIERA_PROBED_ID = 256 };

/* State in one thread of a watcher: a script, or a function that hiera_on() has added. */
typedef struct HieraProbedState {
    HieraProbeState *state;
    uint32_t version;
} HieraProbedState;

/* Cache entry: file and line of a call site. */
typedef struct HieraProbedSite {
    const void *address; /* address of the call site; NULL: the entry is empty */
    HieraValue file, line;
} HieraProbedSite;

enum { HIERA_PROBED_SITES = 64 };

typedef struct HieraProbed {
    HieraProbedState states[HIERA_MOST_WATCHERS];
    const HieraProbeEvent *event; /* event that this thread is reporting; NULL: none */
    HieraClockPace pace;
    int64_t n_regions;           /* number of watched regions that have begun in this thread */
    HieraWatchedRegion *regions; /* open regions that are watched, by their index in thread->open */
    uint32_t room;
    HieraProbedFunctions functions;
    HieraProbedSite sites[HIERA_PROBED_SITES]; /* cache, indexed by a hash of the address */
    char path[HIERA_PROBED_TEXT], stack[HIERA_PROBED_TEXT];
    char id[HIERA_PROBED_ID]; /* text of a message's id or object's name, for the value of a variable */
} HieraProbed;

/* Return the thread's state of all watchers, made at the first call. NULL: there is no memory. */
HieraProbed *hiera_probed_of(HieraThread *thread);

/* Report an event to the clauses of a set that take it. Only in the program's thread, with thread->inside set. Keeps
 * errno and the floating-point environment. */
void hiera_probed_fire(HieraThread *thread, HieraClauseSet set, const HieraProbeEvent *event);

/* Like hiera_probed_fire(), in the helper thread, which has no HieraThread. */
void hiera_probed_report(HieraProbed *probed, HieraClauseSet set, const HieraProbeEvent *event);

/* Count an event that cannot be reported for lack of memory: once per clause of the set that would have taken it. */
void hiera_probed_lose(HieraClauseSet set, HieraProbeEventKind kind);
/* Return how many events hiera_probed_lose() and others have counted as lost since the last call of this function. */
uint64_t hiera_probed_take_lost(void);

/* Return the event that this thread is reporting; NULL: none. */
const HieraProbeEvent *hiera_probed_event(void);

/* Begin all watchers (scripts). Called when the process has joined its job, so that its rank is known. */
void hiera_probed_join(void);

/* Start or stop the events at intervals when a watcher has begun or ended (periodic.c; the linker finds it). Called
 * without the lock. */
void hiera_probed_has_begun(HieraWatcher *watcher);
void hiera_probed_has_ended(const HieraWatcher *watcher);
/* Report all counters to the clauses of an ending watcher that list counters. Before hiera_probed_has_ended(). */
void hiera_probed_list_counters(const HieraWatcher *watcher);

/* End a watcher: its END clauses run, and afterwards none of its clauses fires. Not in a signal handler and not with
 * the lock held.
 *
 * @return  state of the rank; NULL if it was not running, or has ended already */
HieraProbeState *hiera_probed_end(HieraWatcher *watcher);

/* Free the state of a thread that ends. Called with the collector's lock held. */
void hiera_probed_end_thread(HieraThread *thread);

/* Return the rank of this process; before the process has joined its job, the rank that the launcher has set. */
int hiera_probed_rank(void);

/* Return the name of this computer. */
const char *hiera_probed_host_name(void);

/* Allocate or enlarge memory outside of the program's heap; new bytes are zero; NULL: there is none. To free it, pass
 * its number of bytes. */
void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes);
void hiera_probed_release(void *memory, size_t bytes);

/* Convert clock ticks to nanoseconds since the common start of the job's ranks. */
int64_t hiera_probed_ns(HieraProbed *probed, uint64_t ticks);

/* Return the element of `regions` for index `entry` of thread->open; NULL: there is no memory. */
HieraWatchedRegion *hiera_probed_region(HieraProbed *probed, uint32_t entry);

/* Return name and clauses of an instrumented function. NULL: there is no memory. */
const HieraProbedFunction *hiera_probed_function_of(HieraProbed *probed, const void *function);

/* An MPI call in which a thread waits, or has waited. */
typedef struct HieraWaitingCall {
    const char *call;
    uint64_t start, finish; /* times in ticks; finish 0: the thread still waits */
} HieraWaitingCall;

/* Report to all open regions that the thread begins to wait in an MPI call, or continues. Called with thread->inside
 * set. */
void hiera_probed_suspend(HieraThread *thread, const HieraWaitingCall *wait);
void hiera_probed_resume(HieraThread *thread, const HieraWaitingCall *wait);

/* --- variables that events of calls and regions have in common (place_values.c) --- */

/* Where in the program an event happens; the common variables are computed from this. */
typedef struct HieraProbedPlace {
    HieraThread *thread;
    HieraProbed *probed;
    const void *site;  /* return address of the operation's call */
    const char *name;  /* name of the call or region */
    uint32_t n_around; /* number of elements of thread->open that enclose the event */
    const char *file;  /* source file if the program has given it; NULL: `site` tells file and line */
    unsigned line;
    HieraThread *callbacks; /* state in which calls of the callback are recorded; NULL: not in a callback of MPI */
} HieraProbedPlace;

/* Return the value of &path, &stack, &depth, &thread, &file, &line, &rank, &host or &name; MISSING for all others. */
HieraValue hiera_probed_value(HieraProbeVariableId variable, const HieraProbedPlace *place);
