/* sampled_host WHAT: a program that is sampled, and does not want to notice.
 *
 * calls    which calls return EINTR when the signal of timers comes while they wait
 * handler  it sets a handler of its own for that signal, with a timer of its own
 * timer    it has a timer with that signal, and no handler
 * threads  many threads come and go: do descriptors and mappings stay as few?
 * library PATH  it works in a library, and unloads that */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <hiera.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile double sink;

static void spin(double seconds)
{
    double until = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
    do
        for (int i = 0; i < 10000; i++)
            sink = sink * 0.5 + i;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < until);
}

/* --- calls --- */

enum { WAIT_MS = 300 };

static int ends[2], poller, semaphores;
static sem_t semaphore;
static pid_t waiter;
static volatile int is_waiting; /* it is about to wait, or does */

static int do_poll(void) { return poll(NULL, 0, WAIT_MS); }
static int do_select(void) { return select(0, NULL, NULL, NULL, &(struct timeval){0, WAIT_MS * 1000}); }
static int do_epoll_wait(void)
{
    struct epoll_event event;
    return epoll_wait(poller, &event, 1, WAIT_MS);
}
static int do_nanosleep(void) { return nanosleep(&(struct timespec){0, WAIT_MS * 1000000}, NULL); }
static int do_semtimedop(void)
{
    return semtimedop(semaphores, &(struct sembuf){0, -1, 0}, 1, &(struct timespec){0, WAIT_MS * 1000000});
}
static int do_sem_timedwait(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return sem_timedwait(&semaphore, &until);
}
static int do_pause(void) { return pause(); } /* ends by the second signal */
static int do_read(void)
{
    char byte;
    return (int)read(ends[0], &byte, 1);
}
static int do_sem_wait(void) { return sem_wait(&semaphore); }
static int do_waitpid(void)
{
    pid_t child = fork();
    if (child == 0) {
        usleep(WAIT_MS * 1000);
        _exit(0);
    }
    is_waiting = 1;
    return waitpid(child, NULL, 0);
}

static void release_read(void)
{
    if (write(ends[1], "", 1) != 1)
        _exit(9);
}
static void release_sem(void) { sem_post(&semaphore); }
static void release_pause(void) { syscall(SYS_tgkill, getpid(), waiter, SIGUSR1); }

static const struct {
    const char *name;
    int (*wait)(void);
    void (*release)(void); /* NULL: it ends by itself */
} calls[] = {
    {"poll", do_poll, NULL},
    {"select", do_select, NULL},
    {"epoll_wait", do_epoll_wait, NULL},
    {"nanosleep", do_nanosleep, NULL},
    {"semtimedop", do_semtimedop, NULL},
    {"sem_timedwait", do_sem_timedwait, NULL},
    {"pause", do_pause, release_pause},
    {"read", do_read, release_read},
    {"sem_wait", do_sem_wait, release_sem},
    {"waitpid", do_waitpid, NULL},
};

static int is_asleep(void)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)waiter);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    if (file)
        fclose(file);
    return state == 'S';
}

static void *poke(void *release)
{
    void (*const *end)(void) = release;
    while (!is_waiting || !is_asleep())
        usleep(1000);
    syscall(SYS_tgkill, getpid(), waiter, SIGURG);
    usleep(20000);
    if (*end)
        (*end)();
    return NULL;
}

static void on_user(int number) { (void)number; }

