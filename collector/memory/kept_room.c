#include "kept_room.h"

#include <stddef.h>
#include <sys/resource.h>
#include <sys/statfs.h>

/* At most 1/SHARE of the free bytes of the file system is taken at once. */
enum { SHARE = 16 };
enum { MEMORY_FILE_SYSTEM = 0x01021994 };

bool hiera_kept_has_share(int fd, bool in_memory, uint64_t bytes)
{
    struct statfs there;
    if (fstatfs(fd, &there) != 0 || (in_memory && there.f_type != MEMORY_FILE_SYSTEM))
        return false;
    uint64_t block = (uint64_t)there.f_bsize, free_bytes = there.f_bavail * block, all = there.f_blocks * block;
    if (all == 0) /* a memory file system without a limit */
        return true;
    return bytes <= free_bytes / SHARE && (!in_memory || free_bytes - bytes >= all / 2);
}

bool hiera_kept_is_below_limit(uint64_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur);
}

/* Compares with a list of local file systems; a list of network ones would be long and never complete. */
bool hiera_kept_is_local(const char *folder)
{
    static const unsigned long local[] = {
        MEMORY_FILE_SYSTEM,   0xef53 /* ext2, ext3, ext4 */, 0x58465342 /* XFS */,      0x9123683e /* Btrfs */,
        0x2fc12fc1 /* ZFS */, 0xf2f52010 /* F2FS */,         0x794c7630 /* overlays */, 0x3153464a /* JFS */};
    struct statfs there;
    bool is = false;
    if (statfs(folder, &there) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        is = is || (unsigned long)there.f_type == local[i];
    return is;
}
