/* See watchpoints.h. Each thread that begins such calls has its watchpoints, in a table that the handler reads without
 * a lock; other threads take watches away under one. */
#include "watchpoints.h"

#include "base/machine_context.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "dtd/lost.h"
#include "hiera.h"
#include "job/job.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

static char failure[256]; /* why accesses are not seen, for the trace */

static void say_failure(const char *reason)
{
    snprintf(failure, sizeof failure, "%s: %s", HIERA_LOST_UNWATCHED, reason);
    if (hiera_job.rank <= 0)
        hiera_message("%s", failure);
}

const char *hiera_watch_missing(void)
{
    return failure[0] ? failure : NULL;
}

#if defined(__x86_64__) && defined(PERF_ATTR_SIZE_VER7)

enum {
    THREADS = 16,
    WATCHES = 4,
    SITES = 8,
    WINDOWS = 8,
    HITS = 64,
    OBJECTS = 256,
    WORDS = 512,
    WATCH_TRAP = 6,
    DELAYED = 1,
    TRAPS_MOST = 500,
    TRIAL_NS = 5000000,
    TRIAL = THREADS * WATCHES /* number of the watchpoint that is none of a watch: see try_one() */
};

typedef struct Point {
    int fd; /* -1: none */
    uint64_t id;
} Point;

typedef struct Watch {
    bool on, loads; /* loads: whether they are watched, too */
    HieraWatchOf of;
    int64_t address;
    uint32_t bytes;
    uint64_t age;
    Point traps, stores;  /* that signals; that counts the stores, of the memory of a window */
    uint64_t n_stores;    /* counted so far */
    unsigned char old[8]; /* what the memory held */
    unsigned n_traps;     /* 16 us each: after many the memory is watched no longer */
    unsigned n;
    const void *sites[SITES]; /* accesses that were seen */
} Watch;

typedef struct Hit {
    const void *site;
    int64_t address;
    uint32_t bytes;
    bool stores;
} Hit;

typedef struct Watched {
    Watch watches[WATCHES];
    uint64_t n_added;
    uint64_t first, spent; /* in ticks: when the first watch was added, how long it took to add all */
    Hit hits[HITS];
    unsigned n_hits;
    unsigned n_seen; /* of n_changes, when the thread last watched the windows of others */
} Watched;

/* A window whose memory all threads watch that pass by; window 0: free. */
typedef struct Shared {
    int64_t address;
    HieraWatchOf of;
} Shared;

/* Machine code of an object that is loaded. */
typedef struct Code {
    uintptr_t begin, end;
    bool is_mpi, is_library; /* MPI or Hiera; the C library */
} Code;

static Watched all[THREADS];
static unsigned n_threads;
static Shared shared_windows[WINDOWS];
static unsigned n_changes; /* of `shared_windows` */
static __thread Watched *own __attribute__((tls_model("initial-exec")));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { UNKNOWN, WORKS, FAILS } state;
static struct sigaction programs; /* the program's action for SIGTRAP */
static volatile sig_atomic_t tried, has_trapped;
static Code codes[OBJECTS];
static bool (*is_of_mpi)(const char *library);
static size_t n_codes;

void hiera_watch_load(bool (*is_mpis)(const char *library))
{
    is_of_mpi = is_mpis;
}

/* --- where an access is made --- */

static int add_codes(struct dl_phdr_info *info, size_t size, void *unused)
{
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum && n_codes < OBJECTS; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X))
            codes[n_codes++] =
                (Code){begin, begin + part->p_memsz,
                       (is_of_mpi && is_of_mpi(name)) || strstr(name, "libhiera") || strncmp(name, "mca_", 4) == 0,
                       strncmp(name, "libc.", 5) == 0 || strncmp(name, "ld-", 3) == 0};
    }
    return 0;
}

static const Code *code_at(uintptr_t address)
{
    for (size_t i = 0; i < n_codes; i++)
        if (address >= codes[i].begin && address < codes[i].end)
            return &codes[i];
    return NULL;
}

