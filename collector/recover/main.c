/* hiera-recover FOLDER: complete the traces in a folder whose processes were killed. */
#include "complete.h"
#include "cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Work {
    const char *folder; /* without links */
    unsigned done, failed;
} Work;

/* Jobs in the same folder have subfolders. */
static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    char real[PATH_MAX];
    return realpath(path, real) && strncmp(real, folder, n) == 0 && (real[n] == '\0' || real[n] == '/' || n == 1);
}

static void visit(const HieraKeptFound *found, void *data)
{
    Work *work = data;
    const HieraKeptHeader *header = found->header;
    if (!is_below(header->folder, work->folder))
        return;
    if (!found->is_here) {
        fprintf(stderr, "hiera-recover: %s: its process is on %s; run this there\n", header->trace, header->host);
        work->failed++;
    } else if (found->lives) {
        fprintf(stderr, "hiera-recover: %s: process %lld is still running\n", header->trace[0] ? header->trace : header->folder, (long long)header->process.pid);
        work->failed++;
    } else if (header->rank < 0) {
        fprintf(stderr, "hiera-recover: process %lld was killed before MPI_Init; what it has recorded is dropped\n", (long long)header->process.pid);
        unlink(found->path);
    } else if (!found->has_trace) {
        fprintf(stderr, "hiera-recover: %s: it is not there any more; what its process has left is dropped\n", header->trace);
        unlink(found->path);
    } else if (hiera_complete(found)) {
        unlink(found->path);
        work->done++;
    } else {
        work->failed++;
    }
}

static int recover(const char *folder)
{
    char real[PATH_MAX];
    Work work = {.folder = real};
    if (!realpath(folder, real)) {
        fprintf(stderr, "hiera-recover: ");
        perror(folder);
        return 2;
    }
    hiera_kept_files_walk(real, visit, &work);
    unsigned cut = work.failed == 0 ? hiera_cut_name(real) : 0;
    if (work.done + work.failed + cut == 0)
        printf("no process of %s has left anything on this computer\n", folder);
    return work.failed + cut > 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--file") == 0)
        return hiera_complete_here(argv[2]);
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: hiera-recover FOLDER\nComplete the traces in a folder whose processes were killed, from what these have left on this computer.\n", argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    return recover(argv[1]);
}
