/* See command.h.
 *
 * It is not possible to ask whether the command got a signal. So there is a witness: a process beside it, which only
 * notes the signals that it gets. A signal to the process group, the session, the children or the whole job reaches
 * both. A signal that the witness has not got for a while was meant for this process alone. */
#include "command.h"

#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sigaction for_children; /* action for SIGCHLD when hiera-run began; the command gets the same action */

__attribute__((noreturn)) static void become(char **words, const sigset_t *mask)
{
    if (for_children.sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_IGN);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(words[0], words);
    fprintf(stderr, "hiera-run: %s: %s\n", words[0], strerror(errno));
    _exit(2);
}

pid_t hiera_run_start(char **words, int output, const sigset_t *mask)
{
    pid_t pid = fork();
    if (pid < 0)
        hiera_run_fail("%s: %s", words[0], strerror(errno));
    if (pid > 0)
        return pid;
    dup2(output, STDOUT_FILENO);
    become(words, mask);
}

int hiera_run_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            hiera_run_fail("waitpid: %s", strerror(errno));
    return status;
}

/* Signals that another process may send to hiera-run; not SIGSTOP, which cannot be caught. */
static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGABRT,   SIGUSR1, SIGUSR2, SIGTSTP,
                              SIGCONT, SIGALRM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

#define SECOND INT64_C(1000000000)
#define PATIENCE                                                                                                       \
    (SECOND / 10) /* how long to wait for a note of the witness (below) about a signal that hiera-run got */
#define RECENT   (10 * SECOND) /* a stop of the command is attributed to a SIGTSTP of at most this age */
#define NEVER    INT64_MIN
#define TOGETHER SECOND /* two notes of the same signal that are further apart than this belong to two signals */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

/* Return the set of the signals in `numbers` that hiera-run does not ignore (nohup ignores one). */
static sigset_t all_signals(void)
{
    sigset_t all;
    struct sigaction action;
    sigemptyset(&all);
    for (int i = 0; i < N_NUMBERS; i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&all, numbers[i]);
    return all;
}

/* --- the witness: a process that notes which signals all processes get --- */

typedef struct Noted {
    int64_t at_ns;
    int number;
} Noted;

__attribute__((noreturn)) static void be_witness(const sigset_t *all, int to, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "hiera-run-wait");
    while (getppid() == parent) {
        Noted noted = {.number = sigwaitinfo(all, NULL)};
        noted.at_ns = now_ns();
        if (noted.number > 0 && write(to, &noted, sizeof noted) != sizeof noted)
            break;
    }
    _exit(0);
}

/* @param from  becomes the descriptor from which the witness's notes are read.  @return -1: fork() has failed */
static pid_t start_witness(const sigset_t *all, int *from)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        be_witness(all, ends[1], parent);
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    *from = ends[0];
    return pid;
}

/* --- signals that hiera-run receives --- */

typedef struct Came {
    int from;               /* descriptor from which the witness's notes are read */
    int64_t stop_ns;        /* time of the last SIGTSTP; NEVER: there was none, or SIGCONT came later */
    int64_t went_on_ns;     /* time when hiera-run last continued after a stop */
    int64_t since_ns[NSIG]; /* by signal: arrival time of one not yet sent to the command; 0: none */
    int64_t noted_ns[NSIG]; /* by signal: time when the witness got it, if hiera-run has not received it yet; 0: none */
} Came;

static void read_notes(Came *came)
{
    Noted noted;
    while (read(came->from, &noted, sizeof noted) == sizeof noted)
        if (noted.number != SIGTSTP || noted.at_ns > came->went_on_ns)
            came->noted_ns[noted.number] = noted.at_ns;
}

/* Send signals to the command that the witness has not got in time. @return  time of the next check; INT64_MAX: none */
static int64_t send_on(Came *came, pid_t child)
{
    int64_t next_ns = INT64_MAX;
    for (int i = 0; i < N_NUMBERS; i++) {
        int number = numbers[i];
        int64_t since = came->since_ns[number], due = since + PATIENCE;
        if (since == 0)
            continue;
        if (came->noted_ns[number] > since - TOGETHER) {
            came->since_ns[number] = came->noted_ns[number] = 0;
        } else if (due <= now_ns()) {
            kill(child, number);
            came->since_ns[number] = 0;
        } else if (due < next_ns) {
            next_ns = due;
        }
    }
    return next_ns;
}

/* Whether the kernel sent it to all processes, as a terminal does. An alarm that was set before this program began
 * concerns only this process. */
static bool is_of_all(const siginfo_t *info)
{
    return info->si_code > 0 && info->si_signo != SIGALRM;
}

/* SIGCONT cancels an earlier stop. It is sent on at once, even if the command has got it: one more does nothing,
 * and the command must not stay stopped. */
static void go_on(Came *came, pid_t child)
{
    came->since_ns[SIGTSTP] = came->noted_ns[SIGTSTP] = 0;
    came->stop_ns = NEVER;
    kill(child, SIGCONT);
}

