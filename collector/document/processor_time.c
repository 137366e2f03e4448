#include "processor_time.h"

#include "base/clock.h"
#include "base/kept.h"
#include "base/life.h"
#include "base/settings.h"
#include "dtd/names.h"
#include "helper/helper.h"
#include "loaded/openmp_library.h"
#include "loops/task_entries.h"
#include "session_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LISTED = 256, MASK_WORDS = 128, NOTE_EVERY_NS = 10000000 };

/* Kept, since hiera-recover writes this after the process was killed. */
static struct {
    uint64_t all_ns, recorded_ns; /* time since the begin: of the threads that count; of those that are recorded */
    uint32_t threads, unrecorded; /* most at one time of these threads, and of those that are not recorded */
    uint32_t cpus;                /* processors that they may use */
    uint64_t queued_ns; /* time since the begin in which recorded threads could run and waited for a processor */
    bool has_times, has_queued;
} usage HIERA_KEPT;

static struct {
    pid_t tid; /* 0: the thread has ended */
    uint64_t ns;
} of_mpi[LISTED] HIERA_KEPT;
static unsigned n_of_mpi HIERA_KEPT;
static pid_t before_mpi[LISTED];
static unsigned n_before_mpi;
static uint64_t begin_all_ns HIERA_KEPT, begin_recorded_ns HIERA_KEPT;
static uint64_t ended_ns HIERA_KEPT; /* time of recorded threads that have ended */
static uint64_t begin_queued_ns HIERA_KEPT, ended_queued_ns HIERA_KEPT;
static bool is_over HIERA_KEPT;

/* --- processor time --- */

/* Read what the kernel says of a thread: for how long it had a processor, and for how long it waited for one. */
static bool read_schedule(pid_t tid, uint64_t *ns, uint64_t *queued_ns)
{
    char path[64], text[64] = "", *at;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)hiera_life.pid, (int)tid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    if (n <= 0)
        return false;
    *ns = strtoull(text, &at, 10);
    *queued_ns = strtoull(at, NULL, 10);
    return true;
}

static bool read_thread(pid_t tid, uint64_t *ns)
{
    uint64_t queued_ns;
    return hiera_life.recovers ? read_schedule(tid, ns, &queued_ns) : hiera_clock_read_thread(tid, ns);
}

static bool is_of_hiera(pid_t tid)
{
    int other;
    uint64_t ns;
    for (unsigned i = 0; hiera_helper_peek_thread(i, &other, &ns); i++)
        if (other == tid)
            return true;
    return false;
}

static uint64_t read_hiera(void)
{
    int tid;
    uint64_t sum = 0, ns;
    for (unsigned i = 0; hiera_helper_peek_thread(i, &tid, &ns); i++) {
        if (tid != 0)
            read_thread(tid, &ns);
        sum += ns;
    }
    return sum;
}

/* Of threads that have ended, the last time that was seen counts. */
static uint64_t read_mpi(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < n_of_mpi; i++) {
        if (of_mpi[i].tid != 0 && is_of_hiera(of_mpi[i].tid)) { /* it had just begun when it was taken for one of MPI */
            of_mpi[i].ns = 0;
            of_mpi[i].tid = 0;
        } else if (of_mpi[i].tid != 0 && !read_thread(of_mpi[i].tid, &of_mpi[i].ns)) {
            of_mpi[i].tid = 0;
        }
        sum += of_mpi[i].ns;
    }
    return sum;
}

/* The main thread counts as recorded, whether it has made calls or not: the trace is about its time. */
static uint64_t read_recorded(void)
{
    uint64_t sum = ended_ns, ns;
    if (read_thread(hiera_life.pid, &ns))
        sum += ns;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->number != 0 && read_thread(thread->tid, &ns))
            sum += ns;
    return sum;
}

/* Add up for how long recorded threads waited for a processor. @return  false: the kernel does not tell */
static bool read_queued(uint64_t *sum)
{
    uint64_t ns, queued_ns = 0;
    bool is_told = read_schedule(hiera_life.pid, &ns, &queued_ns);
    *sum = ended_queued_ns + queued_ns;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->number != 0 && read_schedule(thread->tid, &ns, &queued_ns))
            *sum += queued_ns;
    return is_told;
}

