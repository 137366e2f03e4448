#include "report_file.h"

#include "base/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Report {
    int fd, error;
    size_t n;
    char block[4 << 10];
} Report;

static void spill(Report *report)
{
    int error = hiera_file_write(report->fd, report->block, report->n);
    if (report->error == 0)
        report->error = error;
    report->n = 0;
}

static void put(void *to, const char *text, size_t length)
{
    Report *report = to;
    while (length > 0) {
        size_t room = sizeof report->block - report->n, n = length < room ? length : room;
        memcpy(report->block + report->n, text, n);
        report->n += n;
        text += n;
        length -= n;
        if (report->n == sizeof report->block)
            spill(report);
    }
}

int hiera_report_write(const char *path, const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run)
{
    static Report report; /* static, since it is large for a signal handler's stack */
    char beside[PATH_MAX];
    if (!hiera_file_name_beside(beside, sizeof beside, path))
        return ENAMETOOLONG;
    report.n = 0;
    report.fd = hiera_file_open(beside, O_WRONLY | O_CREAT | O_TRUNC, &report.error);
    if (report.fd < 0)
        return report.error;
    hiera_outcome_print(file, source, run, put, &report);
    spill(&report);
    close(report.fd);
    if (report.error == 0 && rename(beside, path) != 0)
        report.error = errno;
    if (report.error != 0)
        unlink(beside);
    return report.error;
}