/* A signal of the collector's own timers comes at a moment of chance; one that is sent to the same handler does not. */
static void try_calls(void)
{
    pthread_t thread;
    const struct sigaction action = {.sa_handler = on_user, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    waiter = (pid_t)syscall(SYS_gettid);
    poller = epoll_create1(0);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    sem_init(&semaphore, 0, 0);
    if (pipe(ends) != 0)
        _exit(9);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void (*release)(void) = calls[i].release;
        is_waiting = calls[i].wait != do_waitpid;
        double begin = seconds_of(CLOCK_MONOTONIC);
        pthread_create(&thread, NULL, poke, &release);
        int is_interrupted = calls[i].wait() < 0 && errno == EINTR;
        double took = seconds_of(CLOCK_MONOTONIC) - begin;
        pthread_join(thread, NULL);
        /* pause() is ended by the second signal if the first one did not do it. */
        if (calls[i].wait == do_pause)
            is_interrupted = took < 0.015;
        if (is_interrupted && release == release_sem)
            sem_wait(&semaphore);
        printf("%s: %s\n", calls[i].name, is_interrupted ? "EINTR" : "goes on");
    }
    semctl(semaphores, 0, IPC_RMID);
}

/* --- signals of the program --- */

static volatile sig_atomic_t n_own, n_foreign;
static char own;

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &own)
        n_own++;
    else
        n_foreign++;
}

static void begin_timer(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG, .sigev_value.sival_ptr = &own};
    const struct itimerspec every = {{0, 2000000}, {0, 2000000}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &every, NULL) != 0)
        _exit(9);
}

static void use_handler(void)
{
    const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGURG, &action, NULL);
    begin_timer();
    /* The collector looks every 20 ms, on a busy machine later: after a while it has seen the handler. */
    for (int quiet = 0, tries = 0; quiet < 5 && tries < 200; tries++) {
        sig_atomic_t before = n_foreign;
        spin(0.05);
        quiet = n_foreign == before ? quiet + 1 : 0;
    }
    sig_atomic_t foreign = n_foreign, before = n_own;
    hiera_begin("app", "after", NULL);
    spin(0.3);
    hiera_end();
    printf("own signals come: %s, others come: %s\n", n_own > before + 10 ? "yes" : "no", n_foreign > foreign ? "yes" : "no");
}

static void use_timer(void)
{
    begin_timer();
    hiera_begin("app", "with a timer", NULL);
    spin(0.5);
    hiera_end();
}

/* --- threads --- */

static int count_entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        n++;
    closedir(folder);
    return n;
}

static int count_mappings(void)
{
    int n = 0, c;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && (c = getc(file)) != EOF)
        n += c == '\n';
    fclose(file);
    return n;
}

static void *work(void *records)
{
    if (records)
        hiera_begin("app", "thread", NULL);
    spin(0.002);
    if (records)
        hiera_end();
    return NULL;
}

/* Each second one records, and has a ring from its begin; the others may be found by the helper thread. */
static void wave(void)
{
    enum { AT_ONCE = 8 };
    pthread_t threads[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
        pthread_create(&threads[i], NULL, work, i % 2 ? &own : NULL);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
}

static void make_threads(void)
{
    enum { WAVES = 30, MORE = 20 }; /* 240 threads */
    for (int i = 0; i < 10; i++)
        wave();
    int descriptors = count_entries("/proc/self/fd"), mappings = count_mappings();
    for (int i = 0; i < WAVES; i++)
        wave();
    printf("more descriptors: %d, many more mappings: %s\n", count_entries("/proc/self/fd") - descriptors,
           count_mappings() - mappings > MORE ? "yes" : "no");
}

/* --- a library --- */

static void use_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    double (*work_there)(long) = library ? (double (*)(long))dlsym(library, "spin_in_library") : NULL;
    if (!work_there)
        _exit(9);
    double until = seconds_of(CLOCK_THREAD_CPUTIME_ID) + 1;
    hiera_begin("app", "library", NULL);
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < until)
        sink += work_there(100000);
    hiera_end();
    dlclose(library);
    printf("unloaded: %s\n", dlopen(path, RTLD_NOW | RTLD_NOLOAD) ? "no" : "yes");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "calls") == 0)
        try_calls();
    else if (strcmp(what, "handler") == 0)
        use_handler();
    else if (strcmp(what, "timer") == 0)
        use_timer();
    else if (strcmp(what, "library") == 0)
        use_library(argc > 2 ? argv[2] : "");
    else
        make_threads();
    MPI_Finalize();
    return 3;
}
