/* A thread that is sampled. All functions are called with the lock held. */
#pragma once

#include "record/record.h"
#include "sample_ring.h"
#include "sample_tree.h"

enum { HIERA_SAMPLE_DEPTH = 256 };

/* An open region of a sampled thread. */
typedef struct HieraSampleOpen {
    const HieraRecord *record; /* its begin in the buffer; NULL: in an earlier one, and `node` is set */
    uint32_t node;             /* node of the region; 0: not looked up yet */
} HieraSampleOpen;

typedef struct HieraSampling {
    struct HieraSampling *next;
    HieraThread *thread; /* NULL: the thread has no records yet, or no more */
    unsigned number;     /* number of the thread */
    bool is_of_ended;    /* true for the sum of the threads that have ended */
    HieraSampleSource source;
    pid_t tid;
    unsigned n_blocked; /* number of consecutive checks in which the thread blocked the signal of its timer */
    HieraSampleRing ring;
    HieraSampleTree tree;
    uint64_t lost, cpu_ns;                    /* sums over rings that are closed */
    size_t told;                              /* offset in the thread's buffer: the records before it are handled */
    HieraSampleOpen open[HIERA_SAMPLE_DEPTH]; /* open regions, outermost first */
    uint32_t n_open;                          /* number of open regions; may exceed the room in `open` */
} HieraSampling;

/* List of all sampled threads; the main thread is the last. */
extern HieraSampling *hiera_samplings;

/* The main thread, which also has the samples of threads without records; NULL: there is none. */
extern HieraSampling *hiera_main_sampling;

/* Make a sampled thread, and put it into the list. NULL: there is no memory. */
HieraSampling *hiera_sampled_thread_new(void);

/* Return the number of lost samples, and the CPU time while it was sampled, until now. */
uint64_t hiera_sampling_lost(const HieraSampling *sampling);
uint64_t hiera_sampling_cpu_ns(HieraSampling *sampling);
