/* What regions are called: level, name and call site as one number for the writer.
 *
 * A program has few different regions and enters them often. So their texts are copied once in each thread, a record
 * points to the copy, and the writer makes the begin of the element once. Texts are compared, never pointers to the
 * program's strings. A program that makes up a name for each region has all but those of open regions forgotten when
 * the buffer is written. */
#ifndef HIERA_REGION_NAMES_H
#define HIERA_REGION_NAMES_H

#include "record.h"

enum { HIERA_REGION_TEXT_MAX = 1023 };

typedef struct HieraName {
    struct HieraName *next; /* of those in the same slot */
    const void *site;
    uint16_t level_length, name_length;
    bool is_recorded; /* its level is (HIERA_LEVELS) */
    uint8_t element;  /* for the writer: HIERA_FRAME_…, and ready-made text up to the start time, NULL before */
    bool is_careful;  /* made in a signal handler: the call site has no name yet */
    uint32_t begin_length;
    char *begin;                          /* hiera_name_begin_room() bytes of it can be read */
    struct HieraAgain *again;             /* the last one with nothing in it and no arguments (xml_text.h); or NULL */
    size_t again_depth;                   /* … and where it stood in the tree */
    const struct HieraDeclared *declared; /* what it refers to in compact spelling, without arguments: in this epoch */
    uint32_t epoch;                       /* (call_dictionary.h); 0 before */
    char level[];                         /* with its NUL; the name follows, with its own */
} HieraName;

/* A copy of constant size needs no call. */
enum { HIERA_NAME_BEGIN = 128 };

static inline size_t hiera_name_begin_room(size_t length)
{
    return length > HIERA_NAME_BEGIN ? length : HIERA_NAME_BEGIN;
}

static inline const char *hiera_name_text(const HieraName *name)
{
    return name->level + name->level_length + 1;
}

/* Bytes of the program that need not end with NUL. */
typedef struct HieraBytes {
    const char *bytes;
    size_t length;
} HieraBytes;

/* The name of a region. NULL without memory. Takes memory for names that are new, in large pieces. */
HieraName *hiera_name_find(HieraThread *thread, const void *site, HieraBytes level, HieraBytes name);

/* The same where texts end with NUL, fast for those that were there before. */
HieraName *hiera_name_find_text(HieraThread *thread, const void *site, const char *level, const char *name);

/* If there are too many names, forget all but the n that in_use() gives the places of; a place may hold NULL. Returns
 * whether it did: then those names are elsewhere, and so it says in their places. With the session's lock held. */
bool hiera_names_tidy(HieraThread *thread, HieraName **(*in_use)(HieraThread *thread, uint32_t i), uint32_t n);

void hiera_names_free(HieraThread *thread);

#endif
