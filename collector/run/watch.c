/* See watch.h. Efficiency is the share of the time outside of MPI since the last line, in the main threads of all
 * ranks. */
#include "watch.h"

#include "command.h"
#include "left.h"
#include "process/recover.h"
#include "words.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a rank has done since MPI_Init; times in ns. */
typedef struct Rank {
    int rank;
    unsigned long long until, mpi;
    unsigned long long longest; /* the longest of its last calls, with its name and place */
    char call[64], file[128];
    unsigned line;
    int is_partial; /* whether there are threads that are not recorded */
} Rank;

typedef struct Ranks {
    Rank *at;
    size_t n;
    int size; /* number of ranks of the job */
} Ranks;

/* Read a line of HIERA_LOOK_LINE. */
static bool read_rank(const char *line, Rank *rank, int *size)
{
    *rank = (Rank){.line = 0};
    int n = sscanf(line, "%d %d %llu %llu %llu %d %63s file=\"%127[^\"]\" line=\"%u\"", &rank->rank, size, &rank->until,
                   &rank->mpi, &rank->longest, &rank->is_partial, rank->call, rank->file, &rank->line);
    return n >= 7;
}

static FILE
    *terminal; /* where the lines go; standard error itself is closed to hiera-recover, whose messages do not matter */

static Ranks look(const char *folder, double seconds)
{
    Ranks ranks = {NULL, 0, 0};
    char line[1024];
    int ends[2];
    sigset_t none;
    char *words[] = {hiera_left_recover_program(),
                     (char *)"--look",
                     getenv("HIERA_RUN"),
                     hiera_words_format(HIERA_LOOK "%d", (int)seconds),
                     (char *)folder,
                     NULL};
    sigemptyset(&none);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ranks;
    pid_t child = hiera_run_start(words, ends[1], &none);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    while (from && fgets(line, sizeof line, from)) {
        Rank *more = realloc(ranks.at, (ranks.n + 1) * sizeof *more);
        if (!more)
            break;
        ranks.at = more;
        ranks.n += read_rank(line, &ranks.at[ranks.n], &ranks.size);
    }
    if (from)
        fclose(from);
    hiera_run_wait(child);
    return ranks;
}

static const Rank *find(const Ranks *ranks, int number)
{
    for (size_t i = 0; i < ranks->n; i++)
        if (ranks->at[i].rank == number)
            return &ranks->at[i];
    return NULL;
}

/* Return the share of the time in MPI of a rank since the last look, 0 to 1; *time: that time in ns. */
static double share_in_mpi(const Rank *now, const Ranks *before, double *time)
{
    const Rank *old = find(before, now->rank);
    *time = (double)(now->until - (old && old->until < now->until ? old->until : 0));
    double mpi = (double)now->mpi - (old && old->until < now->until ? (double)old->mpi : 0);
    double share = *time > 0 ? mpi / *time : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Return "rank 3 lets others wait, " if one rank is much less in MPI than the mean; else "". */
static char *name_late(const Rank *least, double share, double mean, size_t n)
{
    enum { MUCH = 10 };
    bool is_late = n > 1 && 100 * (mean - share) >= MUCH;
    return is_late ? hiera_words_format("rank %d lets others wait, ", least->rank) : hiera_words_format("%s", "");
}

static void say(const Ranks *now, const Ranks *before)
{
    const Rank *least = NULL, *longest = NULL;
    double all = 0, mpi = 0, smallest = 2, time;
    int is_partial = 0;
    unsigned long long until = 0;
    for (size_t i = 0; i < now->n; i++) {
        double share = share_in_mpi(&now->at[i], before, &time);
        least = share < smallest ? &now->at[i] : least;
        smallest = share < smallest ? share : smallest;
        longest = !longest || now->at[i].longest > longest->longest ? &now->at[i] : longest;
        until = now->at[i].until > until ? now->at[i].until : until;
        is_partial |= now->at[i].is_partial;
        all += time;
        mpi += share * time;
    }
    if (now->n == 0 || all <= 0)
        return;
    const char *slash = strrchr(longest->file, '/'), *file = slash ? slash + 1 : longest->file;
    char *late = name_late(least, smallest, mpi / all, now->n);
    char *part = now->n < (size_t)now->size ? hiera_words_format(" of %zu of %d ranks", now->n, now->size)
                                            : hiera_words_format("%s", "");
    fprintf(terminal, "%shiera: %.1f s: efficiency %.1f %%%s%s, %slongest call %.3g s: MPI_%s (%s:%u) on rank %d%s",
            isatty(fileno(terminal)) ? "\r\033[K" : "", (double)until / 1e9, 100 * (1 - mpi / all),
            is_partial ? " of the MPI threads" : "", part, late, (double)longest->longest / 1e9, longest->call, file,
            longest->line, longest->rank, isatty(fileno(terminal)) ? "" : "\n");
    fflush(terminal);
}

/* Say once that there is nothing to tell, when no rank was seen for some intervals. */
static void say_nothing(unsigned n_empty)
{
    enum { ENOUGH = 3 };
    if (n_empty == ENOUGH)
        fputs("hiera: --watch sees no rank of the job: none is in MPI yet, they are on other computers, or "
              "HIERA_SURVIVE=off\n",
              terminal);
    fflush(terminal);
}

static void watch(double seconds, const char *folder)
{
    unsigned n_empty = 0;
    struct timespec interval = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    Ranks before = {NULL, 0, 0};
    for (;;) {
        nanosleep(&interval, NULL);
        Ranks now = look(folder, seconds);
        n_empty = now.n == 0 ? n_empty + 1 : 0;
        say_nothing(n_empty);
        say(&now, &before);
        free(before.at);
        before = now;
    }
}

pid_t hiera_watch_begin(const char *seconds)
{
    enum { MOST = 86400 };
    char *end;
    double interval = strtod(seconds, &end);
    if (*end || end == seconds || !(interval >= 0.1 && interval <= MOST))
        hiera_run_fail("--watch=%s: no number of seconds; write for example --watch=10", seconds);
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    terminal = own >= 0 ? fdopen(own, "w") : NULL;
    if (!terminal || nothing < 0)
        _exit(0);
    dup2(nothing, STDERR_FILENO);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    watch(interval, hiera_left_folder());
    _exit(0);
}

void hiera_watch_end(pid_t watch)
{
    if (watch <= 0)
        return;
    kill(watch, SIGKILL);
    waitpid(watch, NULL, 0);
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
}
