/* Names of regions: level, name and call site, kept once per thread.
 *
 * A program has few different regions and enters them often. So each thread copies their texts once, a record points to
 * the copy, and the writer formats the start of the element once. Texts are compared by content, since the program may
 * change its strings; but constants of the program are known by their addresses. If a program makes ever new names, all
 * names but those of open regions are forgotten when the buffer has been written. */
#ifndef HIERA_REGION_NAMES_H
#define HIERA_REGION_NAMES_H

#include "record.h"
#include "text/hash.h"

#include <string.h>

enum { HIERA_REGION_TEXT_MAX = 1023 };

/* The number of a name in a meter of its thread. */
typedef struct HieraNameMetered {
    uint32_t version, site; /* version of the numbers; 0: not known */
} HieraNameMetered;

typedef struct HieraName {
    struct HieraName *next; /* in the same slot */
    const void *site;
    uint16_t level_length, name_length;
    uint8_t unusual; /* HIERA_NAME_…; 0: its regions are recorded, and nobody observes them */
    uint8_t element; /* for the writer: HIERA_FRAME_…, and the formatted text up to the start time (NULL before its
                        first use) */
    bool is_careful; /* made in a signal handler: its call site is not looked up yet */
    uint32_t begin_length;
    HieraNameMetered metered[2];            /* (expect/) */
    uint32_t label;                         /* its number in the profile of its thread (profile/); 0: not known */
    uint64_t watched;                       /* who observes its regions (watch.h) */
    const struct HieraAssertion *assertion; /* that it is the region of (assertion.h); NULL: it is another region */
    char *begin;                            /* has hiera_name_begin_room() readable bytes */
    struct HieraAgain *again; /* cached last element without content and arguments (xml_text.h); or NULL */
    size_t again_depth;       /* … and its depth in the tree */
    const struct HieraDeclared
        *declared;  /* its declaration in compact spelling, without arguments; valid in this epoch */
    uint32_t epoch; /* of the dictionary (call_dictionary.h); 0 before the first */
    const char *constant_level,
        *constant_name; /* its texts, where the program cannot change them; else other addresses */
    char level[];       /* with its NUL, then the name with its NUL */
} HieraName;

/* The names of a thread: in blocks, of which this is the first. Its tables and ten names are in one page. */
enum { HIERA_NAME_MEMOS = 64, HIERA_NAME_SLOTS = 256 };
typedef struct HieraNameBlock {
    struct HieraNameBlock *next;
    size_t used;
} HieraNameBlock;

typedef struct HieraNames {
    HieraNameBlock first;
    HieraName *memos[HIERA_NAME_MEMOS]; /* names found last, by call site and address of the text */
    HieraName *slots[HIERA_NAME_SLOTS]; /* all names, by call site and text */
    HieraNameBlock *blocks;
    size_t bytes; /* of all names */
} HieraNames;

/* Flags of a name. HIDDEN: its level is not recorded (HIERA_LEVELS). WATCHED: somebody observes its regions
 * (watch.h). COUNTED: they are recorded with counters (region_counters.h). */
enum { HIERA_NAME_HIDDEN = 1, HIERA_NAME_WATCHED = 2, HIERA_NAME_COUNTED = 4 };

/* Copying a constant size needs no call of memcpy. */
enum { HIERA_NAME_BEGIN = 128 };

static inline size_t hiera_name_begin_room(size_t length)
{
    return length > HIERA_NAME_BEGIN ? length : HIERA_NAME_BEGIN;
}

static inline const char *hiera_name_text(const HieraName *name)
{
    return name->level + name->level_length + 1;
}

/* Bytes of the program, not necessarily with a NUL at the end. */
typedef struct HieraBytes {
    const char *bytes;
    size_t length;
} HieraBytes;

/* Find or make the name of a region. NULL if there is no memory. New names get memory in large pieces. */
HieraName *hiera_name_find(HieraThread *thread, const void *site, HieraBytes level, HieraBytes name);

/* Which of the memos such a name has. */
static inline size_t hiera_name_memo(const void *site, const char *name)
{
    uint64_t key = (uint64_t)(uintptr_t)site ^ (uint64_t)(uintptr_t)name << 7;
    return hiera_hash_number(key) % HIERA_NAME_MEMOS;
}

/* The same for texts with a NUL, of which no memo is known. */
HieraName *hiera_name_find_new_text(HieraThread *thread, const void *site, const char *level, const char *name);

/* The name that was found last for a text at this address. Its texts may have changed since. NULL: none. */
static inline HieraName *hiera_name_last(const HieraThread *thread, const void *site, const char *name)
{
    HieraName *known = HIERA_LIKELY(thread->names != NULL) ? thread->names->memos[hiera_name_memo(site, name)] : NULL;
    return HIERA_LIKELY(known && known->site == site) ? known : NULL;
}

/* The same, if its texts are these constants; else NULL. */
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

/* Ask again who watches the regions of each name of a thread (watch.h), and whether its level is recorded. With the
 * lock held; the thread may run. */
void hiera_names_renew(HieraThread *thread);

void hiera_names_free(HieraThread *thread);

/* In the process that completes the trace of another one: forget what was formatted, and who watched. */
void hiera_names_recover(HieraThread *thread);

#endif
