/* See stale_files.h. A file is stale if all processes have ended that its table lists as users. */
#include "stale_files.h"

#include "shared_file.h"
#include "shared_table.h"

#include <dirent.h>

bool hiera_stale_table(const void *memory, size_t bytes)
{
    const HieraSharedTable *table = memory;
    bool is_whole = bytes >= sizeof *table && table->most_entries <= (bytes - sizeof *table) / sizeof *table->entries;
    for (uint32_t i = 0; is_whole && i < table->most_entries; i++) {
        const HieraSharedEntry *entry = &table->entries[i];
        if (entry->is_used && entry->name == HIERA_SHARED_MEMBERS && entry->owner.process > 0 &&
            !hiera_owner_is_dead(&entry->owner))
            return false;
    }
    return true;
}

void hiera_stale_files_remove(void)
{
    DIR *folder = opendir(hiera_shared_file_folder);
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        if (hiera_shared_file_is_of_here(entry->d_name))
            hiera_shared_file_remove(entry->d_name, hiera_stale_table);
    if (folder)
        closedir(folder);
}
