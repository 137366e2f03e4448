/* Parses entries of the folder /proc/self/task as getdents64 returns them, to list threads without malloc. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

typedef struct HieraTaskEntry {
    uint64_t inode;
    int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
} HieraTaskEntry;

/* The thread of an entry; 0: the entry is no thread.
 * @param at  offset of the entry; becomes that of the next one */
static inline pid_t hiera_task_entry_take(const char *entries, long *at)
{
    const HieraTaskEntry *entry = (const HieraTaskEntry *)(const void *)(entries + *at);
    *at += entry->bytes;
    return (pid_t)atoi(entry->name);
}
