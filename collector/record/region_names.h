/* Names of regions: level, name and call site, kept once per thread.
 *
 * A program has few different regions and enters them often. So each thread copies their texts once, a record points to
 * the copy, and the writer formats the start of the element once. Texts are compared by content, since the program may
 * change its strings; but constants of the program are known by their addresses. If a program makes ever new names, all
 * names but those of open regions are forgotten when the buffer has been written. */
#pragma once

#include "record.h"
#include "text/hash.h"

#include <string.h>

enum { HIERA_REGION_TEXT_MAX = 1023 };

/* The number that a meter of the thread has for a name. */
typedef struct HieraNameMetered {
    uint32_t version, site; /* `version`: version of the meter's numbers; 0: `site` is not known */
} HieraNameMetered;

typedef struct HieraName {
    struct HieraName *next; /* next name in the same slot */
    const void *site;
    uint16_t level_length, name_length;
    uint8_t unusual; /* flags HIERA_NAME_…; 0: its regions are recorded, and nothing observes them */
    uint8_t element; /* for the writer: HIERA_FRAME_…, and the formatted text up to the start time (NULL before its
                        first use) */
    bool is_careful; /* true if made in a signal handler: its call site is not looked up yet */
    uint32_t begin_length;
    HieraNameMetered metered[2];            /* numbers in the meters of the thread (expect/) */
    uint32_t label;                         /* number of the name in the thread's profile (profile/); 0: not known */
    uint64_t watched;                       /* observers of its regions, as bits (watch.h) */
    const struct HieraAssertion *assertion; /* its assertion, if it is one's region (assertion.h); else NULL */
    char *begin;                            /* has hiera_name_begin_room() readable bytes */
    struct HieraAgain *again; /* cached last element, if it had no content and no arguments (xml_text.h); or NULL */
    size_t again_depth;       /* depth of the element `again` in the tree */
    const struct HieraDeclared *declared; /* declaration of the name in the compact encoding, without arguments; valid
                                             while `epoch` is the dictionary's */
    uint32_t epoch; /* epoch of the dictionary at that time (call_dictionary.h); 0 before the first */
    const char *constant_level,
        *constant_name; /* addresses of its texts if the program cannot change them; else other addresses */
    char level[];       /* the level with its NUL, then the name with its NUL */
} HieraName;

/* The names of a thread lie in blocks, of which this is the first. Its tables and ten names fit into one page. */
enum { HIERA_NAME_MEMOS = 64, HIERA_NAME_SLOTS = 256 };
typedef struct HieraNameBlock {
    struct HieraNameBlock *next;
    size_t used;
} HieraNameBlock;

typedef struct HieraNames {
    HieraNameBlock first;
    HieraName *memos[HIERA_NAME_MEMOS]; /* cache of the names found last, by call site and address of the text */
    HieraName *slots[HIERA_NAME_SLOTS]; /* hash table of all names, by call site and text */
    HieraNameBlock *blocks;
    size_t bytes; /* size of all names */
} HieraNames;

/* Flags of a name. HIDDEN: its level is not recorded (HIERA_LEVELS). WATCHED: somebody observes its regions
 * (watch.h). COUNTED: they are recorded with counters (region_counters.h). */
enum { HIERA_NAME_HIDDEN = 1, HIERA_NAME_WATCHED = 2, HIERA_NAME_COUNTED = 4 };

/* Least readable size at HieraName.begin: copying a constant size needs no call of memcpy. */
enum { HIERA_NAME_BEGIN = 128 };

static inline size_t hiera_name_begin_room(size_t length)
{
    return length > HIERA_NAME_BEGIN ? length : HIERA_NAME_BEGIN;
}

static inline const char *hiera_name_text(const HieraName *name)
{
    return name->level + name->level_length + 1;
}

/* A text of the program, not necessarily with a NUL at its end. */
typedef struct HieraBytes {
    const char *bytes;
    size_t length;
} HieraBytes;

/* Find or make the name of a region. NULL if there is no memory. New names get memory in large pieces. */
HieraName *hiera_name_find(HieraThread *thread, const void *site, HieraBytes level, HieraBytes name);

/* Return the index of the memo for a name. */
static inline size_t hiera_name_memo(const void *site, const char *name)
{
    uint64_t key = (uint64_t)(uintptr_t)site ^ (uint64_t)(uintptr_t)name << 7;
    return hiera_hash_number(key) % HIERA_NAME_MEMOS;
}

/* The same as hiera_name_find(), for texts with a NUL that have no memo. */
HieraName *hiera_name_find_new_text(HieraThread *thread, const void *site, const char *level, const char *name);

/* Return the name that was found last for a text at this address; NULL if there is none. The texts may have changed
 * since. */
static inline HieraName *hiera_name_last(const HieraThread *thread, const void *site, const char *name)
{
    HieraName *known = HIERA_LIKELY(thread->names != NULL) ? thread->names->memos[hiera_name_memo(site, name)] : NULL;
    return HIERA_LIKELY(known && known->site == site) ? known : NULL;
}

/* Return the same name if its texts are these constants; else NULL. */
static inline HieraName *hiera_name_of_constants(const HieraThread *thread, const void *site, const char *level,
                                                 const char *name)
{
    HieraName *known = hiera_name_last(thread, site, name);
    return HIERA_LIKELY(known && known->constant_name == name && known->constant_level == level) ? known : NULL;
}

/* The same as hiera_name_find(), for texts with a NUL; fast for names that exist. */
static inline HieraName *hiera_name_find_text(HieraThread *thread, const void *site, const char *level,
                                              const char *name)
{
    HieraName *known = hiera_name_last(thread, site, name);
    if (HIERA_LIKELY(known && strcmp(hiera_name_text(known), name) == 0 && strcmp(known->level, level) == 0))
        return known;
    return hiera_name_find_new_text(thread, site, level, name);
}

/* If there are too many names, forget all but n of them. in_use(thread, i) returns the address of the i-th pointer to a
 * name in use, which may be NULL. Returns true if names were forgotten: then these pointers are set to the new
 * addresses. Called with the lock held. */
bool hiera_names_tidy(HieraThread *thread, HieraName **(*in_use)(HieraThread *thread, uint32_t i), uint32_t n);

/* Ask again for each name of a thread which observers its regions have (watch.h), and whether its level is recorded.
 * Requires the lock; the thread may be running. */
void hiera_names_renew(HieraThread *thread);

void hiera_names_free(HieraThread *thread);

/* Called in a process that completes the trace of another one: forget formatted texts and observers. */
void hiera_names_recover(HieraThread *thread);
