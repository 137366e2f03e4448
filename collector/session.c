/* The life of the collector in a process. See session.h. */
#include "session.h"

#include "message.h"
#include "settings.h"
#include "writer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

HieraSession hiera_session;
pthread_mutex_t hiera_session_lock = PTHREAD_MUTEX_INITIALIZER;
int hiera_idle;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/* A forked child shares the parent's file descriptors: it must never write. */
static void in_child(void)
{
    hiera_session.closed = true;
    hiera_thread = NULL;
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

/* The program may change its folder later: settle now where the traces go. */
static char *absolute_dir(const char *dir)
{
    char here[PATH_MAX];
    char *path = NULL;
    if (dir[0] == '/' || !getcwd(here, sizeof here))
        return strdup(dir);
    if (strcmp(dir, ".") == 0)
        return strdup(here);
    return asprintf(&path, "%s/%s", here, dir) < 0 ? NULL : path;
}

static void load(void)
{
    int saved_errno = errno;
    hiera_settings_read();
    hiera_mpi_load();
    hiera_clock_start();
    hiera_threads_load();
    hiera_session.dir = absolute_dir(hiera_settings.dir);
    hiera_session.job.size = 1;
    if (!hiera_settings.enabled || !hiera_session.dir) {
        hiera_session.closed = true;
        hiera_idle = 1;
    }
    pthread_atfork(NULL, NULL, in_child);
    hiera_session.loaded = true;
    errno = saved_errno;
}

void hiera_session_load(void)
{
    pthread_once(&load_once, load);
}

__attribute__((constructor(101))) static void on_load(void)
{
    hiera_session_load();
}

int hiera_session_join(const HieraJob *job)
{
    if (hiera_session.closed)
        return 0;
    pthread_mutex_lock(&hiera_session_lock);
    hiera_session.job = *job;
    if (!hiera_session.main) /* else something was written before: its times cannot be changed any more */
        hiera_clock_set_zero(job->zero_ns);
    hiera_session.joined = true;
    hiera_clock_anchor();
    hiera_trace_open();
    int error = hiera_session.main ? hiera_session.main->error : ENOMEM;
    pthread_mutex_unlock(&hiera_session_lock);
    return error;
}

static void write_all_locked(bool all)
{
    if (hiera_session.closed)
        return;
    hiera_clock_anchor();
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_threads_write(thread, all, HIERA_FLUSH_MORE);
    if (hiera_session.main) {
        hiera_stream_begin(hiera_session.main);
        hiera_stream_end(hiera_session.main, hiera_trace_final_tail, HIERA_FLUSH_LAST);
        hiera_trace_put_header();
    }
}

/* Take the lock where waiting for ever would hang the job: a signal handler that ends the process may have interrupted
 * the thread that holds it. */
static bool lock_for_a_while(void)
{
    enum { PATIENCE_S = 3 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    return pthread_mutex_timedlock(&hiera_session_lock, &until) == 0;
}

void hiera_session_write_all(bool all)
{
    int saved_errno = errno;
    if (!lock_for_a_while())
        return;
    write_all_locked(all);
    pthread_mutex_unlock(&hiera_session_lock);
    errno = saved_errno;
}

void hiera_session_settle(uint64_t finalize_ticks)
{
    hiera_session.finalize_ticks = finalize_ticks;
    hiera_session_write_all(false);
}

uint64_t hiera_session_lost(int *error)
{
    uint64_t lost = 0;
    *error = 0;
    pthread_mutex_lock(&hiera_session_lock);
    HieraStream *main = hiera_session.main;
    if (main) {
        lost = main->lost;
        *error = main->cause;
    }
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != main) {
            lost += thread->stream->lost;
            *error = *error ? *error : thread->stream->cause;
        }
    pthread_mutex_unlock(&hiera_session_lock);
    return lost;
}

static void say_lost(void)
{
    int error;
    uint64_t lost = hiera_session_lost(&error);
    if (error != 0 && !hiera_session.said_lost)
        hiera_message("the trace of rank %d lacks %llu operations: %s: %s; the program is not affected",
                      hiera_session.job.rank, (unsigned long long)lost, hiera_session.dir, strerror(error));
}

/* The process ends. Other threads may still run: what they add from now on is not waited for. */
__attribute__((destructor(101))) static void on_exit_of_process(void)
{
    if (!hiera_session.loaded || hiera_session.closed)
        return;
    int saved_errno = errno;
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
    if (!lock_for_a_while())
        return;
    if (hiera_session.finalize_ticks == 0)
        hiera_session.finalize_ticks = hiera_clock_ticks();
    bool without_mpi = !hiera_session.joined;
    if (without_mpi) { /* there is no job: this process is all of it */
        hiera_session.job.id = hiera_clock_birth_ns() ^ ((uint64_t)getpid() << 40);
        hiera_session.joined = true;
    }
    write_all_locked(true);
    if (without_mpi && hiera_session.main)
        hiera_files_write(hiera_session.dir, hiera_files_application(), 1);
    hiera_session.closed = true;
    HieraThread *thread = hiera_session.threads;
    for (; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != hiera_session.main)
            unlink(thread->stream->path);
    if (hiera_session.ended)
        unlink(hiera_session.ended->path);
    pthread_mutex_unlock(&hiera_session_lock);
    say_lost();
    errno = saved_errno;
}
