/* See attach.h. All processes are told before the first one is asked for its answer: so they switch at nearly the same
 * time. */
#include "attach.h"

#include "attach/attach_place.h"
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
#include <unistd.h>

typedef struct Peer {
    int fd;
    int rank;            /* -1: it has not answered, */
    bool has_ended;      /* because it has ended */
    char *answer;        /* without the rank */
    const char *process; /* name of its socket */
} Peer;

typedef struct Peers {
    Peer *at;
    size_t n;
} Peers;

static const char *sent; /* all commands, each with the end of its line */

/* --- where they are --- */

/* The hosts whose processes can be told, without this one. */
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

/* The folder of the sockets of this host. */
static char *folder_of_sockets(const char *traces)
{
    char path[PATH_MAX], line[HIERA_ATTACH_PATH + 1];
    bool is_named = hiera_attach_file(traces, path, sizeof path);
    FILE *file = is_named ? fopen(path, "r") : NULL;
    bool good = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
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

/* --- one process --- */

/* One that was killed has left its socket, which is removed. @return  -1: nobody listens */
static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {HIERA_ATTACH_SECONDS, 0};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        hiera_run_fail("--attach: %s", strerror(errno));
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (errno == ECONNREFUSED)
        unlink(path);
    close(fd);
    return -1;
}

static void tell(int fd, const char *text)
{
    for (size_t n = strlen(text); n > 0;) {
        ssize_t put = send(fd, text, n, MSG_NOSIGNAL);
        if (put <= 0)
            return; /* no answer will come */
        text += put;
        n -= (size_t)put;
    }
}

/* "rank=3", then the answer, then an empty line. */
static void hear(Peer *peer)
{
    char text[HIERA_ATTACH_TEXT + 1] = "", *end = NULL;
    size_t n = 0;
    while (!end && n < sizeof text - 1) {
        ssize_t got = recv(peer->fd, text + n, sizeof text - 1 - n, 0);
        peer->has_ended = got == 0 || (got < 0 && errno == ECONNRESET);
        if (got <= 0)
            break;
        n += (size_t)got;
        text[n] = '\0';
        end = strstr(text, "\n\n");
    }
    close(peer->fd);
    char *line = strchr(text, '\n');
    if (!end || !line || sscanf(text, "rank=%d", &peer->rank) != 1)
        return;
    *end = '\0';
    peer->answer = hiera_words_format("%s", line + 1);
}

/* --- all of them --- */

static Peers tell_all(const char *folder)
{
    Peers peers = {NULL, 0};
    DIR *names = opendir(folder);
    for (const struct dirent *entry; names && (entry = readdir(names)) != NULL;) {
        size_t length = strlen(entry->d_name), end = strlen(HIERA_ATTACH_SOCKET);
        if (length <= end || strcmp(entry->d_name + length - end, HIERA_ATTACH_SOCKET) != 0)
            continue;
        int fd = connect_to(hiera_words_format("%s/%s", folder, entry->d_name));
        if (fd < 0)
            continue;
        peers.at = realloc(peers.at, (peers.n + 1) * sizeof *peers.at);
        if (!peers.at)
            hiera_run_fail("--attach: %s", strerror(ENOMEM));
        peers.at[peers.n++] =
            (Peer){fd, -1, false, NULL, hiera_words_format("%.*s", (int)(length - end), entry->d_name)};
    }
    if (names)
        closedir(names);
    for (size_t i = 0; i < peers.n; i++)
        tell(peers.at[i].fd, sent);
    for (size_t i = 0; i < peers.n; i++)
        hear(&peers.at[i]);
    return peers;
}

static int by_rank(const void *a, const void *b)
{
    const Peer *one = a, *other = b;
    return one->rank != other->rank ? (one->rank > other->rank) - (one->rank < other->rank)
                                    : strcmp(one->process, other->process);
}

/* One line for all that answer the same. @return  whether all do what they were told */
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

/* All ranks were killed. */
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
    sent = hiera_words_format("%s%s\n", lines.n > 0 ? hiera_words_join(&lines, '\n') : "", lines.n > 0 ? "\n" : "");
    if (strlen(sent) >= HIERA_ATTACH_TEXT)
        hiera_run_fail("--attach: these commands are too long");
    char own[PATH_MAX];
    HieraWords hosts = other_hosts(path, hiera_attach_file("", own, sizeof own) ? own + 1 : "");
    char *folder = folder_of_sockets(path);
    Peers peers = tell_all(folder);
    if (peers.n == 0) {
        remove_folder(path, folder);
        hiera_run_fail("--attach=%s: the job has ended", traces);
    }
    bool good = print(&peers);
    say_who_is_elsewhere(path, &hosts);
    return good ? 0 : 1;
}
