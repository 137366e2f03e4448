/* See stale_files.h. The table in such a file names the processes that have it. */
#include "stale_files.h"

#include "shared_file.h"
#include "shared_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_living(const HieraSharedTable *table, size_t bytes)
{
    bool is_whole = bytes >= sizeof *table && table->most_entries <= (bytes - sizeof *table) / sizeof *table->entries;
    for (uint32_t i = 0; is_whole && i < table->most_entries; i++) {
        const HieraSharedEntry *entry = &table->entries[i];
        if (entry->is_used && entry->name == HIERA_SHARED_MEMBERS && entry->owner.process > 0 && !hiera_owner_is_dead(&entry->owner))
            return true;
    }
    return false;
}

/* Is it a file of ours that nobody has? What cannot be read is none. */
static bool is_stale(int folder, const char *name)
{
    struct stat status;
    bool stale = false;
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
        stale = memory != MAP_FAILED && !has_living(memory, bytes);
        if (memory != MAP_FAILED)
            munmap(memory, bytes);
    }
    close(fd);
    return stale;
}

void hiera_stale_files_remove(void)
{
    DIR *folder = opendir(hiera_shared_file_folder);
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        if (hiera_shared_file_is_of_here(entry->d_name) && is_stale(dirfd(folder), entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}
