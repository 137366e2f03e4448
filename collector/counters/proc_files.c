#include "proc_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SKIPPED                                                                                                        \
    {                                                                                                                  \
        NULL, '#', false, NULL                                                                                         \
    }

static const HieraProcColumn statm[] = {
    {"size", 'p', true, "virtual memory of the process"},
    {"resident", 'p', true, "memory of the process that is in RAM"},
    {"shared", 'p', true, "of that, pages of files and shared memory"},
    {"text", 'p', true, "code"},
    SKIPPED,
    {"data", 'p', true, "data and stack"},
};

/* Columns of /proc/self/stat, from its fourth field on (see proc(5)). */
static const HieraProcColumn stat_of_process[] = {
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    {"minflt", '#', false, "page faults that read nothing from a disk"},
    SKIPPED,
    {"majflt", '#', false, "page faults that read from a disk"},
    SKIPPED,
    {"utime", 't', false, "time of the processor in the program"},
    {"stime", 't', false, "time of the processor in the kernel"},
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    {"num_threads", '#', true, "threads of the process"},
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    {"processor", '#', true, "processor that the main thread ran on last"},
    SKIPPED,
    SKIPPED,
    {"delayacct_blkio", 't', false, "time in which it waited for a disk"},
};

static const HieraProcColumn stat_of_machine[] = {
    {"user", 't', false, "time of processors in programs"},
    {"nice", 't', false, "time of processors in programs of low priority"},
    {"system", 't', false, "time of processors in the kernel"},
    {"idle", 't', false, "time in which processors had nothing to do"},
    {"iowait", 't', false, "time in which they had nothing to do but wait for a disk"},
    {"irq", 't', false, "time of processors in interrupts"},
    {"softirq", 't', false, "time of processors in soft interrupts"},
    {"steal", 't', false, "time that another virtual machine had"},
    {"guest", 't', false, "time of processors in virtual machines"},
    {"guest_nice", 't', false, "time of processors in those of low priority"},
};

static const HieraProcColumn net_dev[] = {
    {"rx_bytes", 'B', false, "bytes received"},
    {"rx_packets", '#', false, "packets received"},
    {"rx_errors", '#', false, "packets that came broken"},
    {"rx_dropped", '#', false, "packets that were thrown away"},
    SKIPPED,
    SKIPPED,
    SKIPPED,
    SKIPPED,
    {"tx_bytes", 'B', false, "bytes sent"},
    {"tx_packets", '#', false, "packets sent"},
    {"tx_errors", '#', false, "packets that could not be sent"},
    {"tx_dropped", '#', false, "packets that were not sent"},
};

static const HieraProcColumn loadavg[] = {
    {"1min", '.', true, "processes that want to run, mean of a minute"},
    {"5min", '.', true, "processes that want to run, mean of 5 minutes"},
    {"15min", '.', true, "processes that want to run, mean of 15 minutes"},
};

#define COLUMNS(label, columns)                                                                                        \
    {                                                                                                                  \
        label, columns, sizeof columns / sizeof columns[0]                                                             \
    }
#define LINES(label)                                                                                                   \
    {                                                                                                                  \
        label, NULL, 0                                                                                                 \
    }

