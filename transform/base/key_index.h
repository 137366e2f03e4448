/* Numbers for keys: 0, 1, … in the order in which they are met, so that what belongs to a key lies in plain arrays. */
#ifndef HIERA_KEY_INDEX_H
#define HIERA_KEY_INDEX_H

#include <glib.h>

typedef struct HieraKeyIndex HieraKeyIndex;

/* @param key_words  size of all keys in words of four bytes; they are compared word by word */
HieraKeyIndex *hiera_key_index_new(gsize key_words);
void hiera_key_index_free(HieraKeyIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraKeyIndex, hiera_key_index_free)
/* The number of a key; a new one if it was not met before. */
guint32 hiera_key_index_add(HieraKeyIndex *index, const void *key);
guint32 hiera_key_index_count(const HieraKeyIndex *index);
/* Valid until the next key is added. */
const void *hiera_key_index_peek(const HieraKeyIndex *index, guint32 number);

#endif
