/* Threads that are sampled, in a list. All functions must be called with the lock held. */
#pragma once

#include "record/record.h"
#include "sample_ring.h"
#include "sample_tree.h"

enum { HIERA_SAMPLE_DEPTH = 256 };

/* An open region of a sampled thread, and its node in the tree of samples. */
typedef struct HieraSampleOpen {
    const HieraRecord *record; /* begin of the region in the buffer; NULL: not there any more, but `node` is set */
    uint32_t node;             /* node of the region in the tree; 0: not looked up yet */
} HieraSampleOpen;

typedef struct HieraSampling {
    struct HieraSampling *next;
    HieraThread *thread; /* records of the thread; NULL: it has none yet, or has ended */
    unsigned number;     /* number of the thread in the process, as in HieraThread */
    bool is_of_ended;    /* true for the one entry that adds up all threads that have ended */
    HieraSampleSource source;
    pid_t tid;
    unsigned n_blocked; /* number of checks in a row in which the thread blocked the signal of its timer */
    HieraSampleRing ring;
    HieraSampleTree tree;
    uint64_t lost, cpu_ns; /* numbers of lost samples and CPU time, of rings that are closed */
    size_t compared;       /* offset in the thread's buffer up to which records are compared with samples */
    HieraSampleOpen open[HIERA_SAMPLE_DEPTH]; /* the thread's open regions, outermost first */
    uint32_t n_open;                          /* number of open regions, also of those for which `open` has no room */
} HieraSampling;

/* List of all sampled threads; the main thread is the last entry. */
extern HieraSampling *hiera_samplings;

/* Entry of the main thread, which also gets the samples of threads without records; NULL: there is none. */
extern HieraSampling *hiera_main_sampling;

/* Make an entry for a sampled thread and put it into the list; NULL: no memory. */
HieraSampling *hiera_sampled_thread_new(void);

/* Return the thread's number of lost samples until now, and the CPU time during which it was sampled. */
uint64_t hiera_sampling_lost(const HieraSampling *sampling);
uint64_t hiera_sampling_cpu_ns(HieraSampling *sampling);