/* The clock of the process lags behind those of threads that run, unless these were just read. Of another process all
 * lag: what is read last is the greatest, so this must be the time of the recorded threads. */
static void read_times(uint64_t *all_ns, uint64_t *recorded_ns)
{
    uint64_t others_ns = read_mpi() + read_hiera();
    uint64_t process_ns = hiera_life.recovers ? hiera_clock_of_process_ns(hiera_life.pid) : 0;
    *recorded_ns = read_recorded();
    *all_ns = (hiera_life.recovers ? process_ns : hiera_clock_of_process_ns(0)) - others_ns;
}

/* --- threads --- */

typedef struct Count {
    uint32_t threads, unrecorded;
    unsigned long *mask; /* processors that any of the threads may use; NULL: not asked for */
} Count;

static void each_thread(void (*visit)(pid_t tid, void *data), void *data)
{
    _Alignas(HieraTaskEntry) char entries[2048];
    char path[64];
    long n;
    snprintf(path, sizeof path, "/proc/%d/task", (int)hiera_life.pid);
    int folder = open(hiera_life.recovers ? path : "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0 && (n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < n;) {
            pid_t tid = hiera_task_entry_take(entries, &at);
            if (tid > 0)
                visit(tid, data);
        }
    if (folder >= 0)
        close(folder);
}

static bool is_of_mpi(pid_t tid)
{
    for (unsigned i = 0; i < n_of_mpi; i++)
        if (of_mpi[i].tid == tid)
            return true;
    return false;
}

static bool is_recorded(pid_t tid)
{
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->tid == tid)
            return true;
    return tid == hiera_life.pid;
}

static void count_thread(pid_t tid, void *data)
{
    unsigned long mask[MASK_WORDS] = {0};
    Count *count = data;
    if (is_of_mpi(tid) || is_of_hiera(tid))
        return;
    count->threads++;
    count->unrecorded += !is_recorded(tid);
    if (count->mask && syscall(SYS_sched_getaffinity, tid, sizeof mask, mask) > 0)
        for (unsigned i = 0; i < MASK_WORDS; i++)
            count->mask[i] |= mask[i];
}

static void note_threads(unsigned long *mask)
{
    Count count = {.mask = mask};
    each_thread(count_thread, &count);
    if (count.threads > usage.threads)
        usage.threads = count.threads;
    if (count.unrecorded > usage.unrecorded)
        usage.unrecorded = count.unrecorded;
}

static void note_processors(void)
{
    unsigned long mask[MASK_WORDS] = {0};
    uint32_t n = 0;
    note_threads(mask);
    for (unsigned i = 0; i < MASK_WORDS; i++)
        n += (uint32_t)__builtin_popcountl(mask[i]);
    if (n > usage.cpus)
        usage.cpus = n;
}

static void list_before(pid_t tid, void *nothing)
{
    (void)nothing;
    if (n_before_mpi < LISTED)
        before_mpi[n_before_mpi++] = tid;
}

static void list_of_mpi(pid_t tid, void *nothing)
{
    (void)nothing;
    for (unsigned i = 0; i < n_before_mpi; i++)
        if (before_mpi[i] == tid)
            return;
    if (n_of_mpi < LISTED && n_before_mpi < LISTED && !is_recorded(tid) && !is_of_hiera(tid))
        of_mpi[n_of_mpi++].tid = tid;
}

/* --- when it is noted --- */

void hiera_usage_expect_mpi(void)
{
    n_before_mpi = 0;
    if (hiera_settings.trace)
        each_thread(list_before, NULL);
}

/* If MPI_Init was not seen, all threads that are there count as MPI's: nobody knows which are the program's. */
void hiera_usage_begin(void)
{
    n_of_mpi = 0;
    memset(&usage, 0, sizeof usage);
    is_over = false;
    if (!hiera_settings.trace)
        return;
    each_thread(list_of_mpi, NULL);
    note_processors();
    read_times(&begin_all_ns, &begin_recorded_ns);
    (void)read_queued(&begin_queued_ns);
}

