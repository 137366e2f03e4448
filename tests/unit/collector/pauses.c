/* Threads pause and resume recording at the same time: when recording goes on, each pause must have an end. */
#include "../../../collector/hiera.h"
#include "../../../collector/record/pause.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { THREADS = 2, ROUNDS = 20000 };

extern int hiera_idle; /* of pause.c */
static int n_met, n_endless;

static bool has_endless_pause(void)
{
    for (unsigned i = 0; i < hiera_pause_count(); i++)
        if (hiera_pause_get(i).end == 0)
            return true;
    return false;
}

/* A barrier: wait until all threads have called it n times. Threads spin first, to go on at the same time. */
static void meet(int n)
{
    __atomic_add_fetch(&n_met, 1, __ATOMIC_ACQ_REL);
    for (int tries = 0; __atomic_load_n(&n_met, __ATOMIC_ACQUIRE) < n * THREADS; tries++)
        if (tries > 10000)
            sched_yield();
}

static void *run(void *looks)
{
    int n = 0;
    for (int i = 0; i < ROUNDS; i++) {
        hiera_pause();
        meet(++n);
        hiera_resume();
        meet(++n);
        n_endless += looks && has_endless_pause();
        meet(++n);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, run, NULL) != 0)
        return 1;
    run(&other);
    pthread_join(other, NULL);
    if (n_endless > 0 || hiera_idle != 0)
        fprintf(stderr, "%d of %d pauses without an end, %d still off\n", n_endless, ROUNDS, hiera_idle);
    return n_endless > 0 || hiera_idle != 0;
}