/* Whether the code before an address is a call, so that it may be a return address. */
static bool follows_call(uintptr_t address)
{
    const unsigned char *at = (const unsigned char *)address;
    return at[-5] == 0xe8 || (at[-2] == 0xff && (at[-1] & 0x38) == 0x10) ||
           (at[-3] == 0xff && (at[-2] & 0x38) == 0x10) || (at[-6] == 0xff && at[-5] == 0x15);
}

/* Return the place in the program that makes an access in the C library: the first one on the stack. NULL: not found,
 * or MPI makes it. */
static const void *find_site(const ucontext_t *context)
{
    uintptr_t address = (uintptr_t)hiera_context_address(context);
    const Code *code = code_at(address);
    const uintptr_t *stack = (const uintptr_t *)hiera_context_stack(context);
    uintptr_t end = hiera_thread && hiera_thread->stack_end ? hiera_thread->stack_end : 0;
    if (!code || !code->is_library)
        return code && code->is_mpi ? NULL : (const void *)address;
    for (int i = 0; i < WORDS && (end == 0 ? i < 1 : (uintptr_t)&stack[i + 1] <= end); i++) {
        const Code *caller = code_at(stack[i]);
        if (caller && !caller->is_library && stack[i] - caller->begin > 8 && follows_call(stack[i]))
            return caller->is_mpi ? NULL : (const void *)stack[i];
    }
    return (const void *)address;
}

/* --- the signal --- */

/* Act as without Hiera's handler. */
static void give_to_program(int number, siginfo_t *info, void *context)
{
    if (programs.sa_flags & SA_SIGINFO)
        programs.sa_sigaction(number, info, context);
    else if (programs.sa_handler != SIG_DFL && programs.sa_handler != SIG_IGN)
        programs.sa_handler(number);
    if (programs.sa_handler != SIG_DFL || (programs.sa_flags & SA_SIGINFO))
        return;
    signal(SIGTRAP, SIG_DFL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);
}

static bool is_open(const Point *point)
{
    uint64_t id;
    return point->fd >= 0 && ioctl(point->fd, PERF_EVENT_IOC_ID, &id) == 0 && id == point->id;
}

/* Whether a store was among the accesses to the memory of a window since the last one. */
static bool counts_store(Watch *watch)
{
    uint64_t count = 0;
    if (!is_open(&watch->stores) || read(watch->stores.fd, &count, sizeof count) != sizeof count)
        return false;
    bool stored = count != watch->n_stores;
    watch->n_stores = count;
    return stored;
}

static void silence(const Watch *watch)
{
    if (is_open(&watch->traps))
        ioctl(watch->traps.fd, PERF_EVENT_IOC_DISABLE, 0);
}

static bool has_changed(const Watch *watch)
{
    return memcmp(watch->old, (const void *)(intptr_t)watch->address, watch->bytes) != 0;
}

/* Note an access. One to memory that is no window's is enough; only then may the handler look at the memory itself. */
static void note(Watched *watched, Watch *watch, const void *site, bool stores)
{
    for (unsigned i = 0; i < watch->n; i++)
        if (watch->sites[i] == site)
            return;
    watch->sites[watch->n++] = site;
    if (watch->n == SITES || !watch->of.is_window)
        silence(watch);
    if (watch->loads && !watch->of.is_window)
        stores = has_changed(watch);
    if (watched->n_hits < HITS)
        watched->hits[watched->n_hits++] = (Hit){site, watch->address, watch->bytes, stores};
}

/* Note what the memory holds. The kernel reads: a load of the handler would trap, too, as soon as it is over, and so
 * on. And memory that nobody may read is no fault. */
static bool remember(Watch *watch)
{
    const struct iovec to = {watch->old, watch->bytes}, from = {(void *)(intptr_t)watch->address, watch->bytes};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)watch->bytes;
}