/* Wait for a signal until the time `until_ns`, and note it. */
static void wait_for_signal(Came *came, pid_t child, const sigset_t *awaited, int64_t until_ns)
{
    int64_t left = until_ns == INT64_MAX ? 3600 * SECOND : until_ns - now_ns();
    struct timespec timeout = {left > 0 ? left / SECOND : 0, left > 0 ? left % SECOND : 0};
    siginfo_t info;
    int number = sigtimedwait(awaited, &info, &timeout);
    if (number == SIGTSTP)
        came->stop_ns = now_ns();
    if (number == SIGCONT)
        go_on(came, child);
    else if (number > 0 && number != SIGCHLD && !is_of_all(&info) && came->since_ns[number] == 0)
        came->since_ns[number] = now_ns();
}

/* --- the user's command --- */

/* Become the command. The kernel kills the command when hiera-run ends, as if both were one process. */
__attribute__((noreturn)) static void be_command(char **words, const sigset_t *mask, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        raise(SIGKILL);
    become(words, mask);
}

/* Whether hiera-run, like the command, got a signal to stop, and none to continue since then. */
static bool is_to_stop(const Came *came, int number)
{
    sigset_t pending;
    sigpending(&pending);
    return !sigismember(&pending, SIGCONT) &&
           (came->stop_ns >= now_ns() - RECENT || number == SIGTTIN || number == SIGTTOU);
}

/* Stop as the command has stopped, if both got the signal; if only the command was stopped, only the command is
 * continued. @return whether this process has stopped, and now continues */
static bool stop_like(Came *came, int number)
{
    sigset_t own, old;
    if (!is_to_stop(came, number))
        return false;
    sigemptyset(&own);
    sigaddset(&own, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &own, &old); /* stops here, until SIGCONT, which wait_for_signal() receives next */
    sigprocmask(SIG_SETMASK, &old, NULL);
    came->went_on_ns = now_ns();
    return true;
}

static int see_to_its_end(pid_t child, const sigset_t *awaited, int from)
{
    Came came = {.from = from, .stop_ns = NEVER};
    int status, stopped = 0;
    for (;;) {
        pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED | WCONTINUED);
        if (changed < 0)
            hiera_run_fail("waitpid: %s", strerror(errno));
        if (changed == child && (WIFEXITED(status) || WIFSIGNALED(status)))
            return status;
        if (changed == child)
            stopped = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
        read_notes(&came);
        if (stopped && stop_like(&came, stopped))
            stopped = 0;
        wait_for_signal(&came, child, awaited, send_on(&came, child));
    }
}

bool hiera_run_command(char **words, int *status)
{
    sigset_t all = all_signals(), awaited = all, old;
    int from = -1;
    pid_t parent = getpid(), child = -1;
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &old); /* a signal that comes before the command is started waits */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &for_children);
    pid_t witness = start_witness(&all, &from);
    if (witness > 0)
        child = fork();
    if (child == 0)
        be_command(words, &old, parent);
    if (child > 0)
        *status = see_to_its_end(child, &awaited, from);
    if (witness > 0) {
        kill(witness, SIGKILL);
        hiera_run_wait(witness);
        close(from);
    }
    if (child < 0) {
        sigaction(SIGCHLD, &for_children, NULL);
        sigprocmask(SIG_SETMASK, &old, NULL);
    }
    return child > 0;
}

void hiera_run_end_like(int status)
{
    if (WIFSIGNALED(status)) {
        sigset_t own;
        sigemptyset(&own);
        sigaddset(&own, WTERMSIG(status));
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* only the command itself may leave a core file */
        signal(WTERMSIG(status), SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &own, NULL);
        raise(WTERMSIG(status));
    }
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* --- hiera-transform --- */

/* Return the path of the program `name` that PATH finds; NULL: there is none. */
static char *find_in_path(const char *name)
{
    HieraWords folders = {0};
    hiera_words_split(&folders, getenv("PATH") ? getenv("PATH") : "", ':');
    for (size_t i = 0; i < folders.n; i++) {
        char *path = hiera_words_format("%s/%s", folders.at[i], name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* It is beside hiera-run (installed), in the build folder, or in PATH. */
char *hiera_transform_find(const char *needs)
{
    char here[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash = n > 0 ? strrchr(here, '/') : NULL;
    if (slash)
        *slash = '\0';
    char *installed = hiera_words_format("%s/hiera-transform", here),
         *built = hiera_words_format("%s/../transform/cli/hiera-transform", here);
    if (access(installed, X_OK) == 0)
        return installed;
    char *found = access(built, X_OK) == 0 ? built : find_in_path("hiera-transform");
    if (!found)
        hiera_run_fail("%s hiera-transform, which is neither beside hiera-run nor in PATH", needs);
    return found;
}

int hiera_transform_run(char **words)
{
    sigset_t none;
    sigemptyset(&none);
    setenv("HIERA_PARALLEL", "no",
           1); /* hiera-transform works alone: if a launcher has started hiera-run, it has started no other processes */
    return hiera_run_wait(hiera_run_start(words, STDERR_FILENO, &none));
}
