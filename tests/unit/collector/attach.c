/* The processes of a job on a host have one socket: one listens, and another one when it has ended. Processes that do
 * no more than that; argument: hiera-run. */
#include "attach/attach.h"
#include "attach/attach_place.h"

#include "harness/plain.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 4 };

static const char *hiera_run;
static char traces[64], folder[HIERA_ATTACH_PATH], printed[4096];
static int rank, life[2]; /* nothing is written: what waits for it ends with this program */
static pid_t processes[RANKS];
static int ends[RANKS][2];

static void wait_for_end(int fd)
{
    char byte;
    while (read(fd, &byte, 1) < 0)
        continue;
}

/* "fork" makes a child, which lives on when the process is killed. */
static void obey(char *lines, char *reply, size_t room)
{
    if (strcmp(lines, "fork=1\n") == 0 && fork() == 0) {
        hiera_attach_in_child();
        wait_for_end(life[0]);
        _exit(0);
    }
    lines[strcspn(lines, "\n")] = '\0';
    snprintf(reply, room, "rank=%d\nheard %s\n", rank, lines);
}

static void begin(int number)
{
    if (pipe(ends[number]) != 0)
        exit(2);
    processes[number] = fork();
    if (processes[number] != 0)
        return;
    rank = number;
    for (int i = 0; i <= number; i++)
        close(ends[i][1]);
    close(life[1]);
    if (hiera_attach_begin(traces, obey) != 0)
        _exit(1);
    wait_for_end(ends[number][0]);
    hiera_attach_end();
    _exit(0);
}

/* @return  exit status of hiera-run; what it prints is in `printed` */
static int ask(const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "%s --attach=%s %s 2>&1", hiera_run, traces, command);
    FILE *output = popen(line, "r");
    size_t n = output ? fread(printed, 1, sizeof printed - 1, output) : 0;
    printed[n] = '\0';
    int status = output ? pclose(output) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 50000000}, NULL);
}

static void wait_for_all(void)
{
    for (int i = 0; i < 400 && (ask("colour=red") != 0 || strncmp(printed, "ranks 0-3: ", 11) != 0); i++)
        nap();
    EXPECT_TEXT("ranks 0-3: heard colour=red\n", printed);
}

/* Number of the rank that listens. */
static int find_listener(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred who = {0};
    socklen_t length = sizeof who;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), found = -1;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, HIERA_ATTACH_SOCKET);
    EXPECT(0, connect(fd, (const struct sockaddr *)&address, sizeof address));
    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length);
    close(fd);
    for (int i = 0; i < RANKS; i++)
        found = processes[i] == who.pid ? i : found;
    EXPECT(1, found >= 0);
    return found;
}

static void kill_rank(int i)
{
    kill(processes[i], SIGKILL);
    waitpid(processes[i], NULL, 0);
    processes[i] = 0;
}

static void end_rank(int i)
{
    int status = -1;
    close(ends[i][1]);
    waitpid(processes[i], &status, 0);
    EXPECT(0, status);
    processes[i] = 0;
}

/* "ranks 1,3: heard x" for those that live. */
static void expect_living(const char *command)
{
    char list[64] = "", expected[128];
    int n = 0, first = -1, last = -1;
    for (int i = 0; i < RANKS; i++) {
        if (processes[i] == 0)
            continue;
        first = first < 0 ? i : first;
        last = i;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", n > 0 ? " " : "", i);
        n++;
    }
    if (n > 1 && last - first == n - 1)
        snprintf(list, sizeof list, "%d-%d", first, last);
    else if (n == 3) /* 0 2 3 or 0 1 3: with a range */
        snprintf(list, sizeof list, processes[1] == 0 ? "0 2-3" : "0-1 3");
    EXPECT(0, ask(command));
    snprintf(expected, sizeof expected, "rank%s %s: heard %s\n", n > 1 ? "s" : "", list, command);
    EXPECT_TEXT(expected, printed);
}

static int any_other(int than)
{
    for (int i = 0; i < RANKS; i++)
        if (processes[i] != 0 && i != than)
            return i;
    return -1;
}

static void check_owner_only(void)
{
    char path[HIERA_ATTACH_PATH + 16];
    struct stat status;
    int n = 0;
    DIR *names = opendir(folder);
    for (const struct dirent *entry; names && (entry = readdir(names)) != NULL;)
        n += entry->d_name[0] != '.';
    if (names)
        closedir(names);
    EXPECT(1, n);
    EXPECT(0, lstat(folder, &status));
    EXPECT(0700, status.st_mode & 07777);
    snprintf(path, sizeof path, "%s/%s", folder, HIERA_ATTACH_SOCKET);
    EXPECT(0, lstat(path, &status));
    EXPECT(1, S_ISSOCK(status.st_mode));
    EXPECT(0600, status.st_mode & 07777);
}

/* The others answer at once; its late answer is not that to the next question. */
static void check_stopped(void)
{
    char expected[64];
    int stopped = any_other(find_listener());
    kill(processes[stopped], SIGSTOP);
    EXPECT(1, ask("colour=blue"));
    snprintf(expected, sizeof expected, "process %d: no answer within 10 s\n", (int)processes[stopped]);
    EXPECT(1, strstr(printed, expected) != NULL);
    EXPECT(1, strstr(printed, ": heard colour=blue\n") != NULL);
    kill(processes[stopped], SIGCONT);
    expect_living("colour=green");
}

/* In containers, folders of different file systems have the same path. */
static void check_names(void)
{
    char other[80], first[HIERA_ATTACH_PATH], moved[HIERA_ATTACH_PATH], second[HIERA_ATTACH_PATH];
    snprintf(other, sizeof other, "%s-moved", traces);
    hiera_attach_folder(traces, first);
    EXPECT(0, rename(traces, other));
    EXPECT(0, mkdir(traces, 0700));
    hiera_attach_folder(traces, second);
    hiera_attach_folder(other, moved);
    EXPECT(1, strcmp(first, second) != 0);
    EXPECT_TEXT(first, moved);
    EXPECT(0, rmdir(other));
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

int main(int argc, char **argv)
{
    char file[256];
    hiera_run = argc > 1 ? argv[1] : "hiera-run";
    strcpy(traces, "/tmp/hiera-test-XXXXXX");
    if (!mkdtemp(traces) || pipe(life) != 0)
        return 2;
    check_names();
    hiera_attach_folder(traces, folder);
    hiera_attach_file(traces, file, sizeof file);
    for (int i = 0; i < RANKS; i++)
        begin(i);
    wait_for_all();
    check_owner_only();
    expect_living("fork=1");
    kill_rank(find_listener());
    expect_living("colour=blue");
    check_owner_only();
    end_rank(find_listener());
    expect_living("colour=white");
    check_stopped();
    for (int i = 0; i < RANKS; i++)
        if (processes[i] != 0)
            end_rank(i);
    EXPECT(0, is_there(folder));
    EXPECT(0, is_there(file));
    for (int i = 0; i < RANKS; i++)
        begin(i);
    wait_for_all();
    for (int i = 0; i < RANKS; i++)
        kill_rank(i);
    EXPECT(1, is_there(folder));
    EXPECT(2, ask(""));
    EXPECT(1, strstr(printed, "the job has ended") != NULL);
    EXPECT(0, is_there(folder));
    EXPECT(0, is_there(file));
    EXPECT(0, rmdir(traces));
    return n_failed > 0;
}
