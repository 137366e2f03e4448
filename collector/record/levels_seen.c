/* See levels_seen.h. The table of levels has a fixed size: further levels, and too long names, are ignored. */
#include "levels_seen.h"

#include "base/message.h"
#include "base/settings.h"

#include <stdio.h>
#include <string.h>

enum { LEVELS = 32, LENGTH = 48 };

static struct {
    char name[LENGTH];
    bool there; /* true when `name` is completely written, so that other threads may read it */
} seen[LEVELS];
static unsigned n_seen;
static bool too_many;

static bool is_seen(const char *level)
{
    for (unsigned i = 0; i < LEVELS; i++)
        if (__atomic_load_n(&seen[i].there, __ATOMIC_ACQUIRE) && strcmp(seen[i].name, level) == 0)
            return true;
    return false;
}

void hiera_levels_see(const char *level)
{
    bool may_matter = hiera_settings.levels[0] != '\0' || hiera_settings.attach;
    if (!may_matter || is_seen(level))
        return;
    unsigned i = strlen(level) < LENGTH ? __atomic_fetch_add(&n_seen, 1, __ATOMIC_RELAXED) : LEVELS;
    if (i >= LEVELS) {
        __atomic_store_n(&too_many, true, __ATOMIC_RELAXED);
        return;
    }
    strcpy(seen[i].name, level);
    __atomic_store_n(&seen[i].there, true, __ATOMIC_RELEASE);
}

/* List the levels that exist, in the form "mpi, function, app"; the levels mpi and function always exist. */
static void list_levels(char *to, size_t size)
{
    size_t n = (size_t)snprintf(to, size, "mpi, function");
    for (unsigned i = 0; i < LEVELS && n < size; i++)
        if (__atomic_load_n(&seen[i].there, __ATOMIC_ACQUIRE))
            n += (size_t)snprintf(to + n, size - n, ", %s", seen[i].name);
}

void hiera_levels_complain(int rank)
{
    char levels[LEVELS * (LENGTH + 2)], word[LENGTH];
    if (too_many)
        return;
    list_levels(levels, sizeof levels);
    for (const char *at = hiera_settings.levels; *at;) {
        size_t n = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (n < sizeof word && strcmp(word, "mpi") != 0 && strcmp(word, "function") != 0 && !is_seen(word))
            hiera_message("HIERA_LEVELS: rank %d had nothing of the level '%s'; levels are %s", rank, word, levels);
        at += n + (at[n] == ',');
    }
}
