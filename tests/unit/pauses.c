/* Threads that pause and resume at the same moment: once recording goes on, the pause has its end. */
#include "../../collector/hiera.h"
#include "../../collector/record/pause.h"
#include "../../collector/write/trace_file.h"
#include "../../collector/write/writer.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, ROUNDS = 20000, ROOM = 64 << 10 };

int hiera_idle; /* pause.c counts there */
static int n_met, n_endless;

uint64_t hiera_writer_time(uint64_t ticks)
{
    return ticks;
}

static void no_spill(HieraText *text)
{
    text->next = text->base; /* cannot happen: there is room for all pauses */
}

static bool has_endless_pause(void)
{
    static char block[ROOM + HIERA_TEXT_MARGIN];
    HieraText text = {block, block + ROOM, block, no_spill};
    HieraStream stream = {.text = &text};
    hiera_pause_put(&stream);
    *text.next = '\0';
    return strstr(block, "finish_time=\"\"") != NULL;
}

/* All threads come here for the n-th time, and leave at the same moment if there are processors enough. */
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
