/* Watchers in the running program: their life, what they keep of a thread, and how an event is reported to their
 * clauses.
 *
 * A thread has states of its own, so that a firing takes no lock that another thread wants. A watcher begins with the
 * first event of the process that one of its clauses may take, or when the process joins its job. */
#ifndef HIERA_PROBED_H
#define HIERA_PROBED_H

#include "base/clock.h"
#include "base/program_memory.h"
#include "function_names.h"
#include "record/record.h"
#include "watchers.h"

/* An open region that is watched. */
typedef struct HieraWatchedRegion {
    int64_t id; /* of the execution */
    uint64_t start;
    HieraMallocCounts before; /* what its thread had allocated then */
} HieraWatchedRegion;

enum { HIERA_PROBED_TEXT = 4096, HIERA_PROBED_ID = 256 };

/* The part of a watcher's state that belongs to a thread. */
typedef struct HieraProbedState {
    HieraProbeState *state;
    uint32_t version;
} HieraProbedState;

/* File and line of a call site that this thread has looked up. */
typedef struct HieraProbedSite {
    const void *address; /* NULL: none */
    HieraValue file, line;
} HieraProbedSite;

enum { HIERA_PROBED_SITES = 64 };

typedef struct HieraProbed {
    HieraProbedState states[HIERA_MOST_WATCHERS];
    const HieraProbeEvent *event; /* that is being reported */
    HieraClockPace pace;
    int64_t n_regions;           /* that have begun, of those that are watched */
    HieraWatchedRegion *regions; /* by entry of thread->open */
    uint32_t room;
    HieraProbedFunctions functions;
    HieraProbedSite sites[HIERA_PROBED_SITES]; /* by address; a later one takes the place of another */
    char path[HIERA_PROBED_TEXT], stack[HIERA_PROBED_TEXT];
    char id[HIERA_PROBED_ID]; /* of a message */
} HieraProbed;

/* What is kept of a thread. NULL: there is no memory. */
HieraProbed *hiera_probed_of(HieraThread *thread);

/* Tell an event to the clauses of a set that take it. Only in the program's thread, with thread->inside set. Keeps
 * errno and the floating-point environment. */
void hiera_probed_fire(HieraThread *thread, HieraClauseSet set, const HieraProbeEvent *event);

/* The same in a thread that has no HieraThread: the helper. */
void hiera_probed_tell(HieraProbed *probed, HieraClauseSet set, const HieraProbeEvent *event);

/* An event is not reported, because there is no memory: count the clauses of a set that would have taken it. */
void hiera_probed_lose(HieraClauseSet set, HieraProbeEventKind kind);
/* Of these, how many there were since this was asked last. */
uint64_t hiera_probed_take_untold(void);

/* The event that this thread is telling; NULL: none. */
const HieraProbeEvent *hiera_probed_event(void);

/* The process has joined its job: its rank is known. */
void hiera_probed_join(void);

/* What else happens when a watcher has begun or ended: events that come by themselves (periodic.c; the linker finds
 * it). Without the lock. */
void hiera_probed_has_begun(HieraWatcher *watcher);
void hiera_probed_has_ended(const HieraWatcher *watcher);
/* Before that: tell it which counters there are. */
void hiera_probed_list_counters(const HieraWatcher *watcher);

/* A watcher ends: END runs, and nothing of it fires any more. Not in a signal handler and not with the lock held.
 *
 * @return  the state of the rank; NULL if it did not run, or has ended before */
HieraProbeState *hiera_probed_end(HieraWatcher *watcher);

/* A thread ends. Called with the lock held. */
void hiera_probed_end_thread(HieraThread *thread);

/* Rank of this process; until it has joined its job what the launcher has told. */
int hiera_probed_rank(void);

/* Name of this computer. */
const char *hiera_probed_host_name(void);

/* Memory that is not the program's, zeroed; NULL: there is none. Free it with the number of its bytes. */
void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes);
void hiera_probed_release(void *memory, size_t bytes);

/* Nanoseconds since the common start of the job. */
int64_t hiera_probed_ns(HieraProbed *probed, uint64_t ticks);

/* The region of an entry of thread->open; NULL if there is no memory. */
HieraWatchedRegion *hiera_probed_region(HieraProbed *probed, uint32_t entry);

/* The name of a function, and the clauses that it fits. NULL: there is no memory. */
const HieraProbedFunction *hiera_probed_function_of(HieraProbed *probed, const void *function);

/* A call of MPI in which a thread may wait. */
typedef struct HieraWaitingCall {
    const char *call;
    uint64_t start, finish; /* ticks; 0: it goes on */
} HieraWaitingCall;

/* A thread begins to wait, or goes on: so do the regions that are open in it. Called with thread->inside set. */
void hiera_probed_suspend(HieraThread *thread, const HieraWaitingCall *wait);
void hiera_probed_resume(HieraThread *thread, const HieraWaitingCall *wait);

/* --- values of events that calls and regions have in common (place_values.c) --- */

/* Where something happens in a thread. */
typedef struct HieraProbedPlace {
    HieraThread *thread;
    HieraProbed *probed;
    const void *site;  /* return address */
    const char *name;  /* of the operation */
    uint32_t n_around; /* how many entries of thread->open are around it */
    const char *file;  /* where it stands, if the program says so; NULL: that of the site */
    unsigned line;
    HieraThread *callbacks; /* the state of the callback that it happens in; NULL: in none */
} HieraProbedPlace;

/* &path, &stack, &depth, &thread, &file, &line, &rank, &host, &name; missing for others. */
HieraValue hiera_probed_value(HieraProbeVariableId variable, const HieraProbedPlace *place);

#endif
