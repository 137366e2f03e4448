/* See attach.h. One process of the job listens, passes the commands to all others, and sends their answers, each as a
 * message of its own (attach/attach_listener.h). It may end at any time: then another one listens, and gets the same
 * commands again. */
#include "attach.h"

#include "attach/attach_words.h"
#include "job/rank_list.h"
#include "words.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef struct Peer {
    int rank;            /* rank of the process; -1: the process has not answered */
    bool has_ended;      /* true if the process has ended before it answered */
    char *answer;        /* the answer's text behind the rank */
    const char *process; /* id of the process, as text */
} Peer;

typedef struct Peers {
    Peer *at;
    size_t n;
} Peers;

static const char *sent; /* all commands, one a line */

/* --- on which hosts the processes of the job are --- */

/* Return the other hosts than `own` that have processes which can get commands. */
static HieraWords other_hosts(const char *traces, const char *own)
{
    HieraWords hosts = {0};
    DIR *folder = opendir(traces);
    if (!folder)
        hiera_run_fail("--attach=%s: %s", traces, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (hiera_words_begins(entry->d_name, HIERA_ATTACH_FILE) && strcmp(entry->d_name, own) != 0)
            hiera_words_add(&hosts, hiera_words_format("%s", entry->d_name + strlen(HIERA_ATTACH_FILE)));
    closedir(folder);
    return hosts;
}

static void say_who_is_elsewhere(const char *traces, const HieraWords *hosts)
{
    if (hosts->n > 0)
        printf("not told: ranks on %s; run hiera-run --attach=%s there too\n", hiera_words_join(hosts, ' '), traces);
}

enum { TRIES = 20 };

static void nap(void)
{
    nanosleep(&(struct timespec){0, 100000000}, NULL);
}

static bool read_folder(const char *traces, char line[HIERA_ATTACH_PATH + 1])
{
    char path[PATH_MAX];
    FILE *file = hiera_attach_file(traces, path, sizeof path) ? fopen(path, "r") : NULL;
    bool good = file && fgets(line, HIERA_ATTACH_PATH + 1, file);
    if (file)
        fclose(file);
    return good;
}

/* Find the folder of this host's socket. When the listening process ends, it may be missing for a moment, until another
 * one makes it. */
static char *folder_of_socket(const char *traces)
{
    enum { TRIES_OF_FOLDER = 4 };
    char line[HIERA_ATTACH_PATH + 1];
    bool good = read_folder(traces, line);
    for (int i = 0; i < TRIES_OF_FOLDER && !good; i++) {
        nap();
        good = read_folder(traces, line);
    }
    if (!good) {
        HieraWords hosts = other_hosts(traces, "");
        if (hosts.n > 0)
            hiera_run_fail("--attach=%s: no rank runs on this host; there are some on %s", traces,
                           hiera_words_join(&hosts, ' '));
        hiera_run_fail("--attach=%s: no job that runs with HIERA_ATTACH=1 has its traces there; ranks can be told from "
                       "MPI_Init on",
                       traces);
    }
    line[strcspn(line, "\n")] = '\0';
    if (!hiera_attach_is_private(line))
        hiera_run_fail("--attach=%s: the job has ended, or %s is not a folder of yours that is closed to others",
                       traces, line);
    return hiera_words_format("%s", line);
}

/* --- messages of the process that listens on the socket --- */

enum { MARGIN_S = 2 }; /* in s, to wait longer than the listening process, which itself waits for other processes */

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {HIERA_ATTACH_SECONDS + MARGIN_S, 0};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        hiera_run_fail("--attach: %s", strerror(errno));
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static Peer *add(Peers *peers)
{
    peers->at = realloc(peers->at, (peers->n + 1) * sizeof *peers->at);
    if (!peers->at)
        hiera_run_fail("--attach: %s", strerror(ENOMEM));
    peers->at[peers->n] = (Peer){.rank = -1};
    return &peers->at[peers->n++];
}

/* Store a message: "process=4711", then a line "ended" or "silent", or "rank=3" and a line with the answer. */
static void note(Peers *peers, char *text)
{
    Peer *peer = add(peers);
    char *line = strchr(text, '\n');
    if (!line || !hiera_words_begins(text, HIERA_ATTACH_PROCESS))
        hiera_run_fail("--attach: the job runs with another version of Hiera");
    *line++ = '\0';
    peer->process = hiera_words_format("%s", text + strlen(HIERA_ATTACH_PROCESS));
    peer->has_ended = strcmp(line, HIERA_ATTACH_ENDED) == 0;
    char *answer = strchr(line, '\n');
    if (!answer || sscanf(line, "rank=%d", &peer->rank) != 1)
        return;
    answer[1 + strcspn(answer + 1, "\n")] = '\0';
    peer->answer = hiera_words_format("%s", answer + 1);
}

static void note_silence(Peers *peers, int fd)
{
    struct ucred who = {0};
    socklen_t length = sizeof who;
    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length);
    add(peers)->process = hiera_words_format("%d", (int)who.pid);
}