const HieraProcFile hiera_proc_files[] = {
    {"self/statm", "/proc/self/statm", COLUMNS(HIERA_PROC_NONE, statm), true, NULL, NULL, NULL},
    {"self/stat", "/proc/self/stat", COLUMNS(HIERA_PROC_PROCESS, stat_of_process), false, NULL, NULL, NULL},
    {"self/status", "/proc/self/status", LINES(HIERA_PROC_COLON), true, "nonvoluntary_ctxt,voluntary_ctxt",
     "Vm,Rss,Huge,Threads,FDSize,voluntary,nonvoluntary", "of the process"},
    {"self/io", "/proc/self/io", LINES(HIERA_PROC_COLON), false, NULL, NULL, "of the process"},
    {"self/smaps_rollup", "/proc/self/smaps_rollup", LINES(HIERA_PROC_COLON), true, NULL, NULL,
     "of the process; takes long"},
    {"meminfo", "/proc/meminfo", LINES(HIERA_PROC_COLON), true, NULL, NULL, "of the machine"},
    {"vmstat", "/proc/vmstat", LINES(HIERA_PROC_WORD), true,
     "pg,ps,kswap,allocstall,oom,drop,slabs,compact,thp,numa,swp,work", NULL, "of the machine"},
    {"net/dev", "/proc/self/net/dev", COLUMNS(HIERA_PROC_COLON, net_dev), false, NULL, NULL, NULL},
    {"loadavg", "/proc/loadavg", COLUMNS(HIERA_PROC_NONE, loadavg), true, NULL, NULL, NULL},
    {"stat", "/proc/stat", COLUMNS(HIERA_PROC_WORD, stat_of_machine), false, NULL, "cpu,ctxt,processes,procs",
     "of the machine"},
};
const unsigned hiera_proc_n_files = sizeof hiera_proc_files / sizeof hiera_proc_files[0];

const HieraProcAlias hiera_proc_aliases[] = {
    {"rss", "self/statm", "resident", "memory of the process that is in RAM"},
    {"vsize", "self/statm", "size", "virtual memory of the process"},
    {"peak_rss", "self/status", "VmHWM", "the most memory of the process that was in RAM"},
    {"threads", "self/status", "Threads", "threads of the process"},
    {"utime", "self/stat", "utime", "time of the processor in the program, all threads"},
    {"stime", "self/stat", "stime", "time of the processor in the kernel, all threads"},
};
const unsigned hiera_proc_n_aliases = sizeof hiera_proc_aliases / sizeof hiera_proc_aliases[0];

int hiera_proc_file_of(const char *text, const char **key)
{
    for (unsigned i = 0; i < hiera_proc_n_files; i++) {
        size_t n = strlen(hiera_proc_files[i].name);
        if (strncmp(text, hiera_proc_files[i].name, n) == 0 && text[n] == '/') {
            *key = text + n + 1;
            return (int)i;
        }
    }
    return -1;
}

bool hiera_proc_begins(const char *text, size_t length, const char *list)
{
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (length >= n && strncmp(text, list, n) == 0)
            return true;
    }
    return false;
}

/* --- reading a file line by line --- */

enum { PIECE = 1024 };

static ssize_t read_piece(int fd, char *to, size_t room)
{
    ssize_t n;
    do
        n = syscall(SYS_read, fd, to, room);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Visit the numbers of the complete lines in `n` bytes. The last line may go on in the next piece: returns the number
 * of its bytes. */
static size_t tell_lines(const HieraProcFormat *format, char *bytes, size_t n, HieraProcVisit *visit, void *data)
{
    char *line = bytes, *end = bytes + n, *newline;
    while ((newline = memchr(line, '\n', (size_t)(end - line)))) {
        hiera_proc_line(format, line, (size_t)(newline - line), visit, data);
        line = newline + 1;
    }
    size_t left = (size_t)(end - line);
    if (left >= PIECE) /* a line longer than the buffer is dropped, with its numbers */
        left = 0;
    memmove(bytes, line, left);
    return left;
}

/* The file is opened each time: the program might close a descriptor that is kept, and a child of fork would read its
 * parent's numbers. */
int hiera_proc_read_file(const HieraProcFile *file, HieraProcVisit *visit, void *data)
{
    char bytes[PIECE];
    size_t left = 0;
    ssize_t n;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, file->path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    while ((n = read_piece(fd, bytes + left, sizeof bytes - left)) > 0)
        left = tell_lines(&file->format, bytes, left + (size_t)n, visit, data);
    int error = n < 0 ? errno : 0;
    syscall(SYS_close, fd);
    return error;
}