void hiera_usage_begin_thread(void)
{
    if (usage.unrecorded > 0)
        usage.unrecorded--;
}

void hiera_usage_end_thread(int tid)
{
    enum { LEFT_NS = 20000 }; /* what the thread takes from here on to its end, which nobody can read later */
    uint64_t ns, queued_ns;
    if (hiera_clock_read_thread(tid, &ns))
        ended_ns += ns + LEFT_NS;
    if (!is_over && read_schedule(tid, &ns, &queued_ns))
        ended_queued_ns += queued_ns;
}

/* Files of all threads are read, so this is not done whenever a buffer is written. */
static void note_queued(void)
{
    uint64_t queued_ns;
    usage.has_queued = read_queued(&queued_ns);
    usage.queued_ns = queued_ns > begin_queued_ns ? queued_ns - begin_queued_ns : 0;
}

static void note(void)
{
    uint64_t all_ns, recorded_ns;
    read_times(&all_ns, &recorded_ns);
    all_ns -= begin_all_ns;
    recorded_ns -= begin_recorded_ns;
    usage.has_times = (int64_t)all_ns > 0;
    usage.all_ns = usage.has_times ? all_ns : 0;
    usage.recorded_ns = recorded_ns < usage.all_ns ? recorded_ns : usage.all_ns; /* clocks are read one by one */
}

void hiera_usage_note(void)
{
    static uint64_t noted_ns;
    uint64_t now_ns = hiera_clock_monotonic_ns();
    if (is_over || hiera_life.recovers || !hiera_settings.trace || now_ns - noted_ns < NOTE_EVERY_NS)
        return;
    noted_ns = now_ns;
    note();
    note_threads(NULL);
}

void hiera_usage_look(void)
{
    if (is_over || usage.threads == 0)
        return;
    note();
    note_queued();
    note_processors();
}

bool hiera_usage_is_partial(void)
{
    uint64_t unrecorded_ns = usage.all_ns - usage.recorded_ns;
    bool are_busy = unrecorded_ns > HIERA_UNRECORDED_NS &&
                    (double)unrecorded_ns * 10000 > (double)usage.all_ns * HIERA_UNRECORDED_SHARE;
    return are_busy || (*hiera_openmp_library() && usage.unrecorded > 0);
}

void hiera_usage_end(void)
{
    if (is_over || hiera_life.recovers || !hiera_settings.trace)
        return;
    note();
    note_queued();
    note_processors();
    is_over = true;
}

/* --- in the trace --- */

static void put_number(HieraText *text, const char *begin, uint64_t value)
{
    if (value == 0)
        return;
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_unsigned(text, value);
    HIERA_TEXT_LITERAL(text, "\"");
}

void hiera_usage_put(HieraTraceFile *stream)
{
    HieraText *text = stream->text;
    const char *openmp = hiera_openmp_library();
    if (usage.threads == 0 && !usage.has_times)
        return;
    HIERA_TEXT_LITERAL(text, "\n  <hieraUsage");
    if (usage.has_times) {
        HIERA_TEXT_LITERAL(text, " time=\"");
        hiera_text_seconds(text, usage.all_ns);
        HIERA_TEXT_LITERAL(text, "\" recorded_time=\"");
        hiera_text_seconds(text, usage.recorded_ns);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    put_number(text, " threads=\"", usage.threads);
    put_number(text, " unrecorded=\"", usage.unrecorded);
    put_number(text, " cpus=\"", usage.cpus);
    if (usage.has_times && usage.has_queued) {
        HIERA_TEXT_LITERAL(text, " queued=\"");
        hiera_text_seconds(text, usage.queued_ns);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (*openmp) {
        HIERA_TEXT_LITERAL(text, " openmp=\"");
        hiera_text_escaped(text, openmp, strlen(openmp));
        HIERA_TEXT_LITERAL(text, "\"");
    }
    HIERA_TEXT_LITERAL(text, "/>");
}