/* MPI has made an access: its stores are none of the program. Of two watches of the same memory only one is told. */
static void pass_stores(Watched *watched)
{
    for (Watch *watch = watched->watches; watch < watched->watches + WATCHES; watch++)
        if (watch->on && watch->of.is_window)
            counts_store(watch);
}

/* The thread has made an access to watched memory. */
static void on_access(Watched *watched, Watch *watch, bool is_delayed, const ucontext_t *context)
{
    bool stores = watch->on && watch->of.is_window && counts_store(watch);
    bool counts = watch->on && hiera_thread && !hiera_thread->inside && !hiera_may_be_idle() && !is_delayed;
    const void *site = counts && watch->n < SITES ? find_site(context) : NULL;
    bool is_modified = watch->of.is_window || watch->loads || !site || has_changed(watch);
    if (watch->on && !site && watch->loads && !watch->of.is_window)
        remember(watch); /* MPI may have written: what the program loads then is no store */
    if (!site)
        pass_stores(watched);
    if (site && is_modified) /* to store the value that is there already modifies nothing */
        note(watched, watch, site, stores || !watch->loads);
    if (++watch->n_traps == TRAPS_MOST)
        silence(watch);
}

/* Whether a trap without data is taken for that of a watchpoint which was taken away while the processor stopped: a run
 * in a virtual machine was ended by SIGTRAP once, and nobody has seen why. No debugger is there, so nobody else has
 * watchpoints; an instruction `int1` traps in the same way. */
static bool is_stray(const siginfo_t *info, const ucontext_t *context)
{
    const unsigned char *behind = hiera_context_address(context);
    return info->si_code == TRAP_HWBKPT || (info->si_code == TRAP_BRKPT && behind[-1] != 0xf1);
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    unsigned long data;
    unsigned flags;
    memcpy(&data, (const char *)&info->si_addr + sizeof(void *), sizeof data);
    memcpy(&flags, (const char *)&info->si_addr + 2 * sizeof(void *) + sizeof(unsigned), sizeof flags);
    if (info->si_code == WATCH_TRAP && data == TRIAL)
        has_trapped = 1;
    else if (info->si_code == WATCH_TRAP && data < TRIAL && own == &all[data / WATCHES])
        on_access(own, &own->watches[data % WATCHES], flags & DELAYED, context);
    else if (info->si_code == WATCH_TRAP ? data > TRIAL : !is_stray(info, context))
        give_to_program(number, info, context);
    errno = saved_errno;
}

/* --- watchpoints --- */

static void close_point(Point *point)
{
    if (is_open(point))
        syscall(SYS_close, point->fd);
    point->fd = -1;
}

static bool open_point(Point *point, const Watch *watch, unsigned long number, uint32_t type, bool signals)
{
    struct perf_event_attr attr = {.size = sizeof attr,
                                   .type = PERF_TYPE_BREAKPOINT,
                                   .bp_type = type,
                                   .bp_addr = (uint64_t)watch->address,
                                   .bp_len = watch->bytes,
                                   .sample_period = signals,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1,
                                   .sigtrap = signals,
                                   .remove_on_exec = signals,
                                   .sig_data = number};
    point->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (point->fd >= 0)
        point->fd = hiera_file_move_up(point->fd);
    if (point->fd >= 0 && ioctl(point->fd, PERF_EVENT_IOC_ID, &point->id) != 0)
        close_point(point);
    return point->fd >= 0;
}

static void stop(Watch *watch)
{
    if (!watch->on)
        return;
    watch->on = false;
    close_point(&watch->traps);
    close_point(&watch->stores);
}

/* Whether a debugger would get the signals. */
static bool is_traced(void)
{
    static const char name[] = "TracerPid:\t";
    char status[2048];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, status, sizeof status - 1) : -1;
    if (fd >= 0)
        close(fd);
    status[n > 0 ? n : 0] = '\0';
    const char *tracer = strstr(status, name);
    return tracer && tracer[strlen(name)] != '0';
}