/* Receive the messages of all processes. @return  false if the listening process has ended before the last message */
static bool receive_all(int fd, Peers *peers)
{
    char text[HIERA_ATTACH_TEXT];
    for (;;) {
        ssize_t n = recv(fd, text, sizeof text - 1, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            note_silence(peers, fd);
        if (n <= 0)
            return n < 0 && errno != ECONNRESET;
        text[n] = '\0';
        if (strcmp(text, HIERA_ATTACH_END) == 0)
            return true;
        note(peers, text);
    }
}

/* Send the commands to all processes. If no process listens on the socket for long, the processes of its job were
 * killed, and the socket is removed. */
static Peers send_all(const char *folder)
{
    const char *path = hiera_words_format("%s/" HIERA_ATTACH_SOCKET, folder);
    Peers peers = {NULL, 0};
    bool good = false;
    for (int i = 0; i < TRIES && !good; i++) {
        if (i > 0)
            nap();
        peers.n = 0;
        int fd = connect_to(path);
        if (fd < 0 && errno == EAGAIN)
            hiera_run_fail("--attach: no process of the job answers within %d s", HIERA_ATTACH_SECONDS + MARGIN_S);
        if (fd < 0)
            continue;
        good = send(fd, sent, strlen(sent), MSG_NOSIGNAL) >= 0 && receive_all(fd, &peers);
        close(fd);
    }
    if (!good) {
        peers.n = 0;
        unlink(path);
    }
    return peers;
}

/* --- output of the answers of all ranks --- */

static int by_rank(const void *a, const void *b)
{
    const Peer *one = a, *other = b;
    return one->rank != other->rank ? (one->rank > other->rank) - (one->rank < other->rank)
                                    : strcmp(one->process, other->process);
}

/* Print a line for each different answer, with its ranks. @return  whether all ranks have carried out the commands */
static bool print(Peers *peers)
{
    bool good = true;
    int *ranks = calloc(peers->n + 1, sizeof *ranks);
    qsort(peers->at, peers->n, sizeof *peers->at, by_rank);
    for (size_t i = 0; ranks && i < peers->n; i++) {
        int n = 0;
        char *answer = peers->at[i].answer;
        if (peers->at[i].rank < 0) {
            if (peers->at[i].has_ended)
                printf("process %s: it has ended\n", peers->at[i].process);
            else
                printf("process %s: no answer within %d s\n", peers->at[i].process, HIERA_ATTACH_SECONDS);
            good = false;
        }
        if (!answer)
            continue;
        for (size_t j = i; j < peers->n; j++)
            if (peers->at[j].answer && strcmp(peers->at[j].answer, answer) == 0) {
                ranks[n++] = peers->at[j].rank;
                if (j > i)
                    peers->at[j].answer = NULL;
            }
        char *list = hiera_rank_list_format(ranks, n);
        bool is_wrong = hiera_words_begins(answer, "wrong=");
        printf("rank%s %s: %s\n", n > 1 ? "s" : "", list ? list : "?", answer + (is_wrong ? strlen("wrong=") : 0));
        good = good && !is_wrong;
        free(list);
    }
    free(ranks);
    return good;
}

/* Remove the folder of the socket, and the file that names it, if all ranks of the job were killed. */
static void remove_folder(const char *traces, const char *folder)
{
    char file[PATH_MAX];
    if (rmdir(folder) == 0 && hiera_attach_file(traces, file, sizeof file))
        unlink(file);
}

int hiera_run_attach(const char *traces, char **commands)
{
    char *path = realpath(traces, NULL);
    HieraWords lines = {0};
    for (; *commands; commands++) {
        if (!strchr(*commands, '=') || strchr(*commands, '\n'))
            hiera_run_fail("--attach: '%s' is no command; there are sample=, search=, levels= and record=", *commands);
        hiera_words_add(&lines, *commands);
    }
    if (!path)
        hiera_run_fail("--attach=%s: %s", traces, strerror(errno));
    sent = hiera_words_format(HIERA_ATTACH_TELL "%s%s", lines.n > 0 ? hiera_words_join(&lines, '\n') : "",
                              lines.n > 0 ? "\n" : "");
    if (strlen(sent) >= HIERA_ATTACH_TEXT - HIERA_ATTACH_FRAME)
        hiera_run_fail("--attach: these commands are too long");
    char own[PATH_MAX];
    HieraWords hosts = other_hosts(path, hiera_attach_file("", own, sizeof own) ? own + 1 : "");
    char *folder = folder_of_socket(path);
    Peers peers = send_all(folder);
    if (peers.n == 0) {
        remove_folder(path, folder);
        hiera_run_fail("--attach=%s: the job has ended", traces);
    }
    bool good = print(&peers);
    say_who_is_elsewhere(path, &hosts);
    return good ? 0 : 1;
}
