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

/* Cached number of the name among the call sites that one set of rules measures (expect/). */
typedef struct HieraNameMetered {
    uint32_t version, site; /* `site`: the number; valid only if `version` is the current version of these numbers */
} HieraNameMetered;

typedef struct HieraName {
    struct HieraName *next; /* next name in the same slot of the hash table */
    const void *site;
    uint16_t level_length, name_length;
    uint8_t unusual;  /* flags HIERA_NAME_…; 0: regions of this name are recorded, and nobody observes them */
    uint8_t element;  /* for the writer: HIERA_FRAME_…, and the formatted text up to the start time (NULL before its
                         first use) */
    bool is_placed;   /* for the writer: true if `objects` is known */
    bool is_careful;  /* true if the name was first written in a signal handler: its call site is not looked up yet */
    uint64_t objects; /* for the writer: which object an element with this name needs (hiera_element_declare_object) */
    uint32_t begin_length;
    HieraNameMetered metered[2]; /* cached numbers of the name, by set of rules (expect/) */
    uint32_t label;              /* number of the name in the thread's profile (profile/); 0: not known yet */
    uint64_t watched;            /* observers of regions with this name, as bits (watch.h) */
    const struct HieraAssertion *assertion; /* assertion whose region has this name (assertion.h); NULL: none */
    char *begin; /* formatted begin of the element; hiera_name_begin_room(begin_length) bytes are readable */
    struct HieraAgain *again; /* cached last element, if without content and arguments (xml_text.h); or NULL */
    size_t again_depth;       /* depth in the tree of the element in `again` */
    const struct HieraDeclared *declared; /* declaration of the name in the compact encoding, without arguments; valid
                                             while `epoch` is the dictionary's */
    uint32_t epoch; /* epoch of the dictionary when `declared` was set (call_dictionary.h); 0: not set yet */
    const char *constant_level, *constant_name; /* the program's texts, if constants; else the copies */
    char level[];                               /* copy of the level with a NUL, then copy of the name with a NUL */
} HieraName;

/* Names are allocated from blocks. The first block begins with HieraNames, whose tables and ten names fit one page. */
enum { HIERA_NAME_MEMOS = 64, HIERA_NAME_SLOTS = 256 };
typedef struct HieraNameBlock {
    struct HieraNameBlock *next;
    size_t used;
} HieraNameBlock;

typedef struct HieraNames {
    HieraNameBlock first;
    HieraName *memos[HIERA_NAME_MEMOS]; /* cache of names found last, by hash of call site and text address */
    HieraName *slots[HIERA_NAME_SLOTS]; /* hash table of all names, by call site, level and text */
    HieraNameBlock *blocks;
    size_t bytes; /* number of bytes that all names take */
} HieraNames;

/* Flags of a name. FILTERED: its level is not recorded (HIERA_LEVELS). WATCHED: somebody observes its regions
 * (watch.h). COUNTED: they are recorded with counters (region_counters.h). */
enum { HIERA_NAME_FILTERED = 1, HIERA_NAME_WATCHED = 2, HIERA_NAME_COUNTED = 4 };

/* Least number of readable bytes at HieraName.begin: a copy of constant size needs no call of memcpy. */
enum { HIERA_NAME_BEGIN = 128 };

static inline size_t hiera_name_begin_room(size_t length)
{
    return length > HIERA_NAME_BEGIN ? length : HIERA_NAME_BEGIN;
}

static inline const char *hiera_name_text(const HieraName *name)
{
    return name->level + name->level_length + 1;
}

/* A text with its length; a NUL need not follow. */
typedef struct HieraBytes {
    const char *bytes;
    size_t length;
} HieraBytes;

/* Find the name of a region by call site, level and text, or make it; NULL: no memory. */
HieraName *hiera_name_find(HieraThread *thread, const void *site, HieraBytes level, HieraBytes name);

/* Return the index in HieraNames.memos for a call site and the address of a text. */
static inline size_t hiera_name_memo(const void *site, const char *name)
{
    uint64_t key = (uint64_t)(uintptr_t)site ^ (uint64_t)(uintptr_t)name << 7;
    return hiera_hash_number(key) % HIERA_NAME_MEMOS;
}

/* Do as hiera_name_find(), for texts that end with a NUL, and put the name into the cache `memos`. */
HieraName *hiera_name_find_new_text(HieraThread *thread, const void *site, const char *level, const char *name);

/* Return the name that was found last for a text at this address; NULL if there is none. The texts may have changed
 * since. */
static inline HieraName *hiera_name_last(const HieraThread *thread, const void *site, const char *name)
{
    HieraName *known = HIERA_LIKELY(thread->names != NULL) ? thread->names->memos[hiera_name_memo(site, name)] : NULL;
    return HIERA_LIKELY(known && known->site == site) ? known : NULL;
}

/* Return the cached name if level and name are constants at these addresses; else NULL. */
static inline HieraName *hiera_name_of_constants(const HieraThread *thread, const void *site, const char *level,
                                                 const char *name)
{
    HieraName *known = hiera_name_last(thread, site, name);
    return HIERA_LIKELY(known && known->constant_name == name && known->constant_level == level) ? known : NULL;
}

/* Do as hiera_name_find(), for texts that end with a NUL; fast for names in the cache `memos`. */
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

/* Forget formatted texts and observers of a killed process's names, in the process that completes its trace. */
void hiera_names_recover(HieraThread *thread);