/* Watch a variable of Hiera, and store into it: some virtual machines take watchpoints, and never stop at one, or late.
 * @param may_trap  whether a trap may still come  @return  why they cannot be used; NULL: they can */
static const char *try_one(bool *may_trap)
{
    const Watch watch = {.address = (intptr_t)&tried, .bytes = sizeof tried};
    Point point;
    sigset_t blocked;
    if (pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0 || sigismember(&blocked, SIGTRAP) != 0)
        return NULL;
    if (!open_point(&point, &watch, TRIAL, HW_BREAKPOINT_W, true))
        return hiera_message_of(errno);
    *may_trap = true;
    uint64_t begin = hiera_clock_ticks();
    for (tried = 1; !has_trapped && hiera_clock_span_ns(begin, hiera_clock_ticks()) < TRIAL_NS;)
        ;
    close_point(&point);
    return has_trapped ? NULL : "this machine does not stop at watchpoints, as some virtual ones";
}

/* Return why the program's accesses cannot be seen; NULL: they can. */
static const char *begin(void)
{
    struct sigaction ours = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct utsname system;
    int major = 0, minor = 0;
    if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2 || major * 1000 + minor < 5018)
        return "that needs Linux 5.18"; /* before, a trap with SIGTRAP blocked would end the process */
    if (sigaction(SIGTRAP, NULL, &programs) != 0 || (programs.sa_flags & SA_SIGINFO) ||
        (programs.sa_handler != SIG_DFL && programs.sa_handler != SIG_IGN))
        return "the program handles SIGTRAP itself";
    if (is_traced())
        return "a debugger would get the signals";
    dl_iterate_phdr(add_codes, NULL);
    if (sigaction(SIGTRAP, &ours, NULL) != 0)
        return "SIGTRAP cannot be handled";
    bool may_trap = false;
    const char *reason = try_one(&may_trap);
    if (reason && !may_trap)
        sigaction(SIGTRAP, &programs, NULL);
    return reason;
}

static void fail(const char *reason)
{
    state = FAILS;
    for (size_t i = 0; i < (size_t)THREADS * WATCHES; i++)
        stop(&all[i / WATCHES].watches[i % WATCHES]);
    say_failure(reason);
}

