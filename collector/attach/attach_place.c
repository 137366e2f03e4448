#include "attach_place.h"

#include "text/hash.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void hiera_attach_folder(const char *traces, char folder[HIERA_ATTACH_PATH])
{
    struct stat status;
    uint64_t hash = HIERA_HASH_BEGIN;
    if (stat(traces, &status) == 0) {
        const uint64_t numbers[] = {status.st_dev, status.st_ino};
        hash = hiera_hash_bytes(hash, numbers, sizeof numbers);
    } else {
        hash = hiera_hash_text(hash, traces);
    }
    snprintf(folder, HIERA_ATTACH_PATH, "/tmp/hiera-%u-%016llx", (unsigned)geteuid(), (unsigned long long)hash);
}

bool hiera_attach_file(const char *traces, char *path, size_t room)
{
    char host[HOST_NAME_MAX + 1] = "";
    gethostname(host, sizeof host - 1);
    int n = snprintf(path, room, "%s/%s%s", traces, HIERA_ATTACH_FILE, host);
    return n > 0 && (size_t)n < room;
}

bool hiera_attach_is_private(const char *folder)
{
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0;
}
