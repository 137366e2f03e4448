/* A thread that is sampled. All functions are called with the lock held. */
#ifndef HIERA_SAMPLED_THREAD_H
#define HIERA_SAMPLED_THREAD_H

#include "record/record.h"
#include "sample_ring.h"
#include "sample_tree.h"

enum { HIERA_SAMPLE_DEPTH = 256 };

/* An open region. */
typedef struct HieraSampleOpen {
    const HieraRecord *record; /* its begin in the buffer; NULL: it was in an earlier one, and has its node */
    uint32_t node;             /* 0: not looked up yet */
} HieraSampleOpen;

typedef struct HieraSampling {
    struct HieraSampling *next;
    HieraThread *thread; /* NULL: it has no records, yet or any more */
    unsigned number;     /* of the thread */
    bool is_of_ended;    /* the sum of the threads that have ended */
    HieraSampleSource source;
    pid_t tid;
    unsigned n_blocked; /* how often in turn the thread was seen to block the signal of its timer */
    HieraSampleRing ring;
    HieraSampleTree tree;
    uint64_t lost, cpu_ns; /* of rings that are closed */
    size_t told;           /* offset in the thread's buffer: the records before it are gone through */
    HieraSampleOpen open[HIERA_SAMPLE_DEPTH]; /* regions, outermost first */
    uint32_t n_open;                          /* may be more than there is room for */
} HieraSampling;

/* All of them; the main thread's is the last. */
extern HieraSampling *hiera_samplings;

/* That of the main thread, which also has the samples of threads without records; NULL: there is none. */
extern HieraSampling *hiera_main_sampling;

/* Make one, in the list. NULL: there is no memory. */
HieraSampling *hiera_sampled_thread_new(void);

/* Samples lost, and CPU time while it was sampled, up to now. */
uint64_t hiera_sampling_lost(const HieraSampling *sampling);
uint64_t hiera_sampling_cpu_ns(HieraSampling *sampling);

#endif