static void check_handler(void)
{
    struct sigaction now;
    if (sigaction(SIGTRAP, NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != on_trap)
        fail("the program handles SIGTRAP itself");
}

/* Whether the signal still comes to Hiera, and this thread can have watchpoints. */
static bool is_ready(void)
{
    const char *reason = state == UNKNOWN ? begin() : NULL;
    if (reason) {
        fail(reason);
    } else if (state != FAILS) {
        state = WORKS;
        check_handler();
    }
    if (!own && n_threads < THREADS && state == WORKS)
        own = &all[n_threads++];
    return own && state == WORKS;
}

/* Whether a watch should rather be replaced than another one: an older one of another call; else, for loads and stores,
 * the newest of the same call that is only for stores. */
static bool is_worse(const Watch *watch, const Watch *than, const HieraWatchOf *of, bool loads)
{
    bool is_same = watch->of.call == of->call;
    if (watch->of.is_window || (is_same && (!loads || watch->loads)))
        return false;
    if (!than || is_same != (than->of.call == of->call))
        return !than || !is_same;
    return is_same ? watch->age > than->age : watch->age < than->age;
}

/* Return a free watch, else one to be replaced; NULL: none. Those of windows have two watchpoints. */
static Watch *choose(const HieraWatchOf *of, bool loads)
{
    unsigned windows = 0, used = 0;
    Watch *worst = NULL, *empty = NULL;
    for (Watch *watch = own->watches; watch < own->watches + WATCHES; watch++) {
        windows += watch->on && watch->of.is_window;
        used += watch->on ? 1 + watch->of.is_window : 0;
        if (!watch->on)
            empty = watch;
        else if (is_worse(watch, worst, of, loads))
            worst = watch;
    }
    if (of->is_window)
        return windows == 0 && used + 2 <= WATCHES ? empty : NULL;
    return used < WATCHES ? empty : worst;
}

static void start(Watch *watch)
{
    unsigned long number = (unsigned long)(own - all) * WATCHES + (unsigned long)(watch - own->watches);
    watch->stores.fd = -1;
    if (!watch->of.is_window && !remember(watch))
        return;
    if (watch->of.is_window && !open_point(&watch->stores, watch, number, HW_BREAKPOINT_W, false))
        return;
    watch->on = true;
    if (open_point(&watch->traps, watch, number, watch->loads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W, true))
        return;
    int error = errno;
    stop(watch);
    if (error != ENOSPC && error != EFAULT)
        fail(hiera_message_of(error));
}

/* Whether watches may be added: they may take a fifth of the thread's time, beyond its first moments. */
static bool is_affordable(uint64_t now)
{
    if (own->first == 0)
        own->first = now;
    return own->spent * 5 <= now - own->first || hiera_clock_span_ns(0, own->spent) < 50000000;
}

/* Watch memory in this thread. */
static void add(int64_t address, int64_t bytes, bool loads, HieraWatchOf of)
{
    uint32_t length = of.is_window ? 1 : 8; /* of a window, the byte tells which bytes of others are the same */
    while (length > 1 && (length > bytes || address % length != 0))
        length /= 2;
    uint64_t now = hiera_clock_ticks();
    Watch *watch = bytes > 0 && address != 0 && is_ready() && is_affordable(now) ? choose(&of, loads) : NULL;
    if (!watch)
        return;
    stop(watch);
    *watch = (Watch){.of = of, .address = address, .bytes = length, .loads = loads, .age = ++own->n_added};
    start(watch);
    own->spent += hiera_clock_ticks() - now;
}

/* --- windows, which all threads watch --- */

/* Return the entry of a window, or a free one for 0; NULL: none. */
static Shared *find_window(uint32_t window)
{
    for (Shared *one = shared_windows; one < shared_windows + WINDOWS; one++)
        if (one->of.window == window)
            return one;
    return NULL;
}

static void share(int64_t address, HieraWatchOf of)
{
    Shared *entry = find_window(0);
    if (entry)
        *entry = (Shared){address, of};
    __atomic_add_fetch(&n_changes, entry != NULL, __ATOMIC_RELAXED);
}

static void forget_window(uint32_t window)
{
    Shared *entry = window ? find_window(window) : NULL;
    if (entry)
        entry->of.window = 0;
    __atomic_add_fetch(&n_changes, entry != NULL, __ATOMIC_RELAXED);
}

static bool is_watched(uint32_t window)
{
    for (unsigned i = 0; own && i < WATCHES; i++)
        if (own->watches[i].on && own->watches[i].of.is_window && own->watches[i].of.window == window)
            return true;
    return false;
}

/* Watch the windows that other threads have made. */
static void watch_windows(void)
{
    unsigned seen = __atomic_load_n(&n_changes, __ATOMIC_RELAXED);
    if ((own ? own->n_seen : 0) == seen || hiera_may_be_idle())
        return;
    int saved_errno = errno;
    pthread_mutex_lock(&lock);
    for (const Shared *one = shared_windows; state == WORKS && one < shared_windows + WINDOWS; one++)
        if (one->of.window != 0 && !is_watched(one->of.window))
            add(one->address, 1, true, one->of);
    if (own)
        own->n_seen = seen;
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

void hiera_watch_add(int64_t address, int64_t bytes, bool loads, HieraWatchOf of)
{
    int saved_errno = errno;
    pthread_mutex_lock(&lock);
    add(address, bytes, loads, of);
    if (of.is_window && bytes > 0 && address != 0)
        share(address, of);
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

static void end_some(bool (*ends)(const HieraWatchOf *, uint32_t, int32_t), uint32_t number, int32_t target)
{
    if (__atomic_load_n(&n_threads, __ATOMIC_RELAXED) == 0)
        return;
    int saved_errno = errno;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < (size_t)n_threads * WATCHES; i++) {
        Watch *watch = &all[i / WATCHES].watches[i % WATCHES];
        if (watch->on && ends(&watch->of, number, target))
            stop(watch);
    }
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

static bool is_of_request(const HieraWatchOf *of, uint32_t request, int32_t target)
{
    (void)target;
    return of->request != 0 && of->request == request;
}

static bool is_sharing(const HieraWatchOf *of, uint32_t number, int32_t target)
{
    (void)number;
    (void)target;
    return of->may_share;
}

static bool is_access(const HieraWatchOf *of, uint32_t window, int32_t target)
{
    return of->window == window && !of->is_window && (target == HIERA_EVERY_TARGET || of->target == target);
}

static bool is_of_window(const HieraWatchOf *of, uint32_t window, int32_t target)
{
    (void)target;
    return of->window == window;
}

static bool is_any(const HieraWatchOf *of, uint32_t number, int32_t target)
{
    (void)of;
    (void)number;
    (void)target;
    return true;
}

void hiera_watch_end_request(uint32_t request)
{
    end_some(is_of_request, request, 0);
}

void hiera_watch_end_sharing(void)
{
    end_some(is_sharing, 0, 0);
}

void hiera_watch_end_accesses(uint32_t window, int32_t target)
{
    end_some(is_access, window, target);
}

void hiera_watch_end_window(uint32_t window)
{
    pthread_mutex_lock(&lock);
    forget_window(window);
    pthread_mutex_unlock(&lock);
    end_some(is_of_window, window, 0);
}

void hiera_watch_look(void)
{
    if (__atomic_load_n(&n_threads, __ATOMIC_RELAXED) == 0)
        return;
    int saved_errno = errno;
    pthread_mutex_lock(&lock);
    if (state == WORKS)
        check_handler();
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

void hiera_watch_end_all(void)
{
    pthread_mutex_lock(&lock);
    memset(shared_windows, 0, sizeof shared_windows);
    pthread_mutex_unlock(&lock);
    end_some(is_any, 0, 0);
}

/* From now on the accesses of a thread to a window count once more: what orders them may be another. */
static void renew(Watched *watched)
{
    for (unsigned i = 0; i < WATCHES; i++)
        if (watched->watches[i].of.is_window && watched->watches[i].n < SITES)
            watched->watches[i].n = 0;
}

void hiera_watch_report(void)
{
    for (unsigned i = 0; own && i < own->n_hits; i++) {
        const Hit *hit = &own->hits[i];
        hiera_begin_at(hit->site, "access", hit->stores ? "store" : "load", "address=%#llx bytes=%u",
                       (unsigned long long)hit->address, hit->bytes);
        hiera_end();
    }
    if (own && own->n_hits > 0)
        renew(own);
    if (own)
        own->n_hits = 0;
    watch_windows();
}

void hiera_level_report(void)
{
    if (__atomic_load_n(&n_threads, __ATOMIC_RELAXED) > 0 && !(hiera_thread && hiera_thread->inside))
        hiera_watch_report();
}

#else

void hiera_watch_load(bool (*is_mpis)(const char *library))
{
    (void)is_mpis;
}

void hiera_watch_add(int64_t address, int64_t bytes, bool loads, HieraWatchOf of)
{
    (void)address;
    (void)loads;
    (void)of;
    if (bytes > 0 && !failure[0])
        say_failure("that needs Linux 5.18 on x86-64");
}

void hiera_watch_end_request(uint32_t request)
{
    (void)request;
}

void hiera_watch_end_sharing(void)
{
}

void hiera_watch_end_accesses(uint32_t window, int32_t target)
{
    (void)window;
    (void)target;
}

void hiera_watch_end_window(uint32_t window)
{
    (void)window;
}

void hiera_watch_look(void)
{
}

void hiera_watch_end_all(void)
{
}

void hiera_watch_report(void)
{
}

void hiera_level_report(void)
{
}

#endif
